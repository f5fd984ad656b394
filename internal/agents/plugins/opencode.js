// It tells the model after each edit what that broke, and at the end of a turn what is left.
import { spawn } from "node:child_process"

const command = COMMAND
const readers = ["read", "grep", "glob", "list", "lsp", "webfetch", "websearch", "skill", "todowrite", "todoread", "question"]

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

export const Lspine = async ({ client, directory }) => ({
  "tool.execute.after": async (input, output) => {
    if (readers.includes(input.tool)) return
    const said = await hook({ hook_event_name: "PostToolUse", session_id: input.sessionID, cwd: directory, tool_name: input.tool, tool_input: input.args })
    if (said) output.output += "\n\n" + said
  },
  event: async ({ event }) => {
    if (event.type === "session.created") await hook({ hook_event_name: "SessionStart", session_id: event.properties.info.id, cwd: directory })
    if (event.type !== "session.idle") return
    const id = event.properties.sessionID
    const session = await client.session.get({ path: { id } })
    if (session.data?.parentID) return // a subagent has told its result already
    const said = await hook({ hook_event_name: "Stop", session_id: id, cwd: directory })
    if (said) await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text: said }] } })
  },
})
