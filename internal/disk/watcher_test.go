package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// Where no private folder can be made there is none: another one in its place would be removed when
// watching ends.
func TestNoPrivateFolder(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, variable := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(variable, missing)
	}
	if dir, err := privateFolder(); dir != "" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%q, %v", dir, err)
	}
}

// What came or went is told by its names, once; of too many names, or of rules for what git ignores,
// only that there is no knowing what else changed.
func TestWhatCameOrWent(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  Moved
	}{
		{[]string{""}, Moved{}},
		{[]string{"a.toy", "", "sub/b.toy"}, Moved{Names: map[string]bool{"a.toy": true, "sub/b.toy": true}}},
		{[]string{"a.toy", "b.toy", "c.toy"}, Moved{All: true}},
		{[]string{"sub/.gitignore", "a.toy"}, Moved{All: true}},
	} {
		x := &Watcher{conditions: Conditions{Folders: 2}}
		for _, name := range c.names {
			x.moveLocked(name)
		}
		if diff := cmp.Diff([]Moved{c.want, {}}, []Moved{x.TakeMoved(), x.TakeMoved()}, cmp.AllowUnexported(Moved{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.names, diff)
		}
	}
}

// A folder that came may have folders in it that nobody watches yet; a file, and what is gone
// again, has none.
func TestUnknownFolders(t *testing.T) {
	root := lsptest.Workspace(t, "-- folder/a.go --\n-- file.go --\n")
	for name, tt := range map[string]struct {
		news News
		want bool
	}{
		"nothing came":     {News{}, false},
		"a file":           {News{Names: map[string]bool{filepath.Join(root, "file.go"): true}}, false},
		"it is gone again": {News{Names: map[string]bool{filepath.Join(root, "gone"): true}}, false},
		"a folder":         {News{Names: map[string]bool{filepath.Join(root, "file.go"): true, filepath.Join(root, "folder"): true}}, true},
		"who knows":        {News{All: true}, true},
	} {
		if got := (&Watcher{news: tt.news}).UnknownFolders(); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A watcher that is late is judged by how often one after the other; one that fails is of no use any more, and what another one
// says does not count.
func TestJudgementOfAWatcher(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	odd := fmt.Errorf("it broke")
	type state struct {
		Watches bool
		Late    int
		Blind   string
		Again   time.Time
	}
	for name, c := range map[string]struct {
		heard  []error
		beside bool // they all began before the first of them ended
		want   state
	}{
		"it hears":            {[]error{nil}, false, state{Watches: true}},
		"it is late":          {[]error{ErrLate}, false, state{Watches: true, Late: 1}},
		"it was late":         {[]error{ErrLate, nil, ErrLate}, false, state{Watches: true, Late: 1}},
		"it is late too much": {[]error{ErrLate, ErrLate}, false, state{Late: 2, Blind: ErrLate.Error(), Again: now.Add(Usual.Rest)}},
		"it is late at once":  {[]error{ErrLate, ErrLate, ErrLate, ErrLate}, true, state{Watches: true, Late: 1}},
		"it fails":            {[]error{odd, ErrLate, ErrLate}, false, state{Blind: "it broke"}},
		"it fails at once":    {[]error{ErrLate, odd}, true, state{Late: 1, Blind: "it broke"}},
	} {
		p := newPicture(t, "")
		p.Now = func() time.Time { return now }
		p.Conditions.Misses, p.Conditions.Distrust = 2, func(string) string { return "" }
		x := p.Watch()
		if x == nil || p.Watch() != x {
			t.Fatalf("%s: nobody watches, or somebody else: %s", name, p.blind)
		}
		p.Judge(&Watcher{}, 0, odd)
		for _, heard := range c.heard {
			began := x.Missed.Load()
			if c.beside {
				began = 0
			}
			p.Judge(x, began, heard)
		}
		got := state{p.watcher == x, p.late, p.blind, p.again}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
