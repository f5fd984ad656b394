package dependants

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// The files of a project are checked one by one only by a server that is there, is the first of
// their language, reports on all of them by itself, and can be asked about one; and only if the
// texts show who uses a file.
func TestFilesThatAreCheckedSingly(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*registry.Definition)
		file   string
		want   bool
	}{
		"all of it":                {func(*registry.Definition) {}, "a.go", true},
		"the texts do not show it": {func(*registry.Definition) {}, "a.toy", false},
		"not there":                {func(d *registry.Definition) { d.Commands = []registry.Command{{Binary: "no-such-program"}} }, "a.go", false},
		"a linter":                 {func(d *registry.Definition) { d.Role = registry.DiagnosticsOnly }, "a.go", false},
		"only open files":          {func(d *registry.Definition) { d.Diagnostics.ClosedFiles = registry.ClosedOpen }, "a.go", false},
		"cannot be asked":          {func(d *registry.Definition) { d.Diagnostics.FileStrategies = []registry.Strategy{registry.Versioned} }, "a.go", false},
	} {
		d := lsptest.Script{}.Definition(t)
		d.Languages = append(d.Languages, registry.Language{ID: "go", Patterns: []string{".go"}})
		d.Diagnostics.ClosedFiles, d.Diagnostics.FileStrategies = registry.ClosedPushes, []registry.Strategy{registry.Pull}
		c.change(&d)
		w := openProject(t, d, "-- toy.root --\n-- a.go --\n-- a.toy --\n")
		search := &Search{detection: w.Detection()}
		key, singly := search.Singly(filepath.Join(w.Root(), c.file))
		if diff := cmp.Diff(c.want, singly); diff != "" || singly != (key.ID == d.ID) {
			t.Errorf("%s, by %q (-want +got):\n%s", name, key.ID, diff)
		}
	}
}
