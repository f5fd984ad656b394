package workspace

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

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
