package workspace

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// A repository is a git checkout of the test.
type repository struct {
	t    *testing.T
	root string
}

var gitEnvironment = append(os.Environ(),
	"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
	"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
)

func newRepository(t *testing.T, archive string) repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		lsptest.Skip(t, "git is not installed")
	}
	r := repository{t, lsptest.Workspace(t, archive)}
	r.git("init", "--quiet")
	return r
}

func (r repository) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.root, gitEnvironment
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func (r repository) commit() {
	r.t.Helper()
	r.git("add", "--all")
	r.git("commit", "--quiet", "--message=m")
}

func (r repository) write(name, text string) {
	r.t.Helper()
	lsptest.WriteFile(r.t, filepath.Join(r.root, name), text)
}

func (r repository) open(below string) *Workspace {
	r.t.Helper()
	return open(r.t, "", Options{Root: filepath.Join(r.root, below), Environ: gitEnvironment})
}

// relative names paths from the root of the repository, sorted.
func (r repository) relative(paths []string) []string {
	var names []string
	for _, path := range paths {
		name, err := filepath.Rel(r.root, path)
		if err != nil {
			r.t.Error(err)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

const oddName = "odd dir/ü \"q\"\n\t'.toy"

// What differs from a revision is found under its own name, however odd:
// edited, staged, new and renamed files; not deleted or ignored ones.
func TestChangedSince(t *testing.T) {
	r := newRepository(t, "-- same.toy --\n-- edited.toy --\n-- staged.toy --\n-- gone.toy --\n-- before.toy --\nlong enough to be seen as renamed\n-- sub/s.toy --\n-- .gitignore --\n*.log\n")
	r.write(oddName, "1")
	r.write("-dash.toy", "1")
	r.commit()
	r.write("edited.toy", "2")
	r.write("staged.toy", "2")
	r.git("add", "staged.toy")
	r.git("mv", "before.toy", "after.toy")
	r.write(oddName, "2")
	r.write("-dash.toy", "2")
	r.write("sub/s.toy", "2")
	r.write("sub/new.toy", "1")
	r.write("x.log", "1")
	if err := os.Remove(filepath.Join(r.root, "gone.toy")); err != nil {
		t.Fatal(err)
	}
	want := []string{"-dash.toy", "after.toy", "edited.toy", oddName, "staged.toy", "sub/new.toy", "sub/s.toy"}
	paths, err := r.open("").ChangedSince(t.Context(), "HEAD")
	if got := r.relative(paths); !slices.Equal(got, want) || err != nil {
		t.Errorf("changed are %q, %v; want %q", got, err, want)
	}
	paths, err = r.open("sub").ChangedSince(t.Context(), "HEAD")
	if got, want := r.relative(paths), []string{"sub/new.toy", "sub/s.toy"}; !slices.Equal(got, want) || err != nil {
		t.Errorf("below sub, changed are %q, %v; want %q", got, err, want)
	}
	r.commit()
	if paths, err := r.open("").ChangedSince(t.Context(), "HEAD"); len(paths) > 0 || err != nil {
		t.Errorf("after the commit, changed are %q, %v", paths, err)
	}
	paths, err = r.open("").ChangedSince(t.Context(), "HEAD~1")
	if got := r.relative(paths); !slices.Equal(got, want) || err != nil {
		t.Errorf("since the commit before, changed are %q, %v; want %q", got, err, want)
	}
}

// All files are those tracked and those not ignored.
func TestAllFiles(t *testing.T) {
	r := newRepository(t, "-- a.toy --\n-- sub/b.toy --\n-- .gitignore --\n*.log\nbuild/\n-- x.log --\n-- build/c.toy --\n")
	r.write(oddName, "1")
	r.commit()
	r.write("new.toy", "")
	paths, err := r.open("").AllFiles(t.Context())
	if got, want := r.relative(paths), []string{".gitignore", "a.toy", "new.toy", oddName, "sub/b.toy"}; !slices.Equal(got, want) || err != nil {
		t.Errorf("all are %q, %v; want %q", got, err, want)
	}
}

// A file is had as it was at a revision, byte for byte, also from a root below
// that of the repository.
func TestContentAtARevision(t *testing.T) {
	r := newRepository(t, "-- sub/a.toy --\n")
	r.write("sub/a.toy", "one\r\n\x00\xff")
	r.write("sub/"+oddName, "odd")
	r.commit()
	r.write("sub/a.toy", "two")
	r.write("sub/b.toy", "b")
	r.commit()
	r.write("sub/a.toy", "three")
	for _, below := range []string{"", "sub"} {
		w := r.open(below)
		for _, c := range []struct {
			revision, name, want string
			was                  bool
		}{
			{"HEAD", "sub/a.toy", "two", true},
			{"HEAD~1", "sub/a.toy", "one\r\n\x00\xff", true},
			{"HEAD", "sub/" + oddName, "odd", true},
			{"HEAD~1", "sub/b.toy", "", false},
			{"HEAD", "sub/missing.toy", "", false},
			{"HEAD", "sub", "", false},
		} {
			got, was, err := w.At(t.Context(), c.revision, filepath.Join(r.root, c.name))
			if string(got) != c.want || was != c.was || err != nil {
				t.Errorf("from %q: %s at %s is %q, %t, %v", below, c.name, c.revision, got, was, err)
			}
		}
	}
}

// A revision that git does not know, or that is an option, is an error that
// says what to do, and nothing happens.
func TestRevisionsThatAreNone(t *testing.T) {
	r := newRepository(t, "-- a.toy --\n")
	r.commit()
	w := r.open("")
	for _, revision := range []string{"nosuch", "-p", "--output=made", "--no-index", "HEAD~99", "", "a b", "HEAD:a.toy"} {
		if paths, err := w.ChangedSince(t.Context(), revision); revision != "HEAD:a.toy" && !isGitError(err) {
			t.Errorf("since %q: %q, %v", revision, paths, err)
		}
		if content, was, err := w.At(t.Context(), revision, filepath.Join(r.root, "a.toy")); revision != "" && !isGitError(err) {
			t.Errorf("at %q: %q, %t, %v", revision, content, was, err)
		}
	}
	if _, err := os.Stat(filepath.Join(r.root, "made")); err == nil {
		t.Error("git was given an option")
	}
}

func isGitError(err error) bool {
	var e *GitError
	return errors.As(err, &e) && e.Hint() != "" && strings.HasPrefix(e.Error(), "git ")
}

// Without a repository, a commit or git itself, the error says so.
func TestNoGit(t *testing.T) {
	r := newRepository(t, "-- a.toy --\n")
	if _, err := r.open("").ChangedSince(t.Context(), "HEAD"); !isGitError(err) {
		t.Errorf("without a commit: %v", err)
	}
	ceiling := lsptest.Workspace(t, "-- a.toy --\n")
	w := open(t, "", Options{Root: ceiling, Environ: append(slices.Clone(gitEnvironment), "GIT_CEILING_DIRECTORIES="+filepath.Dir(ceiling))})
	if _, err := w.AllFiles(t.Context()); !isGitError(err) || !strings.Contains(err.Error(), "not in a git checkout") {
		t.Errorf("without a repository: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.AllFiles(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	t.Setenv("PATH", "")
	if _, err := w.AllFiles(t.Context()); !isGitError(err) || !strings.Contains(err.Error(), "not installed") {
		t.Errorf("without git: %v", err)
	}
}

// The root is the nearest folder under version control, else the folder
// itself.
func TestFindRoot(t *testing.T) {
	root := lsptest.Workspace(t, "-- git/.git --\n-- git/a/b/x --\n-- jj/.jj/x --\n-- jj/a/x --\n-- nested/.git/x --\n-- nested/a/.hg/x --\n-- nested/a/b/x --\n")
	for dir, want := range map[string]string{"git/a/b": "git", "git": "git", "jj/a": "jj", "nested/a/b": "nested/a"} {
		if got := FindRoot(filepath.Join(root, dir)); got != filepath.Join(root, want) {
			t.Errorf("the root of %s is %s", dir, got)
		}
	}
}
