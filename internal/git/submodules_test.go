package git_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/lsptest"
)

// A submodule, and one within it, are parts of the tree: their files are listed and searched without anybody having asked about them, and
// compared with the commits that a revision has them at. What .gitmodules names besides is none: a folder that git does not know, and what
// is behind a link.
func TestSubmodules(t *testing.T) {
	inner := lsptest.NewRepository(t, "-- in.toy --\none\n")
	inner.Commit()
	middle := lsptest.NewRepository(t, "-- mid.toy --\none\n-- .gitignore --\nignored\n")
	middle.AddSubmodule(inner, "inner")
	middle.Commit()
	r := lsptest.NewRepository(t, "-- a.toy --\none\n")
	r.Commit()
	bare := open(r, "").Commit(t.Context())
	r.AddSubmodule(middle, "sub/middle")
	r.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive")
	r.Commit()
	other := lsptest.NewRepository(t, "-- secret.toy --\n")
	other.Commit()
	if err := os.Symlink(other.Root, filepath.Join(r.Root, "link")); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(r.Root, ".gitmodules"))
	if err != nil {
		t.Fatal(err)
	}
	r.Write(".gitmodules", string(list)+"[submodule \"l\"]\n\tpath = link\n[submodule \"n\"]\n\tpath = nowhere\n[submodule \"o\"]\n\tpath = ../other\n")
	r.Commit()
	recorded := open(r, "").Commit(t.Context())

	sub, deep := lsptest.Repository{T: t, Root: filepath.Join(r.Root, "sub/middle")}, lsptest.Repository{T: t, Root: filepath.Join(r.Root, "sub/middle/inner")}
	sub.Write("mid.toy", "two\n")
	sub.Git("commit", "--quiet", "--all", "--message=m") // the outer repository does not have it
	sub.Write("new.toy", "new\n")
	deep.Write("in.toy", "two\n")
	w := open(r, "")
	all, err := w.AllFiles(t.Context())
	files := slices.DeleteFunc(all, func(path string) bool { return filepath.Ext(path) != ".toy" })
	if diff := cmp.Diff([]string{"a.toy", "sub/middle/inner/in.toy", "sub/middle/mid.toy", "sub/middle/new.toy"}, r.Names(files)); diff != "" || err != nil {
		t.Errorf("files: %v (-want +got):\n%s", err, diff)
	}
	wantChanged := []string{"sub/middle", "sub/middle/inner/in.toy", "sub/middle/mid.toy", "sub/middle/new.toy"}
	for _, revision := range []string{"HEAD", recorded} {
		changes, err := w.ChangesSince(t.Context(), revision)
		if diff := cmp.Diff(wantChanged, r.Names(changes.Present)); diff != "" || err != nil || len(changes.Deleted) > 0 {
			t.Errorf("since %s: %v, deleted %q (-want +got):\n%s", revision, err, changes.Deleted, diff)
		}
	}
	changes, err := w.ChangesSince(t.Context(), bare) // it has no submodule: what is checked out there counts
	want := []string{".gitmodules", "link", "sub/middle", "sub/middle/inner/in.toy", "sub/middle/new.toy"}
	if diff := cmp.Diff(want, r.Names(changes.Present)); diff != "" || err != nil {
		t.Errorf("since the commit without it: %v (-want +got):\n%s", err, diff)
	}
	texts, known, err := w.TextsAt(t.Context(), "HEAD", files)
	former := make(map[string]string)
	for path, text := range texts {
		former[r.Names([]string{path})[0]] = string(text)
	}
	wantTexts := map[string]string{"a.toy": "one\n", "sub/middle/inner/in.toy": "one\n", "sub/middle/mid.toy": "one\n"}
	if diff := cmp.Diff(wantTexts, former); diff != "" || !known || err != nil {
		t.Errorf("at HEAD: %t, %v (-want +got):\n%s", known, err, diff)
	}
	spans, err := w.Changes(t.Context(), "HEAD")
	wantSpans := []git.FileChange{
		{Path: filepath.Join(deep.Root, "in.toy"), Hunks: []git.Hunk{{Start: 1, Count: 1}}},
		{Path: filepath.Join(sub.Root, "mid.toy"), Hunks: []git.Hunk{{Start: 1, Count: 1}}},
		{Path: filepath.Join(sub.Root, "new.toy"), Whole: true},
	}
	if diff := cmp.Diff(wantSpans, spans); diff != "" || err != nil {
		t.Errorf("hunks: %v (-want +got):\n%s", err, diff)
	}
}

// Without the commit that the outer repository names, as in a shallow clone, what is checked out in a submodule counts.
func TestSubmoduleWithoutItsCommit(t *testing.T) {
	library := lsptest.NewRepository(t, "-- lib.toy --\none\n")
	library.Commit()
	r := lsptest.NewRepository(t, "-- a.toy --\n")
	r.AddSubmodule(library, "lib")
	r.Commit()
	r.Git("update-index", "--cacheinfo", "160000,0123456789012345678901234567890123456789,lib")
	r.Git("commit", "--quiet", "--message=m")
	r.Write("lib/lib.toy", "two\n")
	w := open(r, "")
	changes, err := w.ChangesSince(t.Context(), "HEAD")
	if diff := cmp.Diff([]string{"lib", "lib/lib.toy"}, r.Names(changes.Present)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	path := filepath.Join(r.Root, "lib/lib.toy")
	texts, known, err := w.TextsAt(t.Context(), "HEAD", []string{path})
	if diff := cmp.Diff(map[string][]byte{path: []byte("one\n")}, texts); diff != "" || !known || err != nil {
		t.Errorf("%t, %v (-want +got):\n%s", known, err, diff)
	}
	if err := os.Remove(filepath.Join(r.Root, "lib", ".git")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.ChangesSince(t.Context(), "HEAD"); err != nil {
		t.Errorf("when it is not checked out: %v", err)
	}
}

// A submodule that is gone takes its files with it: each of them is deleted, and had its text.
func TestSubmodulesThatAreGone(t *testing.T) {
	library := lsptest.NewRepository(t, "-- lib.toy --\none\n-- in/deep.toy --\ntwo\n")
	library.Commit()
	for name, remove := range map[string]func(r lsptest.Repository){
		"from git":       func(r lsptest.Repository) { r.Git("rm", "--quiet", "-f", "sub") },
		"from the disk":  func(r lsptest.Repository) { r.Remove("sub") },
		"deinitialised":  func(r lsptest.Repository) { r.Git("submodule", "--quiet", "deinit", "-f", "sub") },
		"with what uses": func(r lsptest.Repository) { r.Git("rm", "--quiet", "-f", "sub", "a.toy") },
	} {
		t.Run(name, func(t *testing.T) {
			r := lsptest.NewRepository(t, "-- a.toy --\n")
			r.AddSubmodule(library, "sub")
			r.Commit()
			remove(r)
			w := open(r, "")
			changes, err := w.ChangesSince(t.Context(), "HEAD")
			deleted := slices.DeleteFunc(r.Names(changes.Deleted), func(name string) bool { return !strings.HasPrefix(name, "sub/") })
			if diff := cmp.Diff([]string{"sub/in/deep.toy", "sub/lib.toy"}, deleted); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			deep := filepath.Join(r.Root, "sub", "in", "deep.toy")
			texts, known, err := w.TextsAt(t.Context(), "HEAD", []string{deep, filepath.Join(r.Root, "never.toy")})
			if diff := cmp.Diff(map[string][]byte{deep: []byte("two\n")}, texts); diff != "" || !known || err != nil {
				t.Errorf("%t, %v (-want +got):\n%s", known, err, diff)
			}
		})
	}
}

// Files of a submodule that become the repository's own are not deleted, and had their texts.
func TestSubmoduleThatBecomesAFolder(t *testing.T) {
	library := lsptest.NewRepository(t, "-- lib.toy --\none\n-- gone.toy --\n")
	library.Commit()
	r := lsptest.NewRepository(t, "-- a.toy --\n")
	r.AddSubmodule(library, "sub")
	r.Commit()
	r.Git("rm", "--quiet", "--cached", "sub")
	r.Remove("sub/.git")
	r.Remove("sub/gone.toy")
	r.Write("sub/lib.toy", "two\n")
	r.Git("add", "sub")
	w := open(r, "")
	changes, err := w.ChangesSince(t.Context(), "HEAD")
	if diff := cmp.Diff([]string{"sub/gone.toy"}, slices.DeleteFunc(r.Names(changes.Deleted), func(name string) bool { return name == "sub" })); diff != "" || err != nil {
		t.Errorf("deleted: %v (-want +got):\n%s", err, diff)
	}
	if !slices.Contains(r.Names(changes.Present), "sub/lib.toy") {
		t.Errorf("%q changed", r.Names(changes.Present))
	}
	path := filepath.Join(r.Root, "sub", "lib.toy")
	texts, known, err := w.TextsAt(t.Context(), "HEAD", []string{path})
	if diff := cmp.Diff(map[string][]byte{path: []byte("one\n")}, texts); diff != "" || !known || err != nil {
		t.Errorf("%t, %v (-want +got):\n%s", known, err, diff)
	}
}

// What a range changes in submodules, and within these, lies between the commits that its ends have them at. One that came is all new; one that
// went, that is not checked out, or that lacks such a commit is named.
func TestRangesInSubmodules(t *testing.T) {
	inner := lsptest.NewRepository(t, "-- in.toy --\none\n")
	inner.Commit()
	other := lsptest.NewRepository(t, "-- mid.toy --\none\n")
	other.AddSubmodule(inner, "inner")
	other.Commit()
	r := lsptest.NewRepository(t, "-- a.toy --\none\n")
	r.Commit()
	r.AddSubmodule(other, "sub")
	r.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive")
	r.Commit()
	sub, deep := lsptest.Repository{T: t, Root: filepath.Join(r.Root, "sub")}, lsptest.Repository{T: t, Root: filepath.Join(r.Root, "sub/inner")}
	deep.Write("in.toy", "two\n")
	deep.Git("commit", "--quiet", "--all", "--message=m")
	sub.Write("mid.toy", "one\ntwo\n")
	sub.Write("new.toy", "new\n")
	sub.Commit()
	r.Write("a.toy", "two\n")
	r.Commit()
	sub.Write("mid.toy", "zero\none\ntwo\n") // where the lines are now counts
	w := open(r, "")
	changed := func(span string, want ...git.FileChange) {
		t.Helper()
		got, err := w.Changes(t.Context(), span)
		for i := range got {
			relative, _ := filepath.Rel(r.Root, got[i].Path)
			got[i].Path = filepath.ToSlash(relative)
			got[i].Unread, _, _ = strings.Cut(got[i].Unread, ":")
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", span, err, diff)
		}
	}
	second := []git.FileChange{
		{Path: "a.toy", Hunks: []git.Hunk{{1, 1}}},
		{Path: "sub/inner/in.toy", Hunks: []git.Hunk{{1, 1}}},
		{Path: "sub/mid.toy", Hunks: []git.Hunk{{3, 1}}},
		{Path: "sub/new.toy", Whole: true},
	}
	changed("HEAD~1..HEAD", second...)
	changed("HEAD~1..", second...)
	changed("HEAD~1...HEAD", second...)
	changed("HEAD..HEAD")
	changed("HEAD~2..HEAD~1",
		git.FileChange{Path: ".gitmodules", Whole: true}, git.FileChange{Path: "sub/.gitmodules", Whole: true}, git.FileChange{Path: "sub/inner/in.toy", Whole: true},
		git.FileChange{Path: "sub/mid.toy", Whole: true})
	changed("HEAD~1..HEAD~2", git.FileChange{Path: ".gitmodules", Deleted: true}, git.FileChange{Path: "sub", Deleted: true})
	r.Git("update-index", "--cacheinfo", "160000,"+strings.Repeat("a", 40)+",sub") // nobody has that commit
	r.Git("commit", "--quiet", "--message=m")
	changed("HEAD~1..", git.FileChange{Path: "sub", Unread: "what changed in this submodule is not known"})
	r.Git("submodule", "--quiet", "deinit", "--force", "sub")
	changed("HEAD~2..HEAD~1", git.FileChange{Path: "a.toy", Hunks: []git.Hunk{{1, 1}}}, git.FileChange{Path: "sub", Unread: "this submodule is not checked out"})
}
