package dependants

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/registry"
)

// A manifest is read by the servers that name it, report on all files and are not shown it as a
// document; by none that is switched off or only lints.
func TestReadersOfAManifest(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*registry.Definition)
		want   bool
	}{
		"a root":               {func(d *registry.Definition) { d.Manifests, d.Roots = nil, []string{"toy.build"} }, true},
		"a manifest":           {func(*registry.Definition) {}, true},
		"a file of a project":  {func(d *registry.Definition) { d.Manifests, d.Diagnostics.ProjectFiles = nil, []string{"toy.build"} }, true},
		"not named":            {func(d *registry.Definition) { d.Manifests, d.Roots = nil, []string{"other.build"} }, false},
		"shown as a document":  {func(d *registry.Definition) { d.Languages[0].Patterns = []string{".build"} }, false},
		"switched off":         {func(d *registry.Definition) { d.Disabled = true }, false},
		"a linter":             {func(d *registry.Definition) { d.Role = registry.DiagnosticsOnly }, false},
		"reports on open ones": {func(d *registry.Definition) { d.Diagnostics.ClosedFiles = registry.ClosedOpen }, false},
	} {
		d := registry.Definition{ID: "toy", Role: registry.Primary, Languages: []registry.Language{{ID: "toy", Patterns: []string{".toy"}}}, Manifests: []string{"toy.build"}}
		d.Diagnostics.ClosedFiles = registry.ClosedPushes
		c.change(&d)
		finder := &Finder{shared: &shared{config: &config.Config{Servers: registry.Table{d}}}}
		var got []string
		for _, reader := range finder.Readers("sub/toy.build") {
			got = append(got, reader.ID)
		}
		want := []string{"toy"}
		if !c.want {
			want = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
