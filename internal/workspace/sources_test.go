package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// toySources is a workspace of toy files in a repository that ignores a folder.
func toySources(t *testing.T) (*Workspace, repository) {
	t.Helper()
	r := newRepository(t, "-- a.toy --\n-- src/b.toy --\n-- src/deep/c.toy --\n-- out/d.toy --\n-- README --\n-- .gitignore --\nout\n")
	r.commit()
	definition := registry.Definition{ID: "toy", Languages: []registry.Language{{ID: "toy", Patterns: []string{".toy"}}}}
	w := open(t, "", Options{Root: r.root, Environ: gitEnvironment, Servers: registry.Table{definition}})
	if why := distrust(w.Root()); why != "" {
		lsptest.Skip(t, why)
	}
	if _, err := w.Look(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return w, r
}

// asked are the sources of a workspace, and whether they are the list of the call before.
func asked(t *testing.T, w *Workspace) (files []string, kept bool) {
	t.Helper()
	before := w.sources.files
	files, err := w.Sources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return files, len(before) > 0 && &before[0] == &files[0]
}

// settleGit makes git's own files so old that a later change of them must show.
func settleGit(t *testing.T, w *Workspace) {
	t.Helper()
	for path, s := range w.ignoring(t.Context()) {
		if s.modified.IsZero() {
			continue
		}
		old := s.modified.Add(-unsettled(s.modified))
		if below(w.Root(), path) {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The list of sources is kept while files are only written, in place or by replacing
// them, and while what comes and goes is none of them.
func TestSourcesAreListedOnce(t *testing.T) {
	w, r := toySources(t)
	path := func(name string) string { return filepath.Join(r.root, name) }
	settleGit(t, w)
	first, _ := asked(t, w)
	want := []string{path("a.toy"), path("src/b.toy"), path("src/deep/c.toy")}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Fatalf("the sources (-want +got):\n%s", diff)
	}
	for name, change := range map[string]func(){
		"nothing": func() {},
		"a write": func() { r.write("src/b.toy", "x") },
		"a replacement": func() {
			r.write("src/.b.tmp", "y")
			if err := os.Rename(path("src/.b.tmp"), path("src/b.toy")); err != nil {
				t.Fatal(err)
			}
		},
		"another file": func() { r.write("src/NOTES", "y") },
	} {
		change()
		if files, kept := asked(t, w); !kept || !slices.Equal(files, want) {
			t.Errorf("%s: the list is kept: %v; it is %q", name, kept, files)
		}
	}
}

// Whatever makes another list of what git lists is in the next answer, whether or not a
// Look came between.
func TestSourcesFollowTheDisk(t *testing.T) {
	w, r := toySources(t)
	path := func(name string) string { return filepath.Join(r.root, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		name   string
		change func()
	}{
		{"a new file", func() { r.write("src/e.toy", "") }},
		{"a deleted file", func() { must(os.Remove(path("a.toy"))) }},
		{"one that comes back", func() { r.write("a.toy", "") }},
		{"a renamed file", func() { must(os.Rename(path("src/e.toy"), path("src/f.toy"))) }},
		{"a new folder", func() { r.write("new/deep/g.toy", "") }},
		{"a file in a folder that nobody looked at", func() { r.write("new/deep/h.toy", "") }},
		{"a moved folder", func() { must(os.Rename(path("src"), path("source"))) }},
		{"a deleted folder", func() { must(os.RemoveAll(path("new"))) }},
		{"an ignored file", func() { r.write("out/i.toy", "") }},
		{"a tracked one that is ignored", func() { r.git("add", "--force", "out/i.toy") }},
		{"an ignore file that is written in place", func() { r.write(".gitignore", "out\nsource\n") }},
		{"an ignore file in a folder", func() { r.write("source/.gitignore", "!deep\n") }},
		{"an ignore file that goes", func() { must(os.Remove(path(".gitignore"))) }},
		{"what the repository excludes", func() { r.write(".git/info/exclude", "out\na.toy\n") }},
		{"no repository", func() { must(os.RemoveAll(path(".git"))) }},
	} {
		for _, look := range []bool{false, true} {
			if look {
				if _, err := w.Look(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
			} else {
				settleGit(t, w)
				asked(t, w)
				step.change()
			}
			got, _ := asked(t, w)
			want, err := w.Files(t.Context())
			must(err)
			want = slices.DeleteFunc(want, func(p string) bool { return filepath.Ext(p) != ".toy" })
			slices.Sort(want)
			if diff := cmp.Diff(existing(want), existing(got)); diff != "" {
				t.Errorf("%s, after a look: %v (-want +got):\n%s", step.name, look, diff)
			}
		}
	}
}

// existing are the files that are there: git lists deleted ones that it tracks as well.
func existing(files []string) (there []string) {
	for _, path := range files {
		if present(path) {
			there = append(there, path)
		}
	}
	return there
}

// What the picture says of a file counts until it is heard that the file is written.
func TestStampOfThePicture(t *testing.T) {
	w, r := toySources(t)
	path := filepath.Join(r.root, "src/b.toy")
	same := func() (pictured, right bool) {
		size, modified, ok := w.Stamp(path)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return ok, size == info.Size() && modified.Equal(info.ModTime())
	}
	look := func() bool { // a fence may be late, then nothing is known until the next look
		if _, err := w.Look(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		pictured, right := same()
		return pictured && right
	}
	lsptest.Eventually(t, patience, look, "after a look it is pictured, and right")
	r.write("src/b.toy", "another text")
	asked(t, w)
	if pictured, _ := same(); pictured {
		t.Error("a file that was written has the stamp from before")
	}
	lsptest.Eventually(t, patience, look, "after the next look it is pictured, and right")
	if _, _, ok := w.Stamp(filepath.Join(r.root, "README")); ok {
		t.Error("a file that does not matter has a stamp")
	}
}

// What was touched since a mark is known before and after the look that hears of it; a
// folder that moves makes it unknown until then.
func TestTouched(t *testing.T) {
	w, r := toySources(t)
	path := filepath.Join(r.root, "src/b.toy")
	// A fence may be late: then nothing is known until the next look.
	among := func(mark uint64, path string) func() bool {
		return func() bool {
			asked(t, w)
			touched, _, ok := w.Touched(mark)
			if !ok {
				if _, err := w.Look(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
				return false
			}
			return slices.Contains(touched, path)
		}
	}
	var mark uint64
	lsptest.Eventually(t, patience, func() bool {
		asked(t, w)
		_, mark, _ = w.Touched(0)
		_, _, ok := w.Touched(mark)
		return ok
	}, "it is known what was touched")
	if touched, now, ok := w.Touched(mark); len(touched) > 0 || now != mark || !ok {
		t.Errorf("nothing: %q, %d after %d, %v", touched, now, mark, ok)
	}
	r.write("src/b.toy", "another text")
	for range 2 {
		lsptest.Eventually(t, patience, among(mark, path), "a file that was written is among those touched")
		if _, err := w.Look(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(filepath.Join(r.root, "src"), filepath.Join(r.root, "source")); err != nil {
		t.Fatal(err)
	}
	asked(t, w)
	if touched, _, ok := w.Touched(mark); ok {
		t.Errorf("a folder moved, and only this was touched: %q", touched)
	}
	lsptest.Eventually(t, patience, among(mark, filepath.Join(r.root, "source/deep/c.toy")), "after a look the files of a folder that moved are among those touched")
	for range maxChanged {
		w.tree.noteLocked(path)
	}
	if _, _, ok := w.Touched(mark); ok {
		t.Error("what is no longer kept in mind is known")
	}
}
