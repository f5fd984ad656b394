package disk

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
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
		x := &Watcher{conditions: Conditions{Folders: 3}, dir: filepath.FromSlash("/markers"), matters: func(name string) bool { return filepath.Ext(name) == ".toy" }}
		for _, e := range c.events {
			x.hear(e)
		}
		pending, taken, again, m := x.Pending(), x.Take(), x.Take(), x.TakeMoved()
		if diff := cmp.Diff(c.want, heard{taken.All, taken.Folders, taken.Names, m.All, m.Names}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff([]News{taken, {}}, []News{pending, again}); diff != "" {
			t.Errorf("%s, before and after it is taken (-want +got):\n%s", name, diff)
		}
	}
}

// Files of a folder may be others than they were if it is news, or a name of news, or below one.
func TestFoldersThatAreNews(t *testing.T) {
	at := filepath.FromSlash
	x := &Watcher{news: News{Folders: map[string]bool{at("/w/a"): true}, Names: map[string]bool{at("/w/b"): true}}}
	got := make(map[string]bool)
	for _, dir := range []string{"/w", "/w/a", "/w/a/deep", "/w/b", "/w/b/deep/er", "/w/bb", "/"} {
		got[dir] = x.IsNews(at(dir))
	}
	want := map[string]bool{"/w": false, "/w/a": true, "/w/a/deep": false, "/w/b": true, "/w/b/deep/er": true, "/w/bb": false, "/": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !(&Watcher{news: News{All: true}}).IsNews(at("/w")) || (&Watcher{}).IsNews(at("/w")) {
		t.Error("all is news, or nothing")
	}
	x.Mark(at("/w/c"))
	if !x.IsNews(at("/w/c")) {
		t.Error("what is marked is no news")
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
	old := StampNow(in("old"))
	if want := (Stamp{old.Modified, 3, old.Change}); old != want || !old.Modified.Equal(long) {
		t.Errorf("%+v", old)
	}
	for name, c := range map[string]struct {
		stamps map[string]Stamp
		want   bool
	}{
		"none":             {nil, true},
		"a file":           {map[string]Stamp{in("old"): old}, true},
		"another size":     {map[string]Stamp{in("old"): {old.Modified, 4, old.Change}}, false},
		"another time":     {map[string]Stamp{in("old"): {old.Modified.Add(1), 3, old.Change}}, false},
		"another change":   {map[string]Stamp{in("old"): {old.Modified, 3, old.Change + 1}}, false},
		"it was not there": {map[string]Stamp{in("old"): {}}, false},
		"it is not there":  {map[string]Stamp{in("gone"): {}}, true},
		"it is gone":       {map[string]Stamp{in("gone"): old}, false},
		"a folder":         {map[string]Stamp{root: {Size: 1}}, true},
		"written just now": {map[string]Stamp{in("new"): StampNow(in("new"))}, false},
	} {
		if got := Same(c.stamps); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// So many changes are kept in mind, and when there are more the older half is forgotten, and counted.
func TestChangesThatAreKeptInMind(t *testing.T) {
	var tr notes
	for range maxChanged {
		tr.Note("a", protocol.Changed)
	}
	first := []int{len(tr.changed), int(tr.before)}
	tr.Note("b", protocol.Created)
	second := []int{len(tr.changed), int(tr.before)}
	if diff := cmp.Diff([][]int{{maxChanged, 0}, {maxChanged/2 + 1, maxChanged / 2}}, [][]int{first, second}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if last := tr.changed[len(tr.changed)-1]; last != "b" {
		t.Errorf("the last is %q", last)
	}
}
