package roots

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Of the servers that the configuration gives a scope those are asked that have the file in theirs; if
// none of these can be started, the others that can be are named, too, with the reason why they are not.
func TestScopesOfServers(t *testing.T) {
	server := func(id string, within ...string) registry.Definition {
		return registry.Definition{ID: id, Languages: []registry.Language{{ID: "x", Patterns: []string{".x"}}}, Commands: []registry.Command{{Binary: id}}, SingleFile: true, Role: registry.Primary, Within: within}
	}
	f := open(t, "-- src/a.x --\n-- test/a.x --\n-- lost/a.x --\n", Options{
		Servers: registry.Table{server("src", "src/**"), server("test", "test/**"), server("lost-none", "lost/**")}, LookPath: lsptest.LookKinds,
	})
	const outside = "the file is outside of the scope that the configuration gives it"
	got := make(map[string]map[string]string)
	for _, folder := range []string{"src", "test", "lost", "other"} {
		got[folder] = make(map[string]string)
		for _, c := range f.Candidates(filepath.Join(f.opts.Root, folder, "a.x")) {
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

// The files by which servers find their projects are markers wherever they are; other files are none.
func TestMarkersOfProjects(t *testing.T) {
	f := open(t, "-- a.x --\n", Options{Servers: registry.Table{{ID: "x", Roots: []string{"x.json", "*.sln", "x-*.toml"}}}})
	for name, want := range map[string]bool{"x.json": true, "sub/x.json": true, "a.sln": true, "x-1.toml": true, "x.toml": false, "y.json": false, "x.json.bak": false} {
		if got := f.IsMarker(filepath.Join(f.opts.Root, filepath.FromSlash(name))); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
