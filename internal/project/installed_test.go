package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// One and the same Packages reads each folder once, also that there is nothing; a new one as it is now.
func TestPackagesRemember(t *testing.T) {
	root := lsptest.Workspace(t, "-- p/x.ts --\n-- q/node_modules/typescript/package.json --\n{\"version\":\"5.0.0\"}\n-- r/node_modules/x --\n-- s/package.json --\n{\"dependencies\":{\"typescript\":\"4.0.0\"}}\n")
	folders := []string{"p", "q", "r", "s"}
	versions := func(p *Packages) (all []string) {
		for _, folder := range folders {
			found, _ := p.Find(filepath.Join(root, folder), "typescript")
			all = append(all, found.Version)
		}
		return all
	}
	p := NewPackages(root)
	first := versions(p)
	for _, folder := range folders {
		lsptest.WriteFile(t, filepath.Join(root, folder, "node_modules", "typescript", "package.json"), `{"version":"6.0.0"}`)
		lsptest.WriteFile(t, filepath.Join(root, folder, "package.json"), `{"dependencies":{"typescript":"7.0.0"}}`)
	}
	want := [][]string{{"", "5.0.0", "", "4.0.0"}, {"", "5.0.0", "", "4.0.0"}, {"6.0.0", "6.0.0", "6.0.0", "6.0.0"}}
	if diff := cmp.Diff(want, [][]string{first, versions(p), versions(NewPackages(root))}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if other, found := p.Find(filepath.Join(root, "q"), "other"); found {
		t.Errorf("another package: %+v", other)
	}
}

// A package is one with a version of its own; links to it are resolved.
func TestInstalledPackages(t *testing.T) {
	root := lsptest.Workspace(t, "-- a/package.json --\n{\"version\":\"1.2.3\"}\n-- b/package.json --\n{\"name\":\"b\"}\n-- c/package.json --\n[]\n-- d/x --\n")
	link := filepath.Join(root, "link")
	lsptest.NeedLinks(t)
	if err := os.Symlink("a", link); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]NPMPackage)
	for _, name := range []string{"a", "link", "b", "c", "d", "gone"} {
		if p, found := Installed(filepath.Join(root, name)); found || p != (NPMPackage{}) {
			got[name] = p
		}
	}
	want := map[string]NPMPackage{"a": {Version: "1.2.3", Dir: filepath.Join(root, "a")}, "link": {Version: "1.2.3", Dir: filepath.Join(root, "a")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Versions are compared by their numbers; what is missing or is none counts as 0.
func TestNumbersOfVersions(t *testing.T) {
	for version, want := range map[string][3]int{"1.2.3": {1, 2, 3}, "1.2": {1, 2, 0}, "7": {7, 0, 0}, "": {}, "x.2": {0, 2, 0}, "1.2.3-beta.4": {1, 2, 3}, "1.2.3.4": {1, 2, 0}, "2-1.5": {2, 0, 0}} {
		if got := numbers(version); got != want {
			t.Errorf("%q: %v, want %v", version, got, want)
		}
	}
}
