package project

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// leftOut tells by which file each of some files is left out.
func leftOut(t *testing.T, s registry.Scope, name, archive string, want map[string]string) {
	t.Helper()
	root := lsptest.Workspace(t, archive)
	for file, by := range want {
		got := NewScopes(root).LeftOut(s, filepath.Join(root, file), root)
		if got != "" {
			if relative, err := filepath.Rel(root, got); err == nil {
				got = filepath.ToSlash(relative)
			}
		}
		if got != by {
			t.Errorf("%s: %s is left out by %q, want %q", name, file, got, by)
		}
	}
}

// A script is a part of the project if one of its configurations is for it, as tsc reads
// them.
func TestLeftOutByTSConfig(t *testing.T) {
	const by = "tsconfig.json"
	for _, c := range []struct {
		name, archive string
		want          map[string]string
	}{
		{"no configuration", "", map[string]string{"src/a.ts": ""}},
		{"all of the folder", "-- tsconfig.json --\n{}\n", map[string]string{"src/a.ts": "", "a.ts": ""}},
		{"a folder", "-- tsconfig.json --\n// ours\n{\"include\": [\"src\",],}\n", map[string]string{"src/a.ts": "", "src/b/c.ts": "", "srcs/a.ts": by, "test/a.ts": by}},
		{"globs", "-- tsconfig.json --\n{\"include\": [\"src/**/*.ts\", \"t?.ts\"]}\n", map[string]string{"src/a.ts": "", "src/b/c.ts": "", "t1.ts": "", "t12.ts": by, "src/a.js": by}},
		{"files alone", "-- tsconfig.json --\n{\"files\": [\"a.ts\"]}\n", map[string]string{"a.ts": "", "b.ts": by}},
		{"files and include", "-- tsconfig.json --\n{\"files\": [\"a.ts\"], \"include\": [\"b\"], \"exclude\": [\"a.ts\"]}\n", map[string]string{"a.ts": "", "b/c.ts": "", "c.ts": by}},
		{"exclude", "-- tsconfig.json --\n{\"exclude\": [\"old\", \"**/*.spec.ts\"]}\n", map[string]string{"a.ts": "", "old/b.ts": by, "x/a.spec.ts": by, "older/b.ts": ""}},
		{"what it writes", "-- tsconfig.json --\n{\"compilerOptions\": {\"outDir\": \"dist\"}}\n", map[string]string{"a.ts": "", "dist/a.js": by}},
		{"declarations are for all", "-- tsconfig.json --\n{\"include\": [\"src\"]}\n", map[string]string{"types/a.d.ts": "", "types/a.d.mts": "", "types/a.ts": by}},
		{"what it writes, and exclude", "-- tsconfig.json --\n{\"compilerOptions\": {\"outDir\": \"dist\"}, \"exclude\": [\"x\"]}\n", map[string]string{"dist/a.js": "", "x/a.ts": by}},
		{"beside itself", "-- tsconfig.json --\n{\"compilerOptions\": {\"outDir\": \".\"}}\n", map[string]string{"a.ts": ""}},
		{"braces are no pattern", "-- tsconfig.json --\n{\"include\": [\"{a,b}\", \"[x]\"]}\n", map[string]string{"a/x.ts": by, "[x]/a.ts": "", "x/a.ts": by}},
		{
			"a nearer one and one above", "-- tsconfig.json --\n{\"include\": [\"p/test\"]}\n-- p/tsconfig.json --\n{\"include\": [\"src\"]}\n",
			map[string]string{"p/src/a.ts": "", "p/test/a.ts": "", "p/else/a.ts": "p/tsconfig.json"},
		},
		{"another beside it", "-- tsconfig.json --\n{\"include\": [\"src\"]}\n-- tsconfig.test.json --\n{\"include\": [\"test\"]}\n", map[string]string{"test/a.ts": "", "x.ts": by}},
		{
			"references", "-- tsconfig.json --\n{\"files\": [], \"references\": [{\"path\": \"conf/one.json\"}, {\"path\": \"two\"}]}\n" +
				"-- conf/one.json --\n{\"include\": [\"../one\"], \"references\": [{\"path\": \"../tsconfig.json\"}]}\n-- two/tsconfig.json --\n{\"include\": [\"../three\"]}\n",
			map[string]string{"one/a.ts": "", "three/a.ts": "", "four/a.ts": by},
		},
		{
			"extends", "-- tsconfig.json --\n{\"extends\": [\"./base\", \"@x/conf\"]}\n-- base.json --\n{\"include\": [\"gone\"], \"exclude\": [\"src/old\"]}\n" +
				"-- node_modules/@x/conf/tsconfig.json --\n{\"include\": [\"${configDir}/src\"]}\n",
			map[string]string{"src/a.ts": "", "src/old/a.ts": by, "gone/a.ts": by},
		},
		{"extends what is not there", "-- tsconfig.json --\n{\"extends\": \"x\", \"include\": [\"src\"]}\n", map[string]string{"test/a.ts": ""}},
		{"extends itself", "-- tsconfig.json --\n{\"extends\": \"./tsconfig\", \"include\": [\"src\"]}\n", map[string]string{"test/a.ts": ""}},
		{"unreadable", "-- tsconfig.json --\n{\"include\": [\"src\"\n", map[string]string{"test/a.ts": ""}},
		{"of another kind", "-- tsconfig.json --\n{\"include\": \"src\"}\n", map[string]string{"test/a.ts": ""}},
		{"for JavaScript", "-- jsconfig.json --\n{\"include\": [\"src\"]}\n", map[string]string{"src/a.js": "", "a.js": "jsconfig.json"}},
	} {
		leftOut(t, registry.TSConfig, c.name, c.archive, c.want)
	}
}

// A Python file is a part of the project if pyright's configuration does not leave it out.
func TestLeftOutByPyright(t *testing.T) {
	const by = "pyrightconfig.json"
	for _, c := range []struct {
		name, archive string
		want          map[string]string
	}{
		{"no configuration", "-- pyproject.toml --\n[project]\nname = \"x\"\n", map[string]string{"a.py": ""}},
		{"exclude", "-- pyrightconfig.json --\n{\"exclude\": [\"build\", \"**/gen\",], // ours\n}\n", map[string]string{"a.py": "", "build/a.py": by, "x/gen/y/a.py": by, "builds/a.py": ""}},
		{"include", "-- pyrightconfig.json --\n{\"include\": [\"src\"], \"exclude\": [\"src/old.py\"]}\n", map[string]string{"src/a.py": "", "src/old.py": by, "a.py": by}},
		{"in pyproject.toml", "-- pyproject.toml --\n[tool.pyright]\nexclude = [\"build\"]\n", map[string]string{"a.py": "", "build/a.py": "pyproject.toml"}},
		{"of basedpyright", "-- pyproject.toml --\n[tool.basedpyright]\nexclude = [\"build\"]\n", map[string]string{"build/a.py": "pyproject.toml"}},
		{"what it extends", "-- pyrightconfig.json --\n{\"extends\": \"conf/a.json\"}\n-- conf/a.json --\n{\"exclude\": [\"../build\"], \"extends\": \"../pyrightconfig.json\"}\n", map[string]string{"build/a.py": by, "conf/build/a.py": ""}},
		{"its own words win", "-- pyrightconfig.json --\n{\"extends\": \"a.json\", \"exclude\": [\"x\"]}\n-- a.json --\n{\"exclude\": [\"build\"]}\n", map[string]string{"build/a.py": "", "x/a.py": by}},
		{"its own file wins", "-- pyrightconfig.json --\n{}\n-- pyproject.toml --\n[tool.pyright]\nexclude = [\"build\"]\n", map[string]string{"build/a.py": ""}},
		{"unreadable", "-- pyrightconfig.json --\n{\"exclude\": [\"build\"\n", map[string]string{"build/a.py": ""}},
	} {
		leftOut(t, registry.Pyright, c.name, c.archive, c.want)
	}
	if by := NewScopes("/x").LeftOut(registry.Everywhere, "/x/a.go", "/x"); by != "" {
		t.Errorf("a project that says nothing leaves out by %q", by)
	}
}

// Configurations are found by their names: what tools look for first, the others sorted.
func TestConfigNames(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"tsconfig.test.json", "tsconfig.a.b.json", "tsconfig.json", "jsconfig.json", "tsconfig.base.jsonc", "my.tsconfig.json", "tsconfigs.json", "jsconfig.test.json", "tsconfig..json"} {
		lsptest.WriteFile(t, filepath.Join(folder, name), "{}")
	}
	want := []string{"tsconfig.json", "jsconfig.json", "tsconfig..json", "tsconfig.a.b.json", "tsconfig.test.json"}
	if diff := cmp.Diff(want, configNames(folder)); diff != "" {
		t.Error(diff)
	}
	if got := configNames(filepath.Join(folder, "none")); got != nil {
		t.Errorf("a folder that is none has %q", got)
	}
}

// The project of a script is that of the nearest configuration by which a server finds it: one that
// only a build names finds none, and JavaScript has to be asked for.
func TestConfigOf(t *testing.T) {
	t.Parallel()
	root := lsptest.Workspace(t, `
-- tsconfig.json --
{"files": [], "references": [{"path": "lib"}, {"path": "tsconfig.app.json"}]}
-- tsconfig.app.json --
{"include": ["app"]}
-- tsconfig.test.json --
{"include": ["test"]}
-- lib/tsconfig.json --
{"include": ["src"]}
-- js/jsconfig.json --
{"include": ["."]}
`)
	got := make(map[string]string)
	want := map[string]string{
		"lib/src/a.ts": "lib/tsconfig.json", "lib/src/a.js": "", "lib/test/a.ts": "", "app/a.ts": "tsconfig.app.json", "test/a.ts": "", "js/a.js": "js/jsconfig.json",
	}
	scopes := NewScopes(root)
	for file := range want {
		config := scopes.ConfigOf(filepath.Join(root, filepath.FromSlash(file)))
		if relative, err := filepath.Rel(root, config); err == nil && config != "" {
			config = filepath.ToSlash(relative)
		}
		got[file] = config
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
