package project

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// The version of a package that counts for a file is the one that is installed nearest
// to it, and without any the one that is asked for.
func TestFindPackage(t *testing.T) {
	root := lsptest.Workspace(t, `
-- node_modules/typescript/package.json --
{"name":"typescript","version":"5.9.3"}
-- package.json --
{"devDependencies":{"typescript":"^7.0.0"}}
-- near/node_modules/typescript/package.json --
{"name":"typescript","version":"5.4.2"}
-- near/src/x.ts --
-- broken/node_modules/typescript/package.json --
{
-- elsewhere/package.json --
{"dependencies":{"typescript":">=4.7.1 <6"}}
-- elsewhere/deep/x.ts --
`)
	installed := func(folder string) string { return filepath.Join(root, folder, "node_modules/typescript") }
	packages := make(map[string]*Packages) // what one question has read the next finds as well
	for _, c := range []struct {
		dir, root string
		want      NPMPackage
	}{
		{"", "", NPMPackage{"5.9.3", installed(""), root}},
		{"near/src", "", NPMPackage{"5.4.2", installed("near"), filepath.Join(root, "near")}},
		{"broken", "", NPMPackage{"5.9.3", installed(""), root}},
		{"elsewhere/deep", "", NPMPackage{"5.9.3", installed(""), root}},
		{"elsewhere/deep", "elsewhere", NPMPackage{"4.7.1", "", filepath.Join(root, "elsewhere")}},
		{"elsewhere/deep", "elsewhere/deep", NPMPackage{}},
	} {
		if packages[c.root] == nil {
			packages[c.root] = NewPackages(filepath.Join(root, c.root))
		}
		got, found := packages[c.root].Find(filepath.Join(root, c.dir), "typescript")
		if diff := cmp.Diff(c.want, got); diff != "" || found != (c.want.Version != "") {
			t.Errorf("%s up to %q: found %v %s", c.dir, c.root, found, diff)
		}
	}
}

// What is asked for is read out of the usual ranges, and out of nothing else.
func TestAskedVersions(t *testing.T) {
	for asks, want := range map[string]string{
		"^5.4.2": "5.4.2", "~5.9": "5.9", "5": "5", "=5.1.0": "5.1.0", ">= 5.0.0 < 6": "5.0.0", "v4.9.5": "4.9.5",
		"5.6.0-beta": "5.6.0", "latest": "", "catalog:": "", "workspace:*": "", "*": "", "": "",
	} {
		root := lsptest.Workspace(t, `-- package.json --
{"devDependencies":{"typescript":"`+asks+`"}}
`)
		if p, _ := NewPackages(root).Find(root, "typescript"); p.Version != want {
			t.Errorf("%q asks for %q, want %q", asks, p.Version, want)
		}
	}
}

// What is wanted to develop with counts before what is wanted to run; a list that makes no sense asks
// for nothing. The first number of a version is its major one.
func TestListsOfPackages(t *testing.T) {
	for text, want := range map[string]int{
		`{"dependencies":{"typescript":"4.0.0"},"devDependencies":{"typescript":"5.1.2"}}`: 5,
		`{"dependencies":{"typescript":"4.0.0"},"devDependencies":{"typescript":"*"}}`:     4,
		`{"dependencies":{"other":"4.0.0"}}`:                                               0, `{"devDependencies":`: 0, `{"dependencies":{"typescript":4}}`: 0,
	} {
		root := lsptest.Workspace(t, "-- package.json --\n"+text)
		p, found := NewPackages(root).Find(root, "typescript")
		if p.Major() != want || found != (want > 0) {
			t.Errorf("%s asks for %+v", text, p)
		}
	}
}

// Of what there is, the nearest version stands in; of two as near, the newer.
func TestNearest(t *testing.T) {
	for _, c := range []struct {
		want string
		have []string
		best string
	}{
		{"5.9.3", []string{"7.0.2", "5.4.2"}, "5.4.2"},
		{"5.9.3", []string{"5.4.2", "5.9.3", "5.9.4"}, "5.9.3"},
		{"5.9.3", []string{"5.8.9", "5.9.9"}, "5.9.9"},
		{"5.9.3", []string{"5.9.2", "5.9.4"}, "5.9.4"},
		{"5.9.3", []string{"5.9.4", "5.9.2"}, "5.9.4"},
		{"5.5.0", []string{"5.4.0", "5.6.0"}, "5.6.0"},
		{"6.0.0", []string{"5.9.3", "7.0.0"}, "7.0.0"},
		{"4.9.5", []string{"7.0.0", "5.0.4"}, "5.0.4"},
		{"5.6.0-beta", []string{"5.6.0", "5.5.0"}, "5.6.0"},
		{"5.6.0", nil, ""},
		{"5.6.0", []string{"5.7.0", "5.5.9"}, "5.7.0"},
		{"5.6.0", []string{"5.5.9", "5.7.0"}, "5.7.0"},
		{"5.6.5", []string{"5.6.7", "5.6.4"}, "5.6.4"},
		{"5", []string{"5.1.0", "4.9.9"}, "5.1.0"},
	} {
		var have []NPMPackage
		for _, v := range c.have {
			have = append(have, NPMPackage{Version: v})
		}
		if p, found := Nearest(c.want, have); p.Version != c.best || found != (c.best != "") {
			t.Errorf("nearest to %s in %q: %q, want %q", c.want, c.have, p.Version, c.best)
		}
	}
}
