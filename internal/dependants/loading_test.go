package dependants

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// The code in front of an import of C is all that stands directly above it, or above its group, each
// import with an end of its own; of a text that cannot be read all counts.
func TestCodeInFrontOfAnImport(t *testing.T) {
	for text, want := range map[string][]string{
		"package p\n":                  nil,
		"package p\n\nvar c = \"C\"\n": nil,
		"package p\n\nimport \"C\"\n":  {""},
		"package p\n\n// #include <a.h>\n// int b;\nimport \"C\"\n":                          {"// #include <a.h>", "// int b;", ""},
		"package p\n\n// far\n\nimport \"C\"\n":                                              {""},
		"package p\n\n/* int a; */\nimport (\n\t// int b;\n\t\"C\"\n\t// not\n\t\"os\"\n)\n": {"/* int a; */", "// int b;", ""},
		"package p\n\n// int a;\nimport \"C\"\n\n// int b;\nimport \"C\"\n":                  {"// int a;", "", "// int b;", ""},
		"package \"C\"": {"package \"C\""},
	} {
		if diff := cmp.Diff(want, project.CgoPreambles([]byte(text))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

const loadingProject = `
-- toy.root --
-- go.mod --
module example.com/m
-- a.go --
package m

//go:embed data/*.txt "more.md" all:whole
var data string
-- sub/b.go --
package sub

//go:embed *.txt
var text string

//go:embed ../a.txt
var not string
-- sub/c.go --
package sub

// int c;
import "C"
-- sub/d.go --
package sub
-- sub/e.toy --
"C"
-- nested/go.mod --
nothing
-- nested/f.go --
package nested
-- deep/g/h.go --
package g
`

// A file is embedded by the files above it whose patterns it meets, itself or by a folder that it is
// in.
func TestWhoEmbedsAFile(t *testing.T) {
	finder := finderOf(t, lsptest.Script{}.Definition(t), loadingProject)
	got := make(map[string][]string)
	names := func(paths []string) (list []string) {
		for _, path := range paths {
			list = append(list, finder.names.Relative(path))
		}
		return list
	}
	for _, name := range []string{"data/x.txt", "data/x.md", "data/deep/x.txt", "more.md", "sub/more.md", "whole/of/it", "sub/x.txt", "a.txt", "a.go"} {
		if found := names(finder.Includers(t.Context()).Of(finder.path(name))); found != nil {
			got[name] = found
		}
	}
	want := map[string][]string{"data/x.txt": {"a.go"}, "more.md": {"a.go"}, "whole/of/it": {"a.go"}, "sub/x.txt": {"sub/b.go"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"sub/c.go"}, names(withC(finder.filesIn(finder.path("sub"))))); diff != "" {
		t.Errorf("with C (-want +got):\n%s", diff)
	}
	if found := withC(finder.filesIn(finder.path("none"))); found != nil {
		t.Errorf("in a folder that is not there: %q", found)
	}
}

// What is read only while files are loaded changes with the code in front of their imports, with code
// of C beside them, and when a file that they embed comes, goes or moves.
func TestWhatIsReadWhileLoading(t *testing.T) {
	finder := finderOf(t, lsptest.Script{}.Definition(t), loadingProject)
	const c, other = "package sub\n\n// int c;\nimport \"C\"\n", "package sub\n\n// long c;\nimport \"C\"\n"
	for name, change := range map[string]struct {
		change edit.Change
		want   []string
	}{
		"a body":              {edit.Change{Path: "sub/c.go", Before: []byte(c), After: []byte(c + "var x int\n")}, nil},
		"code in front":       {edit.Change{Path: "sub/c.go", Before: []byte(c), After: []byte(other)}, []string{"sub/c.go"}},
		"a deletion":          {edit.Change{Path: "sub/c.go", Before: []byte(c), Deleted: true}, nil},
		"a new file":          {edit.Change{Path: "sub/new.go", After: []byte(c), Created: true}, []string{"sub/new.go"}},
		"code beside":         {edit.Change{Path: "sub/x.c", Before: []byte("int x;"), After: []byte("int y;")}, []string{"sub/c.go"}},
		"an embedded text":    {edit.Change{Path: "sub/x.txt", Before: []byte("x"), After: []byte("y")}, nil},
		"one that comes":      {edit.Change{Path: "sub/x.txt", After: []byte("x"), Created: true}, []string{"sub/b.go"}},
		"one that goes":       {edit.Change{Path: "sub/x.txt", Before: []byte("x"), Deleted: true}, []string{"sub/b.go"}},
		"one that moves":      {edit.Change{Path: "data/x.txt", From: "sub/x.txt", Before: []byte("x"), After: []byte("x")}, []string{"a.go", "sub/b.go"}},
		"one that is no part": {edit.Change{Path: "none.txt", After: []byte("x"), Created: true}, nil},
	} {
		c := change.change
		if c.Path = finder.path(c.Path); c.From != "" {
			c.From = finder.path(c.From)
		}
		var got []string
		for _, path := range finder.loaded([]edit.Change{c}) {
			got = append(got, finder.names.Relative(path))
		}
		if diff := cmp.Diff(change.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for name, file := range map[string]struct {
		name, text string
		want       bool
	}{"embeds": {"a.go", "//go:embed x\n", true}, "code in front": {"a.go", "package p\n\nimport \"C\"\n", true}, "neither": {"a.go", "package p\n", false}, "another language": {"a.toy", "//go:embed x\n", false}} {
		if got := knownFromLoading(diagnostics.File{Path: file.name, Content: []byte(file.text)}); got != file.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// What a server cannot know of files that are gone, or only sees once it is saved, follows from what is
// known of it; of a server that nobody knows the worst is taken.
func TestWhatServersSeeOfTheDisk(t *testing.T) {
	type sees struct{ AwaitsSave, ReadsDisk, MissesGone, MissesBeside bool }
	for name, c := range map[string]struct {
		change func(*registry.Definition)
		source string
		want   sees
	}{
		"what it is shown":      {func(*registry.Definition) {}, "toy", sees{}},
		"what is saved":         {func(d *registry.Definition) { d.Quirks = []registry.Quirk{registry.ReadsSaved} }, "toy", sees{AwaitsSave: true, ReadsDisk: true}},
		"only what is there":    {func(d *registry.Definition) { d.Quirks = []registry.Quirk{registry.FindsSaved} }, "toy", sees{MissesGone: true, MissesBeside: true}},
		"packages that are":     {func(d *registry.Definition) { d.Quirks = []registry.Quirk{registry.FindsPackagesSaved} }, "toy", sees{MissesGone: true}},
		"what it has to save":   {func(d *registry.Definition) { d.Diagnostics.NeedsSave = true }, "toy", sees{AwaitsSave: true}},
		"a server nobody knows": {func(*registry.Definition) {}, "other", sees{AwaitsSave: true, ReadsDisk: true}},
		"nobody measured it":    {func(d *registry.Definition) { d.Diagnostics.Strategies = nil }, "toy", sees{AwaitsSave: true, ReadsDisk: true}},
	} {
		d := lsptest.Script{}.Definition(t)
		if d.Diagnostics.Strategies == nil {
			d.Diagnostics.Strategies = []registry.Strategy{registry.Versioned}
		}
		c.change(&d)
		finder := finderOf(t, d, "-- toy.root --\n-- one/package.json --\n{}\n-- two/package.json --\n{}\n")
		file := diagnostics.File{Path: finder.path("one/a.toy"), Sources: []diagnostics.Source{{Key: diagnostics.Key{ID: c.source, Root: finder.workspace.Root()}}}}
		got := sees{
			finder.AwaitsSave(file), finder.ReadsDisk(file),
			finder.MissesGone(file, []string{finder.path("two/b.toy")}), finder.MissesGone(file, []string{finder.path("one/sub/b.toy")}),
		}
		if diff := cmp.Diff(c.want, got); diff != "" || finder.MissesGone(file, nil) {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	finder := finderOf(t, lsptest.Script{}.Definition(t), "-- toy.root --\n-- one/package.json --\n{}\n")
	if got := packageFolder(finder.path("one/sub/a.toy")); got != filepath.Dir(finder.path("one/package.json")) {
		t.Errorf("the folder of a package: %q", got)
	}
}

// What a project leaves out is so by its configuration, and remembered.
func TestWhatIsLeftOutIsRemembered(t *testing.T) {
	finder := finderOf(t, lsptest.Script{}.Definition(t), lsptest.Project)
	path := finder.path("a.toy")
	m := &Membership{finder: finder, by: make(map[string]string), said: map[string]said{path: {by: "toy.json"}}}
	if by := m.leftOut(path); by != "toy.json" || m.by[path] != "toy.json" {
		t.Errorf("left out by %q, remembered %q", by, m.by[path])
	}
	m.said[path] = said{by: "another"}
	if by := m.leftOut(path); by != "toy.json" {
		t.Errorf("the second time by %q", by)
	}
	var nobody *Membership
	if by := nobody.leftOut(path); by != "" {
		t.Errorf("where nothing is known by %q", by)
	}
}
