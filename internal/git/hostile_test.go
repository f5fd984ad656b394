package git_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/child"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/lsptest"
)

// What the configuration of a checkout tells git to run does not run, whatever git is asked for. The filters of a project
// that is trusted do, because its files would differ without them.
func TestGitRunsNothingForACheckout(t *testing.T) {
	lsptest.NeedShell(t)
	for _, trusted := range []bool{false, true} {
		r := lsptest.NewRepository(t, "-- a.txt --\none\n-- .gitattributes --\n*.txt filter=own diff=own\n-- below/b.txt --\nb\n")
		r.Commit()
		marks := t.TempDir()
		program := filepath.Join(marks, "program")
		lsptest.WriteFile(t, program, "#!/bin/sh\ntouch "+marks+"/$1\ncat\n")
		if err := os.Chmod(program, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"post-index-change", "reference-transaction", "fsmonitor-watchman"} {
			lsptest.WriteFile(t, filepath.Join(r.Root, ".git", "hooks", name), "#!/bin/sh\ntouch "+marks+"/hook\n")
			if err := os.Chmod(filepath.Join(r.Root, ".git", "hooks", name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		r.Write("included", "[filter \"own\"]\n\tclean = "+program+" clean\n\trequired = true\n")
		for _, setting := range [][2]string{
			{"core.fsmonitor", program + " fsmonitor"},
			{"diff.external", program + " external"},
			{"diff.own.command", program + " command"},
			{"diff.own.textconv", program + " textconv"},
			{"core.pager", program + " pager"},
			{"core.sshCommand", program + " ssh"},
			{"include.path", filepath.Join(r.Root, "included")},
		} {
			r.Git("config", setting[0], setting[1])
		}
		r.Write("a.txt", "two\n")
		r.Write("c.txt", "new\n")
		w := git.In(git.Options{Root: r.Root, Environ: lsptest.GitEnvironment, Trusted: trusted})
		changes, err := w.ChangesSince(t.Context(), "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"a.txt", "c.txt", "included"}, r.Names(changes.Present)); diff != "" {
			t.Errorf("trusted %t: what differs (-want +got):\n%s", trusted, diff)
		}
		if _, err := w.Changes(t.Context(), "HEAD"); err != nil {
			t.Error(err)
		}
		if texts, _, err := w.TextsAt(t.Context(), "HEAD", []string{filepath.Join(r.Root, "a.txt")}); err != nil || len(texts) != 1 {
			t.Error(texts, err)
		}
		if files, err := w.AllFiles(t.Context()); err != nil || len(files) != 5 {
			t.Error(files, err)
		}
		w.Commit(t.Context())
		w.Ignoring(t.Context())
		if _, _, err := w.Differing(t.Context(), "HEAD"); err != nil {
			t.Error(err)
		}
		ran, _ := filepath.Glob(filepath.Join(marks, "*"))
		want := []string{program}
		if trusted {
			want = []string{filepath.Join(marks, "clean"), program}
		}
		if diff := cmp.Diff(want, ran); diff != "" {
			t.Errorf("trusted %t: what ran (-want +got):\n%s", trusted, diff)
		}
	}
}

// A folder that only looks like a bare repository is no repository to git, also when a server runs it.
func TestCommittedBareRepository(t *testing.T) {
	lsptest.NeedShell(t)
	r := lsptest.NewRepository(t, "-- folder/HEAD --\nref: refs/heads/main\n-- folder/config --\n[core]\n\tfsmonitor = \"touch mark; false\"\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n-- folder/objects/x --\n-- folder/refs/x --\n-- folder/.hg/x --\n")
	folder := filepath.Join(r.Root, "folder")
	w := open(r, "folder")
	if changes, err := w.ChangesSince(t.Context(), "HEAD"); !isGitError(err) {
		t.Errorf("what differs is %v, %v", changes, err)
	}
	if files, err := w.AllFiles(t.Context()); !isGitError(err) {
		t.Errorf("the files are %v, %v", files, err)
	}
	run := exec.Command("git", "status")
	run.Dir, run.Env = folder, child.Harmless(append(slices.Clone(lsptest.GitEnvironment), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=kept"))
	if out, err := run.CombinedOutput(); err != nil && !strings.Contains(string(out), "bare") {
		t.Errorf("%v\n%s", err, out)
	}
	if found, _ := filepath.Glob(filepath.Join(folder, "mark")); len(found) > 0 {
		t.Error("what the folder's configuration names ran")
	}
	run = exec.Command("git", "config", "user.name")
	run.Dir, run.Env = r.Root, child.Harmless(append(slices.Clone(lsptest.GitEnvironment), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=kept"))
	if out, err := run.Output(); err != nil || string(out) != "kept\n" {
		t.Errorf("what the user set is %q, %v", out, err)
	}
}
