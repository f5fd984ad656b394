package imports

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const configured = packages + `
-- packages/core/tsconfig.json --
{"extends": "../../tsconfig.json"}
-- packages/lib/package.json --
{"name": "lib", "main": "a.js"}
-- py/pyproject.toml --
[project]
name = "a"

[tool.pyright]
strict = []

[tool.other]
x = 1
-- py/a.py --
a = 1
-- pr/pyrightconfig.json --
{"extends": "../conf/pr.json"}
-- conf/pr.json --
{"extends": "./common.json"}
-- conf/common.json --
{"strict": []}
-- pr/a.py --
a = 1
-- cc/build/compile_commands.json --
[]
-- cc/.clangd --
-- cc/a.cc --
int a;
-- b.cc --
int b;
-- packages/own/tsconfig.own.json --
{"extends": ["@x/settings/strict.json"]}
-- packages/own/a.ts --
export const a = 1;
-- packages/settings/package.json --
{"name": "@x/settings"}
-- packages/settings/strict.json --
{
  "extends": "./common",
  "compilerOptions": {"strict": true}
}
-- packages/settings/common.json --
{"compilerOptions": {"target": "es2020"}}
-- packages/settings/data.json --
{"compilerOptions": {}}
`

// A change of configuration concerns the files that it makes mean something else: the
// users of what a package exports, the files of one that imports by other names, all
// that a tsconfig.json is for; and none if nothing of that changed.
func TestConfigurationReaches(t *testing.T) {
	root, tree := plant(t, configured)
	const core = "packages/core/package.json"
	for _, c := range []struct {
		path, old, new string
		want           []string
	}{
		{core, `"./price"`, `"./cost"`, []string{"app/built.ts", "app/cost.ts", "app/main.ts", "app/none.ts", "app/price.ts"}},
		{core, `"@x/core"`, `"@x/kern"`, []string{"app/built.ts", "app/cost.ts", "app/main.ts", "app/none.ts", "app/price.ts"}},
		{core, `{"name"`, `{ "scripts": {"a": "b"}, "name"`, nil},
		{"packages/app/package.json", `"#own"`, `"#mine"`, []string{"app/built.ts", "app/cost.ts", "app/far.ts", "app/hash.ts", "app/main.ts", "app/more.ts", "app/none.ts", "app/own.ts", "app/price.ts"}},
		{"packages/lib/tsconfig.app.json", "src/*", "lib/*", []string{"lib/alias.ts", "lib/src/more.ts"}},
		{"packages/lib/package.json", `"a.js"`, `"b.js"`, []string{"app/more.ts", "lib/alias.ts"}},
		{"packages/lib/tsconfig.app.json", "// with", "// without", nil},
		{"packages/core/tsconfig.json", "../../", "../", []string{"core/dist/built.d.ts", "core/src/built.ts", "core/src/main.ts", "core/src/more.ts", "core/src/rules/price.ts"}},
		{"packages/settings/strict.json", "true", "false", []string{"own/a.ts"}},
		{"packages/settings/common.json", "es2020", "es2022", []string{"own/a.ts"}},
		{"packages/settings/data.json", "{}", "[]", nil},
		{"py/pyproject.toml", "strict = []", "strict = [\"a.py\"]", []string{"../py/a.py"}},
		{"py/pyproject.toml", "x = 1", "x = 2", nil},
		{"conf/pr.json", "./common", "./other", []string{"../pr/a.py"}},
		{"conf/common.json", "[]", "[\"pr\"]", []string{"../pr/a.py"}},
		{"cc/build/compile_commands.json", "[]", "[{}]", []string{"../cc/a.cc"}},
	} {
		path := filepath.Join(root, filepath.FromSlash(c.path))
		before := read(t, path)
		after := strings.Replace(before, c.old, c.new, 1)
		if after == before {
			t.Fatalf("no %q in %s", c.old, c.path)
		}
		reached, complete := new(Reader).Search(tree).Reach([]Change{{Path: path, Before: []byte(before), After: []byte(after)}})
		var got []string
		for _, to := range reached {
			short, _ := filepath.Rel(filepath.Join(root, "packages"), to.Path)
			got = append(got, filepath.ToSlash(short))
		}
		if diff := cmp.Diff(c.want, got); diff != "" || !complete {
			t.Errorf("%s: %q to %q (-want +got):\n%s", c.path, c.old, c.new, diff)
		}
	}
}

// Configurations extend a file by its path, with or without its ending, or as one of a package of the workspace, also when it is gone; not by a
// name in a comment, nor as a file of another package. Its deletion concerns all that those are for.
func TestBasesThatAreGone(t *testing.T) {
	root, tree := plant(t, strings.ReplaceAll(configured, `{"extends": "../../tsconfig.json"}`, "{\n// \"extends\": \"./noted.json\",\n\"extends\": \"../../base\"}"))
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	for name, want := range map[string]struct {
		extending []string
		reached   string
	}{
		"base.json":                      {[]string{at("packages/core/tsconfig.json")}, "packages/core/src/main.ts"},
		"packages/settings/strict.json":  {[]string{at("packages/own/tsconfig.own.json")}, "packages/own/a.ts"},
		"packages/settings/common.json":  {[]string{at("packages/settings/strict.json")}, "packages/own/a.ts"},
		"packages/settings/strict2.json": {},
		"packages/lib/strict.json":       {reached: "packages/own/a.ts"}, // it may be meant, and costs a look
		"packages/core/noted.json":       {},
		"conf/pr.json":                   {[]string{at("pr/pyrightconfig.json")}, "pr/a.py"},
		"conf/common.json":               {[]string{at("conf/pr.json")}, "pr/a.py"},
	} {
		search := new(Reader).Search(tree)
		if diff := cmp.Diff(want.extending, search.Extending(at(name))); diff != "" {
			t.Errorf("%s is extended by (-want +got):\n%s", name, diff)
		}
		reached, _ := search.Reach([]Change{{Path: at(name), Before: []byte("{}")}})
		has := false
		for _, to := range reached {
			has = has || to.Path == at(want.reached)
		}
		if has != (want.reached != "") {
			t.Errorf("%s reaches %v, want %q", name, reached, want.reached)
		}
	}
}
