package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A submodule, and one within it, are parts of the tree: their files are listed and searched without anybody having asked about them, and
// compared with the commits that a revision has them at. What .gitmodules names besides is none: a folder that git does not know, and what
// is behind a link.
func TestSubmodules(t *testing.T) {
	inner := newRepository(t, "-- in.toy --\none\n")
	inner.commit()
	middle := newRepository(t, "-- mid.toy --\none\n-- .gitignore --\nignored\n")
	middle.add(inner, "inner")
	middle.commit()
	r := newRepository(t, "-- a.toy --\none\n")
	r.commit()
	bare := r.open("").Commit(t.Context())
	r.add(middle, "sub/middle")
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive")
	r.commit()
	other := newRepository(t, "-- secret.toy --\n")
	other.commit()
	if err := os.Symlink(other.root, filepath.Join(r.root, "link")); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(r.root, ".gitmodules"))
	if err != nil {
		t.Fatal(err)
	}
	r.write(".gitmodules", string(list)+"[submodule \"l\"]\n\tpath = link\n[submodule \"n\"]\n\tpath = nowhere\n[submodule \"o\"]\n\tpath = ../other\n")
	r.commit()
	recorded := r.open("").Commit(t.Context())

	sub, deep := repository{t, filepath.Join(r.root, "sub/middle")}, repository{t, filepath.Join(r.root, "sub/middle/inner")}
	sub.write("mid.toy", "two\n")
	sub.git("commit", "--quiet", "--all", "--message=m") // the outer repository does not have it
	sub.write("new.toy", "new\n")
	deep.write("in.toy", "two\n")
	w := open(t, "", Options{Root: r.root, Environ: gitEnvironment, Servers: toys()})
	if _, err := w.Look(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	files, err := w.Sources(t.Context())
	if diff := cmp.Diff([]string{"a.toy", "sub/middle/inner/in.toy", "sub/middle/mid.toy", "sub/middle/new.toy"}, r.sorted(files)); diff != "" || err != nil {
		t.Errorf("sources: %v (-want +got):\n%s", err, diff)
	}
	wantChanged := []string{"sub/middle", "sub/middle/inner/in.toy", "sub/middle/mid.toy", "sub/middle/new.toy"}
	for _, revision := range []string{"HEAD", recorded} {
		changes, err := w.ChangesSince(t.Context(), revision)
		if diff := cmp.Diff(wantChanged, r.sorted(changes.Present)); diff != "" || err != nil || len(changes.Deleted) > 0 {
			t.Errorf("since %s: %v, deleted %q (-want +got):\n%s", revision, err, changes.Deleted, diff)
		}
	}
	changes, err := w.ChangesSince(t.Context(), bare) // it has no submodule: what is checked out there counts
	want := []string{".gitmodules", "link", "sub/middle", "sub/middle/inner/in.toy", "sub/middle/new.toy"}
	if diff := cmp.Diff(want, r.sorted(changes.Present)); diff != "" || err != nil {
		t.Errorf("since the commit without it: %v (-want +got):\n%s", err, diff)
	}
	texts, known, err := w.TextsAt(t.Context(), "HEAD", files)
	former := make(map[string]string)
	for path, text := range texts {
		former[r.sorted([]string{path})[0]] = string(text)
	}
	wantTexts := map[string]string{"a.toy": "one\n", "sub/middle/inner/in.toy": "one\n", "sub/middle/mid.toy": "one\n"}
	if diff := cmp.Diff(wantTexts, former); diff != "" || !known || err != nil {
		t.Errorf("at HEAD: %t, %v (-want +got):\n%s", known, err, diff)
	}
	spans, err := w.Changes(t.Context(), "HEAD")
	wantSpans := []FileChange{
		{Path: filepath.Join(deep.root, "in.toy"), Hunks: []Hunk{{1, 1}}},
		{Path: filepath.Join(sub.root, "mid.toy"), Hunks: []Hunk{{1, 1}}},
		{Path: filepath.Join(sub.root, "new.toy"), Whole: true},
	}
	if diff := cmp.Diff(wantSpans, spans); diff != "" || err != nil {
		t.Errorf("hunks: %v (-want +got):\n%s", err, diff)
	}
}

// Without the commit that the outer repository names, as in a shallow clone, what is checked out in a submodule counts.
func TestSubmoduleWithoutItsCommit(t *testing.T) {
	library := newRepository(t, "-- lib.toy --\none\n")
	library.commit()
	r := newRepository(t, "-- a.toy --\n")
	r.add(library, "lib")
	r.commit()
	r.git("update-index", "--cacheinfo", "160000,0123456789012345678901234567890123456789,lib")
	r.git("commit", "--quiet", "--message=m")
	r.write("lib/lib.toy", "two\n")
	w := r.open("")
	changes, err := w.ChangesSince(t.Context(), "HEAD")
	if diff := cmp.Diff([]string{"lib", "lib/lib.toy"}, r.sorted(changes.Present)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	path := filepath.Join(r.root, "lib/lib.toy")
	texts, known, err := w.TextsAt(t.Context(), "HEAD", []string{path})
	if diff := cmp.Diff(map[string][]byte{path: []byte("one\n")}, texts); diff != "" || !known || err != nil {
		t.Errorf("%t, %v (-want +got):\n%s", known, err, diff)
	}
	if err := os.Remove(filepath.Join(r.root, "lib", ".git")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.ChangesSince(t.Context(), "HEAD"); err != nil {
		t.Errorf("when it is not checked out: %v", err)
	}
}

// A submodule that is gone takes its files with it: each of them is deleted, and had its text.
func TestSubmodulesThatAreGone(t *testing.T) {
	library := newRepository(t, "-- lib.toy --\none\n-- in/deep.toy --\ntwo\n")
	library.commit()
	for name, remove := range map[string]func(r repository){
		"from git":       func(r repository) { r.git("rm", "--quiet", "-f", "sub") },
		"from the disk":  func(r repository) { r.remove("sub") },
		"deinitialised":  func(r repository) { r.git("submodule", "--quiet", "deinit", "-f", "sub") },
		"with what uses": func(r repository) { r.git("rm", "--quiet", "-f", "sub", "a.toy") },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t, "-- a.toy --\n")
			r.add(library, "sub")
			r.commit()
			remove(r)
			w := r.open("")
			changes, err := w.ChangesSince(t.Context(), "HEAD")
			deleted := slices.DeleteFunc(r.sorted(changes.Deleted), func(name string) bool { return !strings.HasPrefix(name, "sub/") })
			if diff := cmp.Diff([]string{"sub/in/deep.toy", "sub/lib.toy"}, deleted); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			deep := filepath.Join(r.root, "sub", "in", "deep.toy")
			texts, known, err := w.TextsAt(t.Context(), "HEAD", []string{deep, filepath.Join(r.root, "never.toy")})
			if diff := cmp.Diff(map[string][]byte{deep: []byte("two\n")}, texts); diff != "" || !known || err != nil {
				t.Errorf("%t, %v (-want +got):\n%s", known, err, diff)
			}
		})
	}
}

func (r repository) remove(name string) {
	r.t.Helper()
	if err := os.RemoveAll(filepath.Join(r.root, name)); err != nil {
		r.t.Fatal(err)
	}
}

// Files of a submodule that become the repository's own are not deleted, and had their texts.
func TestSubmoduleThatBecomesAFolder(t *testing.T) {
	library := newRepository(t, "-- lib.toy --\none\n-- gone.toy --\n")
	library.commit()
	r := newRepository(t, "-- a.toy --\n")
	r.add(library, "sub")
	r.commit()
	r.git("rm", "--quiet", "--cached", "sub")
	r.remove("sub/.git")
	r.remove("sub/gone.toy")
	r.write("sub/lib.toy", "two\n")
	r.git("add", "sub")
	w := r.open("")
	changes, err := w.ChangesSince(t.Context(), "HEAD")
	if diff := cmp.Diff([]string{"sub/gone.toy"}, slices.DeleteFunc(r.sorted(changes.Deleted), func(name string) bool { return name == "sub" })); diff != "" || err != nil {
		t.Errorf("deleted: %v (-want +got):\n%s", err, diff)
	}
	if !slices.Contains(r.sorted(changes.Present), "sub/lib.toy") {
		t.Errorf("%q changed", r.sorted(changes.Present))
	}
	path := filepath.Join(r.root, "sub", "lib.toy")
	texts, known, err := w.TextsAt(t.Context(), "HEAD", []string{path})
	if diff := cmp.Diff(map[string][]byte{path: []byte("one\n")}, texts); diff != "" || !known || err != nil {
		t.Errorf("%t, %v (-want +got):\n%s", known, err, diff)
	}
}

// add adds another repository as a submodule.
func (r repository) add(other repository, folder string) {
	r.t.Helper()
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root, folder)
}
