package dependants

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// The Go files that import "C" are found in a folder of any name.
func TestFilesThatImportC(t *testing.T) {
	root := lsptest.Workspace(t, "-- a[1]/c.go --\npackage x\n\n// int g(void);\nimport \"C\"\n-- a[1]/plain.go --\npackage x\n-- a[1]/c.txt --\npackage x\n\nimport \"C\"\n")
	for folder, want := range map[string][]string{"a[1]": {filepath.Join(root, "a[1]", "c.go")}, "a1": nil, ".": nil} {
		if diff := cmp.Diff(want, withC(new(Finder).filesIn(filepath.Join(root, folder)))); diff != "" {
			t.Errorf("%s: %s", folder, diff)
		}
	}
}

// A file imports a package if one of its imports is that path, and may if it cannot be parsed; a text that
// has the path elsewhere does not.
func TestImportsOfAPackage(t *testing.T) {
	for text, want := range map[string]bool{
		"package x\n\nimport \"m/a\"\n": true, "package x\n\nimport (\n\t\"fmt\"\n\tb `m/a`\n)\n": true, "package x\n\nimport \"m/a\nm/a": true,
		"package x\n\nimport \"m/a/b\"\n": false, "package x\n\nimport \"m/b\"\n": false, "package x\n\n// Like m/a.\nimport \"fmt\"\n": false, "wrong": false,
	} {
		if got := importsPackage([]byte(text), "m/a"); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// The path of a package is that of its module and the folder below that; it is not known where no module is
// around it, within the root, or one without a name.
func TestImportPathOfAFolder(t *testing.T) {
	t.Parallel()
	module := func(folder, text string) string { return "-- " + folder + "go.mod --\n" + text + "\n" }
	finder := finderOf(t, lsptest.Script{}.Definition(t), "-- toy.root --\n-- none/deep/a.go --\n"+
		module("one/", "// first\nmodule example.com/one // its name\n\ngo 1.24")+module("one/two/", "module \"two\"")+module("unnamed/", "go 1.24"))
	want := map[string]string{
		"one": "example.com/one", "one/a/b": "example.com/one/a/b", "one/two/c": "two/c", "unnamed/a": "", "none/deep": "", ".": "",
	}
	got := make(map[string]string)
	for folder := range want {
		got[folder] = finder.importPath(finder.path(folder))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	lsptest.WriteFile(t, filepath.Join(filepath.Dir(finder.path(".")), "go.mod"), "module outside\n")
	if got := finder.importPath(finder.path("none")); got != "" {
		t.Errorf("a module outside of the root names the folder %s", got)
	}
}
