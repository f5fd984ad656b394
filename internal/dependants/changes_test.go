package dependants

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/edit"
)

// What a change renamed are the words that stand wherever others stood. Errors whose messages
// name them are the same errors; of a type that is another they are not.
func TestRenamedWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		before, after string
		want          []string
	}{
		{"a function and its uses", "func load() {}\nvar x = load()\n", "func store() {}\nvar x = store()\n", []string{"load", "store"}},
		{"two at once", "a(b)\n", "c(d)\n", []string{"a", "b", "c", "d"}},
		{"unchanged lines may name it", "// load it\nload()\n", "// load it\nstore()\n", []string{"load", "store"}},
		{"another type", "func f() int {\n", "func f() float64 {\n", nil},
		{"another type that is there already", "f() Int { return []Text{} }\n", "f() Text { return []Text{} }\n", nil},
		{"one of two uses", "load(load)\n", "store(load)\n", nil},
		{"by two others", "load()\nload()\n", "store()\nkeep()\n", nil},
		{"two by one", "load()\nkeep()\n", "store()\nstore()\n", nil},
		{"more words than before", "load()\n", "store(now)\n", nil},
		{"more lines than before", "load()\n", "\nstore()\n", nil},
		{"nothing", "load()\n", "load()\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := make(map[string]bool)
			for _, word := range c.want {
				want[word] = true
			}
			changes := Changes{edit.Change{Before: []byte(c.before), After: []byte(c.after)}}
			if diff := cmp.Diff(want, changes.RenamedWords()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A change creates a file, deletes it, moves it or rewrites it: one of them, of that file.
func TestWhatAChangeDoesToAFile(t *testing.T) {
	t.Parallel()
	changes := Changes{
		{Path: "new", Created: true}, {Path: "gone", Deleted: true}, {Path: "moved", From: "former"}, {Path: "written"},
	}
	type does struct{ Create, Rewrite, Touch bool }
	for path, want := range map[string]does{
		"new": {Create: true, Touch: true}, "gone": {Touch: true}, "moved": {Touch: true}, "former": {Touch: true},
		"written": {Rewrite: true, Touch: true}, "another": {},
	} {
		if diff := cmp.Diff(want, does{changes.Create(path), changes.Rewrite(path), changes.Touch(path)}); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

// Files whose languages use nothing of each other are not reached by a change, also not by a file's
// former name; of others that is not known.
func TestWhatAChangeMayReach(t *testing.T) {
	t.Parallel()
	got := make(map[string]bool)
	for file, changes := range map[string]Changes{
		"a.py": {{Path: "b.go"}, {Path: "c.ts"}}, "a.pyi": {{Path: "b.go"}, {Path: "c.py"}}, "a.go": {{Path: "b.ts", From: "b.go"}}, "a.ts": {{Path: "b.go", From: "b.c"}},
		"a.vue": {{Path: "package.json"}},
	} {
		got[file] = changes.MayReach(file)
	}
	if diff := cmp.Diff(map[string]bool{"a.py": false, "a.pyi": true, "a.go": true, "a.ts": false, "a.vue": true}, got); diff != "" {
		t.Error(diff)
	}
}
