// It tells the model after each edit what that broke, and at the end of a turn what is left.
import { spawn } from "node:child_process"

const command = COMMAND
const readers = ["read", "grep", "find", "ls"]

// hook returns what lspine has to say about an event: "" if nothing is wrong, or lspine cannot be run.
// At the end of a turn it may take longer.
function hook(event) {
  return new Promise((done) => {
    const seconds = event.hook_event_name === "Stop" ? 120 : 20
    const limit = ["--timeout", `${seconds - 2}s`]
    const child = spawn(command[0], [...command.slice(1), ...limit], { cwd: event.cwd, stdio: ["pipe", "pipe", "ignore"], timeout: seconds * 1000 })
    let said = ""
    child.stdout.setEncoding("utf8").on("data", (part) => (said += part))
    child.on("error", () => done(""))
    child.on("close", () => done(said.trim()))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
  })
}

export default function (pi) {
  const tell = (ctx, event) => hook({ session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, ...event })
  pi.on("session_start", async (_event, ctx) => {
    await tell(ctx, { hook_event_name: "SessionStart" })
  })
  pi.on("tool_result", async (event, ctx) => {
    if (readers.includes(event.toolName)) return
    const said = await tell(ctx, { hook_event_name: "PostToolUse", tool_name: event.toolName, tool_input: event.input })
    if (said) return { content: [...event.content, { type: "text", text: said }] }
  })
  pi.on("turn_end", async (event, ctx) => {
    if (event.toolResults.length > 0 || event.message?.stopReason === "aborted") return // it goes on, or was stopped
    const said = await tell(ctx, { hook_event_name: "Stop" })
    try {
      if (said) pi.sendUserMessage(said, { deliverAs: "followUp" })
    } catch {} // pi -p has ended meanwhile
  })
}
