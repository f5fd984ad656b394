package disk

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is for a busy machine: nothing here is about time.
const patience = 30 * time.Second

// An audience has a picture of toy files, and hears of their changes.
type audience struct {
	*Picture
	t *testing.T
}

// newPicture returns a picture of the toy files of an archive, which is not taken yet.
func newPicture(t *testing.T, archive string) *Picture {
	t.Helper()
	p := New(Options{
		Root: lsptest.Workspace(t, archive), Skips: func(string) bool { return false },
		Matters: func(name string) bool { return filepath.Ext(name) == ".toy" }, ReadsPackages: func() bool { return false }, Now: time.Now,
	})
	t.Cleanup(func() { p.Blind("the test ends") })
	return p
}

// seat returns an audience for the files of an archive, which have been looked at. On Linux, their folders are watched.
func seat(t *testing.T, archive string) *audience {
	t.Helper()
	a := &audience{newPicture(t, "-- first.toy --\n"+archive), t}
	a.Take()
	a.look()
	if well, why := a.Watching(); !well && runtime.GOOS == "linux" {
		t.Fatal("nobody watches:", why)
	}
	return a
}

func (a *audience) path(name string) string { return filepath.Join(a.Root, filepath.FromSlash(name)) }

func (a *audience) remove(name string) {
	a.t.Helper()
	if err := os.RemoveAll(a.path(name)); err != nil {
		a.t.Fatal(err)
	}
}

func (a *audience) write(name, text string) {
	a.t.Helper()
	lsptest.WriteFile(a.t, a.path(name), text)
}

// look looks, and expects what is found, sorted.
func (a *audience) look(want ...string) {
	a.t.Helper()
	var events []protocol.FileEvent
	if x := a.Watch(); x == nil {
		events = a.Compare(nil)
	} else {
		missed := x.Missed.Load()
		heard := x.Fence(a.t.Context())
		if a.Judge(x, missed, heard); heard != nil || a.Watcher() != x {
			events = a.Compare(nil)
		} else {
			events, _ = a.Listen()
		}
	}
	kinds := map[protocol.ChangeType]string{protocol.Created: "created ", protocol.Changed: "changed ", protocol.Deleted: "deleted "}
	var got []string
	for _, e := range events {
		path, err := e.URI.Path()
		if err != nil {
			a.t.Fatal(err)
		}
		got = append(got, kinds[e.Type]+fspath.Relative(a.Root, path))
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		a.t.Errorf("found (-want +got):\n%s", diff)
	}
	a.agrees()
}

// agrees compares the picture with the disk.
func (a *audience) agrees() {
	a.t.Helper()
	fresh := New(a.Options)
	fresh.Take()
	if diff := cmp.Diff(fresh.text(), a.text()); diff != "" {
		a.t.Errorf("the disk (-) is not the picture (+):\n%s", diff)
	}
	if fresh.Count() != a.Count() {
		a.t.Errorf("counted %d files of %d", a.Count(), fresh.Count())
	}
}

// text returns the time and size of each file in the picture, as text, and its folders.
func (p *Picture) text() map[string]string {
	seen := make(map[string]string)
	for dir, f := range p.Folders() {
		seen[dir] = "folder"
		for name, s := range f.Files {
			seen[filepath.Join(dir, name)] = s.Modified.Format("15:04:05.000000000 ") + strings.Repeat("|", int(s.Size))
		}
	}
	return seen
}

// What is written, made, moved and deleted is found, each once, with a watcher and without.
func TestChangesAreFound(t *testing.T) {
	for _, kind := range []string{"watched", "compared"} {
		t.Run(kind, func(t *testing.T) {
			a := &audience{newPicture(t, "-- a.toy --\n1\n-- sub/b.toy --\n1\n-- c.none --\n"), t}
			if kind == "compared" {
				a.Conditions.Distrust = func(string) string { return "not here" }
			}
			if !a.Take() || a.Take() {
				t.Error("the picture is taken once")
			}
			a.look()
			a.write("a.toy", "22\n")
			a.write("c.none", "22\n")
			a.write("new/deep/d.toy", "1\n")
			a.look("changed a.toy", "created new/deep/d.toy")
			if err := os.Rename(a.path("sub"), a.path("moved")); err != nil {
				t.Fatal(err)
			}
			a.remove("new")
			a.look("created moved/b.toy", "deleted new/deep/d.toy", "deleted sub/b.toy")
			a.look()
			if s, ok := a.Stamp(a.path("a.toy")); ok != (a.Watcher() != nil) || ok && s != StampNow(a.path("a.toy")) {
				t.Errorf("the stamp is %v, %t", s, ok)
			}
		})
	}
}
