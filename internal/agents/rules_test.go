package agents

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// Our section comes after what others wrote in an agent's rules, once, and goes again to the byte,
// also when they went on writing around it; a file that we began goes as a whole.
func TestRules(t *testing.T) {
	for name, c := range map[string]struct {
		text, added string
		// later is what others make of it, left what stays of that.
		later, left string
	}{
		"none":             {"", rulesText, rulesText, ""},
		"others' rules":    {"# Mine\n\nBe kind.\n", "# Mine\n\nBe kind.\n\n" + rulesText, "# Mine\n\nBe kind.\n\n" + rulesText, "# Mine\n\nBe kind.\n"},
		"no last new line": {"Be kind.", "Be kind.\n\n" + rulesText, "Be kind.\n\n" + rulesText, "Be kind."},
		"went on":          {"Be kind.\n", "Be kind.\n\n" + rulesText, "Be very kind.\n\n" + rulesText + "And quick.\n", "Be very kind.\nAnd quick.\n"},
		"lost its end":     {"Be kind.\n", "Be kind.\n\n" + rulesText, "Be kind.\n\n" + rulesBegin + "call it\n", "Be kind.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			file := filepath.Join(p.Home, ".codex", "AGENTS.md")
			if c.text != "" {
				lsptest.WriteFile(t, file, c.text)
			}
			plan := func(wanted bool) string {
				t.Helper()
				carryOut(t, p, func(plan *Plan) error {
					has, err := plan.Rules("codex", User, wanted)
					if !has {
						t.Error("it has no rules")
					}
					return err
				})
				text, _ := os.ReadFile(file) // gone: ""
				return string(text)
			}
			for range 2 {
				if diff := cmp.Diff(c.added, plan(true)); diff != "" {
					t.Error(diff)
				}
			}
			if c.later != c.added {
				lsptest.WriteFile(t, file, c.later)
			}
			for range 2 {
				if diff := cmp.Diff(c.left, plan(false)); diff != "" {
					t.Errorf("taken away:\n%s", diff)
				}
			}
			if _, err := os.Lstat(file); c.left == "" && err == nil {
				t.Error("the file is left")
			}
		})
	}
}

// Each agent has the file that its documents name, of the person and of the project; who has none
// of a scope is not written for.
func TestRulesOfEachAgent(t *testing.T) {
	got := make(map[string][2]string)
	for _, agent := range Connectable() {
		var files [2]string
		for i, scope := range []Scope{User, Project} {
			p := newPlace(t)
			changes := carryOut(t, p, func(plan *Plan) error {
				_, err := plan.Rules(agent, scope, true)
				return err
			})
			folder := p.Home
			if scope == Project {
				folder = p.Root
			}
			for _, c := range changes {
				files[i], _ = filepath.Rel(folder, c.Path)
				files[i] = filepath.ToSlash(files[i])
			}
		}
		got[agent] = files
	}
	shared := [2]string{"", "AGENTS.md"}
	want := map[string][2]string{
		"claude": {".claude/CLAUDE.md", "CLAUDE.md"}, "codex": {".codex/AGENTS.md", "AGENTS.md"}, "gemini": {".gemini/GEMINI.md", "GEMINI.md"},
		"opencode": {".config/opencode/AGENTS.md", "AGENTS.md"}, "copilot": shared, "crush": shared, "cursor": shared, "vscode": shared, "windsurf": shared, "zed": shared,
		"cline": {}, "continue": {}, "llxprt": {}, "pi": {}, "qwen": {},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
