package hook

import (
	"slices"
	"strings"
)

// An Agent is a coding agent whose hooks we answer.
type Agent string

// The agents. Text stands for no agent: findings are printed to standard output as they are, for
// git hooks and scripts.
const (
	Claude  Agent = "claude"
	Codex   Agent = "codex"
	Gemini  Agent = "gemini"
	Qwen    Agent = "qwen"
	Copilot Agent = "copilot"
	Cursor  Agent = "cursor"
	Cline   Agent = "cline"
	LLxprt  Agent = "llxprt"
	// OpenCode and Pi have no hooks but plugins in their own language. Those that we install send
	// Claude Code's payload, and add our output to what the model reads.
	OpenCode Agent = "opencode"
	Pi       Agent = "pi"
	Text     Agent = "text"
)

// A Moment is the point in an agent's work at which a hook runs.
type Moment int

// The moments that matter. Aside stands for all others.
const (
	Aside    Moment = iota
	Begun           // a session begins
	Prompted        // the user asks for something
	Edited          // one or more tools have run
	Settled         // the agent is about to end its turn
)

// moments maps the events of all agents, as they spell them. No name has different meanings for two
// agents.
var moments = map[string]Moment{
	"SessionStart": Begun, "sessionStart": Begun, "TaskStart": Begun, "TaskResume": Begun,

	"UserPromptSubmit": Prompted, "BeforeAgent": Prompted, "userPromptSubmitted": Prompted, "beforeSubmitPrompt": Prompted,

	"PostToolUse": Edited, "PostToolUseFailure": Edited, "PostToolBatch": Edited, "AfterTool": Edited,
	"postToolUse": Edited, "postToolUseFailure": Edited, "afterFileEdit": Edited, "afterShellExecution": Edited,
	"tool_result": Edited,

	"Stop": Settled, "SubagentStop": Settled, "AfterAgent": Settled,
	"agentStop": Settled, "subagentStop": Settled, "stop": Settled,
}

// A toolKind says what a tool may have done to files.
type toolKind int

const (
	unfamiliar toolKind = iota // it may have changed the files that it names, or any other
	reader                     // it changes nothing
	command                    // it may have changed any file
)

// readers are tools that change nothing. Agents that cannot restrict hooks to certain tools report
// these too.
var readers = []string{
	"read", "read_file", "read_files", "read_many_files", "view", "notebookread", "glob", "grep", "ls", "list", "list_directory",
	"list_files", "search", "search_files", "search_file_content", "grep_search", "rg", "tool_search", "toolsearch", "websearch",
	"webfetch", "web_search", "web_fetch", "google_web_search", "fetch", "todowrite", "todoread", "todo_write", "update_plan",
	"write_todos", "save_memory", "ask_user", "report_intent", "think", "skill", "lsp",
}

// commands are tools that run commands.
var commands = []string{
	"bash", "shell", "powershell", "run_shell_command", "exec_command", "write_stdin", "unified_exec", "execute_command",
	"run_command", "run_commands", "run_terminal_cmd", "terminal", "local_shell",
}

// kindOf returns what a tool may have done to files. lspine's own tools count as readers, because
// they have already reported what they broke.
func kindOf(tool string) toolKind {
	name := strings.ToLower(tool)
	switch {
	case strings.Contains(name, "lspine"), slices.Contains(readers, name):
		return reader
	case slices.Contains(commands, name):
		return command
	}
	return unfamiliar
}
