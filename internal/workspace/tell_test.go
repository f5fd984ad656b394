package workspace

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A server that must be shown a file to know of it is shown those it would miss, and no others: of a
// folder that had no such file, the first, because the others come with it.
func TestWantsOpen(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"new/a.toy", "new/b.toy", "new/c.txt", "old/a.toy", "old/b.toy"} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// In old, only b.toy is new; a.toy of it was changed.
	var events []protocol.FileEvent
	for name, change := range map[string]protocol.ChangeType{
		"new/a.toy": protocol.Created, "new/b.toy": protocol.Created, "old/b.toy": protocol.Created, "old/a.toy": protocol.Changed,
	} {
		events = append(events, protocol.FileEvent{URI: protocol.URIFromPath(at(name)), Type: change})
	}
	toy := []registry.Language{{ID: "toy", Patterns: []string{".toy"}}}
	changes := map[string]protocol.ChangeType{"created": protocol.Created, "changed": protocol.Changed, "deleted": protocol.Deleted}
	got := make(map[string][]string)
	for _, quirk := range []registry.Quirk{"", registry.OpenChanged, registry.OpenCreated, registry.OpenNewFolders} {
		d := &registry.Definition{Languages: toy, Quirks: []registry.Quirk{quirk}}
		for _, name := range []string{"new/a.toy", "new/b.toy", "new/c.txt", "old/a.toy", "old/b.toy", "gone/a.toy"} {
			for _, how := range []string{"created", "changed", "deleted"} {
				if wantsOpen(d, at(name), changes[how], events) {
					got[string(quirk)] = append(got[string(quirk)], how+" "+name)
				}
			}
		}
	}
	want := map[string][]string{
		"openChanged": {
			"created new/a.toy", "changed new/a.toy", "created new/b.toy", "changed new/b.toy", "created old/a.toy", "changed old/a.toy",
			"created old/b.toy", "changed old/b.toy", "created gone/a.toy", "changed gone/a.toy",
		},
		"openCreated":    {"created new/a.toy", "created new/b.toy", "created old/a.toy", "created old/b.toy", "created gone/a.toy"},
		"openNewFolders": {"created new/a.toy"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A server that goes by times of modification is restarted when a file changes that keeps its own; one that reads what it is told of
// is not, and neither is restarted by a change that everybody sees.
func TestChangesThatKeepTheTime(t *testing.T) {
	lsptest.NeedTimesOfChange(t)
	for _, c := range []struct {
		quirks []registry.Quirk
		other  bool // another time
		runs   int
	}{
		{[]registry.Quirk{registry.AnewSameTime}, false, 0},
		{[]registry.Quirk{registry.AnewSameTime}, true, 1},
		{nil, false, 1},
	} {
		toy := lsptest.Script{}.Definition(t)
		toy.Quirks = append(toy.Quirks, c.quirks...)
		w := open(t, "-- toy.root --\n-- a.toy --\nuse x\n-- b.toy --\n", Options{Servers: registry.Table{toy}})
		file := filepath.Join(w.Root(), "a.toy")
		if _, err := w.Sweep(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Server(t.Context(), only(t, w, "b.toy")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		at := info.ModTime()
		if c.other {
			at = at.Add(time.Second)
		}
		lsptest.Tick(t)
		lsptest.WriteFile(t, file, "use xyz\n")
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time nothing has changed
			if _, err := w.Sweep(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
		if runs := len(w.Running()); runs != c.runs {
			t.Errorf("%v, another time: %t: %d servers run, want %d", c.quirks, c.other, runs, c.runs)
		}
	}
}
