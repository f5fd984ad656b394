package project

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// What belongs to a project is what its tools say, and not git: a tsconfig.json that is for the file, pyright's configuration
// or none, and the packages of a module.
func TestWhatProjectsInclude(t *testing.T) {
	const all = "-- tsconfig.json --\n{}\n"
	for _, c := range []struct {
		name, archive string
		want          map[string]bool
	}{
		{"no configuration", "", map[string]bool{"a.ts": false, "a.js": false, "a.py": true, "a.go": false, "a.rs": false, "a.json": false}},
		{"all scripts", all, map[string]bool{"gen/a.ts": true, "gen/a.tsx": true, "gen/a.d.ts": true, "gen/a.js": false, "gen/a.vue": true}},
		{"scripts of a folder", "-- tsconfig.json --\n{\"include\": [\"src\"]}\n", map[string]bool{"src/gen/a.ts": true, "gen/a.ts": false, "gen/a.d.ts": false}},
		{"scripts by name", "-- tsconfig.json --\n{\"files\": [\"gen/a.ts\"]}\n", map[string]bool{"gen/a.ts": true, "gen/b.ts": false}},
		{"what tsc writes", "-- tsconfig.json --\n{\"compilerOptions\": {\"outDir\": \"lib\"}}\n", map[string]bool{"lib/a.d.ts": false, "src/a.ts": true}},
		{"JavaScript that is asked for", "-- tsconfig.json --\n{\"compilerOptions\": {\"allowJs\": true}}\n", map[string]bool{"a.js": true}},
		{"JavaScript that is checked", "-- tsconfig.json --\n{\"extends\": \"./base.json\"}\n-- base.json --\n{\"compilerOptions\": {\"checkJs\": true}}\n", map[string]bool{"a.js": true}},
		{"JavaScript that is refused", "-- tsconfig.json --\n{\"compilerOptions\": {\"allowJs\": false, \"checkJs\": true}}\n", map[string]bool{"a.js": false}},
		{"a project of JavaScript", "-- jsconfig.json --\n{}\n", map[string]bool{"a.js": true}},
		{"by reference", "-- tsconfig.json --\n{\"files\": [], \"references\": [{\"path\": \"p\"}]}\n-- p/tsconfig.json --\n{\"include\": [\"../gen\"]}\n", map[string]bool{"gen/a.ts": true, "src/a.ts": false}},
		{"a configuration that is broken", "-- tsconfig.json --\n{\n", map[string]bool{"a.ts": false}},
		{"Python of a folder", "-- pyrightconfig.json --\n{\"include\": [\"src\"], \"exclude\": [\"src/old\"]}\n", map[string]bool{"src/a.py": true, "src/old/a.py": false, "gen/a.py": false}},
		{"the nearest configuration of Python", "-- pyrightconfig.json --\n{\"include\": [\"src\"]}\n-- p/pyproject.toml --\n[tool.pyright]\n", map[string]bool{"p/gen/a.py": true, "gen/a.py": false}},
		{"crates", "-- p/Cargo.toml --\n", map[string]bool{"p/src/gen/a.rs": true, "a.rs": false}},
		{"projects that list no files", "", map[string]bool{"gen/a.h": true, "gen/a.cc": true, "gen/A.java": true, "gen/a.php": true, "vendor/x/a.php": false, "gen/a.txt": false}},
		{"packages of a module", "-- p/go.mod --\nmodule p\n", map[string]bool{"p/gen/a.go": true, "p/a.go": true, "gen/a.go": false, "p/testdata/a.go": false, "p/vendor/x/a.go": false, "p/_old/a.go": false}},
	} {
		root := lsptest.Workspace(t, c.archive)
		got := make(map[string]bool)
		scopes := NewScopes(root)
		for file := range c.want {
			got[file] = scopes.Includes(filepath.Join(root, filepath.FromSlash(file)))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Folders of packages, of caches and of what was built are never part of a project; environments of Python are told by what is
// in them.
func TestFoldersThatAreNeverIncluded(t *testing.T) {
	root := lsptest.Workspace(t, "-- src/a --\n-- env/pyvenv.cfg --\n-- conda/conda-meta/a --\n-- venv/a --\n")
	want := map[string]bool{
		"src": false, "venv": false, "env": true, "conda": true, ".venv": true, ".next": true, "node_modules": true, "__pycache__": true, "target": true, "dist": true, "gone": false,
	}
	got := make(map[string]bool)
	for name := range want {
		got[name] = Never(filepath.Join(root, name))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The files that say which others belong to a project are known by their names.
func TestFilesThatDecide(t *testing.T) {
	want := map[string]bool{
		"tsconfig.json": true, "tsconfig.base.json": true, "jsconfig.json": true, "pyrightconfig.json": true, "pyproject.toml": true, "go.mod": true,
		"package.json": false, "a.ts": false, "compile_commands.json": false,
	}
	got := make(map[string]bool)
	for name := range want {
		got[name] = Decides(name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
