package refcache

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/refcache/store"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

const tree = `
-- go.mod --
module m
-- a.go --
package m // one
-- sub/b.go --
package sub
-- node_modules/c/c.go --
package c
-- README.md --
# Text
-- .gitignore --
*.log
-- data.bin --
nothing of interest
`

// scanning returns a scanner of a new folder, and the folder.
func scanning(t *testing.T) (s *scanner, root string) {
	t.Helper()
	root = lsptest.Workspace(t, tree)
	w, err := workspace.Open(workspace.Options{Root: root, Servers: registry.Builtin(), Once: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(context.Background()) }) // it has no servers
	gopls, _ := registry.Builtin().Get("gopls")
	later := func() time.Time { return time.Now().Add(time.Hour) } // all files are old
	return &scanner{workspace: w, servers: []*registry.Definition{&gopls}, now: later}, root
}

func scanOf(t *testing.T, s *scanner) *scan {
	t.Helper()
	found, err := s.scan(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Every change of a text that can decide something makes another digest, and its undoing the former one; what decides nothing makes none. What
// is code does not depend on prose.
func TestScanNoticesEveryText(t *testing.T) {
	s, root := scanning(t)
	before := scanOf(t, s)
	if len(before.hashes) != 6 || !before.unheard || before.special != "" || len(before.manifests) != 1 {
		t.Errorf("%+v", before)
	}
	for _, c := range []struct {
		name, text string
		all, code  bool // whether the digests differ
	}{
		{"a.go", "package m // two\n", true, true},
		{"sub/b.go", "package sub // more\n", true, true},
		{"node_modules/c/c.go", "package d\n", true, true},
		{"new/d.go", "package d\n", true, true},
		{"go.sum", "x\n", true, true},
		{"vendor/modules.txt", "x\n", true, true},
		{".gitignore", "*.go\n", true, true},
		{".git/info/exclude", "*.go\n", true, true},
		{"README.md", "# Texts\n", true, false},
		{"tool.py", "x = 1\n", true, false},
		{"data.bin", "something\n", false, false},
		{".git/config", "x\n", false, false},
	} {
		path := filepath.Join(root, filepath.FromSlash(c.name))
		former, err := os.ReadFile(path)
		lsptest.WriteFile(t, path, c.text)
		after := scanOf(t, s)
		if (after.all != before.all) != c.all || (after.code != before.code) != c.code {
			t.Errorf("%s: all differs %t, code differs %t", c.name, after.all != before.all, after.code != before.code)
		}
		if err == nil {
			lsptest.WriteFile(t, path, string(former))
		} else if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if undone := scanOf(t, s); undone.all != before.all || undone.code != before.code {
			t.Errorf("%s: what was undone is not as it was", c.name)
		}
	}
}

// A text of the same size in a file with the same time is noticed, by the same process and by the next one, which knows of the former what was kept.
func TestScanNoticesDisguisedTexts(t *testing.T) {
	lsptest.NeedTimesOfChange(t)
	s, root := scanning(t)
	before := scanOf(t, s)
	known, _ := s.unsaved()
	if len(known) != len(before.hashes) {
		t.Fatalf("%d files are known of %d", len(known), len(before.hashes))
	}
	next := &scanner{workspace: s.workspace, servers: s.servers, now: s.now, known: known}
	file := filepath.Join(root, "a.go")
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	lsptest.Tick(t)
	lsptest.WriteFile(t, file, "package m // two\n")
	if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*scanner{"the same process": s, "the next one": next} {
		if after := scanOf(t, s); after.code == before.code {
			t.Errorf("%s does not notice it", name)
		}
	}
}

// A file that changed a moment ago is read again each time: it may change once more and look the same.
func TestScanDoesNotTrustTheLastMoment(t *testing.T) {
	s, root := scanning(t)
	file := filepath.Join(root, "a.go")
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	s.now = info.ModTime
	before := scanOf(t, s)
	if known, _ := s.unsaved(); len(known) > 0 || len(s.known) > 0 {
		t.Fatalf("known are %v", known)
	}
	s.known["a.go"] = store.Stat{Hash: before.hashes["a.go"]} // of long ago
	scanOf(t, s)
	if _, gone := s.unsaved(); len(gone) != 1 || gone[0] != "a.go" {
		t.Errorf("what was known is still kept: %v", gone)
	}
	if settles(time.Unix(7, 0)).Before(time.Unix(9, 0)) || !settles(time.Unix(7, 123_456_789)).Before(time.Unix(8, 0)) {
		t.Error("times without a part of a second may be of a clock that has none, and others are not")
	}
}

// Links are followed to files, and lead to folders by their names; what cannot be read makes no digest.
func TestScanOfLinks(t *testing.T) {
	lsptest.NeedLinks(t)
	s, root := scanning(t)
	outside := filepath.Join(t.TempDir(), "x.go")
	lsptest.WriteFile(t, outside, "package m // x\n")
	link := filepath.Join(root, "x.go")
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	before := scanOf(t, s)
	lsptest.WriteFile(t, outside, "package m // another\n")
	if after := scanOf(t, s); after.code == before.code {
		t.Error("what a link leads to is not noticed")
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(root, "folder")); err != nil {
		t.Fatal(err)
	}
	if scanOf(t, s).code == before.code {
		t.Error("a link to a folder is not noticed")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.scan(ended); err == nil {
		t.Error("a scan that was given up is complete")
	}
}

// The databases of workspaces that are gone are removed when nobody used them for long, and nothing else in the folder is.
func TestAbandonedDatabases(t *testing.T) {
	folder, there := t.TempDir(), t.TempDir()
	write := func(name, text string) { lsptest.WriteFile(t, filepath.Join(folder, filepath.FromSlash(name)), text) }
	for name, root := range map[string]string{"0123456789abcdef": filepath.Join(there, "gone"), "fedcba9876543210": there, "gopls": filepath.Join(there, "gone"), "0123": filepath.Join(there, "gone")} {
		write(name+"/"+rootFile, root)
		write(name+"/refs.db", "")
	}
	if err := removeAbandoned(folder, time.Now()); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 4 {
		t.Errorf("%d are left that were used a moment ago", len(left))
	}
	if err := removeAbandoned(folder, time.Now().Add(abandoned+time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "0123456789abcdef")); err == nil {
		t.Error("the one of a workspace that is gone is still there")
	}
	if left, _ := os.ReadDir(folder); len(left) != 3 {
		t.Errorf("%d are left", len(left))
	}
}

// What stands elsewhere may change without anybody in the workspace hearing of it: a folder outside that a link leads to is more than is known, and
// a file that has another name as well, or is a link to one outside, is looked at each time.
func TestScanOfWhatStandsElsewhere(t *testing.T) {
	outside := lsptest.Workspace(t, "-- pkg/x.go --\npackage pkg\n-- y.go --\npackage m\n")
	for name, c := range map[string]struct {
		make             func(root string) error
		special, unheard bool
	}{
		"nothing":                  {func(string) error { return nil }, false, false},
		"a link to a folder":       {func(root string) error { return os.Symlink(filepath.Join(outside, "pkg"), filepath.Join(root, "link")) }, true, false},
		"a link to a folder of it": {func(root string) error { return os.Symlink("sub", filepath.Join(root, "link")) }, false, false},
		"a link to a file": {func(root string) error {
			return os.Symlink(filepath.Join(outside, "y.go"), filepath.Join(root, "y.go"))
		}, false, true},
		"another name of a file": {func(root string) error { return os.Link(filepath.Join(outside, "y.go"), filepath.Join(root, "y.go")) }, false, true},
	} {
		s, root := scanning(t)
		if err := os.RemoveAll(filepath.Join(root, "node_modules")); err != nil { // of which nobody hears
			t.Fatal(err)
		}
		if err := c.make(root); err != nil {
			lsptest.Skip(t, err.Error())
		}
		if found := scanOf(t, s); (found.special != "") != c.special || found.unheard != c.unheard {
			t.Errorf("%s: special %q, unheard %t", name, found.special, found.unheard)
		}
	}
}

// A question that names a file by way of a link is not kept.
func TestQuestionsThatNameLinks(t *testing.T) {
	s, root := scanning(t)
	if err := os.Symlink(filepath.Join(root, "sub"), filepath.Join(root, "a link")); err != nil {
		lsptest.Skip(t, err.Error())
	}
	names := s.workspace.Names(root)
	for selector, want := range map[api.Selector]bool{
		{At: "sub/b.go:1 sub"}: false,
		{At: "sub/b.go sub"}:   false,
		{At: "pkg.Name"}:       false,
		{At: filepath.Join(root, "sub", "b.go") + ":1:9"}:    false,
		{At: "a link/b.go:1 sub"}:                            true,
		{File: "a link/b.go", Line: 1, Symbol: "sub"}:        true,
		{At: filepath.Join(root, "a link", "b.go") + " sub"}: true,
	} {
		if got := namesLink(names, selector); got != want {
			t.Errorf("%+v: %t", selector, got)
		}
	}
}
