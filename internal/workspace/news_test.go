package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// What is heard of a file that matters makes its folder news; what came, went or got other rights is news by its name
// as well. Of too much it is only kept that there is no knowing.
func TestWhatIsHeardBecomesNews(t *testing.T) {
	in := func(names ...string) map[string]bool {
		set := make(map[string]bool)
		for _, name := range names {
			set[filepath.FromSlash(name)] = true
		}
		return set
	}
	event := func(name string, op fsnotify.Op) fsnotify.Event {
		return fsnotify.Event{Name: filepath.FromSlash(name), Op: op}
	}
	type heard struct {
		All            bool
		Folders, Names map[string]bool
		MovedAll       bool
		Moved          map[string]bool
	}
	for name, c := range map[string]struct {
		events []fsnotify.Event
		want   heard
	}{
		"nothing":              {nil, heard{}},
		"no name":              {[]fsnotify.Event{event("", fsnotify.Create)}, heard{}},
		"written":              {[]fsnotify.Event{event("/w/a.toy", fsnotify.Write)}, heard{Folders: in("/w"), Names: in()}},
		"written, of no kind":  {[]fsnotify.Event{event("/w/a.txt", fsnotify.Write)}, heard{}},
		"ignore list written":  {[]fsnotify.Event{event("/w/.gitignore", fsnotify.Write)}, heard{MovedAll: true}},
		"made":                 {[]fsnotify.Event{event("/w/a.txt", fsnotify.Create)}, heard{Folders: in("/w"), Names: in("/w/a.txt"), Moved: in("/w/a.txt")}},
		"gone":                 {[]fsnotify.Event{event("/w/a.toy", fsnotify.Remove)}, heard{Folders: in("/w"), Names: in("/w/a.toy"), Moved: in("/w/a.toy")}},
		"written and more":     {[]fsnotify.Event{event("/w/a.toy", fsnotify.Write|fsnotify.Chmod)}, heard{Folders: in("/w"), Names: in("/w/a.toy"), Moved: in("/w/a.toy")}},
		"as much as is kept":   {[]fsnotify.Event{event("/w/a.toy", fsnotify.Create), event("/w/b.toy", fsnotify.Create)}, heard{Folders: in("/w"), Names: in("/w/a.toy", "/w/b.toy"), Moved: in("/w/a.toy", "/w/b.toy")}},
		"more than is kept":    {[]fsnotify.Event{event("/w/a.toy", fsnotify.Create), event("/w/b.toy", fsnotify.Create), event("/v/c.toy", fsnotify.Write)}, heard{All: true, Moved: in("/w/a.toy", "/w/b.toy")}},
		"and nothing after it": {[]fsnotify.Event{event("/w/a.toy", fsnotify.Create), event("/w/b.toy", fsnotify.Create), event("/v/c.toy", fsnotify.Write), event("/v/d.toy", fsnotify.Write)}, heard{All: true, Moved: in("/w/a.toy", "/w/b.toy")}},
	} {
		x := &watcher{conditions: watching{folders: 3}, dir: filepath.FromSlash("/markers"), matters: func(name string) bool { return filepath.Ext(name) == ".toy" }}
		for _, e := range c.events {
			x.hear(e)
		}
		pending, taken, again, m := x.pending(), x.take(), x.take(), x.takeMoved()
		if diff := cmp.Diff(c.want, heard{taken.all, taken.folders, taken.names, m.all, m.names}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff([]news{taken, {}}, []news{pending, again}, cmp.AllowUnexported(news{})); diff != "" {
			t.Errorf("%s, before and after it is taken (-want +got):\n%s", name, diff)
		}
	}
}

// Files of a folder may be others than they were if it is news, or a name of news, or below one.
func TestFoldersThatAreNews(t *testing.T) {
	at := filepath.FromSlash
	x := &watcher{news: news{folders: map[string]bool{at("/w/a"): true}, names: map[string]bool{at("/w/b"): true}}}
	got := make(map[string]bool)
	for _, dir := range []string{"/w", "/w/a", "/w/a/deep", "/w/b", "/w/b/deep/er", "/w/bb", "/"} {
		got[dir] = x.isNews(at(dir))
	}
	want := map[string]bool{"/w": false, "/w/a": true, "/w/a/deep": false, "/w/b": true, "/w/b/deep/er": true, "/w/bb": false, "/": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !(&watcher{news: news{all: true}}).isNews(at("/w")) || (&watcher{}).isNews(at("/w")) {
		t.Error("all is news, or nothing")
	}
	x.mark(at("/w/c"))
	if !x.isNews(at("/w/c")) {
		t.Error("what is marked is no news")
	}
}

// A list of files stands as long as what came or went is not in it and need not be, and nothing that may be a folder.
func TestListsThatStand(t *testing.T) {
	w := open(t, "-- a.toy --\n-- b.none --\n-- c.toy --\n-- dir/x --\n", Options{Servers: toys()})
	in := func(name string) string { return filepath.Join(w.Root(), name) }
	files := []string{in("a.toy"), in("gone.toy")}
	for name, want := range map[string]bool{"a.toy": true, "b.none": true, "c.toy": false, "dir": false, "gone.toy": false, "nowhere.toy": true} {
		if got := w.unmoved(files, moved{names: map[string]bool{in(name): true}}); got != want {
			t.Errorf("%s came or went: %t", name, got)
		}
	}
	if w.unmoved(files, moved{all: true}) || !w.unmoved(files, moved{}) {
		t.Error("all may have moved, or nothing has")
	}
	w.takePicture()
	w.tree.mu.Lock()
	w.tree.folders[in("was")] = folder{}
	w.tree.mu.Unlock()
	if w.unmoved(files, moved{names: map[string]bool{in("was"): true}}) {
		t.Error("a folder of the picture is gone, and the list stands")
	}
}

// Files are the same as long as their stamps are and cannot be those of another text; a folder is there or not.
func TestStampsThatAreTheSame(t *testing.T) {
	root := lsptest.Workspace(t, "-- old --\n12\n-- new --\n")
	in := func(name string) string { return filepath.Join(root, name) }
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(in("old"), long, long); err != nil {
		t.Fatal(err)
	}
	soon := time.Now().Add(time.Hour) // as if it were written just now
	if err := os.Chtimes(in("new"), soon, soon); err != nil {
		t.Fatal(err)
	}
	old := stampNow(in("old"))
	if want := (stamp{old.modified, 3, old.change}); old != want || !old.modified.Equal(long) {
		t.Errorf("%+v", old)
	}
	for name, c := range map[string]struct {
		stamps map[string]stamp
		want   bool
	}{
		"none":             {nil, true},
		"a file":           {map[string]stamp{in("old"): old}, true},
		"another size":     {map[string]stamp{in("old"): {old.modified, 4, old.change}}, false},
		"another time":     {map[string]stamp{in("old"): {old.modified.Add(1), 3, old.change}}, false},
		"another change":   {map[string]stamp{in("old"): {old.modified, 3, old.change + 1}}, false},
		"it was not there": {map[string]stamp{in("old"): {}}, false},
		"it is not there":  {map[string]stamp{in("gone"): {}}, true},
		"it is gone":       {map[string]stamp{in("gone"): old}, false},
		"a folder":         {map[string]stamp{root: {size: 1}}, true},
		"written just now": {map[string]stamp{in("new"): stampNow(in("new"))}, false},
	} {
		if got := same(c.stamps); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// So many changes are kept in mind, and when there are more the older half is forgotten, and counted.
func TestChangesThatAreKeptInMind(t *testing.T) {
	var tr tree
	for range maxChanged {
		tr.noteLocked("a")
	}
	first := []int{len(tr.changed), int(tr.before)}
	tr.noteLocked("b")
	second := []int{len(tr.changed), int(tr.before)}
	if diff := cmp.Diff([][]int{{maxChanged, 0}, {maxChanged/2 + 1, maxChanged / 2}}, [][]int{first, second}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if last := tr.changed[len(tr.changed)-1]; last != "b" {
		t.Errorf("the last is %q", last)
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
