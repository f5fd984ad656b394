package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

const (
	unpacked = "-- package.json --\n{\"dependencies\": {\"left\": \"1\"}}\n-- src/a.ts --\n"
	modless  = "-- go.mod --\nmodule example.com/m\n\nrequire example.com/gone v1.0.0\n-- a.go --\n"
)

// What a project lacks is told with the answers that it may change: those that may be in a package, and in
// Java those that may be in any project. How it is mended stands beside it.
func TestNotes(t *testing.T) {
	const packages = "there is no node_modules in or above the current folder (to fix it: npm install)"
	const modules = "modules that go.mod requires are not downloaded: example.com/gone (to fix it: go mod download)"
	const gradle = "the project is not loaded: there is no Gradle that could load the project (to fix it: gradle dependencies)"
	const java = "-- build.gradle --\n-- app/A.java --\n"
	for name, c := range map[string]struct{ server, archive, file, method, want string }{
		"into a package":           {"typescript", unpacked, "src/a.ts", symbols.Definition, packages},
		"in the file alone":        {"typescript", unpacked, "src/a.ts", "textDocument/documentSymbol", ""},
		"across projects":          {"typescript", unpacked, "src/a.ts", "textDocument/references", ""},
		"across projects, of Java": {"jdtls", java, "app/A.java", "textDocument/references", gradle},
		"a module":                 {"gopls", modless, "a.go", "textDocument/hover", modules},
		"nothing is lacking":       {"gopls", "-- go.mod --\nmodule m\n-- a.go --\n", "a.go", symbols.Definition, ""},
		"without symptoms":         {"taplo", "-- a.toml --\n", "a.toml", symbols.Definition, ""},
	} {
		s, root := opened(t, c.archive)
		s.collector = diagnostics.New(diagnostics.Options{})
		t.Cleanup(s.collector.Close)
		candidate := &roots.Candidate{Definition: *server(t, c.server), Root: root}
		for range 2 { // the second time it is remembered
			if diff := cmp.Diff(c.want, s.Note(candidate, filepath.Join(root, filepath.FromSlash(c.file)), c.method)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
}

// Where a server cannot load any project for want of a program, that is what prevents it; Go's lacks its modules,
// Java's its Gradle, and others nothing that would keep them from loading.
func TestWhatPreventsLoading(t *testing.T) {
	for name, c := range map[string]struct{ server, archive, file, want string }{
		"its program":    {"rust-analyzer", "-- Cargo.toml --\n", "a.rs", "cargo is not on PATH"},
		"before modules": {"gopls", modless, "a.go", "go is not on PATH"},
		"its Gradle":     {"jdtls", "-- build.gradle --\n-- app/A.java --\n", "app/A.java", "the project is not loaded: there is no Gradle that could load the project"},
		"no packages":    {"typescript", unpacked, "src/a.ts", ""},
	} {
		s, root := opened(t, c.archive)
		d := server(t, c.server)
		if got := s.Of(d, roots.Key{}).Without(filepath.Join(root, filepath.FromSlash(c.file)), false); got.Missing != c.want {
			t.Errorf("%s: %q, want %q", name, got.Missing, c.want)
		}
	}
	s, root := opened(t, modless)
	s.workspace = withPrograms(t, root)
	if got := s.Without(server(t, "gopls"), filepath.Join(root, "a.go")); got.Missing != "modules that go.mod requires are not downloaded: example.com/gone" {
		t.Errorf("with its program: %q", got.Missing)
	}
}

// withPrograms opens a workspace on a machine that has all programs.
func withPrograms(t *testing.T, root string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(workspace.Options{Root: root, LookPath: func(name string) (string, error) { return "/bin/" + name, nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) })
	return w
}

// Names that a lack explains are remembered until it is mended: the server is then started again, once.
func TestRenewal(t *testing.T) {
	s, root := opened(t, unpacked)
	d, key, path := server(t, "typescript"), roots.Key{ID: "typescript", Root: root}, filepath.Join(root, "src", "a.ts")
	of := s.Of(d, key)
	if lack := of.Lacks(path, []string{"./own"}); !cmp.Equal(lack, diagnostics.Lack{}) || len(s.lacking) > 0 {
		t.Errorf("of what the lack does not explain: %+v, remembered %v", lack, s.lacking)
	}
	lack := of.Lacks(path, []string{"left", "./own"})
	if diff := cmp.Diff([]string{"left"}, lack.Names); diff != "" || !strings.HasPrefix(lack.Missing, "there is no node_modules") {
		t.Errorf("%q (-want +got):\n%s", lack.Missing, diff)
	}
	want := map[roots.Key]lacking{key: {path: path, names: []string{"left"}}}
	remembers := func(about string, want map[roots.Key]lacking) {
		t.Helper()
		if diff := cmp.Diff(want, s.Naming(s.names).lacking, cmp.AllowUnexported(lacking{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", about, diff)
		}
	}
	remembers("at first", want)
	s.Renew(d, roots.Key{ID: "typescript", Root: "elsewhere"}, path)
	s.Renew(d, key, path)
	remembers("while it lacks them", want)
	if err := os.MkdirAll(filepath.Join(root, "node_modules", "left"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.Renew(d, key, path)
	remembers("when they are there", map[roots.Key]lacking{})
	if lack := of.Lacks(path, []string{"left"}); !cmp.Equal(lack, diagnostics.Lack{}) {
		t.Errorf("when they are there: %+v", lack)
	}
}

// A caller is told of folders as it names files, and changes to no folder that it is in.
func TestFoldersOfCallers(t *testing.T) {
	s, root := opened(t, "-- sub/a.c --\n")
	inside := s.Naming(s.workspace.Names(filepath.Join(root, "sub")))
	got := []string{s.whereabouts(root), s.whereabouts(filepath.Join(root, "sub")), inside.whereabouts(filepath.Join(root, "sub")), s.Within(root, "make"), inside.Within(filepath.Join(root, "sub"), "make"), s.Within(root, "")}
	want := []string{"the current folder", "sub", "the current folder", "make", "make", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if command := s.Within(filepath.Join(root, "sub"), "make"); command != here("cd "+filepath.Join(root, "sub")+" && make") {
		t.Errorf("from outside: %s", command)
	}
	if lack := s.Lacks(&registry.Definition{ID: "none"}, filepath.Join(root, "a.none"), []string{"x"}); !cmp.Equal(lack, diagnostics.Lack{}) {
		t.Errorf("of a language without needs: %+v", lack)
	}
}
