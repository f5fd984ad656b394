package agents

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// An agent is what is known of a coding agent: how to tell that it is there, where it keeps what concerns us, and in
// which form. What it sends to its hooks, and reads from them, is known to package hook.
type agent struct {
	// programs, on PATH, and folders, below the person's, tell that the agent is there.
	programs, folders []string
	// moved is the variable by which a person moves the agent's folder, one of movers, or "".
	moved string
	// server is how it starts servers of MCP, hooks how it runs hooks; nil if it does not.
	server *server
	hooks  *hooks
	// rules is the file in which it reads rules, skills the folder in which it looks for skills, as its documentation says.
	rules, skills location
}

// A location is a file or folder of an agent: the person's own, below the person's folder, and that of a project, below
// the project; "" if it has none for that scope.
type location struct{ user, project string }

// known has every agent that we can be connected with. To add one is to add it here, and to package hook if it has hooks.
var known = map[string]agent{
	"claude": {
		programs: []string{"claude"}, folders: []string{".claude"}, moved: "CLAUDE_CONFIG_DIR",
		server: &server{location: location{".claude.json", ".mcp.json"}, key: "mcpServers", kind: "stdio"},
		hooks: &hooks{
			location: location{".claude/settings.json", ".claude/settings.json"}, usual: 60, // 600 in later versions
			events: []hookEvent{
				{name: "SessionStart"},
				{name: "UserPromptSubmit", usual: 30},
				{name: "PostToolUse", matcher: "Edit|Write|MultiEdit|NotebookEdit|Bash"},
				{name: "Stop", ends: true},
				{name: "SubagentStop", ends: true},
			},
		},
		rules: location{".claude/CLAUDE.md", "CLAUDE.md"}, skills: location{".claude/skills", ".claude/skills"},
	},
	"cline": {
		programs: []string{"cline"}, folders: []string{".cline"},
		server: &server{location: location{user: ".cline/data/settings/cline_mcp_settings.json"}, key: "mcpServers"},
		hooks: &hooks{
			location: location{"Documents/Cline/Hooks", ".clinerules/hooks"}, style: script,
			usual:  hookTimeout, // its documentation does not say
			events: []hookEvent{{name: "PostToolUse"}, {name: "TaskStart"}},
		},
	},
	"codex": {
		programs: []string{"codex"}, folders: []string{".codex"}, moved: "CODEX_HOME",
		server: &server{location: location{".codex/config.toml", ".codex/config.toml"}, style: tomlServer, strips: true},
		hooks: &hooks{
			location: location{".codex/hooks.json", ".codex/hooks.json"}, usual: 600,
			events: []hookEvent{
				{name: "SessionStart"},
				{name: "UserPromptSubmit"},
				{name: "PostToolUse", matcher: "apply_patch|Edit|Write|Bash"},
				{name: "Stop", ends: true},
			},
			trust: "Codex runs no hooks that you have not trusted: type /hooks in it, now and whenever they change",
		},
		rules: location{".codex/AGENTS.md", "AGENTS.md"}, skills: location{".agents/skills", ".agents/skills"},
	},
	"continue": {
		programs: []string{"cn"}, folders: []string{".continue"},
		server: &server{location: location{".continue/mcpServers/lspine.yaml", ".continue/mcpServers/lspine.yaml"}, style: yamlServer},
	},
	"copilot": {
		programs: []string{"copilot"}, folders: []string{".copilot"}, moved: "COPILOT_HOME",
		server: &server{location: location{user: ".copilot/mcp-config.json"}, key: "mcpServers", kind: "local", style: toolsServer},
		hooks: &hooks{
			location: location{".copilot/hooks/lspine.json", ".github/hooks/lspine.json"}, style: copilot, version: true, usual: 30,
			events: []hookEvent{
				{name: "sessionStart"}, {name: "postToolUse", matcher: "edit|create|apply_patch|bash"}, {name: "agentStop", ends: true},
			},
		},
		rules: location{"", "AGENTS.md"}, skills: location{".copilot/skills", ".github/skills"},
	},
	"crush": {
		programs: []string{"crush"}, folders: []string{".config/crush"}, moved: "XDG_CONFIG_HOME",
		server: &server{location: location{".config/crush/crush.json", "crush.json"}, key: "mcp", kind: "stdio"},
		rules:  location{"", "AGENTS.md"},
	},
	"cursor": {
		programs: []string{"cursor", "cursor-agent"}, folders: []string{".cursor"},
		server: &server{location: location{".cursor/mcp.json", ".cursor/mcp.json"}, key: "mcpServers"},
		hooks: &hooks{
			location: location{".cursor/hooks.json", ".cursor/hooks.json"}, style: listed, version: true,
			usual:  hookTimeout, // its documentation does not say
			events: []hookEvent{{name: "sessionStart"}, {name: "afterFileEdit"}, {name: "postToolUse"}, {name: "stop", limit: 3, ends: true}},
		},
		rules: location{"", "AGENTS.md"}, skills: location{".cursor/skills", ".cursor/skills"},
	},
	"gemini": {
		programs: []string{"gemini"}, folders: []string{".gemini"},
		server: &server{location: location{".gemini/settings.json", ".gemini/settings.json"}, key: "mcpServers"},
		hooks: &hooks{
			location: location{".gemini/settings.json", ".gemini/settings.json"}, milliseconds: true, usual: 60,
			events: []hookEvent{
				{name: "SessionStart"},
				{name: "BeforeAgent"},
				{name: "AfterTool", matcher: "write_file|replace|edit|run_shell_command"},
				{name: "AfterAgent", ends: true},
			},
		},
		rules: location{".gemini/GEMINI.md", "GEMINI.md"}, skills: location{".gemini/skills", ".gemini/skills"},
	},
	"llxprt": {
		programs: []string{"llxprt"}, folders: []string{".llxprt"},
		server: &server{location: location{".llxprt/settings.json", ".llxprt/settings.json"}, key: "mcpServers"},
		hooks: &hooks{
			location: location{".llxprt/settings.json", ".llxprt/settings.json"}, milliseconds: true, usual: 60,
			events: []hookEvent{
				{name: "SessionStart"},
				{name: "BeforeAgent"},
				{name: "AfterTool", matcher: "write_file|replace|insert_at_line|delete_line_range|apply_patch|run_shell_command"},
			},
		},
	},
	"opencode": {
		programs: []string{"opencode"}, folders: []string{".config/opencode"}, moved: "XDG_CONFIG_HOME",
		server: &server{location: location{".config/opencode/opencode.json", "opencode.json"}, key: "mcp", style: listServer},
		hooks: &hooks{ // the plugin asks for its own time at the end of a turn, and so does that of pi
			location: location{".config/opencode/plugins/lspine.js", ".opencode/plugins/lspine.js"},
			style:    plugin, plugin: openCodePlugin, usual: hookTimeout,
		},
		rules:  location{".config/opencode/AGENTS.md", "AGENTS.md"},
		skills: location{".config/opencode/skills", ".opencode/skills"},
	},
	"pi": {
		programs: []string{"pi"}, folders: []string{".pi"}, moved: "PI_CODING_AGENT_DIR",
		hooks: &hooks{
			location: location{".pi/agent/extensions/lspine.js", ".pi/extensions/lspine.js"}, style: plugin, plugin: piPlugin, usual: hookTimeout,
		},
	},
	"qwen": {
		programs: []string{"qwen"}, folders: []string{".qwen"},
		server: &server{location: location{".qwen/settings.json", ".qwen/settings.json"}, key: "mcpServers"},
		hooks: &hooks{
			location: location{".qwen/settings.json", ".qwen/settings.json"}, milliseconds: true, usual: 60,
			events: []hookEvent{
				{name: "SessionStart"},
				{name: "UserPromptSubmit"},
				{name: "PostToolUse", matcher: "write_file|edit|run_shell_command"},
				{name: "Stop", ends: true},
			},
		},
		skills: location{".qwen/skills", ".qwen/skills"},
	},
	"vscode": {
		programs: []string{"code"}, folders: []string{codeFolder()},
		server: &server{location: location{codeFolder() + "/mcp.json", ".vscode/mcp.json"}, key: "servers", kind: "stdio"},
		rules:  location{"", "AGENTS.md"},
	},
	"windsurf": {
		programs: []string{"windsurf"}, folders: []string{".codeium/windsurf"},
		server: &server{location: location{user: ".codeium/windsurf/mcp_config.json"}, key: "mcpServers"},
		rules:  location{"", "AGENTS.md"},
	},
	"zed": {
		programs: []string{"zed", "zeditor"}, folders: []string{".config/zed"},
		server: &server{location: location{".config/zed/settings.json", ".zed/settings.json"}, key: "context_servers"},
		rules:  location{"", "AGENTS.md"},
	},
}

// The plugins of agents that have no hooks. COMMAND stands for the command that they run.
var (
	//go:embed plugins/opencode.js
	openCodePlugin string
	//go:embed plugins/pi.js
	piPlugin string
)

// movers are variables by which a person moves an agent's folder, and the folder below the
// person's that each of them stands for.
var movers = map[string]string{
	"CLAUDE_CONFIG_DIR":   ".claude",
	"CODEX_HOME":          ".codex",
	"COPILOT_HOME":        ".copilot",
	"PI_CODING_AGENT_DIR": ".pi/agent",
	"XDG_CONFIG_HOME":     ".config",
}

// codeFolder is where VS Code keeps a person's settings, below the person's folder.
func codeFolder() string {
	switch runtime.GOOS {
	case "darwin":
		return "Library/Application Support/Code/User"
	case "windows":
		return "AppData/Roaming/Code/User"
	}
	return ".config/Code/User"
}

// Connectable returns the agents that we can be connected with, as an MCP server, by hooks,
// or both; by name.
func Connectable() []string { return sortedNames(known) }

// Hookable returns the agents whose hooks can be installed, by name.
func Hookable() []string {
	return slices.DeleteFunc(Connectable(), func(name string) bool { return !CanHook(name) })
}

// Skilled returns the agents that read skills, by name.
func Skilled() []string {
	return slices.DeleteFunc(Connectable(), func(name string) bool { return !CanSkill(name) })
}

// CanHook reports whether we can be an agent's hooks as well.
func CanHook(agent string) bool { return known[agent].hooks != nil }

// CanSkill reports whether an agent reads skills.
func CanSkill(agent string) bool { return known[agent].skills != location{} }

// Trust says what a person has to do before an agent runs its hooks, "" for nothing.
func Trust(agent string) string {
	if !CanHook(agent) {
		return ""
	}
	return known[agent].hooks.trust
}

// An UnknownAgentError names an agent that nothing is known of.
type UnknownAgentError struct {
	Name  string
	Known []string
}

func (e *UnknownAgentError) Error() string { return fmt.Sprintf("there is no agent %q", e.Name) }

// Hint names those that there are.
func (e *UnknownAgentError) Hint() string { return "one of " + strings.Join(e.Known, ", ") }

// Present returns the agents that are on this machine: their program is on PATH, or they
// have left a folder in the person's.
func (p *Place) Present() []string {
	return slices.DeleteFunc(Connectable(), func(name string) bool {
		a := known[name]
		return !slices.ContainsFunc(a.programs, p.onPath) && !slices.ContainsFunc(a.folders, func(folder string) bool {
			return exists(filepath.Join(p.Home, filepath.FromSlash(folder)))
		})
	})
}

func (p *Place) onPath(program string) bool {
	for _, dir := range filepath.SplitList(p.lookup("PATH")) {
		for _, ending := range []string{"", ".exe", ".cmd"} {
			if filepath.IsAbs(dir) && exists(filepath.Join(dir, program+ending)) {
				return true
			}
		}
	}
	return false
}

// file returns a file of an agent for a scope: below the project, or the person's folder, or
// where the agent's variable has moved that.
func (p *Place) file(agent string, at location, scope Scope) string {
	if scope == Project {
		return filepath.Join(p.Root, filepath.FromSlash(at.project))
	}
	if moved := known[agent].moved; moved != "" && filepath.IsAbs(p.lookup(moved)) {
		if rest, below := strings.CutPrefix(at.user, movers[moved]+"/"); below {
			return filepath.Join(p.lookup(moved), filepath.FromSlash(rest))
		}
	}
	return filepath.Join(p.Home, filepath.FromSlash(at.user))
}
