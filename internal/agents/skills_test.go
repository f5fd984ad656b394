package agents

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var guides = []Skill{{"lspine-a", "a\n"}, {"lspine-b", "b\n"}}

// installSkills installs skills and returns what was left alone.
func installSkills(t *testing.T, p *Place, agent string, skills []Skill, force bool) (kept []string) {
	t.Helper()
	carryOut(t, p, func(plan *Plan) (err error) {
		kept, err = plan.InstallSkills(agent, User, skills, force)
		return err
	})
	return kept
}

func uninstallSkills(t *testing.T, p *Place, agent string, scope Scope) (kept []string) {
	t.Helper()
	carryOut(t, p, func(plan *Plan) (err error) {
		kept, err = plan.UninstallSkills(agent, scope)
		return err
	})
	return kept
}

// Skills go where each agent looks for them, and nothing is left of them, nor of their folders; what a
// second time changes is nothing.
func TestEachAgentsSkills(t *testing.T) {
	want := map[string][2]string{
		"claude": {".claude/skills", ".claude/skills"}, "codex": {".agents/skills", ".agents/skills"}, "gemini": {".gemini/skills", ".gemini/skills"},
		"qwen": {".qwen/skills", ".qwen/skills"}, "copilot": {".copilot/skills", ".github/skills"}, "cursor": {".cursor/skills", ".cursor/skills"},
		"opencode": {".config/opencode/skills", ".opencode/skills"},
	}
	if len(want) != len(Skilled()) {
		t.Errorf("there are %v", Skilled())
	}
	for agent, folders := range want {
		for i, scope := range []Scope{User, Project} {
			p := newPlace(t)
			folder := p.Home
			if scope == Project {
				folder = p.Root
			}
			install := func(plan *Plan) error {
				kept, err := plan.InstallSkills(agent, scope, guides, false)
				if len(kept) > 0 {
					t.Errorf("%s: kept are %q", agent, kept)
				}
				return err
			}
			changes := carryOut(t, p, install)
			if line := changes[0].Diff(); line != "write "+changes[0].Path+"\n" {
				t.Errorf("it is said %q", line)
			}
			if diff := cmp.Diff(map[string]string{folders[i] + "/lspine-a/SKILL.md": "a\n", folders[i] + "/lspine-b/SKILL.md": "b\n"}, tree(t, folder)); diff != "" {
				t.Errorf("%s %s:\n%s", agent, scope, diff)
			}
			if again := carryOut(t, p, install); len(again) > 0 {
				t.Errorf("%s: a second time changes %v", agent, again)
			}
			uninstallSkills(t, p, agent, scope)
			if left := tree(t, folder); len(left) > 0 {
				t.Errorf("%s: left are %v", agent, left)
			}
			if _, err := os.Lstat(p.State); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: the folder of the record: %v", agent, err)
			}
		}
	}
	var unknown *UnknownAgentError
	if _, err := newPlace(t).NewPlan().InstallSkills("emacs", User, guides, false); !errors.As(err, &unknown) || CanSkill("emacs") {
		t.Errorf("an agent that is not known: %v", err)
	}
}

// A moved folder is followed.
func TestMovedSkills(t *testing.T) {
	p := newPlace(t)
	p.Environ = []string{"CLAUDE_CONFIG_DIR=" + filepath.Join(p.Home, "moved")}
	installSkills(t, p, "claude", guides[:1], false)
	if diff := cmp.Diff(map[string]string{"moved/skills/lspine-a/SKILL.md": "a\n"}, tree(t, p.Home)); diff != "" {
		t.Error(diff)
	}
}

// Our own older skill is replaced, also one that is no longer there now; what somebody wrote or changed
// stays, unless force is used, and comes back then when ours goes. What others put beside stays.
func TestSkillsOfSomebody(t *testing.T) {
	p := newPlace(t)
	file := func(name string) string { return filepath.Join(p.Home, ".claude", "skills", name, "SKILL.md") }
	write(t, file("lspine-a"), "mine\n")
	write(t, file("other"), "other\n")
	if diff := cmp.Diff([]string{file("lspine-a")}, installSkills(t, p, "claude", append(guides, Skill{"lspine-old", "old\n"}), false)); diff != "" {
		t.Error(diff)
	}
	newer := []Skill{{"lspine-a", "a2\n"}, {"lspine-b", "b2\n"}}
	installSkills(t, p, "claude", newer, true)
	expect := func(what string, want map[string]string) {
		t.Helper()
		if diff := cmp.Diff(want, tree(t, filepath.Join(p.Home, ".claude", "skills"))); diff != "" {
			t.Errorf("%s:\n%s", what, diff)
		}
	}
	expect("replaced", map[string]string{"lspine-a/SKILL.md": "a2\n", "lspine-b/SKILL.md": "b2\n", "lspine-old/SKILL.md": "old\n", "other/SKILL.md": "other\n"})

	write(t, file("lspine-b"), "changed\n")
	if diff := cmp.Diff([]string{file("lspine-b")}, installSkills(t, p, "claude", newer, false)); diff != "" {
		t.Errorf("a second time:\n%s", diff)
	}
	if diff := cmp.Diff([]string{file("lspine-b")}, uninstallSkills(t, p, "claude", User)); diff != "" {
		t.Errorf("gone:\n%s", diff)
	}
	expect("gone", map[string]string{"lspine-a/SKILL.md": "mine\n", "lspine-b/SKILL.md": "changed\n", "other/SKILL.md": "other\n"})

	installSkills(t, p, "claude", newer[1:], true)
	uninstallSkills(t, p, "claude", User)
	expect("gone by force", map[string]string{"lspine-a/SKILL.md": "mine\n", "other/SKILL.md": "other\n"})
}

// A skill that somebody removed is no trouble, and may be installed again.
func TestRemovedSkills(t *testing.T) {
	p := newPlace(t)
	installSkills(t, p, "gemini", guides, false)
	if err := os.RemoveAll(filepath.Join(p.Home, ".gemini")); err != nil {
		t.Fatal(err)
	}
	if kept := uninstallSkills(t, p, "gemini", User); len(kept) > 0 {
		t.Errorf("kept are %q", kept)
	}
	installSkills(t, p, "gemini", guides, false)
	uninstallSkills(t, p, "gemini", User)
	if left := tree(t, p.Home); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}
