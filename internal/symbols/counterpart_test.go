package symbols

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// What stands at a place of C++ tells a definition from its declaration.
func TestBody(t *testing.T) {
	for text, want := range map[string]int{
		"int @f(int n);":               declared,
		"int @f(int n = 2);":           declared,
		"int @f(int n) { return n; }":  whole,
		"Box::@Box(int n) : n_(n) {}":  whole,
		"class @Box;":                  declared,
		"class @Box : public Base {};": whole,
		"extern int @x;":               announced,
		"int @x;":                      declared,
		"int @x = 1;":                  valued,
		"int @x{1};":                   whole,
		"void @f() = delete;":          valued,
		"int @f(":                      declared,
	} {
		f := newFake("a.h", strings.Replace("// first\n"+text, "@", "", 1))
		at := protocol.Position{Line: 1, Character: uint32(strings.Index(text, "@"))}
		if got := New(f).body(Place{Path: here("/r/a.h"), Range: protocol.Range{Start: at, End: at}}); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	if got := New(newFake("a.h", "")).body(Place{Path: "/gone"}); got != declared {
		t.Errorf("of a file that is gone: %d", got)
	}
}

// The sources of a header have its name, and stand beside it or where sources usually stand.
func TestSourcesOf(t *testing.T) {
	got := make(map[string][]string)
	for _, header := range []string{here("/r/a.h"), here("/r/include/box/a.hpp"), here("/r/include/a.h"), here("/r/a.cc"), here("/r/a.go")} {
		for _, path := range sourcesOf(header) {
			if filepath.Ext(path) == ".cc" {
				got[header] = append(got[header], path)
			}
		}
	}
	want := map[string][]string{
		here("/r/a.h"): {here("/r/a.cc")},
		here("/r/include/box/a.hpp"): {
			here("/r/include/box/a.cc"), here("/r/src/box/a.cc"), here("/r/src/a.cc"), here("/r/source/box/a.cc"), here("/r/source/a.cc"), here("/r/lib/box/a.cc"), here("/r/lib/a.cc"),
		},
		here("/r/include/a.h"): {here("/r/include/a.cc"), here("/r/src/a.cc"), here("/r/source/a.cc"), here("/r/lib/a.cc")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	endings := []string{}
	for _, path := range sourcesOf(here("/r/a.h")) {
		endings = append(endings, filepath.Ext(path))
	}
	if want := []string{".c", ".cc", ".cpp", ".cxx"}; !slices.Equal(want, slices.Sorted(slices.Values(endings))) {
		t.Errorf("%q, want %q", endings, want)
	}
}

// shownOnly is a server that knows the files that it was shown, with the sources of a header.
type shownOnly struct {
	*openOnly
	shown []string
}

// Resolve has the folder src outside of the workspace.
func (s *shownOnly) Resolve(name string) (string, error) {
	if strings.HasPrefix(name, here("/r/src/outside")) {
		return "", errors.New("outside of the workspace")
	}
	return s.openOnly.Resolve(name)
}

func (s *shownOnly) Open(_ context.Context, path, _ string) (Server, error) {
	s.shown = append(s.shown, path)
	return s, nil
}

// A declaration in a header is followed into the source of the header's name, and no other file is
// opened for it. Where that source does not have the definition either, the name is searched.
func TestDefinitionInTheSourceOfAHeader(t *testing.T) {
	for name, c := range map[string]struct {
		has      string // the file with the definition
		searched []string
	}{
		"there":     {"src/lib.c", nil},
		"elsewhere": {"other.c", []string{"load"}},
	} {
		const body = "int load(void) { return 1; }\n"
		f := newFake("use.c", "int x = load();\n", "include/lib.h", "int load(void);\n", "src/lib.c", "int none;\n", "other.c", "int none;\n")
		f.texts[here("/r/"+c.has)] = body
		f.def.Quirks, f.def.LoadsBy = []registry.Quirk{registry.TogglesDefinition}, []string{"build.json"}
		s := &shownOnly{openOnly: &openOnly{fake: f, root: t.TempDir()}}
		s.found = func() { s.shown = append(s.shown, here("/r/other.c")) }
		f.locations = func(_, path string, _ protocol.Position) ([]protocol.Location, error) {
			file := filepath.ToSlash(strings.TrimPrefix(path, here("/r/")))
			if file == "use.c" {
				if file = "include/lib.h"; slices.Contains(s.shown, here("/r/"+c.has)) {
					file = c.has
				}
			}
			return located(Place{Path: here("/r/" + file), Range: f.place(t, file, "load").Range}), nil
		}
		got, err := New(s).Places(t.Context(), Definition, f.target(t, "use.c", "load"))
		want := []Place{f.place(t, c.has, "load")}
		if diff := cmp.Diff([]any{want, c.searched}, []any{got, s.searched}); diff != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}

// A source outside of the workspace is not opened: no server named it.
func TestSourceOfAHeaderOutside(t *testing.T) {
	f := newFake("include/outside/lib.h", "int load(void);\n", "src/outside/lib.c", "int load(void) { return 1; }\n")
	s := &shownOnly{openOnly: &openOnly{fake: f, root: t.TempDir()}}
	if found := New(s).showSources(t.Context(), here("/r/include/outside/lib.h")); found || len(s.shown) > 0 {
		t.Errorf("found %v, shown %q", found, s.shown)
	}
}
