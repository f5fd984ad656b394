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

// Whether a project is large is decided for each root: a small one beside a large one is small, unless the large one needs it, as
// the server then judges both.
func TestLargeProjectsBesideSmallOnes(t *testing.T) {
	t.Parallel()
	const declared = "package m\n\nconst A = 1\n"
	for name, c := range map[string]struct {
		needs string // in the manifest of the large one
		want  map[string]bool
	}{
		"apart":           {"", map[string]bool{"large/a.go": true, "small/a.go": false, "a.go": false, "small/a.toy": false}},
		"the large needs": {"../small", map[string]bool{"large/a.go": true, "small/a.go": true, "a.go": false, "small/a.toy": false}},
	} {
		d := lsptest.Script{Mode: lsptest.Pull}.Definition(t)
		d.Languages = append(d.Languages, registry.Language{ID: "go", Patterns: []string{".go"}})
		d.Diagnostics.ClosedFiles, d.Diagnostics.FileStrategies = registry.ClosedPushes, []registry.Strategy{registry.Pull}
		d.Sharing = registry.TakesFolders
		finder := finderOf(t, d, "-- large/toy.root --\n"+c.needs+"\n-- large/a.go --\n"+declared+"-- large/b.go --\n"+declared+"-- large/sub/c.go --\n"+declared+
			"-- small/toy.root --\n-- small/a.go --\n"+declared+"-- small/a.toy --\n-- a.go --\n"+declared)
		finder.config.Settings.LargeProjectFiles = 3
		got := make(map[string]bool)
		for file := range c.want {
			search := finder.Made(Changes{{Path: finder.path(file), Before: []byte(declared), After: []byte("package m\n\nconst B = 1\n")}}, finder.workspace.Detection(), nil)
			got[file] = search.InParts(finder.path(file))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
