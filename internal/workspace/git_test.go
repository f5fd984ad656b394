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
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
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
	lsptest.NeedGit(t)
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

// What differs from a revision is found under its own name, however odd: edited, staged,
// new and renamed files, with the name that those had; deleted ones apart; ignored ones
// not at all.
func TestChangesSince(t *testing.T) {
	r := newRepository(t, "-- same.toy --\n-- edited.toy --\n-- staged.toy --\n-- gone.toy --\n-- was.toy --\nlong enough to be seen as renamed\n-- sub/s.toy --\n-- .gitignore --\n*.log\n")
	r.write(oddName, "1")
	r.write("-dash.toy", "1")
	r.commit()
	r.write("edited.toy", "2")
	r.write("staged.toy", "2")
	r.git("add", "staged.toy")
	r.git("mv", "was.toy", "after.toy")
	r.write(oddName, "2")
	r.write("-dash.toy", "2")
	r.write("sub/s.toy", "2")
	r.write("sub/new.toy", "1")
	r.write("x.log", "1")
	if err := os.Remove(filepath.Join(r.root, "gone.toy")); err != nil {
		t.Fatal(err)
	}
	all := difference{
		Present: []string{"-dash.toy", "after.toy", "edited.toy", oddName, "staged.toy", "sub/new.toy", "sub/s.toy"},
		Deleted: []string{"gone.toy", "was.toy"}, Renamed: map[string]string{"after.toy": "was.toy"},
	}
	r.expect("", "HEAD", all)
	r.expect("sub", "HEAD", difference{Present: []string{"sub/new.toy", "sub/s.toy"}})
	r.commit()
	r.expect("", "HEAD", difference{})
	r.expect("", "HEAD~1", all)
	// A file that went from the index alone is there.
	r.git("rm", "--quiet", "--cached", "same.toy")
	r.expect("", "HEAD", difference{Present: []string{"same.toy"}})
}

// A file that has another time, and the text that it had, has not changed; and the index of git, in which that could be noted, is not
// written, so that no other git finds it locked.
func TestFilesWithAnotherTimeAlone(t *testing.T) {
	r := newRepository(t, "-- .gitattributes --\n*.txt text eol=crlf\n-- touched.toy --\n1\n-- crlf.txt --\n1\n-- edited.toy --\n1\n-- sub/-touched.toy --\n1\n")
	r.commit()
	r.write("edited.toy", "2")
	r.write("crlf.txt", "1\r\n")
	for _, name := range []string{"touched.toy", "crlf.txt", "sub/-touched.toy"} {
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(filepath.Join(r.root, filepath.FromSlash(name)), old, old); err != nil {
			t.Fatal(err)
		}
	}
	index := filepath.Join(r.root, ".git", "index")
	before, err := os.Stat(index)
	if err != nil {
		t.Fatal(err)
	}
	r.expect("", "HEAD", difference{Present: []string{"edited.toy"}})
	r.expect("sub", "HEAD", difference{})
	after, err := os.Stat(index)
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("the index was written")
	}
}

// A difference is changes by names from the root of the repository.
type difference struct {
	Present, Deleted []string
	Renamed          map[string]string
}

func (r repository) expect(below, revision string, want difference) {
	r.t.Helper()
	changes, err := r.open(below).ChangesSince(r.t.Context(), revision)
	if err != nil {
		r.t.Fatal(err)
	}
	if !slices.IsSorted(changes.Present) || !slices.IsSorted(changes.Deleted) {
		r.t.Errorf("not sorted: %+v", changes)
	}
	got := difference{Present: r.relative(changes.Present), Deleted: r.relative(changes.Deleted)}
	for now, before := range changes.Renamed {
		if got.Renamed == nil {
			got.Renamed = make(map[string]string)
		}
		got.Renamed[r.relative([]string{now})[0]] = r.relative([]string{before})[0]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.t.Errorf("below %q, since %s (-want +got):\n%s", below, revision, diff)
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

// Files are had as they were at a revision, byte for byte, all at once, also from a root
// below that of the repository. What was not there, or was a folder, is not among them.
func TestTextsAtARevision(t *testing.T) {
	r := newRepository(t, "-- sub/a.toy --\n")
	r.write("sub/a.toy", "one\r\n\x00\xff")
	r.write("sub/empty.toy", "")
	r.write("sub/"+oddName, "odd")
	r.commit()
	r.write("sub/a.toy", "two")
	r.write("sub/b.toy", "b")
	r.commit()
	r.write("sub/a.toy", "three")
	asked := []string{"sub/a.toy", "sub/missing.toy", "sub", "sub/" + oddName, "sub/b.toy", "sub/empty.toy"}
	for _, below := range []string{"", "sub"} {
		w := r.open(below)
		for revision, want := range map[string]map[string]string{
			"HEAD":   {"sub/a.toy": "two", "sub/" + oddName: "odd", "sub/b.toy": "b", "sub/empty.toy": ""},
			"HEAD~1": {"sub/a.toy": "one\r\n\x00\xff", "sub/" + oddName: "odd", "sub/empty.toy": ""},
		} {
			var paths []string
			for _, name := range asked {
				paths = append(paths, filepath.Join(r.root, name))
			}
			texts, known, err := w.TextsAt(t.Context(), revision, paths)
			if err != nil || !known {
				t.Fatalf("from %q at %s: %t, %v", below, revision, known, err)
			}
			got := make(map[string]string)
			for path, text := range texts {
				got[r.relative([]string{path})[0]] = string(text)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("from %q at %s (-want +got):\n%s", below, revision, diff)
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
		if changes, err := w.ChangesSince(t.Context(), revision); revision != "HEAD:a.toy" && !isGitError(err) {
			t.Errorf("since %q: %+v, %v", revision, changes, err)
		}
		if texts, known, err := w.TextsAt(t.Context(), revision, []string{filepath.Join(r.root, "a.toy")}); !isGitError(err) || known {
			t.Errorf("at %q: %q, %t, %v", revision, texts, known, err)
		}
	}
	if _, err := os.Stat(filepath.Join(r.root, "made")); err == nil {
		t.Error("git was given an option")
	}
}

// Names stand for files: a folder for what a server knows in it, a glob for what it
// matches, a file for itself, whether or not it is there; each once. Ignored files are
// left out, with a checkout and without. Names are from the caller's folder, which may be a link.
func TestExpand(t *testing.T) {
	archive := "-- toy.root --\n-- a.toy --\n-- sub/b.toy --\n-- sub/deep/c.toy --\n-- sub/notes.txt --\n-- out/made.toy --\n-- .gitignore --\nout/\n-- empty/x.txt --\n"
	r := newRepository(t, archive)
	for name, w := range map[string]*Workspace{
		"with a checkout":    open(t, "", Options{Root: r.root, Environ: gitEnvironment, Servers: toys()}),
		"without a checkout": open(t, archive, Options{Environ: append(slices.Clone(gitEnvironment), "GIT_CEILING_DIRECTORIES="+os.TempDir()), Servers: toys()}),
	} {
		symlink(t, filepath.Join(w.Root(), "sub", "deep"), filepath.Join(w.Root(), "link"))
		for _, c := range []struct {
			base  string
			names []string
			want  []string
		}{
			{"", []string{"."}, []string{"a.toy", "sub/b.toy", "sub/deep/c.toy"}},
			{"", []string{"./..."}, []string{"a.toy", "sub/b.toy", "sub/deep/c.toy"}},
			{"sub", []string{"."}, []string{"sub/b.toy", "sub/deep/c.toy"}},
			{"", []string{"sub/..."}, []string{"sub/b.toy", "sub/deep/c.toy"}},
			{"", []string{"**/*.toy"}, []string{"a.toy", "sub/b.toy", "sub/deep/c.toy"}},
			{"", []string{"*.toy"}, []string{"a.toy"}},
			{"sub", []string{"*.toy"}, []string{"sub/b.toy"}},
			{"link", []string{"*.toy"}, []string{"sub/deep/c.toy"}},
			{"link", []string{filepath.Join(w.Root(), "*.toy")}, []string{"a.toy"}},
			{"", []string{"missing.toy", "sub/notes.txt"}, []string{"missing.toy", "sub/notes.txt"}},
			{"", []string{"out/made.toy"}, []string{"out/made.toy"}},
			{"", []string{"sub/deep", "sub"}, []string{"sub/deep/c.toy", "sub/b.toy"}},
		} {
			files, err := w.Expand(t.Context(), filepath.Join(w.Root(), c.base), c.names)
			var got []string
			for _, f := range files {
				if filepath.IsAbs(f) {
					f = w.Relative(f)
				}
				got = append(got, f)
			}
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("%s, from %q %q: %v (-want +got):\n%s", name, c.base, c.names, err, diff)
			}
		}
		var nothing *NotDiagnosedError
		for _, names := range []string{"empty", "*.none", "out"} {
			if files, err := w.Expand(t.Context(), w.Root(), []string{names}); !errors.As(err, &nothing) {
				t.Errorf("%s, %s: %q, %v", name, names, files, err)
			}
		}
	}
}

// Without git a folder stands for what is in it now, and not for what was there at the last look.
func TestExpandWithoutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	w := open(t, "-- a.toy --\n-- node_modules/x.toy --\n", Options{Servers: toys()})
	var got []string
	for _, name := range []string{"", "new/below/b.toy"} {
		if name != "" {
			lsptest.WriteFile(t, filepath.Join(w.Root(), filepath.FromSlash(name)), "")
		}
		files, err := w.Expand(t.Context(), w.Root(), []string{"."})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			got = append(got, w.Relative(f))
		}
	}
	if diff := cmp.Diff([]string{"a.toy", "a.toy", "new/below/b.toy"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// toys is one server for the files of these tests.
func toys() registry.Table {
	return registry.Table{{ID: "toy", Languages: []registry.Language{{ID: "toy", Patterns: []string{".toy"}}}, Commands: []registry.Command{{Binary: "toy-server"}}, SingleFile: true, Role: registry.Primary}}
}

// A hook of git runs with the variables of one command, whose index is gone when another call is answered. They are not used, nor
// handed on to servers.
func TestStartedByAHookOfGit(t *testing.T) {
	r := newRepository(t, "-- a.toy --\n-- b.toy --\n")
	r.commit()
	r.write("a.toy", "changed")
	hook := append(slices.Clone(gitEnvironment), "GIT_INDEX_FILE=.git/index.lock", "GIT_DIR=/gone", "GIT_WORK_TREE=/gone", "GIT_PREFIX=sub/")
	w := open(t, "", Options{Root: r.root, Environ: hook, Trusted: true})
	changes, err := w.ChangesSince(t.Context(), "HEAD")
	if diff := cmp.Diff([]string{filepath.Join(r.root, "a.toy")}, changes.Present); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff(withoutSecrets(gitEnvironment, nil, nil), w.env); diff != "" {
		t.Errorf("what servers get (-want +got):\n%s", diff)
	}
	if _, changes, err = ChangesIn(t.Context(), Options{Root: r.root, Environ: hook}, "HEAD"); err != nil || len(changes.Present) != 1 {
		t.Errorf("without a workspace: %q, %v", changes.Present, err)
	}
}

// Whose repository is not where the files are, names both by variables.
func TestRepositoryElsewhere(t *testing.T) {
	r := newRepository(t, "-- .profile --\n-- notes.toy --\n")
	r.commit()
	bare := filepath.Join(t.TempDir(), "dotfiles")
	if err := os.Rename(filepath.Join(r.root, ".git"), bare); err != nil {
		t.Fatal(err)
	}
	r.write(".profile", "changed")
	w := open(t, "", Options{Root: r.root, Environ: append(slices.Clone(gitEnvironment), "GIT_DIR="+bare, "GIT_WORK_TREE="+r.root)})
	changes, err := w.ChangesSince(t.Context(), "HEAD")
	if diff := cmp.Diff([]string{filepath.Join(r.root, ".profile")}, changes.Present); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func isGitError(err error) bool {
	var e *GitError
	return errors.As(err, &e) && e.Hint() != "" && strings.HasPrefix(e.Error(), "git ")
}

// Without a repository, a commit or git itself, the error says so.
func TestNoGit(t *testing.T) {
	r := newRepository(t, "-- a.toy --\n")
	r.expect("", "HEAD", difference{Present: []string{"a.toy"}}) // without a commit all is new
	if texts, known, err := r.open("").TextsAt(t.Context(), "HEAD", []string{filepath.Join(r.root, "a.toy")}); known || err != nil || len(texts) > 0 {
		t.Errorf("without a commit: %q, %t, %v", texts, known, err)
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

// What git says of a failure reaches nobody as it came: neither its arguments nor its
// prefixes, but what it means.
func TestGitErrorsInPlainWords(t *testing.T) {
	r := newRepository(t, "")
	w := r.open("")
	if changes, err := w.Changes(t.Context(), "HEAD"); err != nil || len(changes) != 0 {
		t.Errorf("without commits: %v, %v", changes, err)
	}
	r.write("a.toy", "x\n")
	if changes, err := w.Changes(t.Context(), "HEAD"); err != nil || len(changes) != 1 || !changes[0].Whole {
		t.Errorf("without commits: %v, %v", changes, err)
	}
	_, err := w.Changes(t.Context(), "HEAD~1..")
	if err == nil || !isGitError(err) || strings.Contains(err.Error(), "fatal") || strings.Contains(err.Error(), "--") {
		t.Errorf("a range without commits: %v", err)
	}
	r.commit()
	for span, want := range map[string]string{
		"nope": "git diff: there is no such revision nope", "nope..": "git diff: there is no such revision nope..",
		"HEAD~9": "git diff: there is no such revision HEAD~9",
	} {
		if _, err := w.Changes(t.Context(), span); err == nil || err.Error() != want {
			t.Errorf("%s: %v", span, err)
		}
	}
	for said, want := range map[string]string{
		"fatal: detected dubious ownership in repository at '/x'\n": "another user owns the checkout, so git does not read it; git config --global --add safe.directory " + w.Root() + " allows it",
		"fatal: HEAD..x: no merge base":                             "the revisions have no commit in common",
		"error: something odd\nmore":                                `it says "something odd"`,
		"":                                                          "broken",
	} {
		if got := w.plainly(said, errors.New("broken")); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
