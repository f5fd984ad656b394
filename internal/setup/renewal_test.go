package setup

import (
	"cmp"
	"path/filepath"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/lsptest"
)

// A server that could not load a project starts anew, once, when the project has changed since it
// started: its files, what it lacks, or the libraries that are downloaded. Until then, and where it
// could load it, it goes on.
func TestServerThatCouldNotLoad(t *testing.T) {
	const module = "-- go.mod --\nmodule example.com/m\n-- a.go --\n-- deep/go.mod --\nmodule example.com/m/deep\n-- deep/b.go --\n"
	const maven = "-- pom.xml --\n<project/>\n-- a.java --\n"
	for name, c := range map[string]struct {
		server, archive, file string
		// fails is a file whose project it could not load, refuses one that it refused to answer for;
		// changes is the file that changes, to text.
		fails, refuses, changes, text string
		// early says that it changes before the server fails.
		early bool
		want  bool
	}{
		"nothing changed":                {server: "gopls", archive: module, file: "a.go", fails: "a.go"},
		"it could load it":               {server: "gopls", archive: module, file: "a.go", changes: "go.mod", text: "module example.com/n\n"},
		"a file of the project":          {server: "gopls", archive: module, file: "a.go", fails: "a.go", changes: "go.mod", text: "module example.com/n\n", want: true},
		"while it was loading":           {server: "gopls", archive: module, file: "a.go", fails: "a.go", changes: "go.mod", text: "module example.com/n\n", early: true, want: true},
		"a file of what is vendored":     {server: "gopls", archive: module, file: "a.go", fails: "a.go", changes: "vendor/modules.txt", text: "# gone\n", want: true},
		"a file of code":                 {server: "gopls", archive: module, file: "a.go", fails: "a.go", changes: "a.go", text: "package a\n"},
		"a project below":                {server: "gopls", archive: module, file: "a.go", fails: "a.go", changes: "deep/go.mod", text: "module x\n"},
		"another project":                {server: "gopls", archive: module, file: "a.go", fails: "deep/b.go", changes: "deep/go.mod", text: "module x\n", want: true},
		"another folder of the project":  {server: "gopls", archive: module, file: "a.go", fails: "sub/c.go", changes: "go.mod", text: "module x\n", early: true, want: true},
		"a project above":                {server: "gopls", archive: module, file: "deep/b.go", fails: "deep/b.go", changes: "go.mod", text: "module x\n", want: true},
		"what it lacks":                  {server: "gopls", archive: modless, file: "a.go", fails: "a.go", changes: "cache/example.com/gone@v1.0.0/go.mod", text: "module example.com/gone\n", want: true},
		"a library of Maven":             {server: "jdtls", archive: maven, file: "a.java", fails: "a.java", changes: "home/.m2/repository/x/1/x-1.jar", want: true},
		"it refuses, but loaded it":      {server: "jdtls", archive: maven, file: "a.java", refuses: "a.java", changes: "home/.m2/repository/x/1/x-1.jar"},
		"it refuses":                     {server: "gopls", archive: module, file: "a.go", refuses: "a.go", changes: "go.mod", text: "module example.com/n\n", want: true},
		"a server that looks by itself":  {server: "rust-analyzer", archive: "-- Cargo.toml --\n-- a.rs --\n", file: "a.rs", fails: "a.rs", changes: "Cargo.toml", text: "[package]\n"},
		"a library where none is loaded": {server: "gopls", archive: module, file: "a.go", fails: "a.go", changes: "home/.m2/repository/x/1/x-1.jar"},
	} {
		t.Run(name, func(t *testing.T) {
			s, root := opened(t, c.archive)
			d := server(t, c.server)
			key, path := roots.Key{ID: c.server, Root: root}, filepath.Join(root, filepath.FromSlash(c.file))
			s.Renew(d, key, path)
			fails := func() {
				if file := cmp.Or(c.fails, c.refuses); file != "" {
					s.Of(d, key).Without(filepath.Join(root, filepath.FromSlash(file)), c.fails != "")
				}
			}
			changes := func() {
				if c.changes != "" {
					lsptest.WriteFile(t, filepath.Join(root, filepath.FromSlash(c.changes)), c.text)
				}
			}
			if c.early {
				changes()
				fails()
			} else {
				fails()
				changes()
			}
			s.java.at = time.Time{} // some time later
			if got := s.changed(d, key, path); got != c.want {
				t.Errorf("it starts anew: %t, want %t", got, c.want)
			}
			if s.changed(d, key, path) {
				t.Error("it starts anew once more")
			}
		})
	}
}

// A server starts anew, once, when other packages are installed than when it was first asked about
// a folder: when the mark of an installer is another one, or, where there is none, when a package
// comes or goes. What else changes among the packages is not noticed.
func TestOtherPackagesAreInstalled(t *testing.T) {
	const (
		npm    = "-- package.json --\n{}\n-- src/deep/a.ts --\n-- node_modules/.package-lock.json --\n{}\n-- node_modules/x/index.d.ts --\n"
		plain  = "-- src/deep/a.ts --\n-- node_modules/x/index.d.ts --\n"
		python = "-- a.py --\n-- .venv/pyvenv.cfg --\n-- .venv/lib/python3.11/site-packages/x-1.dist-info/METADATA --\n"
	)
	for name, c := range map[string]struct {
		server, archive, file, changes string
		want                           bool
		// then is a file in another folder, about which the server is asked first after the change.
		then string
	}{
		"nothing":                      {"typescript", npm, "src/deep/a.ts", "", false, ""},
		"the mark of npm":              {"typescript", npm, "src/deep/a.ts", "node_modules/.package-lock.json", true, ""},
		"for a linter":                 {"eslint", npm, "src/deep/a.ts", "node_modules/.package-lock.json", true, ""},
		"a file of a package":          {"typescript", npm, "src/deep/a.ts", "node_modules/x/index.d.ts", false, ""},
		"a cache beside a mark":        {"typescript", npm, "src/deep/a.ts", "node_modules/.cache/x", false, ""},
		"a package, without a mark":    {"typescript", plain, "src/deep/a.ts", "node_modules/y/index.d.ts", true, ""},
		"the first mark":               {"typescript", plain, "src/deep/a.ts", "node_modules/.modules.yaml", true, ""},
		"the first folder of packages": {"typescript", plain, "src/deep/a.ts", "src/node_modules/y/index.d.ts", true, ""},
		"a map of packages":            {"typescript", plain, "src/deep/a.ts", ".pnp.cjs", true, ""},
		"a package of Python":          {"pyright", python, "a.py", ".venv/lib/python3.11/site-packages/y-1.dist-info/METADATA", true, ""},
		"for a server without them":    {"ruff", python, "a.py", ".venv/lib/python3.11/site-packages/y-1.dist-info/METADATA", false, ""},
		"of another language":          {"pyright", python + npm, "a.py", "node_modules/.package-lock.json", false, ""},
		"for another folder":           {"typescript", npm, "src/deep/a.ts", "node_modules/.package-lock.json", true, "test/b.ts"},
		"for another folder of Python": {"pyright", python, "a.py", ".venv/lib/python3.11/site-packages/y-1.dist-info/METADATA", true, "test/b.py"},
	} {
		t.Run(name, func(t *testing.T) {
			s, root := opened(t, c.archive)
			d := server(t, c.server)
			key, path := roots.Key{ID: c.server, Root: root}, filepath.Join(root, filepath.FromSlash(c.file))
			for range 2 {
				if s.changed(d, key, path) {
					t.Error("it starts anew at first")
				}
			}
			if c.changes != "" {
				lsptest.WriteFile(t, filepath.Join(root, filepath.FromSlash(c.changes)), "another\n")
			}
			path = filepath.Join(root, filepath.FromSlash(cmp.Or(c.then, c.file)))
			if got := s.changed(d, key, path); got != c.want {
				t.Errorf("it starts anew: %t, want %t", got, c.want)
			}
			if s.changed(d, key, path) {
				t.Error("it starts anew once more")
			}
		})
	}
}
