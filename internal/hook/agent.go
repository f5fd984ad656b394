package hook

import (
	"slices"
	"strings"
)

// An Agent is a coding agent whose hooks are answered.
type Agent string

// The agents. Text stands for none: findings go to standard output as they are, for git hooks and
// scripts.
const (
	Claude  Agent = "claude"
	Codex   Agent = "codex"
	Gemini  Agent = "gemini"
	Qwen    Agent = "qwen"
	Copilot Agent = "copilot"
	Cursor  Agent = "cursor"
	Cline   Agent = "cline"
	LLxprt  Agent = "llxprt"
	// OpenCode and Pi have no hooks, but plugins in their own language: those that we install send
	// Claude Code's payload, and add what is printed to what the model reads.
	OpenCode Agent = "opencode"
	Pi       Agent = "pi"
	Text     Agent = "text"
)

// Agents returns all agents, sorted by name.
func Agents() []Agent {
	return []Agent{Claude, Cline, Codex, Copilot, Cursor, Gemini, LLxprt, OpenCode, Pi, Qwen, Text}
}

// A Moment says when in an agent's work a hook runs.
type Moment int

// The moments that matter. Aside is any other.
const (
	Aside   Moment = iota
	Begun          // a session begins
	Edited         // a tool has run, or several
	Settled        // the agent is about to end its turn
)

// moments has the events of all agents, in their spellings. No name means different things for two
// agents.
var moments = map[string]Moment{
	"SessionStart": Begun, "sessionStart": Begun,

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

// readers are tools that change nothing. Agents whose hooks cannot be restricted to some tools
// report these too.
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

// kindOf says what a tool may have done to files. lspine's own tools count as readers, because they
// have reported already what they broke.
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
