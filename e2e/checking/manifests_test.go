package checking

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
)

// The first answer after somebody changed what a project consists of, while its server runs, is of the
// project as it is now: with a library, and without it. It is the same with what configures a linter.
func TestManifestsWhileServersRun(t *testing.T) {
	const goMain = "-- app/main.go --\npackage main\n\nimport \"example.com/lib\"\n\nfunc main() { lib.Do() }\n-- lib/go.mod --\nmodule example.com/lib\n\ngo 1.22\n-- lib/lib.go --\npackage lib\n\nfunc Do() {}\n"
	for name, c := range map[string]struct {
		server, archive, main   string
		manifest, with, without string
	}{
		"go.mod": {
			"gopls", goMain, "app/main.go",
			"app/go.mod", "module example.com/app\n\ngo 1.22\n\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => ../lib\n", "module example.com/app\n\ngo 1.22\n",
		},
		"go.work": {
			"gopls", goMain + "-- app/go.mod --\nmodule example.com/app\n\ngo 1.22\n", "app/main.go",
			"go.work", "go 1.22\n\nuse (\n\t./app\n\t./lib\n)\n", "go 1.22\n\nuse ./app\n",
		},
		"Cargo.toml": {
			"rust-analyzer", "-- src/main.rs --\nfn main() { lib::act(); }\n-- lib/Cargo.toml --\n[package]\nname = \"lib\"\nversion = \"0.1.0\"\nedition = \"2021\"\n-- lib/src/lib.rs --\npub fn act() {}\n", "src/main.rs",
			"Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nlib = { path = \"lib\" }\n", "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		},
		"tsconfig.json of TypeScript 7": {
			"typescript", "-- src/a.ts --\nexport const all = [[1]].flat()\n", "src/a.ts",
			"tsconfig.json", `{"compilerOptions": {"strict": true, "target": "ES2020", "lib": ["ES2020"], "noEmit": true, "types": []}}`, `{"compilerOptions": {"strict": true, "target": "ES2020", "lib": ["ES2015"], "noEmit": true, "types": []}}`,
		},
		"tsconfig.json of tsserver": {
			"typescript-language-server", "-- src/a.ts --\nexport const all = [[1]].flat()\n", "src/a.ts",
			"tsconfig.json", `{"compilerOptions": {"strict": true, "target": "ES2020", "lib": ["ES2020"], "noEmit": true, "types": []}}`, `{"compilerOptions": {"strict": true, "target": "ES2020", "lib": ["ES2015"], "noEmit": true, "types": []}}`,
		},
		"pyrightconfig.json": {
			"pyright", "-- a.py --\nfrom lib import x\n\nn: int = x\n-- other/lib.py --\nx: int = 1\n", "a.py",
			"pyrightconfig.json", `{"extraPaths": ["other"]}`, `{}`,
		},
		"biome.json": {
			"biome", "-- a.js --\ndebugger;\n", "a.js",
			"biome.json", `{"linter": {"rules": {"suspicious": {"noDebugger": "off"}}}}`, `{"linter": {"rules": {"suspicious": {"noDebugger": "error"}}}}`,
		},
		".oxlintrc.json": {
			"oxlint", "-- a.js --\ndebugger;\n", "a.js",
			".oxlintrc.json", `{"rules": {"no-debugger": "off"}}`, `{"rules": {"no-debugger": "error"}}`,
		},
		".stylelintrc.json": {
			"stylelint", "-- a.css --\na { color: #ffffff; }\n", "a.css",
			".stylelintrc.json", `{"rules": {"block-no-empty": true}}`, `{"rules": {"color-no-hex": true}}`,
		},
		"tombi.toml": {
			"tombi", "-- a.toml --\n\"\" = 1\n", "a.toml",
			"tombi.toml", "[lint.rules]\nkey-empty = \"off\"\n", "[lint.rules]\nkey-empty = \"error\"\n",
		},
		"buf.yaml": {
			"buf", "-- a.proto --\nsyntax = \"proto3\";\n\npackage a.v1;\n\nmessage foo {}\n", "a.proto",
			"buf.yaml", "version: v2\nlint:\n  use:\n    - IMPORT_USED\n", "version: v2\nlint:\n  use:\n    - MESSAGE_PASCAL_CASE\n",
		},
		"setup.cfg": {
			"pylsp", "-- a.py --\nimport os\nx = 'a text of some length' + os.name\n", "a.py",
			"setup.cfg", "[pycodestyle]\nmax-line-length = 100\n", "[pycodestyle]\nmax-line-length = 20\n",
		},
		"compile_flags.txt": {
			"clangd", "-- a.c --\n#include \"lib.h\"\n\nint main(void) { return act(); }\n-- include/lib.h --\nint act(void);\n", "a.c",
			"compile_flags.txt", "-Iinclude\n", "-Wall\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenReal(t, "-- "+c.manifest+" --\n"+c.with+"\n"+c.archive, c.server)
			for i, step := range []struct {
				text string
				want bool
			}{{c.with, true}, {c.without, false}, {c.with, true}, {c.without, false}, {c.with, true}} {
				s.Write(c.manifest, step.text)
				wantErrors(t, s, c.main, !step.want, i)
			}
		})
	}
}

// The first answer after other packages were installed, while the server runs, is of those: nobody
// watches the folders where they are, but the marks of the installers are looked at.
func TestPackagesInstalledWhileServersRun(t *testing.T) {
	const (
		script    = "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"module\": \"nodenext\", \"noEmit\": true, \"types\": []}}\n-- src/a.ts --\nimport { x } from 'lib';\n\nexport const n: number = x;\n-- test/b.ts --\nimport { x } from 'lib';\n\nexport const n: number = x;\n"
		manifest  = "{\"name\": \"lib\", \"version\": \"1.0.0\", \"types\": \"index.d.ts\"}\n"
		npm, pnpm = "node_modules/.package-lock.json", "node_modules/.modules.yaml"
		site      = ".venv/lib/python3.11/site-packages/"
	)
	of := func(kind string) string { return "export declare const x: " + kind + ";\n" }
	for name, c := range map[string]struct {
		servers []string
		archive string
		// files are two in different folders: one is asked about before an installation, the other after it.
		files [2]string
		// install makes the library give numbers, or else texts.
		install func(s *enginetest.Shop, version string, numbers bool)
	}{
		"npm": {
			[]string{"typescript", "typescript-language-server"},
			script,
			[2]string{"src/a.ts", "test/b.ts"},
			func(s *enginetest.Shop, version string, numbers bool) {
				s.Write("node_modules/lib/package.json", manifest)
				s.Write("node_modules/lib/index.d.ts", of(map[bool]string{true: "number", false: "string"}[numbers]))
				s.Write(npm, version)
			},
		},
		"pnpm": {
			[]string{"typescript", "typescript-language-server"},
			script,
			[2]string{"src/a.ts", "test/b.ts"},
			func(s *enginetest.Shop, version string, numbers bool) {
				folder := "node_modules/.pnpm/lib@" + version + "/node_modules/lib"
				s.Write(folder+"/package.json", manifest)
				s.Write(folder+"/index.d.ts", of(map[bool]string{true: "number", false: "string"}[numbers]))
				link := filepath.Join(s.Folder, "node_modules", "lib")
				_ = os.Remove(link) // there is none at first
				if err := os.Symlink(filepath.Join(s.Folder, filepath.FromSlash(folder)), link); err != nil {
					s.T.Fatal(err)
				}
				s.Write(pnpm, version)
			},
		},
		"pip": {
			[]string{"pyright"},
			"-- a.py --\nfrom lib import x\n\nn: int = x\n-- test/b.py --\nfrom lib import x\n\nn: int = x\n",
			[2]string{"a.py", "test/b.py"},
			func(s *enginetest.Shop, version string, numbers bool) {
				s.Write(".venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.7\n")
				s.Write(site+"lib/py.typed", "")
				s.Write(site+"lib/__init__.py", map[bool]string{true: "x: int = 1\n", false: "x: str = ''\n"}[numbers])
				s.Write(site+"lib-"+version+".dist-info/METADATA", "Name: lib\n")
			},
		},
	} {
		for _, server := range c.servers {
			t.Run(name+" for "+server, func(t *testing.T) {
				t.Parallel()
				s := enginetest.OpenReal(t, c.archive, server)
				for i, numbers := range []bool{true, false, true} {
					c.install(s, fmt.Sprint(i), numbers)
					wantErrors(t, s, c.files[i%2], !numbers, i)
				}
			})
		}
	}
}

// The first answer after the configuration of a linter changed is of that: eslint keeps what it has
// loaded.
func TestConfigurationOfARunningLinter(t *testing.T) {
	program := lsptest.Require(t, "eslint")
	root := lsptest.Workspace(t, "-- a.js --\ndebugger;\n-- package.json --\n{}\n-- node_modules/x/package.json --\n{}\n-- eslint.config.mjs --\nexport default [];\n")
	if err := os.Symlink(lsptest.Library(t, program, "eslint"), filepath.Join(root, "node_modules", "eslint")); err != nil {
		t.Fatal(err)
	}
	cfg := enginetest.Configure(t, root)
	cfg.Settings.TrustedRoots = []string{root}
	s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, Only: []string{"eslint"}, State: t.TempDir(), StateFolder: t.TempDir()})
	for i, level := range []string{"error", "off", "error", "off"} {
		s.Write("eslint.config.mjs", "export default [{ rules: { 'no-debugger': '"+level+"' } }];\n")
		wantErrors(t, s, "a.js", level == "error", i)
	}
}

// wantErrors checks whether a file has errors or warnings, whatever was before.
func wantErrors(t *testing.T, s *enginetest.Shop, file string, want bool, step int) {
	t.Helper()
	r := s.Check(api.CheckRequest{Files: []string{file}, Baseline: "none", Scope: "file", Severities: []string{"error", "warning"}, TimeoutMS: 100_000})
	found := len(r.Files) == 1 && len(r.Files[0].Diagnostics) > 0
	if found != want || !want && r.Verdict != "clean" {
		t.Errorf("step %d: %s: %s\n%+v", step, r.Verdict, render.Brief(&r), r.Files)
	}
}
