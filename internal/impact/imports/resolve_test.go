package imports

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/lspine/lspine/internal/lsptest"
)

// packages are those of a workspace, linked as a package manager does, and a library
// that is installed.
const packages = `
-- package.json --
{"name": "all", "workspaces": ["packages/*"]}
-- tsconfig.json --
{"compilerOptions": {"paths": {"~lib/*": ["./packages/lib/src/*"]}}}
-- packages/core/package.json --
{"name": "@x/core", "exports": {".": "./src/main.ts", "./price": {"types": "./src/rules/price.ts"}, "./built": "./dist/built.js"}}
-- packages/core/src/main.ts --
export { price as cost } from "./rules/price";
export const main = 1;
-- packages/core/src/rules/price.ts --
export const price = 1;
-- packages/core/src/built.ts --
export const built = 1;
-- packages/core/src/more.ts --
export const more = 2;
-- packages/core/dist/built.d.ts --
export declare const built: number;
-- packages/lib/src/more.ts --
export const more = 1;
-- packages/lib/tsconfig.app.json --
{
  // with comments
  "compilerOptions": {"baseUrl": ".", "paths": {"!/*": ["src/*"]}},
}
-- packages/app/package.json --
{"name": "app", "imports": {"#own": "./own.ts"}}
-- packages/app/own.ts --
export const own = 1;
-- packages/app/main.ts --
import { main } from "@x/core";
-- packages/app/cost.ts --
import { cost } from "@x/core";
-- packages/app/price.ts --
import { price } from "@x/core/price";
-- packages/app/built.ts --
import { built } from "@x/core/built";
-- packages/app/none.ts --
import { none } from "@x/core/none";
-- packages/app/more.ts --
import { more } from "~lib/more";
-- packages/lib/alias.ts --
import { more } from "!/more";
-- packages/app/hash.ts --
import { own } from "#own";
-- packages/app/far.ts --
import { price, main, more, own, built, none } from "installed";
-- node_modules/installed/package.json --
{"name": "installed", "main": "price.js"}
-- node_modules/installed/price.js --
exports.price = 1;
`

// plant writes an archive with the links of packages, and returns its tree: what a
// list of the workspace's files has of it.
func plant(t *testing.T, archive string) (string, Tree) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(f.Name, "node_modules/") {
			paths = append(paths, path)
		}
	}
	link(t, root, "@x/core", "packages/core")
	return root, Tree{
		Paths: func() []string { return paths },
		Read:  os.ReadFile,
		Stamp: func(path string) (Stamp, bool) {
			info, err := os.Stat(path)
			if err != nil {
				return Stamp{}, false
			}
			return Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}, true
		},
	}
}

func link(t *testing.T, root, name, folder string) {
	t.Helper()
	path := filepath.Join(root, "node_modules", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, filepath.FromSlash(folder)), path); err != nil {
		t.Fatal(err)
	}
}

// users returns the files that a change of a name in a file concerns.
func users(r *Reader, tree Tree, root, path, name string) []string {
	path = filepath.Join(root, path)
	text, _ := os.ReadFile(path)
	reached, _ := r.Search(tree).Reach([]Change{{Path: path, Before: text, After: text, Names: []string{name}}})
	var found []string
	for _, to := range reached {
		short, _ := filepath.Rel(filepath.Join(root, "packages"), to.Path)
		found = append(found, filepath.ToSlash(short))
	}
	return found
}

// What is imported by the name of a package, by exports, by paths or by a link is
// found; what is generated, or not found at all, may be any source of its package.
func TestUsersThroughPackages(t *testing.T) {
	root, tree := plant(t, packages)
	var r Reader
	for _, c := range []struct {
		path, name string
		want       []string
	}{
		{"packages/core/src/main.ts", "main", []string{"app/main.ts"}},
		{"packages/core/src/rules/price.ts", "price", []string{"app/price.ts", "core/src/main.ts", "app/cost.ts"}},
		{"packages/core/src/built.ts", "built", []string{"app/built.ts"}},
		{"packages/core/src/main.ts", "none", []string{"app/none.ts"}},
		{"packages/lib/src/more.ts", "more", []string{"app/more.ts", "lib/alias.ts"}},
		{"packages/app/own.ts", "own", []string{"app/hash.ts"}},
	} {
		if diff := cmp.Diff(c.want, users(&r, tree, root, c.path, c.name)); diff != "" {
			t.Errorf("%s in %s (-want +got):\n%s", c.name, c.path, diff)
		}
	}
}

// What is imported means something else once a package.json or a
// tsconfig.json changed.
func TestResolutionIsNotKeptTooLong(t *testing.T) {
	lsptest.NeedLinks(t) // where one leads nowhere any file of a package may be meant
	root, tree := plant(t, packages)
	var r Reader
	if got := users(&r, tree, root, "packages/core/src/built.ts", "main"); len(got) > 0 {
		t.Fatalf("before: %q", got)
	}
	manifest := filepath.Join(root, "packages", "core", "package.json")
	text := strings.Replace(read(t, manifest), "./src/main.ts", "./src/built.ts", 1)
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"app/main.ts"}, users(&r, tree, root, "packages/core/src/built.ts", "main")); diff != "" {
		t.Errorf("with other exports (-want +got):\n%s", diff)
	}
	if got := users(&r, tree, root, "packages/core/src/main.ts", "main"); len(got) > 0 {
		t.Errorf("what was exported before is used by %q", got)
	}
	config := filepath.Join(root, "tsconfig.json")
	if err := os.WriteFile(config, []byte(`{"compilerOptions": {"paths": {"~lib/*": ["./packages/core/src/*"]}}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"lib/alias.ts"}, users(&r, tree, root, "packages/lib/src/more.ts", "more")); diff != "" {
		t.Errorf("with other paths (-want +got):\n%s", diff)
	}
}

// Each request is resolved from its own folder, whatever the others are; what was found need not
// be a script that can be read.
func TestResolvedBy(t *testing.T) {
	lsptest.NeedLinks(t)
	root, _ := plant(t, packages+`
-- packages/app/node_modules/installed/package.json --
{"name": "installed", "main": "own.js"}
-- packages/app/node_modules/installed/own.js --
this is no script (
-- packages/app/node_modules/installed/it's own.svg --
-- packages/app/node_modules/data/package.json --
not JSON
`)
	app, lib := filepath.Join(root, "packages", "app"), filepath.Join(root, "packages", "lib")
	var open []request
	var want []string
	for _, c := range []struct{ folder, spec, want string }{
		{app, "#own", "packages/app/own.ts"},
		{app, "@x/core", "packages/core/src/main.ts"},
		{app, "@x/core/built", ""},
		{app, "data:text/javascript,let (", ""},
		{app, "fs", ""},
		{app, "installed", "packages/app/node_modules/installed/own.js"},
		{app, "installed/it's own.svg?raw", "packages/app/node_modules/installed/it's own.svg"},
		{app, "none", ""},
		{app, "requests:0", ""},
		{lib, "@x/core", "packages/core/src/main.ts"},
		{lib, "installed", "node_modules/installed/price.js"},
		{lib, "none", ""},
	} {
		open, want = append(open, request{c.folder, c.spec}), append(want, c.want)
	}
	got := resolvedBy(open)
	for i, path := range got {
		if short, err := filepath.Rel(root, path); err == nil {
			got[i] = filepath.ToSlash(short)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
