package agents

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// Where a folder stands in the place of a file, each step that would change the file fails, whether it adds or takes away,
// and plans nothing.
func TestFoldersInThePlaceOfFiles(t *testing.T) {
	t.Parallel()
	command := []string{"lspine", "mcp"}
	for name, c := range map[string]struct {
		file string
		plan func(p *Plan, wanted bool) error
	}{
		"a server in JSON":    {".claude.json", func(p *Plan, wanted bool) error { return p.Server("claude", User, command, wanted) }},
		"a server in TOML":    {".codex/config.toml", func(p *Plan, wanted bool) error { return p.Server("codex", User, command, wanted) }},
		"a server of its own": {".continue/mcpServers/lspine.yaml", func(p *Plan, wanted bool) error { return p.Server("continue", User, command, wanted) }},
		"hooks":               {".claude/settings.json", func(p *Plan, wanted bool) error { return p.Hooks("claude", User, command, wanted) }},
		"a script":            {"Documents/Cline/Hooks/PostToolUse", func(p *Plan, wanted bool) error { return p.Hooks("cline", User, command, wanted) }},
		"a plugin":            {".pi/agent/extensions/lspine.js", func(p *Plan, wanted bool) error { return p.Hooks("pi", User, command, wanted) }},
		"rules": {".claude/CLAUDE.md", func(p *Plan, wanted bool) error {
			has, err := p.Rules("claude", User, wanted)
			if !has {
				t.Error("it has no rules")
			}
			return err
		}},
		"a skill": {".claude/skills/lspine-x/SKILL.md", func(p *Plan, wanted bool) error {
			if wanted {
				kept, err := p.InstallSkills("claude", User, []Skill{{Name: "lspine-x", Text: "x"}}, true)
				return errorWithout(t, kept, err)
			}
			path := p.place.file("claude", location{user: ".claude/skills/lspine-x/SKILL.md"}, User)
			if err := p.place.writeRecord(&record{Files: map[string]made{path: {After: hash([]byte("x"))}}}); err != nil {
				t.Fatal(err)
			}
			kept, err := p.UninstallSkills("claude", User)
			return errorWithout(t, kept, err)
		}},
	} {
		for _, wanted := range []bool{true, false} {
			home := t.TempDir()
			if err := os.MkdirAll(filepath.Join(home, filepath.FromSlash(c.file)), 0o755); err != nil {
				t.Fatal(err)
			}
			plan := (&Place{Home: home, State: filepath.Join(home, "state")}).NewPlan()
			if err := c.plan(plan, wanted); err == nil {
				t.Errorf("%s, wanted %t: no error", name, wanted)
			}
			if changes, err := plan.Changes(); err != nil || len(changes) > 0 {
				t.Errorf("%s, wanted %t: %+v, %v", name, wanted, changes, err)
			}
		}
	}
}

// errorWithout returns an error, with which nothing is told of files that are kept.
func errorWithout(t *testing.T, kept []string, err error) error {
	t.Helper()
	if err != nil && kept != nil {
		t.Errorf("kept %q", kept)
	}
	return err
}

// What cannot be written or taken away is an error, and what was written before stays on record, to be taken back.
func TestChangesThatCannotBeMade(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	p := &Place{Home: home, State: filepath.Join(home, "state")}
	first, blocked := filepath.Join(home, "first"), filepath.Join(home, "none", "x")
	gone := filepath.Join(home, "gone")
	for name, last := range map[string]Change{
		"below a file":     {Path: filepath.Join(first, "x"), After: []byte("x")},
		"gone already":     {Path: gone, Removed: true},
		"not as it was":    {Path: blocked, Existed: true, Before: []byte("x"), After: []byte("y")},
		"there unexpected": {Path: first, After: []byte("y")},
	} {
		if err := p.Apply([]Change{{Path: first, After: []byte("ours")}, last}); err == nil {
			t.Errorf("%s: no error", name)
		}
		written, err := p.Written()
		if diff := cmp.Diff([]string{first}, written); diff != "" || err != nil {
			t.Errorf("%s: on record, %v (-want +got):\n%s", name, err, diff)
		}
		if err := p.Apply([]Change{{Path: first, Existed: true, Before: []byte("ours"), Removed: true}}); err != nil || exists(first) || exists(p.State) {
			t.Errorf("%s: taken back: %v", name, err)
		}
	}
	lsptest.WriteFile(t, filepath.Join(home, "state"), "")
	if err := p.Apply([]Change{{Path: first, After: []byte("ours")}}); err == nil || exists(first) {
		t.Errorf("without a folder for the record: %v", err)
	}
}
