package agents

import (
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func newPlace(t *testing.T) *Place {
	t.Helper()
	return &Place{Home: t.TempDir(), Root: t.TempDir(), State: filepath.Join(t.TempDir(), "state")}
}

var update = flag.Bool("update", false, "write the golden files again")

var command = []string{"lspine", "hook"}

// carryOut plans and makes changes, and returns them.
func carryOut(t *testing.T, p *Place, plan func(*Plan) error) []Change {
	t.Helper()
	planned := p.NewPlan()
	if err := plan(planned); err != nil {
		t.Fatal(err)
	}
	changes, err := planned.Changes()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(changes); err != nil {
		t.Fatal(err)
	}
	return changes
}

func install(t *testing.T, p *Place, agent string, scope Scope, command []string) []Change {
	t.Helper()
	return carryOut(t, p, func(plan *Plan) error { return plan.Hooks(agent, scope, command, true) })
}

func uninstall(t *testing.T, p *Place, agent string, scope Scope) []Change {
	t.Helper()
	return carryOut(t, p, func(plan *Plan) error { return plan.Hooks(agent, scope, nil, false) })
}

// tree returns the files below a folder with their texts, and the empty folders.
func tree(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		if d.IsDir() {
			if entries, err := os.ReadDir(path); err == nil && len(entries) == 0 {
				all[filepath.ToSlash(name)+"/"] = ""
			}
			return err
		}
		text, err := os.ReadFile(path)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What each agent's configuration holds after the installation in an empty home folder and
// an empty project; a second installation changes nothing; the removal leaves nothing.
func TestEachAgent(t *testing.T) {
	for _, agent := range Hookable() {
		for _, scope := range []Scope{User, Project} {
			t.Run(agent+" "+string(scope), func(t *testing.T) {
				p := newPlace(t)
				folder := p.Home
				if scope == Project {
					folder = p.Root
				}
				install(t, p, agent, scope, command)
				var b strings.Builder
				all := tree(t, folder)
				for _, name := range slices.Sorted(maps.Keys(all)) {
					b.WriteString("-- " + name + " --\n" + all[name])
				}
				golden := filepath.Join("testdata", agent+"-"+string(scope)+".golden")
				if *update {
					write(t, golden, b.String())
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), b.String()); diff != "" {
					t.Error(diff)
				}
				if again := install(t, p, agent, scope, command); len(again) != 0 {
					t.Errorf("a second installation changes %v", again)
				}
				uninstall(t, p, agent, scope)
				if left := tree(t, folder); len(left) != 0 {
					t.Errorf("left are %v", left)
				}
				if again := uninstall(t, p, agent, scope); len(again) != 0 {
					t.Errorf("a second removal changes %v", again)
				}
				if exists(p.State) {
					t.Errorf("the folder of the record still holds %v", tree(t, p.State))
				}
			})
		}
	}
}

// Whatever somebody has in the file, comments, blanks, hooks of others, stays to the byte;
// and it is there again to the byte when ours are gone.
func TestForeignConfiguration(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"nothing", "", ""},
		{"an empty object", "{}", `{
  "hooks": {
    "SessionStart": [
      {
        "hooks": [
`},
		{"tabs and comments", "// mine\n{\n\t\"model\": \"x\", // the best\n\t/* none */\n}\n", "// mine\n{\n\t\"model\": \"x\", // the best\n\t/* none */\n\t\"hooks\": {\n\t\t\"SessionStart\": [\n"},
		{"a comment at the end", "{\n\t\"model\": \"x\" // the best\n}\n", "{\n\t\"model\": \"x\", // the best\n\t\"hooks\": {\n\t\t\"SessionStart\": [\n"},
		{"a trailing comma", "{\n    \"model\": \"x\",\n}\n", "{\n    \"model\": \"x\",\n    \"hooks\": {\n        \"SessionStart\": [\n"},
		{"hooks of others", `{
  "hooks": {
    "PostToolUse": [
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "mine hook" } ] }
    ]
  },
  "model": "x"
}
`, `{
  "hooks": {
    "PostToolUse": [
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "mine hook" } ] },
      {
        "matcher": "Edit|Write|MultiEdit|NotebookEdit|Bash",
`},
		{"places for hooks", "{\"hooks\": {\"Stop\": []}}\n", "{\"hooks\": {\"Stop\": [\n"},
		{"one line", `{"model": "x"}`, "{\"model\": \"x\",\n  \"hooks\": {\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t)
			file := filepath.Join(p.Home, ".claude", "settings.json")
			write(t, file, c.before)
			install(t, p, "claude", User, command)
			got := tree(t, p.Home)[".claude/settings.json"]
			if !strings.HasPrefix(got, c.after) || strings.Count(got, "lspine hook") != 5 {
				t.Errorf("installed:\n%s", got)
			}
			if _, err := parseJSON([]byte(got)); err != nil {
				t.Errorf("%v:\n%s", err, got)
			}
			uninstall(t, p, "claude", User)
			if diff := cmp.Diff(map[string]string{".claude/settings.json": c.before}, tree(t, p.Home)); diff != "" {
				t.Errorf("after the removal:\n%s", diff)
			}
		})
	}
}

// What somebody changes between installation and removal stays, and only our part goes;
// also out of a group that somebody added another hook to; a list that somebody left empty
// stays. A new path of ours takes the place of the old one.
func TestChangedMeanwhile(t *testing.T) {
	p := newPlace(t)
	file := filepath.Join(p.Root, ".claude", "settings.json")
	write(t, file, "{\n  \"model\": \"x\"\n}\n")
	install(t, p, "claude", Project, command)
	text := tree(t, p.Root)[".claude/settings.json"]
	text = strings.Replace(text, `"model": "x"`, `"model": "y"`, 1)
	text = strings.Replace(text, `"hooks": [`, `"hooks": [ {"type": "command", "command": "mine"},`, 1)
	text = strings.Replace(text, `"SessionStart": [`, `"PreCompact": [],
    "SessionStart": [`, 1)
	write(t, file, text)
	install(t, p, "claude", Project, []string{"/opt/my lspine/lspine", "hook"})
	got := tree(t, p.Root)[".claude/settings.json"]
	if strings.Contains(got, `"lspine hook"`) || strings.Count(got, `"command": "\"/opt/my lspine/lspine\" hook"`) != 5 {
		t.Errorf("the new path:\n%s", got)
	}
	uninstall(t, p, "claude", Project)
	const want = `{
  "model": "y",
  "hooks": {
    "PreCompact": [],
    "SessionStart": [
      {
        "hooks": [ {"type": "command", "command": "mine"}
        ]
      }
    ]
  }
}
`
	if diff := cmp.Diff(map[string]string{".claude/settings.json": want}, tree(t, p.Root)); diff != "" {
		t.Error(diff)
	}
}

// A person who has moved an agent's folder by its variable finds what we write there; a
// relative folder would be another one in each project, and is not followed.
func TestMovedFolders(t *testing.T) {
	for agent, variable := range map[string]string{
		"claude": "CLAUDE_CONFIG_DIR", "codex": "CODEX_HOME", "copilot": "COPILOT_HOME", "opencode": "XDG_CONFIG_HOME", "pi": "PI_CODING_AGENT_DIR",
	} {
		rest := strings.TrimPrefix(known[agent].hooks.user, movers[variable])
		p := newPlace(t)
		moved := filepath.Join(p.Home, "moved")
		p.Environ = []string{variable + "=" + moved}
		if diff := cmp.Diff(filepath.Join(moved, filepath.FromSlash(rest)), install(t, p, agent, User, command)[0].Path); diff != "" {
			t.Errorf("%s:\n%s", agent, diff)
		}
		p = newPlace(t)
		p.Environ = []string{variable + "=moved"}
		if diff := cmp.Diff(filepath.Join(p.Home, filepath.FromSlash(known[agent].hooks.user)), install(t, p, agent, User, command)[0].Path); diff != "" {
			t.Errorf("%s, relative:\n%s", agent, diff)
		}
	}
}

// A plugin that somebody else wrote under our name is left alone.
func TestForeignPlugin(t *testing.T) {
	p := newPlace(t)
	file := filepath.Join(p.Home, ".pi", "agent", "extensions", "lspine.js")
	write(t, file, "export default () => {}\n")
	if err := p.NewPlan().Hooks("pi", User, command, true); !errors.Is(err, errForeign) || !strings.HasPrefix(err.Error(), file) {
		t.Errorf("the installation says %v", err)
	}
	if made := uninstall(t, p, "pi", User); len(made) != 0 {
		t.Errorf("the removal changes %v", made)
	}
}

// As each agent describes an MCP server, with nothing there before and for both scopes; a
// second time nothing changes, and nothing is left when it is gone.
func TestEachServer(t *testing.T) {
	for _, agent := range Connectable() {
		for _, scope := range []Scope{User, Project} {
			t.Run(agent+" "+string(scope), func(t *testing.T) {
				p := newPlace(t)
				p.Environ = []string{"GOFLAGS=-tags=a", "JAVA_HOME=", "HOME=/nobody"}
				folder := p.Home
				if scope == Project {
					folder = p.Root
				}
				connect := func(plan *Plan) error {
					return plan.Server(agent, scope, []string{"lspine", "mcp"}, true)
				}
				var none *NoScopeError
				if err := connect(p.NewPlan()); errors.As(err, &none) {
					if scope != Project || len(carryOut(t, p, func(plan *Plan) error { return plan.Server(agent, scope, nil, false) })) > 0 {
						t.Error(err)
					}
					return
				}
				if made := carryOut(t, p, connect); agent == "pi" {
					if len(made) != 0 {
						t.Errorf("pi knows no MCP servers; changed are %v", made)
					}
					return
				}
				var b strings.Builder
				for name, text := range tree(t, folder) {
					b.WriteString("-- " + strings.Replace(name, "AppData/Roaming/", ".config/", 1) + " --\n" + text) // Windows has that instead
				}
				golden := filepath.Join("testdata", "server-"+agent+"-"+string(scope)+".golden")
				if *update {
					write(t, golden, b.String())
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), b.String()); diff != "" {
					t.Error(diff)
				}
				if again := carryOut(t, p, connect); len(again) != 0 {
					t.Errorf("a second time changes %v", again)
				}
				carryOut(t, p, func(plan *Plan) error { return plan.Server(agent, scope, nil, false) })
				if left := tree(t, folder); len(left) != 0 {
					t.Errorf("left are %v", left)
				}
			})
		}
	}
}

// Servers and hooks of an agent in one file come and go one by one; the file is as it was
// when both are gone.
func TestBothInOneFile(t *testing.T) {
	p := newPlace(t)
	const before = "{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}\n  }\n}\n"
	file := filepath.Join(p.Home, ".gemini", "settings.json")
	write(t, file, before)
	both := func(wanted bool) func(*Plan) error {
		return func(plan *Plan) error {
			return errors.Join(plan.Server("gemini", User, []string{"lspine", "mcp"}, wanted), plan.Hooks("gemini", User, command, wanted))
		}
	}
	if changes := carryOut(t, p, both(true)); len(changes) != 1 {
		t.Errorf("%d changes of one file", len(changes))
	}
	uninstall(t, p, "gemini", User)
	const server = "{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"},\n    \"lspine\": {\n      \"command\": \"lspine\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}\n"
	if diff := cmp.Diff(map[string]string{".gemini/settings.json": server}, tree(t, p.Home)); diff != "" {
		t.Errorf("without the hooks:\n%s", diff)
	}
	carryOut(t, p, both(true))
	carryOut(t, p, both(false))
	if diff := cmp.Diff(map[string]string{".gemini/settings.json": before}, tree(t, p.Home)); diff != "" {
		t.Errorf("without both:\n%s", diff)
	}
}

// Codex's file is TOML: what others have there stays, ours is replaced where it stands and
// goes again; one that is described inline is left alone.
func TestCodexTOML(t *testing.T) {
	p := newPlace(t)
	file := filepath.Join(p.Home, ".codex", "config.toml")
	const before = "model = \"x\" # mine\n\n[mcp_servers.other]\ncommand = \"y\"\n"
	write(t, file, before)
	connect := func(path string) func(*Plan) error {
		return func(plan *Plan) error { return plan.Server("codex", User, []string{path, "mcp"}, true) }
	}
	p.Environ = []string{`GOFLAGS=-tags="a b"`}
	carryOut(t, p, connect(`C:\x\lspine`))
	text := tree(t, p.Home)[".codex/config.toml"]
	write(t, file, text+"\n[tui]\nx = 1\n")
	p.Environ = nil
	carryOut(t, p, connect("lspine"))
	const want = before + "\n[tui]\nx = 1\n\n[mcp_servers.lspine]\ncommand = \"lspine\"\nargs = [\"mcp\"]\n"
	if diff := cmp.Diff(want, tree(t, p.Home)[".codex/config.toml"]); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(text, "command = \"C:\\\\x\\\\lspine\"") || !strings.Contains(text, `GOFLAGS = "-tags=\"a b\""`) {
		t.Errorf("quoted:\n%s", text)
	}
	carryOut(t, p, func(plan *Plan) error { return plan.Server("codex", User, nil, false) })
	if diff := cmp.Diff(before+"\n[tui]\nx = 1\n", tree(t, p.Home)[".codex/config.toml"]); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"[mcp_servers]\nlspine = {command = \"x\"}\n": errInline.Error(),
		"model = ": "it is no TOML",
	} {
		write(t, file, text)
		if err := connect("lspine")(p.NewPlan()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// An agent is there if its program is on PATH or it has left its folder.
func TestPresent(t *testing.T) {
	p := newPlace(t)
	bin := t.TempDir()
	write(t, filepath.Join(bin, "codex"), "")
	write(t, filepath.Join(bin, "zed.exe"), "")
	write(t, filepath.Join(p.Home, ".gemini", "x"), "")
	p.Environ = []string{"PATH=relative" + string(os.PathListSeparator) + bin}
	if diff := cmp.Diff([]string{"codex", "gemini", "zed"}, p.Present()); diff != "" {
		t.Error(diff)
	}
	if CanHook("zed") || !CanHook("codex") {
		t.Error("who has hooks is wrong")
	}
}

// Nothing is written where a file has changed since it was planned for, where it is no JSON,
// or where a script is somebody else's.
func TestRefusals(t *testing.T) {
	p := newPlace(t)
	file := filepath.Join(p.Home, ".cursor", "hooks.json")
	plan := p.NewPlan()
	if err := plan.Hooks("cursor", User, command, true); err != nil {
		t.Fatal(err)
	}
	changes, err := plan.Changes()
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, "{}")
	if err := p.Apply(changes); err == nil || !strings.Contains(err.Error(), "has changed meanwhile") {
		t.Errorf("changed meanwhile: %v", err)
	}
	for _, text := range []string{"[]", "{", `{"hooks":[]}`, `{"hooks":{"stop":{}}}`} {
		write(t, file, text)
		if err := p.NewPlan().Hooks("cursor", User, command, true); err == nil || !strings.HasPrefix(err.Error(), file) {
			t.Errorf("%s: %v", text, err)
		}
	}
	write(t, filepath.Join(p.Home, "Documents", "Cline", "Hooks", "PostToolUse"), "#!/bin/sh\n")
	if err := p.NewPlan().Hooks("cline", User, command, true); !errors.Is(err, errForeign) {
		t.Errorf("somebody's script: %v", err)
	}
	carryOut(t, p, func(plan *Plan) error { return plan.Hooks("cline", User, nil, false) })
	if got := tree(t, p.Home)["Documents/Cline/Hooks/PostToolUse"]; got != "#!/bin/sh\n" {
		t.Errorf("somebody's script is %q", got)
	}
	var unknown *UnknownAgentError
	if err := p.NewPlan().Server("emacs", User, command, true); !errors.As(err, &unknown) || unknown.Hint() != "one of "+strings.Join(Connectable(), ", ") {
		t.Errorf("an unknown agent: %v", err)
	}
}
