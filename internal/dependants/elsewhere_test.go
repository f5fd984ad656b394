package dependants

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

const builtApart = `
-- toy.root --
-- go.mod --
module m
-- a.go --
package m

func F() {}

func G() {}
-- beside_freebsd.go --
package m

var X = F
-- quiet_freebsd.go --
package m

var Y = 1
-- sub/user_freebsd.go --
package sub

import "m"

var Z = m.F
-- sub/own_freebsd.go --
package sub

var F = 1
-- tagged.go --
//go:build integration

package m

var T = F
-- emb/e.go --
package emb

//go:embed x.txt
var s string
-- emb/x.txt --
`

// Of the files that are built elsewhere those are found that mention what changes and are of its package, or import
// that; of a file that moves, all of these. Which of them nobody judges is said, once.
func TestFilesThatAreBuiltElsewhere(t *testing.T) {
	t.Parallel()
	const before, after, body = "package m\n\nfunc F() {}\n\nfunc G() {}\n", "package m\n\nfunc F(int) {}\n\nfunc G() {}\n", "package m\n\nfunc F() { G() }\n\nfunc G() {}\n"
	const silent = "what it did to files that use what changed and that are not built here, which no server judges: tagged.go; run go vet with their tags"
	type found struct {
		Files   []string
		Unknown []string
	}
	users := []string{"beside_freebsd.go", "sub/user_freebsd.go"}
	d := lsptest.Script{}.Definition(t)
	d.Languages = append(d.Languages, registry.Language{ID: "go", Patterns: []string{".go"}})
	finder := finderOf(t, d, builtApart)
	for name, c := range map[string]struct {
		changes Changes
		want    found
	}{
		"what it declares":       {Changes{{Path: "a.go", Before: []byte(before), After: []byte(after)}}, found{users, []string{silent}}},
		"a body":                 {Changes{{Path: "a.go", Before: []byte(before), After: []byte(body)}}, found{}},
		"another language":       {Changes{{Path: "a.toy", Before: []byte(before), After: []byte(after)}}, found{}},
		"nobody knows from what": {Changes{{Path: "a.go", After: []byte(after)}}, found{}},
		"a new file":             {Changes{{Path: "b.go", After: []byte("package m\n\nvar F = 1\n"), Created: true}}, found{users, []string{silent}}},
		"a moved file": {
			Changes{{Path: "b.go", From: "a.go", Before: []byte(before), After: []byte(after)}},
			found{[]string{"beside_freebsd.go", "quiet_freebsd.go", "sub/user_freebsd.go"}, []string{silent}},
		},
		"users that change, too": {
			Changes{{Path: "a.go", Before: []byte(before), After: []byte(after)}, {Path: "beside_freebsd.go", Before: []byte("package m\n"), After: []byte("package m\n")}, {Path: "tagged.go", Before: []byte("package m\n"), After: []byte("package m\n")}},
			found{users[1:], nil},
		},
		"two changes": {
			Changes{{Path: "a.go", Before: []byte(before), After: []byte(after)}, {Path: "b.go", After: []byte("package m\n\nvar F = 1\n"), Created: true}},
			found{users, []string{silent}},
		},
	} {
		for i := range c.changes {
			if c.changes[i].Path = finder.path(c.changes[i].Path); c.changes[i].From != "" {
				c.changes[i].From = finder.path(c.changes[i].From)
			}
		}
		search := finder.Made(c.changes, finder.workspace.Detection(), nil)
		var got found
		for _, path := range search.builtElsewhere() {
			got.Files = append(got.Files, finder.names.Relative(path))
		}
		got.Unknown = search.Unknown
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Files that are built elsewhere, and those that must be loaded anew, are judged while they are open; nothing is known
// of them from before. Of a change that does not come to the disk it is said that the latter are not known.
func TestFilesThatAreJudgedWhileOpen(t *testing.T) {
	t.Parallel()
	d := lsptest.Script{}.Definition(t)
	d.Languages = append(d.Languages, registry.Language{ID: "go", Patterns: []string{".go"}})
	finder := finderOf(t, d, builtApart)
	changes := Changes{
		{Path: finder.path("a.go"), Before: []byte("package m\n\nfunc F() {}\n"), After: []byte("package m\n\nfunc F(int) {}\n")},
		{Path: finder.path("emb/x.txt"), Before: []byte("x"), Deleted: true},
	}
	want := []string{"beside_freebsd.go", "sub/user_freebsd.go", "emb/e.go"}
	for onDisk, doubts := range map[bool]int{true: 1, false: 2} {
		search := finder.Drafted(t.Context(), changes, onDisk)
		unknown := search.BuiltElsewhere()
		if diff := cmp.Diff([][]string{want, want}, [][]string{finder.named(search.Files), finder.named(unknown)}); diff != "" {
			t.Errorf("on disk %t (-want +got):\n%s", onDisk, diff)
		}
		for _, f := range search.Files {
			if !f.Shown || f.Reported {
				t.Errorf("on disk %t: %+v", onDisk, f)
			}
		}
		if len(search.Unknown) != doubts || !onDisk && search.Unknown[0] != "what gopls reads only when it loads the files: emb/e.go; apply the edit to know" {
			t.Errorf("on disk %t, not known: %q", onDisk, search.Unknown)
		}
		if diff := cmp.Diff([]string{finder.path("emb/e.go")}, search.Loaded); diff != "" {
			t.Error(diff)
		}
	}
}

// A server is quiet on a file that is not built where it is known to judge only what is; that is said with the tags that
// the file asks for, and with nothing of a server that judges all.
func TestQuietServers(t *testing.T) {
	t.Parallel()
	for scope, want := range map[registry.Scope]map[string]string{
		registry.GoBuild: {
			"a.go": "", "beside_freebsd.go": "",
			"tagged.go": "it is built with //go:build integration, and no server judges it without these tags: start LSPine with them in GOFLAGS, or run go vet -tags",
		},
		"": {"a.go": "", "beside_freebsd.go": "", "tagged.go": ""},
	} {
		d := lsptest.Script{}.Definition(t)
		d.Languages, d.Scope = append(d.Languages, registry.Language{ID: "go", Patterns: []string{".go"}}), scope
		finder := finderOf(t, d, builtApart)
		search := finder.Made(nil, finder.workspace.Detection(), nil)
		got := make(map[string]string)
		for name := range want {
			f, ok := search.Dependant(finder.path(name))
			if !ok || len(f.Sources) != 1 {
				t.Fatalf("%s: %+v", name, f)
			}
			got[name] = f.Sources[0].Quiet
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", scope, diff)
		}
	}
}

// A change is what was and what is of its file, of a moved one at both of its paths.
func TestChangesAsTheyAreSearchedFor(t *testing.T) {
	t.Parallel()
	type side struct{ Path, Before, After string }
	before, after := []byte("b"), []byte("a")
	for name, c := range map[string]struct {
		change edit.Change
		want   []side
	}{
		"written": {edit.Change{Path: "x", Before: before, After: after}, []side{{"x", "b", "a"}}},
		"created": {edit.Change{Path: "x", Before: before, After: after, Created: true}, []side{{"x", "", "a"}}},
		"deleted": {edit.Change{Path: "x", Before: before, After: after, Deleted: true}, []side{{"x", "b", ""}}},
		"moved":   {edit.Change{Path: "x", From: "y", Before: before, After: after}, []side{{"y", "b", ""}, {"x", "", "a"}}},
	} {
		var got []side
		for _, r := range restated(c.change) {
			got = append(got, side{r.Path, string(r.Before), string(r.After)})
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	paths := Changes{{Path: "x", From: "y"}, {Path: "z"}}.Paths()
	if diff := cmp.Diff([]string{"x", "y", "z"}, paths); diff != "" {
		t.Error(diff)
	}
}

// A search tells how many files it found and judges, and names the first five of those beyond the limit.
func TestCountsOfASearch(t *testing.T) {
	t.Parallel()
	finder := finderOf(t, lsptest.Script{}.Definition(t), lsptest.Project)
	s := finder.Made(nil, finder.workspace.Detection(), nil)
	s.Files, s.count = []diagnostics.File{{Path: "x"}, {Path: "y"}}, 9
	for _, name := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		s.left = append(s.left, finder.path(name))
	}
	got := s.Counted()
	if diff := cmp.Diff([]string{"1", "2", "3", "4", "5"}, got.Unchecked); diff != "" || got.Found != 9 || got.Checked != 2 {
		t.Errorf("%+v (-want +got):\n%s", got, diff)
	}
	s.left = s.left[:1]
	if diff := cmp.Diff([]string{"1"}, s.Counted().Unchecked); diff != "" {
		t.Error(diff)
	}
	s.uses([]string{"y"})
	s.uses([]string{"z"})
	if diff := cmp.Diff([]string{"y"}, paths(s.Using())); diff != "" {
		t.Error(diff)
	}
}

func paths(files []diagnostics.File) (paths []string) {
	for i := range files {
		paths = append(paths, files[i].Path)
	}
	return paths
}
