package imports

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a package.json says of imports concerns the files of its package, what it says of exports
// those who import it, under its old name and its new one; the rest concerns nobody.
func TestPackageScope(t *testing.T) {
	dir := filepath.FromSlash("/w/core")
	const plain = `{"name": "core", "version": "1"}`
	inside := scope{folders: []string{dir}}
	outside := scope{home: dir, packages: []string{"core", "core"}}
	both := scope{folders: []string{dir}, home: dir, packages: []string{"core", "core"}}
	for after, want := range map[string]scope{
		`{"name": "core", "version": "2"}`:                {},
		`{"name": "core", "imports": {"#a": "./a.js"}}`:   inside,
		`{"name": "core", "workspaces": ["a"]}`:           inside,
		`{"name": "core", "type": "module"}`:              both,
		`{"name": "core", "exports": "./a.js"}`:           outside,
		`{"name": "core", "main": "a.js"}`:                outside,
		`{"name": "core", "module": "a.js"}`:              outside,
		`{"name": "core", "types": "a.d.ts"}`:             outside,
		`{"name": "core", "typings": "a.d.ts"}`:           outside,
		`{"name": "core", "typesVersions": {"*": ["a"]}}`: outside,
		`{"name": "kernel"}`:                              {home: dir, packages: []string{"core", "kernel"}},
		`{}`:                                              {home: dir, packages: []string{"core"}},
		`{"name": "core",,}`:                              {folders: []string{dir}, home: dir, packages: []string{"core"}},
	} {
		got := packageScope(Change{Path: filepath.Join(dir, "package.json"), Before: []byte(plain), After: []byte(after)}, dir)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(scope{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", after, diff)
		}
	}
	unread := Change{Before: []byte(`{"version": "1",,}`), After: []byte(`{"version": "1"}`)}
	if diff := cmp.Diff(scope{folders: []string{dir}, home: dir}, packageScope(unread, dir), cmp.AllowUnexported(scope{})); diff != "" {
		t.Errorf("it could not be read (-want +got):\n%s", diff)
	}
	for name, c := range map[string]Change{"it comes": {After: []byte(`{"version": "1"}`)}, "it goes": {Before: []byte(`{"version": "1"}`)}} {
		if diff := cmp.Diff(inside, packageScope(c, dir), cmp.AllowUnexported(scope{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
