package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A list of files stands as long as what came or went is not in it and need not be, and nothing that may be a folder.
func TestListsThatStand(t *testing.T) {
	w := open(t, "-- a.toy --\n-- b.none --\n-- c.toy --\n-- dir/x --\n", Options{Servers: toys()})
	in := func(name string) string { return filepath.Join(w.Root(), name) }
	files := []string{in("a.toy"), in("gone.toy")}
	for name, want := range map[string]bool{"a.toy": true, "b.none": true, "c.toy": false, "dir": false, "gone.toy": false, "nowhere.toy": true} {
		if got := w.unmoved(files, disk.Moved{Names: map[string]bool{in(name): true}}); got != want {
			t.Errorf("%s came or went: %t", name, got)
		}
	}
	if w.unmoved(files, disk.Moved{All: true}) || !w.unmoved(files, disk.Moved{}) {
		t.Error("all may have moved, or nothing has")
	}
	w.takePicture()
	if err := os.RemoveAll(in("dir")); err != nil {
		t.Fatal(err)
	}
	if w.unmoved(files, disk.Moved{Names: map[string]bool{in("dir"): true}}) {
		t.Error("a folder of the picture is gone, and the list stands")
	}
}

// What a look found and nobody heard of is a part of the next answer, with all that belongs to it.
func TestTellingsAreAdded(t *testing.T) {
	one, other := errors.New("one"), errors.New("other")
	answered := make(chan error, 1)
	answered <- nil
	a := &telling{swept: Swept{Deleted: []string{"1"}, Changed: []string{"2"}}, failures: []error{one}}
	a.add(&telling{swept: Swept{Deleted: []string{"3"}, Changed: []string{"4", "5"}, Told: true}, failures: []error{other}, reloads: []<-chan error{answered}})
	a.add(&telling{})
	swept, err := a.wait(t.Context())
	if diff := cmp.Diff(Swept{Deleted: []string{"1", "3"}, Changed: []string{"2", "4", "5"}, Told: true}, swept); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !errors.Is(err, one) || !errors.Is(err, other) || len(a.reloads) != 1 || len(answered) != 0 {
		t.Errorf("%v", err)
	}
}

// A server is concerned by the files of its languages and those that configure it; events that name no file concern
// nobody.
func TestWhomEventsConcern(t *testing.T) {
	d := &registry.Definition{Languages: []registry.Language{{ID: "toy", Patterns: []string{".toy"}}}, Roots: []string{"toy.root"}}
	event := func(uri protocol.DocumentURI) []protocol.FileEvent {
		return []protocol.FileEvent{{URI: uri, Type: protocol.Changed}}
	}
	for name, c := range map[string]struct {
		events []protocol.FileEvent
		want   bool
	}{
		"nothing":      {nil, false},
		"its language": {event(protocol.URIFromPath(lsptest.Rooted("/w/a.toy"))), true},
		"another":      {event(protocol.URIFromPath(lsptest.Rooted("/w/a.txt"))), false},
		"no file":      {event("untitled:a.toy"), false},
		"among others": {append(event("untitled:a"), event(protocol.URIFromPath(lsptest.Rooted("/w/b.toy")))...), true},
	} {
		if got := concerns(d, c.events); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	for path, want := range map[string]bool{"/w/toy.root": true, "/w/a/toy.root": true, "/w/toy.roots": false, "/w/a.toy": false} {
		if got := isManifest(d, filepath.FromSlash(path)); got != want {
			t.Errorf("%s is a manifest: %t", path, got)
		}
	}
}
