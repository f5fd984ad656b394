package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/skills"
)

// Skills are listed and shown by name; an unknown one is an error with the way out.
func TestSkillsShown(t *testing.T) {
	s := newShop(t, "", lsptest.Script{})
	list := s.run("skills", "list")
	s.expect("list", list, 0, list.stdout)
	if n := strings.Count(list.stdout, "\n"); n != len(skills.All()) || !strings.Contains(list.stdout, "\nrename ") {
		t.Errorf("%d lines:\n%s", n, list.stdout)
	}
	rename, _ := skills.Named("rename")
	s.expect("show", s.run("skills", "show", "rename"), 0, rename.Text)
	s.expect("show as installed", s.run("skills", "show", "lspine-rename"), 0, rename.Text)
	s.expect("none", s.run("skills", "show", "renmae"), 2, "", `there is no skill "renmae"`, "lspine skills list lists them")
	s.expect("no name", s.run("skills", "show"), 2, "", "show takes the name of one skill")
	if got := s.run("__complete", "skills", "show", "ren"); !strings.Contains(got.stdout, "rename\n") {
		t.Errorf("completed: %s", got.stdout)
	}
	if got := s.run("__complete", "skills", "install", "--agent", "cl"); !strings.Contains(got.stdout, "claude\n") || strings.Contains(got.stdout, "zed") {
		t.Errorf("completed: %s", got.stdout)
	}
}

// Skills are installed for the agents that are here, or that are named; a changed one stays unless
// --force is used; uninstall of the skills, and of everything, takes them away.
//
// Requirement: AGENT-28.
func TestSkillsInstalled(t *testing.T) {
	s := newShop(t, "", lsptest.Script{})
	home := filepath.Dir(s.configFile)
	s.expect("nobody", s.run("skills", "install"), 2, "", "no agent that reads skills was found here", "--agent names one: claude, codex")
	if err := os.Mkdir(filepath.Join(home, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	count := func(pattern string) int {
		t.Helper()
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	mine, ours := filepath.Join(home, ".claude", "skills", "lspine-*", "SKILL.md"), filepath.Join(s.root, ".agents", "skills", "lspine-*", "SKILL.md")
	all := len(skills.All())

	dry := s.run("skills", "install", "--dry-run")
	s.expect("dry", dry, 0, dry.stdout, "nothing was written")
	if count(mine) != 0 || strings.Count(dry.stdout, "write "+home) != all {
		t.Errorf("dry:\n%s", dry.stdout)
	}
	if got := s.run("skills", "install"); got.code != 0 || count(mine) != all {
		t.Errorf("installed are %d: %+v", count(mine), got)
	}
	s.expect("again", s.run("skills", "install"), 0, "", "nothing to change")
	one := s.run("skills", "install", "rename", "--agent", "codex", "--scope", "project")
	s.expect("one", one, 0, one.stdout)
	if text, err := os.ReadFile(filepath.Join(s.root, ".agents", "skills", "lspine-rename", "SKILL.md")); err != nil || !strings.HasPrefix(string(text), "---\nname: lspine-rename\n") || count(ours) != 1 {
		t.Errorf("for the project: %s, %v", text, err)
	}

	changed := filepath.Join(home, ".claude", "skills", "lspine-verify", "SKILL.md")
	lsptest.WriteFile(t, changed, "mine\n")
	s.expect("changed", s.run("skills", "install"), 0, "", changed+" is left as it is", "--force replaces it")
	s.expect("changed and taken away", s.run("skills", "uninstall", "--dry-run"), 0, s.run("skills", "uninstall", "--dry-run").stdout, changed+" is left as it is", "remove it by hand")
	s.expect("force", s.run("skills", "install", "--force", "--copy"), 0, "change "+changed+"\n")
	gone := s.run("skills", "uninstall")
	s.expect("uninstall", gone, 0, gone.stdout)
	if count(mine) != 0 || count(ours) != 1 {
		t.Errorf("left are %d, and %d of the project", count(mine), count(ours))
	}
	everything := s.run("uninstall")
	if everything.code != 0 || count(ours) != 0 {
		t.Errorf("left of the project are %d: %+v", count(ours), everything)
	}

	for _, args := range [][]string{{"install", "--agent", "emacs"}, {"uninstall", "--agent", "zed"}} {
		s.expect("an agent without skills", s.run(append([]string{"skills"}, args...)...), 2, "", "there is no agent", "one of claude, codex, copilot, cursor, gemini, opencode, qwen")
	}
	s.expect("another scope", s.run("skills", "install", "--scope", "world"), 2, "", `--scope: "world" is neither user nor project`)
	s.expect("another name", s.run("skills", "install", "renmae"), 2, "", `there is no skill "renmae"`)
}
