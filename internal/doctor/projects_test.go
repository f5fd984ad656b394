package doctor

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// Where a project is described to a server, it is told what it lacks all the same: the program that
// loads it, and packages that are not installed; and nothing where it lacks nothing.
func TestWhatProjectsLack(t *testing.T) {
	script := map[string]string{"tsconfig.json": "{}", "package.json": `{"dependencies": {"left": "1"}}`, "src/a.ts": "import \"left\"\n"}
	installed := maps.Clone(script)
	installed["node_modules/left/package.json"] = "{}"
	nothing := func(*setup.Setup, *registry.Definition, string) []result.Symptom { return nil }
	for name, c := range map[string]struct {
		files        map[string]string
		file, server string
		want         func(s *setup.Setup, d *registry.Definition, probe string) []result.Symptom
	}{
		"no program": {
			map[string]string{"go.mod": "module m\n", "a.go": "package m\n"},
			"a.go", "gopls",
			func(s *setup.Setup, d *registry.Definition, _ string) []result.Symptom {
				return []result.Symptom{{Level: result.LevelProblem, Step: "project", Message: "go is not on PATH: it loads no project", Next: s.WithoutProgram(d).Next}}
			},
		},
		"no packages": {script, "src/a.ts", "typescript", func(s *setup.Setup, d *registry.Definition, probe string) []result.Symptom {
			lack := s.Lacks(d, probe, nil)
			if lack.Missing == "" || lack.Next == "" {
				t.Errorf("nothing is lacking: %+v", lack)
			}
			return []result.Symptom{{Level: result.LevelNote, Step: "project", Message: lack.Missing + ": what it cannot find there may not be wrong", Next: lack.Next}}
		}},
		"nothing":         {installed, "src/a.ts", "typescript", nothing},
		"nobody's matter": {script, "src/a.ts", "eslint", nothing},
	} {
		v := configured(t, "{}")
		for file, text := range c.files {
			lsptest.WriteFile(t, filepath.Join(v.opts.Workspace.Root(), filepath.FromSlash(file)), text)
		}
		d, known := registry.Builtin().Get(c.server)
		if !known {
			t.Fatal(c.server)
		}
		p := about(d)
		p.Root, p.probe = v.opts.Workspace.Root(), filepath.Join(v.opts.Workspace.Root(), filepath.FromSlash(c.file))
		if diff := cmp.Diff(c.want(v.opts.Setup, &d, p.probe), v.project(p)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
