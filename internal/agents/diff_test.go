package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A person sees each change as a diff, in which a new file comes from nowhere and one that goes
// leaves to nowhere; of a skill only what becomes of it is said, as its text is no news.
func TestDiffOfAChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.json")
	for name, c := range map[string]struct {
		change Change
		want   string
	}{
		"changed":          {Change{Before: []byte("a\n"), After: []byte("b\n"), Existed: true}, fmt.Sprintf("--- %s\n+++ %s\n@@ -1 +1 @@\n-a\n+b\n", path, path)},
		"new":              {Change{After: []byte("b\n")}, fmt.Sprintf("--- %s\n+++ %s\n@@ -0,0 +1 @@\n+b\n", os.DevNull, path)},
		"removed":          {Change{Before: []byte("a\n"), Existed: true, Removed: true}, fmt.Sprintf("--- %s\n+++ %s\n@@ -1 +0,0 @@\n-a\n", path, os.DevNull)},
		"a changed skill":  {Change{guide: true, Before: []byte("a\n"), After: []byte("b\n"), Existed: true}, "change " + path + "\n"},
		"a new skill":      {Change{guide: true, After: []byte("b\n")}, "write " + path + "\n"},
		"a removed skill":  {Change{guide: true, Before: []byte("a\n"), Existed: true, Removed: true}, "remove " + path + "\n"},
		"nothing of a new": {Change{}, ""},
	} {
		c.change.Path = path
		if diff := cmp.Diff(c.want, c.change.Diff()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
