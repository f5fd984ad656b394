package doctor

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/workspace"
)

// What servers read of a project beside the file is missed where it is not there,
// and only by servers that read it, with the command that fits the folder.
func TestProjectNeeds(t *testing.T) {
	for _, c := range []struct{ name, archive, file, server, next string }{
		{"TypeScript", "-- a.ts --\n", "a.ts", "typescript", "npx --package typescript tsc --init"},
		{"with tsconfig.json", "-- tsconfig.json --\n-- src/a.ts --\n", "src/a.ts", "typescript", ""},
		{"TypeScript, by a linter", "-- a.ts --\n", "a.ts", "eslint", ""},
		{"JavaScript", "-- a.js --\n", "a.js", "typescript-language-server", `echo '{"compilerOptions": {"checkJs": true}}' > jsconfig.json`},
		{"C++", "-- a.cpp --\n", "a.cpp", "clangd", "echo -Iinclude > compile_flags.txt"},
		{"C++ with CMake", "-- CMakeLists.txt --\n-- src/a.cpp --\n", "src/a.cpp", "clangd", "cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"},
		{"C with make", "-- Makefile --\n-- a.c --\n", "a.c", "clangd", "bear -- make"},
		{"built C++", "-- build/compile_commands.json --\n[]\n-- src/a.cpp --\n", "src/a.cpp", "clangd", ""},
		{"Rust", "-- a.rs --\n", "a.rs", "rust-analyzer", "cargo init"},
		{"Go", "-- a.go --\n", "a.go", "gopls", "go mod init example.com/"},
		{"Java", "-- A.java --\n", "A.java", "jdtls", "gradle init --type java-application"},
		{"Java with Maven", "-- pom.xml --\n-- src/A.java --\n", "src/A.java", "jdtls", ""},
		{"Python", "-- a.py --\n", "a.py", "pyright", ""},
	} {
		root := lsptest.Workspace(t, c.archive)
		w, err := workspace.Open(workspace.Options{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = w.Close(t.Context()) }()
		collector := diagnostics.New(diagnostics.Options{})
		defer collector.Close()
		d, known := registry.Builtin().Get(c.server)
		if !known {
			t.Fatal(c.server)
		}
		v := &run{Doctor: New(Options{Workspace: w, Names: w.Names(""), Setup: setup.New(w, collector, w.Names(""))})}
		p := subject{probe: filepath.Join(root, filepath.FromSlash(c.file))}
		p.Definition, p.Root = d, root
		next := ""
		for _, s := range v.project(p) {
			next = s.Next
			if s.Level != result.LevelNote || s.Message == "" {
				t.Errorf("%s: %+v", c.name, s)
			}
		}
		want := setup.Here.Command(c.next)
		if !strings.HasPrefix(next, want) || (next == "") != (c.next == "") {
			t.Errorf("%s: next is %q, want %q", c.name, next, want)
		}
	}
}
