package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/agents"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// needy is a workspace in which one server is missing that lspine can install, and one that it
// cannot.
const needy = "-- go.mod --\nmodule m\n-- main.go --\npackage main\n-- a.c --\nint x;\n"

// A told is what init tells: its exit code, which servers and agents it is about, which files it
// would write, and its messages.
type told struct {
	Code     int
	About    []string
	Files    []string
	Messages string
}

// tells runs init in the home of a person.
func (s *shop) tells(home string, args ...string) told {
	s.t.Helper()
	got := s.run(append([]string{"init"}, args...)...)
	stdout := below(got.stdout, home, "HOME")
	all := told{Code: got.code, Messages: below(got.stderr, home, "HOME")}
	for line := range strings.Lines(stdout) {
		line = strings.TrimSuffix(line, "\n")
		if file, is := strings.CutPrefix(line, "+++ "); is {
			all.Files = append(all.Files, file)
		}
		for _, about := range []string{"LSP server status:", "Servers to install: ", "Missing servers: ", "Agents: "} {
			if strings.HasPrefix(line, about) {
				all.About = append(all.About, line)
			}
		}
	}
	return all
}

// trustCodex is what a person reads once the hooks of Codex are written.
const trustCodex = "lspine: Codex runs no hooks that you have not trusted: type /hooks in it, now and whenever they change\n"

var codexFiles = []string{"HOME/.codex/config.toml", "HOME/.codex/hooks.json"}

// init connects the agents that are named, or else those that are here; who names none where there
// is none, or one that nobody knows, is told which there are.
//
// Requirement: AGENT-7.
func TestInitOfAgents(t *testing.T) {
	s, home := newBareShop(t, "")
	names := strings.Join(agents.Connectable(), ", ") + "\n"
	status := "LSP server status:"
	expect := func(name string, want, got told) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	expect("nobody is here", told{2, []string{status}, nil, "lspine: no coding agent was found here\n  --agent names one: " + names}, s.tells(home, "--yes"))
	expect("an unknown one", told{2, []string{status, "Agents: nobody"}, nil, "lspine: nobody: there is no agent \"nobody\"\n  one of " + names}, s.tells(home, "--agent", "nobody"))
	expect("another scope", told{2, nil, nil, "lspine: --scope: \"world\" is neither user nor project\n  for example --scope user\n"}, s.tells(home, "--scope", "world"))
	lsptest.WriteFile(t, filepath.Join(home, ".codex", "x"), "")
	expect("codex is here", told{0, []string{status, "Agents: codex"}, codexFiles, "lspine: nothing was written\n"}, s.tells(home, "--dry-run"))
	expect("another is named", told{0, []string{status, "Agents: cursor"}, []string{"HOME/.cursor/mcp.json", "HOME/.cursor/hooks.json"}, "lspine: nothing was written\n"}, s.tells(home, "--dry-run", "--agent", "cursor"))
	expect("nobody can be asked", told{2, []string{status, "Agents: codex"}, codexFiles, "lspine: nothing was written: nobody is here to ask\n  --yes does it without a question\n"}, s.tells(home))
	if diff := cmp.Diff([]string{"x"}, filesBelow(t, filepath.Join(home, ".codex"))); diff != "" {
		t.Errorf("written without a yes: %s", diff)
	}
	expect("with a yes", told{0, []string{status, "Agents: codex"}, codexFiles, trustCodex}, s.tells(home, "--yes"))
	expect("again", told{0, []string{status, "Agents: codex"}, nil, "lspine: nothing to change\n"}, s.tells(home, "--yes"))
}

// An agent that has no configuration for the scope is an error if it is named, and is passed over
// if it was only found; its hooks and its rules are written where it has them.
func TestInitOfAScope(t *testing.T) {
	s, home := newBareShop(t, "")
	const status, elsewhere, dry = "LSP server status:", " has no MCP servers of a project\n  --scope user connects it for all your projects\n", "lspine: nothing was written\n"
	lsptest.WriteFile(t, filepath.Join(home, ".codeium", "windsurf", "x"), "")
	for name, c := range map[string]struct {
		args string
		want told
	}{
		"named, with nothing": {"--scope project --agent windsurf", told{2, []string{status, "Agents: windsurf"}, nil, "lspine: windsurf: windsurf" + elsewhere}},
		"named, with hooks":   {"--scope project --agent copilot", told{0, []string{status, "Agents: copilot"}, []string{"ROOT/.github/hooks/lspine.json"}, "lspine: copilot" + elsewhere + dry}},
		"found, with nothing": {"--scope project", told{0, []string{status, "Agents: windsurf"}, nil, "lspine: windsurf" + elsewhere + "lspine: nothing to change\n"}},
		"found, with rules":   {"--scope project --rules", told{0, []string{status, "Agents: windsurf"}, []string{"ROOT/AGENTS.md"}, "lspine: windsurf" + elsewhere + dry}},
		"without rules": {"--rules --agent cline", told{
			0,
			[]string{status, "Agents: cline"},
			[]string{"HOME/.cline/data/settings/cline_mcp_settings.json", "HOME/Documents/Cline/Hooks/PostToolUse", "HOME/Documents/Cline/Hooks/TaskStart"},
			"lspine: cline: it is not known where its rules stand in the scope user\n  tell it yourself to call the tool check after its edits\n" + dry,
		}},
		"rules of a person": {"--rules --agent codex", told{0, []string{status, "Agents: codex"}, append(codexFiles[:2:2], "HOME/.codex/AGENTS.md"), dry}},
	} {
		got := s.tells(home, append(strings.Fields(c.args), "--dry-run")...)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Missing servers are installed if a person says so: by a flag, or as the answer to a question that
// names them. One question is asked, about all that would be done.
func TestInitInstalls(t *testing.T) {
	const (
		status, agents, toInstall, missing = "LSP server status:", "Agents: codex", "Servers to install: gopls", "Missing servers: lspine install gopls"
		unwanted                           = "lspine: nothing was written\n"
	)
	by, packages := wayOf(t, "gopls")
	pin, _ := registry.PinOf("gopls")
	_, hint := pin.Kind.Tool()
	fails := "lspine: gopls by " + by + ": " + packages + " …\nlspine: gopls is installed by " + by + ", which is not on PATH\n  " + hint + "\n"
	for _, c := range []struct {
		name, args, answer string
		connected          bool // before, without a server
		want               told
	}{
		{"a person says no", "", "n\n", false, told{2, []string{status, toInstall, agents}, codexFiles, "Write this, and install gopls? [y/N] " + unwanted}},
		{"a person says yes", "", "y\n", false, told{2, []string{status, toInstall, agents}, codexFiles, "Write this, and install gopls? [y/N] " + trustCodex + fails}},
		{"not to be installed", "--install=false", "y\n", false, told{0, []string{status, missing, agents}, codexFiles, "Write this? [y/N] " + trustCodex}},
		{"without a question", "--yes", "", false, told{0, []string{status, missing, agents}, codexFiles, trustCodex}},
		{"all without a question", "--yes --install", "", false, told{2, []string{status, toInstall, agents}, codexFiles, trustCodex + fails}},
		{"a dry run", "--yes --install --dry-run", "", false, told{0, []string{status, toInstall, agents}, codexFiles, unwanted}},
		{"connected, and no", "", "n\n", true, told{2, []string{status, toInstall, agents}, nil, "lspine: nothing to change\nInstall gopls? [y/N] " + unwanted}},
		{"connected, and yes", "", "yes\n", true, told{2, []string{status, toInstall, agents}, nil, "lspine: nothing to change\nInstall gopls? [y/N] " + fails}},
		{"connected, without a question", "--yes --install", "", true, told{2, []string{status, toInstall, agents}, nil, "lspine: nothing to change\n" + fails}},
		{"connected, and a dry run", "--install --dry-run", "", true, told{0, []string{status, toInstall, agents}, nil, "lspine: nothing to change\n"}},
		{"connected, not to be installed", "--install=false", "", true, told{0, []string{status, missing, agents}, nil, "lspine: nothing to change\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, home := newBareShop(t, needy)
			s.change = func(st *Streams) { st.Environ, st.OutTerminal, st.ErrTerminal = homeIn(home), true, true }
			if c.connected {
				if got := s.tells(home, "--agent", "codex", "--yes", "--install=false"); got.Code != 0 {
					t.Fatalf("%+v", got)
				}
			}
			s.stdin = c.answer
			if diff := cmp.Diff(c.want, s.tells(home, append(strings.Fields(c.args), "--agent", "codex")...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A checkout whose agents' files are links out of it gets nothing written there, not even with --yes: init and skills
// refuse, and say where the link leads; uninstall says so, and goes on.
func TestInitDoesNotFollowLinksOutOfAProject(t *testing.T) {
	lsptest.NeedLinks(t)
	s := newShop(t, "-- a.toy --\n", lsptest.Script{})
	outside := lsptest.Workspace(t, "-- settings.json --\n{}\n")
	if err := os.Symlink(outside, filepath.Join(s.root, ".claude")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "--agent", "claude", "--scope", "project", "--yes"},
		{"hook", "install", "--host", "claude", "--scope", "project"},
		{"skills", "install", "--agent", "claude", "--scope", "project"},
	} {
		got := s.run(args...)
		if got.code != exitUsage || !strings.Contains(got.stderr, " is a link out of the project, to "+outside) {
			t.Errorf("%q: %+v", args, got)
		}
	}
	if got := s.run("uninstall"); got.code != exitClean || !strings.Contains(got.stderr, outside+"/settings.json, and is left as it is") {
		t.Errorf("uninstall: %+v", got)
	}
	if diff := cmp.Diff([]string{"settings.json"}, filesBelow(t, outside)); diff != "" || read(t, filepath.Join(outside, "settings.json")) != "{}\n" {
		t.Errorf("something was written: %s", diff)
	}
}
