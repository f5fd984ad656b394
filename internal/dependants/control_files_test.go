package dependants

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// In the place of a file that is deleted its server is asked about one beside it, else about
// one that is open, else about the one with the shortest path.
func TestControlFilesOfADeletion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		more, open, want string
	}{
		"one beside":       {"-- sub/beside.toy --\n", "far/away/open.toy", "sub/beside.toy"},
		"one that is open": {"-- sub/notes.txt --\n", "far/away/open.toy", "far/away/open.toy"},
		"any":              {"", "", "a.toy"},
	} {
		d := lsptest.Script{}.Definition(t)
		d.Diagnostics.ClosedFiles = registry.ClosedPushes
		finder := finderOf(t, d, "-- toy.root --\n-- sub/gone.toy --\n-- a.toy --\n-- far/away/open.toy --\n"+c.more)
		if c.open != "" {
			finder.open(t, c.open)
		}
		changes := Changes{edit.Change{Path: finder.path("sub/gone.toy"), Deleted: true}}
		files, later := finder.Made(changes, finder.workspace.Detection(), nil).ControlFiles(t.Context(), nil)
		if diff := cmp.Diff([]string{c.want}, finder.named(append(files, later...))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A server that reports on all files is asked about one of them where none that it judges for sure is
// checked anyway: about one that stays, and last where that may take long.
func TestWhoIsAskedAboutOneFile(t *testing.T) {
	t.Parallel()
	const archive = "-- toy.root --\n-- a.toy --\n-- a.go --\n-- sub/toy.build --\n-- sub/deep/in/it.toy --\n-- sub/deep/in/more.toy --\n"
	type answer struct{ First, Last, Unknown []string }
	none := func(*registry.Definition) {}
	unjudged := func(d *registry.Definition) {
		d.Diagnostics.Unjudged = map[string]string{"toy-unlinked": "it is in no project"}
	}
	for name, c := range map[string]struct {
		change  func(*registry.Definition)
		deleted string
		own     []diagnostics.File
		over    bool
		want    answer
	}{
		"deleted":                   {none, "gone.toy", nil, false, answer{First: []string{"a.toy"}}},
		"asked about its own":       {none, "gone.toy", []diagnostics.File{{Path: "a.toy"}}, false, answer{}},
		"asked about a new one":     {none, "gone.toy", []diagnostics.File{{Path: "a.toy", Created: true}}, false, answer{}},
		"may not judge a new one":   {unjudged, "gone.toy", []diagnostics.File{{Path: "a.toy", Created: true}}, false, answer{First: []string{"a.toy"}}},
		"judges an older one":       {unjudged, "gone.toy", []diagnostics.File{{Path: "a.toy"}}, false, answer{}},
		"only open files":           {func(d *registry.Definition) { d.Diagnostics.ClosedFiles = registry.ClosedOpen }, "gone.toy", nil, false, answer{}},
		"not there":                 {func(d *registry.Definition) { d.Commands = []registry.Command{{Binary: "no-such-program"}} }, "gone.toy", nil, false, answer{}},
		"a manifest":                {none, "sub/toy.build", nil, false, answer{First: []string{"sub/deep/in/it.toy"}}},
		"a manifest, asked":         {none, "sub/toy.build", []diagnostics.File{{Path: "a.toy"}}, false, answer{}},
		"no time":                   {none, "new/gone.toy", nil, true, answer{Unknown: []string{"what the change did to other files: the deadline came before a file was found by which their server could be asked"}}},
		"a project of many":         {none, "gone.go", nil, false, answer{Last: []string{"a.go"}}},
		"a project of many, beside": {none, "sub/gone.go", nil, false, answer{Last: []string{"a.go"}}},
	} {
		d := lsptest.Script{}.Definition(t)
		d.Languages = append(d.Languages, registry.Language{ID: "go", Patterns: []string{".go"}})
		d.Manifests = []string{"toy.build"}
		d.Diagnostics.ClosedFiles, d.Diagnostics.FileStrategies = registry.ClosedPushes, []registry.Strategy{registry.Pull}
		c.change(&d)
		finder := finderOf(t, d, archive)
		finder.config.Settings.LargeProjectFiles = 1
		for i := range c.own {
			c.own[i].Path = finder.path(c.own[i].Path)
			finder.Sources(&c.own[i])
		}
		ctx, cancel := context.WithCancel(t.Context())
		if c.over {
			cancel()
		}
		search := finder.Made(Changes{edit.Change{Path: finder.path(c.deleted), Deleted: true}}, finder.workspace.Detection(), nil)
		first, last := search.ControlFiles(ctx, c.own)
		cancel()
		if diff := cmp.Diff(c.want, answer{finder.named(first), finder.named(last), search.Unknown}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A file is a manifest if nobody judges it, a server reads it, and that can be asked about another file.
func TestWhatIsAManifest(t *testing.T) {
	t.Parallel()
	for archive, want := range map[string]map[string]bool{
		"-- toy.root --\n-- toy.build --\n-- a.toy --\n": {"toy.build": true, "sub/toy.build": true, "a.toy": false, "notes.txt": false},
		"-- toy.root --\n-- toy.build --\n":              {"toy.build": false},
	} {
		d := lsptest.Script{}.Definition(t)
		d.Manifests, d.Diagnostics.ClosedFiles = []string{"toy.build"}, registry.ClosedPushes
		finder := finderOf(t, d, archive)
		got := make(map[string]bool)
		for name := range want {
			got[name] = finder.IsManifest(finder.path(name))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", archive, diff)
		}
	}
}
