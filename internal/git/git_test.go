package git_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/lsptest"
)

// open returns what answers for git in a folder of a repository.
func open(r lsptest.Repository, below string) *git.Checkout {
	return git.In(git.Options{Root: filepath.Join(r.Root, below), Environ: lsptest.GitEnvironment})
}

const oddName = "odd dir/ü \"q\"\n\t'.toy"

// What differs from a revision is found under its own name, however odd: edited, staged,
// new and renamed files, with the name that those had; deleted ones apart; ignored ones
// not at all.
func TestChangesSince(t *testing.T) {
	r := lsptest.NewRepository(t, "-- same.toy --\n-- edited.toy --\n-- staged.toy --\n-- gone.toy --\n-- was.toy --\nlong enough to be seen as renamed\n-- sub/s.toy --\n-- .gitignore --\n*.log\n")
	r.Write(oddName, "1")
	r.Write("-dash.toy", "1")
	r.Commit()
	r.Write("edited.toy", "2")
	r.Write("staged.toy", "2")
	r.Git("add", "staged.toy")
	r.Git("mv", "was.toy", "after.toy")
	r.Write(oddName, "2")
	r.Write("-dash.toy", "2")
	r.Write("sub/s.toy", "2")
	r.Write("sub/new.toy", "1")
	r.Write("x.log", "1")
	if err := os.Remove(filepath.Join(r.Root, "gone.toy")); err != nil {
		t.Fatal(err)
	}
	all := difference{
		Present: []string{"-dash.toy", "after.toy", "edited.toy", oddName, "staged.toy", "sub/new.toy", "sub/s.toy"},
		Deleted: []string{"gone.toy", "was.toy"}, Renamed: map[string]string{"after.toy": "was.toy"},
	}
	expect(r, "", "HEAD", all)
	expect(r, "sub", "HEAD", difference{Present: []string{"sub/new.toy", "sub/s.toy"}})
	r.Commit()
	expect(r, "", "HEAD", difference{})
	expect(r, "", "HEAD~1", all)
	// A file that went from the index alone is there.
	r.Git("rm", "--quiet", "--cached", "same.toy")
	expect(r, "", "HEAD", difference{Present: []string{"same.toy"}})
}

// A file that has another time, and the text that it had, has not changed; and the index of git, in which that could be noted, is not
// written, so that no other git finds it locked.
func TestFilesWithAnotherTimeAlone(t *testing.T) {
	r := lsptest.NewRepository(t, "-- .gitattributes --\n*.txt text eol=crlf\n-- touched.toy --\n1\n-- crlf.txt --\n1\n-- edited.toy --\n1\n-- sub/-touched.toy --\n1\n")
	r.Commit()
	r.Write("edited.toy", "2")
	r.Write("crlf.txt", "1\r\n")
	for _, name := range []string{"touched.toy", "crlf.txt", "sub/-touched.toy"} {
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(filepath.Join(r.Root, filepath.FromSlash(name)), old, old); err != nil {
			t.Fatal(err)
		}
	}
	index := filepath.Join(r.Root, ".git", "index")
	before, err := os.Stat(index)
	if err != nil {
		t.Fatal(err)
	}
	expect(r, "", "HEAD", difference{Present: []string{"edited.toy"}})
	expect(r, "sub", "HEAD", difference{})
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

// expect checks what differs from a revision below a folder of a repository.
func expect(r lsptest.Repository, below, revision string, want difference) {
	r.T.Helper()
	changes, err := open(r, below).ChangesSince(r.T.Context(), revision)
	if err != nil {
		r.T.Fatal(err)
	}
	if !slices.IsSorted(changes.Present) || !slices.IsSorted(changes.Deleted) {
		r.T.Errorf("not sorted: %+v", changes)
	}
	got := difference{Present: r.Names(changes.Present), Deleted: r.Names(changes.Deleted)}
	for now, before := range changes.Renamed {
		if got.Renamed == nil {
			got.Renamed = make(map[string]string)
		}
		got.Renamed[r.Names([]string{now})[0]] = r.Names([]string{before})[0]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.T.Errorf("below %q, since %s (-want +got):\n%s", below, revision, diff)
	}
}

// All files are those tracked and those not ignored.
func TestAllFiles(t *testing.T) {
	r := lsptest.NewRepository(t, "-- a.toy --\n-- sub/b.toy --\n-- .gitignore --\n*.log\nbuild/\n-- x.log --\n-- build/c.toy --\n")
	r.Write(oddName, "1")
	r.Commit()
	r.Write("new.toy", "")
	paths, err := open(r, "").AllFiles(t.Context())
	if got, want := r.Names(paths), []string{".gitignore", "a.toy", "new.toy", oddName, "sub/b.toy"}; !slices.Equal(got, want) || err != nil {
		t.Errorf("all are %q, %v; want %q", got, err, want)
	}
}

// Files are had as they were at a revision, byte for byte, all at once, also from a root
// below that of the repository. What was not there, or was a folder, is not among them.
func TestTextsAtARevision(t *testing.T) {
	r := lsptest.NewRepository(t, "-- sub/a.toy --\n")
	r.Write("sub/a.toy", "one\r\n\x00\xff")
	r.Write("sub/empty.toy", "")
	r.Write("sub/"+oddName, "odd")
	r.Commit()
	r.Write("sub/a.toy", "two")
	r.Write("sub/b.toy", "b")
	r.Commit()
	r.Write("sub/a.toy", "three")
	asked := []string{"sub/a.toy", "sub/missing.toy", "sub", "sub/" + oddName, "sub/b.toy", "sub/empty.toy"}
	for _, below := range []string{"", "sub"} {
		w := open(r, below)
		for revision, want := range map[string]map[string]string{
			"HEAD":   {"sub/a.toy": "two", "sub/" + oddName: "odd", "sub/b.toy": "b", "sub/empty.toy": ""},
			"HEAD~1": {"sub/a.toy": "one\r\n\x00\xff", "sub/" + oddName: "odd", "sub/empty.toy": ""},
		} {
			var paths []string
			for _, name := range asked {
				paths = append(paths, filepath.Join(r.Root, name))
			}
			texts, known, err := w.TextsAt(t.Context(), revision, paths)
			if err != nil || !known {
				t.Fatalf("from %q at %s: %t, %v", below, revision, known, err)
			}
			got := make(map[string]string)
			for path, text := range texts {
				got[r.Names([]string{path})[0]] = string(text)
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
	r := lsptest.NewRepository(t, "-- a.toy --\n")
	r.Commit()
	w := open(r, "")
	for _, revision := range []string{"nosuch", "-p", "--output=made", "--no-index", "HEAD~99", "", "a b", "HEAD:a.toy"} {
		if changes, err := w.ChangesSince(t.Context(), revision); revision != "HEAD:a.toy" && !isGitError(err) {
			t.Errorf("since %q: %+v, %v", revision, changes, err)
		}
		if texts, known, err := w.TextsAt(t.Context(), revision, []string{filepath.Join(r.Root, "a.toy")}); !isGitError(err) || known {
			t.Errorf("at %q: %q, %t, %v", revision, texts, known, err)
		}
	}
	if _, err := os.Stat(filepath.Join(r.Root, "made")); err == nil {
		t.Error("git was given an option")
	}
}

// Whose repository is not where the files are, names both by variables.
func TestRepositoryElsewhere(t *testing.T) {
	r := lsptest.NewRepository(t, "-- .profile --\n-- notes.toy --\n")
	r.Commit()
	bare := filepath.Join(t.TempDir(), "dotfiles")
	if err := os.Rename(filepath.Join(r.Root, ".git"), bare); err != nil {
		t.Fatal(err)
	}
	r.Write(".profile", "changed")
	w := git.In(git.Options{Root: r.Root, Environ: append(slices.Clone(lsptest.GitEnvironment), "GIT_DIR="+bare, "GIT_WORK_TREE="+r.Root)})
	changes, err := w.ChangesSince(t.Context(), "HEAD")
	if diff := cmp.Diff([]string{filepath.Join(r.Root, ".profile")}, changes.Present); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func isGitError(err error) bool {
	var e *git.Error
	return errors.As(err, &e) && e.Hint() != "" && strings.HasPrefix(e.Error(), "git ")
}

// Without a repository, a commit or git itself, the error says so.
func TestNoGit(t *testing.T) {
	r := lsptest.NewRepository(t, "-- a.toy --\n")
	expect(r, "", "HEAD", difference{Present: []string{"a.toy"}}) // without a commit all is new
	if texts, known, err := open(r, "").TextsAt(t.Context(), "HEAD", []string{filepath.Join(r.Root, "a.toy")}); known || err != nil || len(texts) > 0 {
		t.Errorf("without a commit: %q, %t, %v", texts, known, err)
	}
	ceiling := lsptest.Workspace(t, "-- a.toy --\n")
	w := git.In(git.Options{Root: ceiling, Environ: append(slices.Clone(lsptest.GitEnvironment), "GIT_CEILING_DIRECTORIES="+filepath.Dir(ceiling))})
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
	r := lsptest.NewRepository(t, "")
	w := open(r, "")
	if changes, err := w.Changes(t.Context(), "HEAD"); err != nil || len(changes) != 0 {
		t.Errorf("without commits: %v, %v", changes, err)
	}
	r.Write("a.toy", "x\n")
	if changes, err := w.Changes(t.Context(), "HEAD"); err != nil || len(changes) != 1 || !changes[0].Whole {
		t.Errorf("without commits: %v, %v", changes, err)
	}
	_, err := w.Changes(t.Context(), "HEAD~1..")
	if err == nil || !isGitError(err) || strings.Contains(err.Error(), "fatal") || strings.Contains(err.Error(), "--") {
		t.Errorf("a range without commits: %v", err)
	}
	r.Commit()
	for span, want := range map[string]string{
		"nope": "git diff: there is no such revision nope", "nope..": "git diff: there is no such revision nope..",
		"HEAD~9": "git diff: there is no such revision HEAD~9",
	} {
		if _, err := w.Changes(t.Context(), span); err == nil || err.Error() != want {
			t.Errorf("%s: %v", span, err)
		}
	}
}
