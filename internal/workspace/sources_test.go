package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

var toyTable = registry.Table{{ID: "toy", Languages: []registry.Language{{ID: "toy", Patterns: []string{".toy"}}}}}

// toySources is a workspace of toy files in a repository that ignores a folder.
func toySources(t *testing.T) (*Workspace, lsptest.Repository) {
	t.Helper()
	r := lsptest.NewRepository(t, "-- a.toy --\n-- src/b.toy --\n-- src/deep/c.toy --\n-- out/d.toy --\n-- README --\n-- .gitignore --\nout\n")
	r.Commit()
	w := open(t, "", Options{Root: r.Root, Environ: lsptest.GitEnvironment, Servers: toyTable})
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
	for path, s := range disk.StampsOf(w.git.Ignoring(t.Context())) {
		if s.Modified.IsZero() {
			continue
		}
		old := s.Modified.Add(-disk.Unsettled(s.Modified))
		if fspath.Below(w.Root(), path) {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Of calls that wait for one another, most share what one of them finds, and each has what was there when it was made.
func TestSourcesOfManyCallers(t *testing.T) {
	w, r := toySources(t)
	const callers = 8
	round := 0
	shared := func() bool {
		round++
		looks := w.sources.begun.Load()
		w.sources.mu.Lock()
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				name := fmt.Sprintf("of%d_%d.toy", round, i)
				if err := os.WriteFile(filepath.Join(r.Root, name), nil, 0o600); err != nil {
					t.Error(err)
				}
				files, err := w.Sources(t.Context())
				if _, found := slices.BinarySearch(files, filepath.Join(r.Root, name)); err != nil || !found {
					t.Errorf("%s is not among %d files, %v", name, len(files), err)
				}
			})
		}
		runtime.Gosched()
		w.sources.mu.Unlock()
		all.Wait()
		return w.sources.begun.Load()-looks < callers
	}
	lsptest.Eventually(t, patience, shared, "nobody shares")
	for range 20 {
		shared()
	}
	first, stop := context.WithCancel(t.Context())
	stop()
	if files, err := w.Sources(first); err == nil {
		t.Errorf("a caller that has left: %q", files)
	}
	if files, err := w.Sources(t.Context()); err != nil || len(files) < callers {
		t.Errorf("after it: %q, %v", files, err)
	}
}

// Whatever makes another list of what git lists is in the next answer, whether or not a
// Look came between.
func TestSourcesFollowTheDisk(t *testing.T) {
	w, r := toySources(t)
	path := func(name string) string { return filepath.Join(r.Root, name) }
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
		{"a new file", func() { r.Write("src/e.toy", "") }},
		{"a deleted file", func() { must(os.Remove(path("a.toy"))) }},
		{"one that comes back", func() { r.Write("a.toy", "") }},
		{"a renamed file", func() { must(os.Rename(path("src/e.toy"), path("src/f.toy"))) }},
		{"a new folder", func() { r.Write("new/deep/g.toy", "") }},
		{"a file in a folder that nobody looked at", func() { r.Write("new/deep/h.toy", "") }},
		{"a moved folder", func() { must(os.Rename(path("src"), path("source"))) }},
		{"a deleted folder", func() { must(os.RemoveAll(path("new"))) }},
		{"an ignored file", func() { r.Write("out/i.toy", "") }},
		{"a tracked one that is ignored", func() { r.Git("add", "--force", "out/i.toy") }},
		{"an ignore file that is written in place", func() { r.Write(".gitignore", "out\nsource\n") }},
		{"an ignore file in a folder", func() { r.Write("source/.gitignore", "!deep\n") }},
		{"an ignore file that goes", func() { must(os.Remove(path(".gitignore"))) }},
		{"what the repository excludes", func() { r.Write(".git/info/exclude", "out\na.toy\n") }},
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
		if _, err := os.Lstat(path); err == nil {
			there = append(there, path)
		}
	}
	return there
}
