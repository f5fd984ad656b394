package workspace

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// Of the servers that the configuration gives a scope those are asked that have the file in theirs; if
// none of these can be started, the others that can be are named, too, with the reason why they are not.
func TestScopesOfServers(t *testing.T) {
	server := func(id string, within ...string) registry.Definition {
		return registry.Definition{ID: id, Languages: []registry.Language{{ID: "x", Patterns: []string{".x"}}}, Commands: []registry.Command{{Binary: id}}, SingleFile: true, Role: registry.Primary, Within: within}
	}
	w := open(t, "-- src/a.x --\n-- test/a.x --\n-- lost/a.x --\n", Options{
		Servers: registry.Table{server("src", "src/**"), server("test", "test/**"), server("lost-none", "lost/**")}, LookPath: lookKinds,
	})
	const outside = "the file is outside of the scope that the configuration gives it"
	got := make(map[string]map[string]string)
	for _, folder := range []string{"src", "test", "lost", "other"} {
		got[folder] = make(map[string]string)
		for _, c := range w.Candidates(filepath.Join(w.Root(), folder, "a.x")) {
			got[folder][c.Definition.ID] = ""
			if c.Unavailable != nil {
				got[folder][c.Definition.ID] = c.Unavailable.Reason
			}
		}
	}
	want := map[string]map[string]string{
		"src": {"src": ""}, "test": {"test": ""}, "lost": {"lost-none": "lost-none not found in PATH", "src": outside, "test": outside},
		"other": {"src": outside, "test": outside},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A server is told only of the files in its scope; without one, of all.
func TestEventsWithinTheScope(t *testing.T) {
	w := open(t, "-- a.x --\n", Options{})
	var events []protocol.FileEvent
	for _, name := range []string{"src/a.x", "src/b/c.x", "test/a.x", "src.x"} {
		events = append(events, protocol.FileEvent{URI: protocol.URIFromPath(filepath.Join(w.Root(), filepath.FromSlash(name))), Type: protocol.Changed})
	}
	for name, c := range map[string]struct {
		within []string
		want   []int
	}{
		"no scope": {nil, []int{0, 1, 2, 3}}, "one folder": {[]string{"src/**"}, []int{0, 1}}, "two": {[]string{"test/*", "src/*"}, []int{0, 2}}, "none of them": {[]string{"doc/**"}, nil},
	} {
		var got []int
		for _, e := range w.eventsWithin(&registry.Definition{Within: c.within}, events) {
			got = append(got, slices.Index(events, e))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A server starts anew when a file that it cannot read again changes in its root, in a folder above
// that, or below: not beside it.
func TestChangesThatStartAServerAnew(t *testing.T) {
	w := open(t, "-- a.x --\n", Options{})
	at := func(name string) string { return filepath.Join(w.Root(), filepath.FromSlash(name)) }
	d := registry.Definition{Anew: []string{"x.lock"}}
	for name, want := range map[string]bool{
		"pkg/one/x.lock": true, "pkg/one/sub/x.lock": true, "pkg/x.lock": true, "x.lock": true, "pkg/two/x.lock": false, "pkg/one/y.lock": false, "pkg/onemore/x.lock": false,
	} {
		if got := startsAnew(&d, at("pkg/one"), protocol.FileEvent{URI: protocol.URIFromPath(at(name)), Type: protocol.Changed}); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// The files by which servers find their projects are markers wherever they are; other files are none.
func TestMarkersOfProjects(t *testing.T) {
	w := open(t, "-- a.x --\n", Options{Servers: registry.Table{{ID: "x", Roots: []string{"x.json", "*.sln", "x-*.toml"}}}})
	for name, want := range map[string]bool{"x.json": true, "sub/x.json": true, "a.sln": true, "x-1.toml": true, "x.toml": false, "y.json": false, "x.json.bak": false} {
		if got := w.IsMarker(filepath.Join(w.Root(), filepath.FromSlash(name))); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
