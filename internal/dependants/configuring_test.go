package dependants

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A configuration shows only in other files if no server that is there judges it as code; a draft that changes one, or
// moves it, changes which files belong to a project.
func TestChangesOfConfigurations(t *testing.T) {
	t.Parallel()
	judges := func(d *registry.Definition) {
		d.Languages = append(d.Languages, registry.Language{ID: "json", Patterns: []string{".json"}})
	}
	for name, c := range map[string]struct {
		change func(*registry.Definition)
		file   string
		want   bool
	}{
		"nobody judges it":     {func(*registry.Definition) {}, "tsconfig.json", true},
		"data":                 {func(*registry.Definition) {}, "data.json", true},
		"no configuration":     {func(*registry.Definition) {}, "a.toy", false},
		"a server judges it":   {judges, "tsconfig.json", false},
		"a linter judges it":   {func(d *registry.Definition) { judges(d); d.Role = registry.DiagnosticsOnly }, "tsconfig.json", true},
		"one that is not here": {func(d *registry.Definition) { judges(d); d.Commands = []registry.Command{{Binary: "no-such-program"}} }, "tsconfig.json", true},
	} {
		d := lsptest.Script{}.Definition(t)
		c.change(&d)
		finder := finderOf(t, d, "-- toy.root --\n-- a.toy --\n-- tsconfig.json --\n{}\n")
		if got := finder.Made(nil, finder.workspace.Detection(), nil).decidesUnserved(finder.path(c.file)); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	for name, c := range map[string]struct {
		search Search
		want   bool
	}{
		"a draft":             {Search{drafted: true, changes: Changes{{Path: "a.ts"}, {Path: "tsconfig.json"}}}, true},
		"a draft of a move":   {Search{drafted: true, changes: Changes{{Path: "old.json", From: "tsconfig.json"}}}, true},
		"a draft of no other": {Search{drafted: true, changes: Changes{{Path: "a.ts", From: "b.ts"}}}, false},
		"made":                {Search{changes: Changes{{Path: "tsconfig.json"}}}, false},
	} {
		if got := c.search.Reconfigures(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Of a draft that is judged in parts the texts show who uses it: these files are judged, as users, and nothing is known of
// them from before. Of a draft of anything else nobody is looked for by texts.
func TestUsersOfADraftByText(t *testing.T) {
	t.Parallel()
	d := lsptest.Script{}.Definition(t)
	d.Languages = append(d.Languages, registry.Language{ID: "go", Patterns: []string{".go"}})
	d.Diagnostics.ClosedFiles, d.Diagnostics.FileStrategies = registry.ClosedPushes, []registry.Strategy{registry.Pull}
	finder := finderOf(t, d, "-- toy.root --\n-- a.toy --\n-- go.mod --\nmodule m\n-- lib/lib.go --\npackage lib\n\nconst A = 1\n-- user.go --\npackage m\n\nimport \"m/lib\"\n\nconst B = lib.A\n-- other.go --\npackage m\n")
	finder.config.Settings.LargeProjectFiles = 1
	for name, c := range map[string]struct {
		change edit.Change
		want   []string
	}{
		"in parts":      {edit.Change{Path: "lib/lib.go", Before: []byte("package lib\n\nconst A = 1\n"), After: []byte("package lib\n\nconst A = \"1\"\n")}, []string{"user.go"}},
		"anything else": {edit.Change{Path: "a.toy", Before: []byte("def a\n"), After: []byte("def b\n")}, nil},
	} {
		c.change.Path = finder.path(c.change.Path)
		search := finder.Drafted(t.Context(), Changes{c.change}, true)
		unknown := search.UsersByText(t.Context())
		got := [][]string{finder.named(search.Files), finder.named(unknown), finder.named(search.Using())}
		if diff := cmp.Diff([][]string{c.want, c.want, c.want}, got); diff != "" {
			t.Errorf("%s: judged, not known before, using (-want +got):\n%s", name, diff)
		}
	}
}
