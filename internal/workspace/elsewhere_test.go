package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/registry"
)

// A server is told of the projects that are described where it does not look: of each the
// newest build, inner projects last, which then count.
func TestProjectsDescribedElsewhere(t *testing.T) {
	w := open(t, `
-- a/CMakeLists.txt --
-- a/out/compile_commands.json --
-- a/cmake-build-debug/compile_commands.json --
-- a/inner/Makefile --
-- a/inner/build-x/compile_commands.json --
-- b/CMakeLists.txt --
-- b/build/compile_commands.json --
-- b/out/compile_commands.json --
-- c/CMakeLists.txt --
-- it's/CMakeLists.txt --
-- it's/out/Default/compile_commands.json --
-- none/out/compile_commands.json --
`, Options{Servers: registry.Builtin()})
	newer := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(w.Root(), "a/out/compile_commands.json"), newer, newer); err != nil {
		t.Fatal(err)
	}
	d, _ := w.opts.Servers.Get("clangd")
	part := func(dir, folder string) string {
		return "---\nIf:\n  PathMatch: 'ROOT/" + dir + "/.*'\nCompileFlags:\n  CompilationDatabase: 'ROOT/" + folder + "'\n"
	}
	want := part("a", "a/out") + part("a/inner", "a/inner/build-x") + part("it''s", "it''s/out/Default")
	if diff := cmp.Diff(want, strings.ReplaceAll(w.elsewhere(&d), filepath.ToSlash(w.Root()), "ROOT")); diff != "" {
		t.Error(diff)
	}
	for dir, want := range map[string]string{"b": "b/build/compile_commands.json", "c": "", "a": "a/out/compile_commands.json"} {
		if got := w.DescribedBy(&d, filepath.Join(w.Root(), dir)); got != "" && w.Relative(got) != want || got == "" && want != "" {
			t.Errorf("%s is described by %q, want %q", dir, got, want)
		}
	}
}
