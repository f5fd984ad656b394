package checking

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

// What generators, or the authors of a library, write into a folder that is not part of the workspace's tree counts in the
// next answer of servers that run, as it does for compilers: an installed package, a folder beside the workspace that a manifest
// names, a folder that git ignores.
func TestLibrariesWrittenWhileServersRun(t *testing.T) {
	const (
		script   = "-- app/.gitignore --\nnode_modules\n-- app/tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"module\": \"nodenext\", \"noEmit\": true, \"types\": []}}\n-- app/b.ts --\nimport { x } from 'client';\n\nexport const y = x;\n-- app/a.ts --\nimport { y } from './b.js';\n\nexport const n: number = y;\n"
		asks     = "-- app/package.json --\n{\"dependencies\": {\"client\": \"1.0.0\"}}\n"
		manifest = "{\"name\": \"client\", \"version\": \"1.0.0\", \"types\": \"gen/index.d.ts\"}\n"
		typesX   = "export declare const x: "
		python   = "-- app/.gitignore --\n.venv\n-- app/.venv/pyvenv.cfg --\nhome = /usr/bin\nversion = 3.11.7\n-- app/a.py --\nfrom client import x\n\nn: int = x\n"
		site     = "app/.venv/lib/python3.11/site-packages/"
		golang   = "-- app/a.go --\npackage app\n\nimport \"example.com/lib\"\n\nvar N int = lib.X()\n"
		goLib    = "package lib\n\nfunc X() "
	)
	scripts := []string{"typescript", "typescript-language-server"}
	for name, c := range map[string]struct {
		servers       []string
		archive, file string
		// library is the file of the library that is written, right is what it says at first.
		library, right, wrong string
		link                  [2]string
	}{
		"an installed package":      {scripts, script + asks + "-- app/node_modules/client/package.json --\n" + manifest, "a.ts", "app/node_modules/client/gen/index.d.ts", typesX + "number;\n", typesX + "string;\n", [2]string{}},
		"a package nobody asks for": {scripts, script + "-- app/node_modules/client/package.json --\n" + manifest, "a.ts", "app/node_modules/client/gen/index.d.ts", typesX + "number;\n", typesX + "string;\n", [2]string{}},
		"a package above the root":  {scripts, script + asks + "-- node_modules/client/package.json --\n" + manifest, "a.ts", "node_modules/client/gen/index.d.ts", typesX + "number;\n", typesX + "string;\n", [2]string{}},
		"what a package passes on":  {scripts, script + asks + "-- app/node_modules/client/package.json --\n" + manifest + "-- app/node_modules/client/gen/index.d.ts --\nexport * from '.made/client';\n-- app/node_modules/.made/client/package.json --\n{\"name\": \".made/client\", \"version\": \"1.0.0\", \"types\": \"index.d.ts\"}\n", "a.ts", "app/node_modules/.made/client/index.d.ts", typesX + "number;\n", typesX + "string;\n", [2]string{}},
		"a linked package":          {scripts, script + asks + "-- client/package.json --\n" + manifest, "a.ts", "client/gen/index.d.ts", typesX + "number;\n", typesX + "string;\n", [2]string{"client", "app/node_modules/client"}},
		"pnpm's package":            {scripts, script + asks + "-- app/node_modules/.pnpm/client@1.0.0/node_modules/client/package.json --\n" + manifest, "a.ts", "app/node_modules/.pnpm/client@1.0.0/node_modules/client/gen/index.d.ts", typesX + "number;\n", typesX + "string;\n", [2]string{"app/node_modules/.pnpm/client@1.0.0/node_modules/client", "app/node_modules/client"}},
		"an environment of Python":  {[]string{"pyright"}, python + "-- " + site + "client/py.typed --\n", "a.py", site + "client/__init__.py", "x: int = 1\n", "x: str = ''\n", [2]string{}},
		"a .pth file":               {[]string{"pyright"}, python + "-- " + site + "client.pth --\n../../../../../lib/src\n-- lib/src/client/py.typed --\n", "a.py", "lib/src/client/__init__.py", "x: int = 1\n", "x: str = ''\n", [2]string{}},
		"a folder that git ignores": {[]string{"gopls"}, golang + "-- app/.gitignore --\ngen\n-- app/go.mod --\nmodule example.com/app\n\ngo 1.24\n\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => ./gen/lib\n-- app/gen/lib/go.mod --\nmodule example.com/lib\n", "a.go", "app/gen/lib/lib.go", goLib + "int { return 1 }\n", goLib + "string { return \"\" }\n", [2]string{}},
		"a replaced module":         {[]string{"gopls"}, golang + "-- app/go.mod --\nmodule example.com/app\n\ngo 1.24\n\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => ../lib\n-- lib/go.mod --\nmodule example.com/lib\n", "a.go", "lib/lib.go", goLib + "int { return 1 }\n", goLib + "string { return \"\" }\n", [2]string{}},
		"a crate beside":            {[]string{"rust-analyzer"}, "-- app/Cargo.toml --\n[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nclient = { path = \"../client\" }\n-- app/src/lib.rs --\npub fn n() -> i32 {\n    client::x()\n}\n-- client/Cargo.toml --\n[package]\nname = \"client\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs", "client/src/lib.rs", "pub fn x() -> i32 {\n    1\n}\n", "pub fn x() -> String {\n    String::new()\n}\n", [2]string{}},
	} {
		for _, server := range c.servers {
			t.Run(name+" for "+server, func(t *testing.T) {
				t.Parallel()
				lsptest.Require(t, server)
				folder := lsptest.Workspace(t, c.archive+"-- "+c.library+" --\n"+c.right)
				if c.link[0] != "" {
					lsptest.WriteFile(t, filepath.Join(folder, "app", "node_modules", ".package-lock.json"), "{}\n")
					if err := os.Symlink(filepath.Join(folder, filepath.FromSlash(c.link[0])), filepath.Join(folder, filepath.FromSlash(c.link[1]))); err != nil {
						t.Fatal(err)
					}
				}
				root := filepath.Join(folder, "app")
				cfg := enginetest.Configure(t, root)
				cfg.Settings.RequestTimeout, cfg.Settings.DiagnosticTimeout, cfg.Settings.FirstTouchTimeout = 2*time.Minute, 2*time.Minute, 2*time.Minute
				s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, Only: []string{server}, State: t.TempDir(), StateFolder: t.TempDir()})
				path := filepath.Join(folder, filepath.FromSlash(c.library))
				wantErrors(t, s, c.file, false, 0)
				lsptest.WriteFile(t, path, c.wrong)
				wantErrors(t, s, c.file, true, 1)
				lsptest.WriteFile(t, path+".new", c.right)
				if err := os.Rename(path+".new", path); err != nil {
					t.Fatal(err)
				}
				wantErrors(t, s, c.file, false, 2)
				if err := os.RemoveAll(filepath.Dir(path)); err != nil {
					t.Fatal(err)
				}
				lsptest.WriteFile(t, path, c.wrong)
				if name == "an environment of Python" || name == "a .pth file" { // which say that they have types
					lsptest.WriteFile(t, filepath.Join(filepath.Dir(path), "py.typed"), "")
				}
				if filepath.Ext(path) == ".go" {
					lsptest.WriteFile(t, filepath.Join(filepath.Dir(path), "go.mod"), "module example.com/lib\n")
				}
				wantErrors(t, s, c.file, true, 3)
			})
		}
	}
}
