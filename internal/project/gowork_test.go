package project

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A go.work above a root counts only if it uses the module of the root, or one in it.
func TestGoWorkOfOthers(t *testing.T) {
	root := lsptest.Workspace(t, "-- go.work --\ngo 1.23\n\nuse (\n\t.\n\t./other\n)\n-- go.mod --\nmodule around\n-- own/a.go --\n-- tree/go.mod --\nmodule around\n"+
		"-- inner/go.work --\ngo 1.23\n\nuse ./own/part\n-- inner/own/part/go.mod --\nmodule part\n"+
		"-- apart/go.work --\ngo 1.23\n\nuse ./one\n-- apart/one/go.mod --\nmodule one\n-- apart/one/below/a.go --\n-- apart/two/go.mod --\nmodule two\n-- apart/two/go.work.txt --\n-- apart/three/go.work --\ngo 1.23\n"+
		"-- broken/go.work --\nuse (\n-- broken/two/go.mod --\nmodule two\n")
	for name, want := range map[string]bool{"own": false, "tree": true, "inner/own": false, "inner/own/part": false, "apart/two": true, "apart/one/below": false, "apart/three": false, "broken/two": false} {
		if got := IgnoresGoWork(filepath.Join(root, filepath.FromSlash(name)), nil); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if IgnoresGoWork(filepath.Join(root, "apart", "two"), []string{"GOWORK=off"}) {
		t.Error("what the user says does not decide")
	}
}

// What is built together with a Go file is what go.work says, unless the environment says otherwise: then it is its module, or
// nobody knows.
func TestGoProjects(t *testing.T) {
	root := lsptest.Workspace(t, "-- go.work --\ngo 1.23\n\nuse (\n\t./a\n\t./b\n)\n-- a/go.mod --\nmodule a\n-- a/in/a.go --\n-- b/go.mod --\nmodule b\n-- b/b.go --\n"+
		"-- c/go.mod --\nmodule c\n-- c/c.go --\n-- loose.go --\n-- none/d/go.mod --\nmodule d\n-- none/d/d.go --\n")
	files := []string{"a/in/a.go", "b/b.go", "c/c.go", "loose.go"}
	for _, c := range []struct {
		root    string
		environ []string
		want    map[string]string
	}{
		{root, nil, map[string]string{"a/in/a.go": ".", "b/b.go": ".", "c/c.go": "c", "loose.go": "."}},
		{root, []string{"GOWORK=off"}, map[string]string{"a/in/a.go": "a", "b/b.go": "b", "c/c.go": "c", "loose.go": "."}},
		{root, []string{"GOWORK=/elsewhere/go.work"}, map[string]string{"a/in/a.go": ".", "b/b.go": ".", "c/c.go": ".", "loose.go": "."}},
		{filepath.Join(root, "none"), nil, map[string]string{"a/in/a.go": "none", "b/b.go": "none", "c/c.go": "none", "loose.go": "none"}},
	} {
		got, projects := make(map[string]string), NewGoProjects(c.root, c.environ)
		for _, file := range files {
			of, err := filepath.Rel(root, projects.ProjectOf(filepath.Join(root, filepath.FromSlash(file))))
			if err != nil {
				t.Fatal(err)
			}
			got[file] = filepath.ToSlash(of)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.environ, diff)
		}
	}
}

// What the go command leaves out of all packages is left out by the names of folders below the module, or by go.mod.
func TestGoLeavesOut(t *testing.T) {
	root := lsptest.Workspace(t, "-- testdata/m/go.mod --\nmodule m\n\ngo 1.25\n\nignore (\n\t./ign\n\tany\n)\n")
	projects := NewGoProjects(root, nil)
	for name, want := range map[string]bool{
		"a.go": false, "testdata/a.go": true, "_a/b.go": true, ".a/b/c.go": true, // in no module
		"testdata/m/a.go": false, "testdata/m/a/testdata/b.go": true, "testdata/m/ign/a/b.go": true, "testdata/m/a/ign/b.go": false,
		"testdata/m/any/a.go": true, "testdata/m/a/any/b.go": true, "testdata/m/anything/b.go": false,
	} {
		if got := projects.LeavesOut(filepath.Join(root, filepath.FromSlash(name))); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
