package workspace

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

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
		want  moved
	}{
		{[]string{""}, moved{}},
		{[]string{"a.toy", "", "sub/b.toy"}, moved{names: map[string]bool{"a.toy": true, "sub/b.toy": true}}},
		{[]string{"a.toy", "b.toy", "c.toy"}, moved{all: true}},
		{[]string{"sub/.gitignore", "a.toy"}, moved{all: true}},
	} {
		x := &watcher{conditions: watching{folders: 2}}
		for _, name := range c.names {
			x.moveLocked(name)
		}
		if diff := cmp.Diff([]moved{c.want, {}}, []moved{x.takeMoved(), x.takeMoved()}, cmp.AllowUnexported(moved{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.names, diff)
		}
	}
}

// A folder that came may have folders in it that nobody watches yet; a file, and what is gone
// again, has none.
func TestUnknownFolders(t *testing.T) {
	root := lsptest.Workspace(t, "-- folder/a.go --\n-- file.go --\n")
	for name, tt := range map[string]struct {
		news news
		want bool
	}{
		"nothing came":     {news{}, false},
		"a file":           {news{names: map[string]bool{filepath.Join(root, "file.go"): true}}, false},
		"it is gone again": {news{names: map[string]bool{filepath.Join(root, "gone"): true}}, false},
		"a folder":         {news{names: map[string]bool{filepath.Join(root, "file.go"): true, filepath.Join(root, "folder"): true}}, true},
		"who knows":        {news{all: true}, true},
	} {
		if got := (&watcher{news: tt.news}).unknownFolders(); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
