package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/lsptest"
)

// The list of sources is kept while files are only written, in place or by replacing
// them, and while what comes and goes is none of them.
func TestSourcesAreListedOnce(t *testing.T) {
	w, r := toySources(t)
	path := func(name string) string { return filepath.Join(r.Root, name) }
	settleGit(t, w)
	first, _ := asked(t, w)
	want := []string{path("a.toy"), path("src/b.toy"), path("src/deep/c.toy")}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Fatalf("the sources (-want +got):\n%s", diff)
	}
	for name, change := range map[string]func(){
		"nothing": func() {},
		"a write": func() { r.Write("src/b.toy", "x") },
		"a replacement": func() {
			r.Write("src/.b.tmp", "y")
			if err := os.Rename(path("src/.b.tmp"), path("src/b.toy")); err != nil {
				t.Fatal(err)
			}
		},
		"another file": func() { r.Write("src/NOTES", "y") },
	} {
		change()
		if files, kept := asked(t, w); !kept || !slices.Equal(files, want) {
			t.Errorf("%s: the list is kept: %v; it is %q", name, kept, files)
		}
	}
}

// Whoever looks is waited for, whether a list is kept or not, because a list that is made while somebody looks cannot be kept: where looks
// follow each other, as they do in a large tree, all would be listed each time.
func TestSourcesWaitForALook(t *testing.T) {
	w, _ := toySources(t)
	settleGit(t, w)
	for name, has := range map[string]bool{"none is kept": false, "one is kept": true} {
		w.sources.watcher = nil
		if has {
			lsptest.Eventually(t, patience, func() bool {
				asked(t, w)
				return w.sources.watcher != nil
			}, "no list is kept")
		}
		answer := make(chan []string, 1)
		w.tree.mu.Lock()
		go func() { // its answer is received below
			files, _ := w.Sources(t.Context())
			answer <- files
		}()
		select {
		case files := <-answer:
			t.Errorf("%s: %q, while somebody looks", name, files)
			answer <- files
		case <-time.After(300 * time.Millisecond): // far longer than git takes
		}
		w.tree.mu.Unlock()
		if files := <-answer; len(files) != 3 {
			t.Errorf("%s: then there are %q", name, files)
		}
	}
}

// Before the first look has ended, the sources are listed meanwhile.
func TestSourcesDoNotWaitForTheFirstLook(t *testing.T) {
	_, r := toySources(t)
	w := open(t, "", Options{Root: r.Root, Environ: lsptest.GitEnvironment, Servers: toyTable})
	w.tree.mu.Lock()
	files, err := w.Sources(t.Context())
	w.tree.mu.Unlock()
	if len(files) != 3 || err != nil {
		t.Errorf("there are %q, %v", files, err)
	}
}

// What the picture says of a file counts until it is heard that the file is written.
func TestStampOfThePicture(t *testing.T) {
	w, r := toySources(t)
	path := filepath.Join(r.Root, "src/b.toy")
	same := func() (pictured, right bool) {
		s, ok := w.Stamp(path)
		return ok, s == disk.StampNow(path)
	}
	look := func() bool { // a fence may be late, then nothing is known until the next look
		if _, err := w.Look(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		pictured, right := same()
		return pictured && right
	}
	lsptest.Eventually(t, patience, look, "after a look it is pictured, and right")
	r.Write("src/b.toy", "another text")
	asked(t, w)
	if pictured, _ := same(); pictured {
		t.Error("a file that was written has the stamp from before")
	}
	lsptest.Eventually(t, patience, look, "after the next look it is pictured, and right")
	if _, ok := w.Stamp(filepath.Join(r.Root, "README")); ok {
		t.Error("a file that does not matter has a stamp")
	}
}

// What was touched since a mark is known before and after the look that hears of it; a
// folder that moves makes it unknown until then.
func TestTouched(t *testing.T) {
	w, r := toySources(t)
	path := filepath.Join(r.Root, "src/b.toy")
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
	r.Write("src/b.toy", "another text")
	for range 2 {
		lsptest.Eventually(t, patience, among(mark, path), "a file that was written is among those touched")
		if _, err := w.Look(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(filepath.Join(r.Root, "src"), filepath.Join(r.Root, "source")); err != nil {
		t.Fatal(err)
	}
	asked(t, w)
	if touched, _, ok := w.Touched(mark); ok {
		t.Errorf("a folder moved, and only this was touched: %q", touched)
	}
	lsptest.Eventually(t, patience, among(mark, filepath.Join(r.Root, "source/deep/c.toy")), "after a look the files of a folder that moved are among those touched")
}
