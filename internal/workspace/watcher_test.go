package workspace

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
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
