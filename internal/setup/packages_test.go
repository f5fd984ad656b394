package setup

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// A script lacks the packages that a package.json in or above its folder names and no node_modules
// there has. What it did not find is explained by that as far as it is from such a package, or from
// types that one of them brings.
func TestPackagesOfScripts(t *testing.T) {
	const manifest = `-- package.json --
{"dependencies": {"there": "1", "@s/gone": "1"}, "devDependencies": {"gone": "1"}}
-- package-lock.json --
{}
`
	names := []string{"there/sub", "@s/gone/x", "gone", "stranger", "./gone", "node:fs", "@types/jest"}
	lacks := func(next string, missing string, names ...string) diagnostics.Lack {
		return diagnostics.Lack{Missing: missing, Next: next, Names: names}
	}
	definition, _ := registry.Builtin().Get("typescript-language-server")
	for name, c := range map[string]struct {
		files string
		want  diagnostics.Lack
	}{
		"all are there": {manifest + "-- node_modules/there/x --\n-- node_modules/@s/gone/x --\n-- sub/node_modules/gone/x --\n", diagnostics.Lack{}},
		"two are not": {
			manifest + "-- node_modules/there/x --\n",
			lacks("npm ci", "package.json names packages that node_modules lacks: @s/gone, gone", "@s/gone/x", "gone"),
		},
		"one of them declares globals": {
			"-- package.json --\n{\"devDependencies\": {\"jest\": \"1\", \"there\": \"1\"}}\n-- node_modules/there/x --\n",
			lacks("npm install", "package.json names packages that node_modules lacks: jest", "node:fs", "@types/jest"),
		},
		"none is": {
			manifest,
			lacks("npm ci", "there is no node_modules in or above the current folder", "there/sub", "@s/gone/x", "gone", "stranger", "node:fs", "@types/jest"),
		},
		"they are in no folder": {manifest + "-- .pnp.cjs --\n", lacks(
			"yarn dlx @yarnpkg/sdks base",
			"Yarn's Plug'n'Play keeps the packages of the current folder in archives, where typescript-language-server finds them only with the project's SDK (.yarn/sdks/typescript)",
			"there/sub", "@s/gone/x", "gone",
		)},
		"their SDK may not run": {manifest + "-- .pnp.cjs --\n-- .yarn/sdks/typescript/package.json --\n{\"version\": \"5.9.3-sdk\"}\n-- .yarn/sdks/typescript/lib/tsserver.js --\n", lacks(
			"", "Yarn's Plug'n'Play keeps the packages of the current folder in archives, where typescript-language-server finds them only with the project's SDK (.yarn/sdks/typescript), "+
				`which runs where "trustedRoots" of your own configuration names the folder`,
			"there/sub", "@s/gone/x", "gone",
		)},
		"nothing is asked for": {"-- package.json --\n{}\n", diagnostics.Lack{}},
	} {
		root := lsptest.Workspace(t, c.files+"-- sub/a.ts --\n")
		w, err := workspace.Open(workspace.Options{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, New(w, nil, w.Names("")).lacksPackages(&definition, filepath.Join(root, "sub", "a.ts"), names)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if err := w.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// A module is of the package that its name begins with; a path, or what a project may map to one, is of none, and
// what Node has of the package with its types.
func TestPackageOfAModule(t *testing.T) {
	got := make(map[string]string)
	want := map[string]string{
		"left": "left", "left/pad": "left", "left/pad/x": "left", "@s/gone": "@s/gone", "@s/gone/x/y": "@s/gone", "@alone": "@alone",
		"./own": "", "../own": "", "/own": "", "#own": "", "~/own": "", "@/own": "", "fs": "@types/node", "node:anything": "@types/node", "fsx": "fsx",
	}
	for specifier := range want {
		got[specifier] = packageOf(specifier)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
