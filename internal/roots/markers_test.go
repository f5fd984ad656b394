package roots

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A marker is seen as soon as it is there, and missed as soon as it is gone,
// also in a folder that was at rest for long when it was read.
func TestMarkersAreSeenAtOnce(t *testing.T) {
	root := lsptest.Workspace(t, "-- a/b/x.toy --\n")
	if err := os.MkdirAll(filepath.Join(root, "a", "own"), 0o755); err != nil {
		t.Fatal(err)
	}
	f := open(t, "", Options{Root: root, LookPath: found, Servers: registry.Table{{
		ID: "toy", Languages: []registry.Language{{ID: "toy", Patterns: []string{".toy"}}}, Commands: []registry.Command{{Binary: "toyd"}},
		Roots: []string{"toy.root", "*.proj", "own"}, SingleFile: true,
	}}})
	rest := func() {
		old := time.Now().Add(-time.Hour)
		for _, folder := range []string{"a/b", "a", "."} {
			if err := os.Chtimes(filepath.Join(f.opts.Root, folder), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := func(text string) {
		t.Helper()
		for range 2 { // the second time it is remembered
			if got := chosen(f, "a/b/x.toy"); got != text {
				t.Errorf("%q, want %q", got, text)
			}
		}
	}
	file := func(name string) string { return filepath.Join(f.opts.Root, name) }
	for _, settled := range []bool{true, false} {
		step := func() {
			if settled {
				rest()
			}
		}
		step()
		want("toy a own") // a folder is a marker, too
		lsptest.WriteFile(t, file("a/b/my.proj"), "")
		want("toy a/b my.proj")
		step()
		want("toy a/b my.proj")
		lsptest.WriteFile(t, file("toy.root"), "")
		want("toy . toy.root")
		if err := os.Remove(file("toy.root")); err != nil {
			t.Fatal(err)
		}
		want("toy a/b my.proj")
		step()
		if err := os.Remove(file("a/b/my.proj")); err != nil {
			t.Fatal(err)
		}
		want("toy a own")
	}
	// A link counts while it leads somewhere, whatever its folder says.
	symlink(t, file("a/target"), file("a/toy.root"))
	rest()
	want("toy a own")
	lsptest.WriteFile(t, file("a/target"), "")
	rest()
	want("toy a toy.root")
}

// How long a second change of a folder may get the time of the first one depends on how finely its file
// system counts: one without parts of a second is not trusted for two.
func TestTimesOfFileSystemsAreCoarse(t *testing.T) {
	second := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	want := map[string]time.Duration{"seconds": 2 * time.Second, "parts of a second": 10 * time.Millisecond}
	got := map[string]time.Duration{"seconds": disk.Unsettled(second), "parts of a second": disk.Unsettled(second.Add(1_234_567))}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A server of a link that leads nowhere has no marker there; one that leads to a file has.
func TestMarkersThatAreLinks(t *testing.T) {
	root := lsptest.Workspace(t, "-- here/file.mark --\n-- here/a.x --\n")
	here := filepath.Join(root, "here")
	symlink(t, "file.mark", filepath.Join(here, "good.mark"))
	symlink(t, "nothing", filepath.Join(here, "bad.mark"))
	m := newMarkers(registry.Table{{ID: "x", Roots: []string{"*.mark"}, Requires: []string{"need.x"}, Excludes: []string{"no?.x", "*.m[ab]rk"}}})
	read := m.at(here)
	if diff := cmp.Diff([]string{"bad.mark", "file.mark", "good.mark"}, read.found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for pattern, want := range map[string]string{"good.mark": "good.mark", "bad.mark": "", "b*.mark": "", "*.mark": "file.mark", "g*.mark": "good.mark", "a.x": "", "file.mark": "file.mark"} {
		folder, marker, found := find([]level{{folder: root}, read}, []string{"none", pattern})
		if marker != want || found != (want != "") || found && folder != here {
			t.Errorf("%s: %q in %q, %t", pattern, marker, folder, found)
		}
	}
	for pattern, want := range map[string]string{"file.mark": "file.mark", "a.x": "a.x", "bad.mark": "", "gone": "", "*.mark": ""} {
		unread := &level{folder: here, unread: true}
		if name, found := unread.holds(pattern); found != (want != "") || found && name != want {
			t.Errorf("%s where nothing can be listed: %q, %t", pattern, name, found)
		}
	}
	for name, want := range map[string]bool{"x.mark": true, "need.x": true, "no1.x": true, "no.x": false, "a.mark": true, "a.mbrk": true, "a.mcrk": false, "need.xx": false} {
		if m.wanted(name) != want {
			t.Errorf("%s is wanted: %t", name, !want)
		}
	}
	if gone := m.at(filepath.Join(root, "gone")); gone.unread || gone.found != nil {
		t.Errorf("what is not there: %+v", gone)
	}
}
