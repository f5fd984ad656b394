package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// What cannot be done ends with exit code 2 (3 if a server is missing), says
// nothing on standard output, and on standard error which argument it was and
// what to do instead.
func TestBadInputs(t *testing.T) {
	parent := lsptest.Workspace(t, "-- shop/toy.root --\n-- shop/main.toy --\n-- shop/empty/notes.bin --\n-- elsewhere.toy --\n-- broken.jsonc --\n{\"lsp\": {\n\"maxRestarts\": 1,,\n}\n-- list.jsonc --\n[]\n")
	s := &shop{t: t, root: filepath.Join(parent, "shop"), configFile: writeConfig(t, lsptest.Script{})}
	for name, text := range map[string]string{
		"binary.toy": "a\x00b", "latin.toy": "caf\xe9", "large.toy": strings.Repeat("x", 3<<20),
	} {
		lsptest.WriteFile(t, filepath.Join(s.root, name), text)
	}
	config := s.configFile
	for _, c := range []struct {
		name, config string
		args         []string
		says         []string
	}{
		{"no such file", config, []string{"mian.toy"}, []string{"mian.toy", "no such file", "did you mean", "main.toy"}},
		{"no such folder", config, []string{"nowhere/zzz.toy"}, []string{"nowhere/zzz.toy", "no such file", "check the path"}},
		{"a folder without code", config, []string{"empty"}, []string{"empty", "no server knows a file in it", "name files"}},
		{"a glob that matches nothing", config, []string{"*.nothing"}, []string{"*.nothing", "no server knows a file in it", "name files"}},
		{"a binary", config, []string{"binary.toy"}, []string{"binary.toy", "binary", "text file"}},
		{"another encoding", config, []string{"latin.toy"}, []string{"latin.toy", "UTF-8", "iconv"}},
		{"3 MiB", config, []string{"large.toy"}, []string{"large.toy", "3145728", "lsp.maxFileBytes"}},
		{"outside the root", config, []string{"../elsewhere.toy"}, []string{"elsewhere.toy", "outside", "--root"}},
		{"a broken configuration", filepath.Join(parent, "broken.jsonc"), []string{"main.toy"}, []string{"CONFIG:2:18", "fix the file"}},
		{"no configuration", filepath.Join(parent, "none.jsonc"), []string{"main.toy"}, []string{"CONFIG", syscall.ENOENT.Error(), "fix the file"}},
		{"an unknown server", config, []string{"main.toy", "--server", "nope"}, []string{"nope", "known are", "toy", "gopls"}},
		{"an unknown severity", config, []string{"main.toy", "--severity", "fatal"}, []string{"fatal", "error, warning, info"}},
		{"no time", config, []string{"main.toy", "--timeout", "-1s"}, []string{"--timeout", "30s"}},
		{"no duration", config, []string{"main.toy", "--timeout", "soon"}, []string{"--timeout", "soon"}},
		{"no root", config, []string{"main.toy", "--root", "nowhere"}, []string{"--root", "nowhere", "existing folder"}},
		{"a file as root", config, []string{"main.toy", "--root", "main.toy"}, []string{"--root", "main.toy", "folder that holds it"}},
		{"all and names", config, []string{"--all", "main.toy"}, []string{"--all", "leave out"}},
		{"an unknown flag", config, []string{"--colour"}, []string{"--colour"}},
	} {
		s.configFile = c.config
		s.expect(c.name, s.run(append([]string{"check"}, c.args...)...), exitUsage, "", c.says...)
	}
	s.configFile = filepath.Join(parent, "none.jsonc")
	s.expect("no configuration for status", s.run("status"), exitUsage, "", "CONFIG: cannot be read", "fix the file")
	s.configFile = config
	s.expect("good and bad together", s.run("check", "main.toy", "missing.toy"), exitUsage, "", "missing.toy")
	s.expect("a typing mistake", s.run("chekc"), exitUsage, "", "chekc", "Did you mean", "check")
	s.expect("an argument too many", s.run("status", "extra"), exitUsage, "", "extra")
	s.change = func(st *Streams) { st.Environ = append(st.Environ, `LSP_BOOTSTRAP={"workspaceRoot":"nowhere"}`) }
	s.expect("no root by variable", s.run("check", "main.toy"), exitUsage, "", "LSP_BOOTSTRAP", "nowhere", "existing folder")
}

// A link that leads nowhere, to itself or out of the root is no file that can be checked.
func TestBadLinks(t *testing.T) {
	lsptest.NeedLinks(t)
	parent := lsptest.Workspace(t, "-- shop/toy.root --\n-- shop/main.toy --\n-- elsewhere.toy --\n")
	s := &shop{t: t, root: filepath.Join(parent, "shop"), configFile: writeConfig(t, lsptest.Script{})}
	for link, target := range map[string]string{"out.toy": "../elsewhere.toy", "dangling.toy": "nowhere", "loop.toy": "loop.toy"} {
		if err := os.Symlink(target, filepath.Join(s.root, link)); err != nil {
			t.Fatal(err)
		}
	}
	s.expect("a dangling link", s.run("check", "dangling.toy"), exitUsage, "", "dangling.toy", "no such file")
	s.expect("a link out of the root", s.run("check", "out.toy"), exitUsage, "", "out.toy", "leads to", "elsewhere.toy", "--root")
	s.expect("a circle, beside a file", s.run("check", "main.toy", "loop.toy"), exitUsage, "", "loop.toy")
}

// A server that is not installed is no error of the file: exit code 3, with
// the commands that install it, once for all files.
func TestNoServerInstalled(t *testing.T) {
	s := newShop(t, "-- go.mod --\nmodule m\n-- main.go --\npackage main\n-- x.go --\npackage main\n", lsptest.Script{})
	t.Setenv("PATH", "")
	got := s.run("check", "main.go", "x.go")
	s.expect("no server", got, exitUnavailable, "", "main.go", "gopls", "not found in PATH", "install it: lspine install gopls")
	if strings.Count(got.stderr, "install it") != 1 {
		t.Errorf("said more than once:\n%s", got.stderr)
	}
	s.expect("a file nobody knows", s.run("check", "toy.root"), exitUnavailable, "", "toy.root", "no server knows")
}

// Without names git says what changed; without a checkout, or without a commit, all that
// a server knows is checked, but for what ignore files name.
func TestWithoutNames(t *testing.T) {
	lsptest.NeedGit(t)
	s := newShop(t, "-- a.toy --\nERROR old\n-- b.toy --\n", lsptest.Script{})
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(s.root))
	s.expect("no checkout", s.run("check"), 1, "a.toy:1:1: error: old\n", "1 error (2 files checked)")
	lsptest.WriteFile(t, filepath.Join(s.root, ".gitignore"), "a.toy\n")
	s.expect("no checkout, ignored", s.run("check", "--all"), 0, "", "no errors (1 file checked)")
	lsptest.WriteFile(t, filepath.Join(s.root, ".gitignore"), "")
	s.expect("no checkout, since", s.run("check", "--since", "HEAD"), exitUsage, "", "not in a git checkout", "name the files")
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = s.root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	git("init", "--quiet")
	s.expect("no commit", s.run("check"), 1, "a.toy:1:1: error: old\n", "1 error (2 files checked)")
	git("add", "--all")
	git("commit", "--quiet", "--message=m")
	s.expect("nothing changed", s.run("check"), 0, "", "nothing to check")
	lsptest.WriteFile(t, filepath.Join(s.root, "b.toy"), "fine\nERROR new\n")
	lsptest.WriteFile(t, filepath.Join(s.root, "picture.png"), "\x89PNG")
	s.expect("what changed", s.run("check"), 1, "b.toy:2:1: error: new\n", "1 new error (1 file checked)")
	s.expect("all", s.run("check", "--all"), 1, "a.toy:1:1: error: old [older]\nb.toy:2:1: error: new\n", "1 new error, 1 older error (2 files checked)")
	lsptest.WriteFile(t, filepath.Join(s.root, "a.toy"), "fine\nERROR old\n")
	got := s.run("check", "--since", "HEAD")
	s.expect("since", got, 1, got.stdout, "1 new error, 1 older error not listed (2 files checked)")
	if strings.Contains(got.stdout, "error: old") || !strings.Contains(got.stdout, "b.toy:2:1: error: new") || !strings.Contains(got.stdout, "older") {
		t.Errorf("since HEAD: %s", got.stdout)
	}
	s.expect("an unknown revision", s.run("check", "--since", "nosuch"), exitUsage, "", "nosuch", "git")
	s.expect("an unknown revision with names", s.run("check", "a.toy", "--since", "nosuch"), exitUsage, "", "nosuch", "git")
	s.expect("an option as revision", s.run("check", "--since=--output=made"), exitUsage, "", "--output=made")
	if _, err := os.Stat(filepath.Join(s.root, "made")); err == nil {
		t.Error("git was given an option")
	}
}
