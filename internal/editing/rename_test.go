package editing

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/workspace"
)

// A glob excludes the files that it matches from the root on, and those in folders
// that it matches.
func TestExcludedFiles(t *testing.T) {
	t.Parallel()
	root := lsptest.Workspace(t, "-- x.toy --\n")
	w, err := workspace.Open(workspace.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) })
	e := New(Options{Workspace: w, Names: w.Names("")})
	for glob, want := range map[string]string{
		"**/x.toy": "x.toy a/x.toy a/b/x.toy", "x.toy": "x.toy", "a": "a/x.toy a/b/x.toy", "./a/b/**": "a/b/x.toy",
		"**/b": "a/b/x.toy", "*/*.toy": "a/x.toy", "**/*.{toy,go}": "x.toy a/x.toy a/b/x.toy", "ax": "",
	} {
		excluded, err := e.excluded([]string{glob})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range []string{"x.toy", "a/x.toy", "a/b/x.toy"} {
			if excluded(filepath.Join(root, name)) {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s excludes %v, want %s", glob, got, want)
		}
	}
}

// An import that a server gives another name, instead of renaming what it imports, is not renamed; what is exported under its old
// name is.
func TestImportsThatKeepTheOldName(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after string
		want          bool
	}{
		"an alias":     {"import { label } from './l'", "import { label as tag } from './l'", true},
		"renamed":      {"import { label } from './l'", "import { tag } from './l'", false},
		"exported":     {"export { label } from './l'", "export { tag as label } from './l'", false},
		"as it was":    {"import { label as tag } from './other'", "import { label as tag } from './other'\n", false},
		"a name in it": {"import { label } from './l'", "import { label as tags } from './l'", false},
	} {
		if got := aliases(edit.Change{Before: []byte(c.before), After: []byte(c.after)}, "label", "tag"); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
