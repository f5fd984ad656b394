package agents

import (
	"flag"
	"os"
	"path/filepath"
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

// install and uninstall do what the commands of that name do.
func install(t *testing.T, p *Place, agent string, scope Scope, command []string) []Change {
	t.Helper()
	changes, err := p.HooksOf(agent, scope, command, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(changes); err != nil {
		t.Fatal(err)
	}
	return changes
}

func uninstall(t *testing.T, p *Place, agent string, scope Scope) []Change {
	t.Helper()
	changes, err := p.HooksOf(agent, scope, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	if changes, err = p.Restore(changes); err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(changes); err != nil {
		t.Fatal(err)
	}
	return changes
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
				for name, text := range tree(t, folder) {
					b.WriteString("-- " + name + " --\n" + text)
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
				if left := tree(t, p.State); len(left) != 0 {
					t.Errorf("the record still holds %v", left)
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
			if !strings.HasPrefix(got, c.after) || strings.Count(got, "lspine hook") != 4 {
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
// also out of a group that somebody added another hook to. A new path of ours takes the
// place of the old one.
func TestChangedMeanwhile(t *testing.T) {
	p := newPlace(t)
	file := filepath.Join(p.Root, ".claude", "settings.json")
	write(t, file, "{\n  \"model\": \"x\"\n}\n")
	install(t, p, "claude", Project, command)
	text := tree(t, p.Root)[".claude/settings.json"]
	text = strings.Replace(text, `"model": "x"`, `"model": "y"`, 1)
	text = strings.Replace(text, `"hooks": [`, `"hooks": [ {"type": "command", "command": "mine"},`, 1)
	write(t, file, text)
	install(t, p, "claude", Project, []string{"/opt/my lspine/lspine", "hook"})
	got := tree(t, p.Root)[".claude/settings.json"]
	if strings.Contains(got, `"lspine hook"`) || strings.Count(got, `"command": "\"/opt/my lspine/lspine\" hook"`) != 4 {
		t.Errorf("the new path:\n%s", got)
	}
	uninstall(t, p, "claude", Project)
	const want = `{
  "model": "y",
  "hooks": {
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
