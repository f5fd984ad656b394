package dependants

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// The files that include another one by its name are found wherever they are, also by way of headers; a change concerns those of them
// to which it can matter.
func TestFilesThatIncludeAnother(t *testing.T) {
	toy := lsptest.Script{}.Definition(t)
	toy.Languages = append(toy.Languages, registry.Language{ID: "rust", Patterns: []string{".rs"}}, registry.Language{ID: "cpp", Patterns: []string{".cpp", ".h"}})
	finder := finderOf(t, toy, "-- toy.root --\n-- src/a.rs --\n#![doc = include_str!(\"../data.txt\")]\nstatic B: &[u8] = include_bytes!(\"../data.txt\");\n"+
		"-- src/c.rs --\ninclude!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/code.in\")); // not data.txt\n-- src/d.rs --\nmod a;\n"+
		"-- lib/h.h --\n#include <data.txt>\n-- lib/u.cpp --\n#include \"h.h\"\n-- lib/v.cpp --\n#include \"u.h\"\n-- data.txt --\n-- code.in --\n")
	names := func(paths []string) (list []string) {
		for _, path := range paths {
			list = append(list, finder.names.Relative(path))
		}
		return list
	}
	x := finder.Includers(t.Context())
	of := make(map[string][]string)
	for _, name := range []string{"data.txt", "code.in", "src/code.in", "other.txt", "lib/h.h", "src/a.rs"} {
		if files := names(x.Of(finder.path(name))); files != nil {
			of[name] = files
		}
	}
	want := map[string][]string{"data.txt": {"lib/h.h", "lib/u.cpp", "src/a.rs"}, "code.in": {"src/c.rs"}, "src/code.in": {"src/c.rs"}}
	if diff := cmp.Diff(want, of); diff != "" {
		t.Errorf("who includes (-want +got):\n%s", diff)
	}
	data, all := finder.path("data.txt"), []string{"lib/h.h", "lib/u.cpp", "src/a.rs"}
	for name, c := range map[string]struct {
		change edit.Change
		want   []string
	}{
		"another text":        {edit.Change{Path: data, Before: []byte("ab"), After: []byte("cd")}, []string{"lib/h.h", "lib/u.cpp"}},
		"another length":      {edit.Change{Path: data, Before: []byte("ab"), After: []byte("abc")}, all},
		"the same text":       {edit.Change{Path: data, Before: []byte("ab"), After: []byte("ab")}, nil},
		"a deletion":          {edit.Change{Path: data, Before: []byte("ab"), Deleted: true}, all},
		"of what nobody read": {edit.Change{Path: data, Deleted: true}, all},
		"a new file":          {edit.Change{Path: data, After: []byte{}, Created: true}, all},
		"a move from there":   {edit.Change{Path: finder.path("away.txt"), From: data, Before: []byte("ab"), After: []byte("ab")}, all},
		"nobody knows":        {edit.Change{Path: data, After: []byte("ab")}, all},
	} {
		if diff := cmp.Diff(c.want, names(x.ConcernedBy(c.change))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
