package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Names stand for files: a folder for what a server knows in it, a glob for what it
// matches, a file for itself, whether or not it is there; each once. Ignored files are
// left out, with a checkout and without. Names are from the caller's folder, which may be a link.
func TestExpand(t *testing.T) {
	archive := "-- toy.root --\n-- a.toy --\n-- sub/b.toy --\n-- sub/deep/c.toy --\n-- sub/notes.txt --\n-- out/made.toy --\n-- .gitignore --\nout/\n-- empty/x.txt --\n"
	r := lsptest.NewRepository(t, archive)
	for name, w := range map[string]*Workspace{
		"with a checkout":    open(t, "", Options{Root: r.Root, Environ: lsptest.GitEnvironment, Servers: toys()}),
		"without a checkout": open(t, archive, Options{Environ: append(slices.Clone(lsptest.GitEnvironment), "GIT_CEILING_DIRECTORIES="+os.TempDir()), Servers: toys()}),
	} {
		symlink(t, filepath.Join(w.Root(), "sub", "deep"), filepath.Join(w.Root(), "link"))
		for _, c := range []struct {
			base  string
			names []string
			want  []string
		}{
			{"", []string{"."}, []string{"a.toy", "sub/b.toy", "sub/deep/c.toy"}},
			{"", []string{"./..."}, []string{"a.toy", "sub/b.toy", "sub/deep/c.toy"}},
			{"sub", []string{"."}, []string{"sub/b.toy", "sub/deep/c.toy"}},
			{"", []string{"sub/..."}, []string{"sub/b.toy", "sub/deep/c.toy"}},
			{"", []string{"**/*.toy"}, []string{"a.toy", "sub/b.toy", "sub/deep/c.toy"}},
			{"", []string{"*.toy"}, []string{"a.toy"}},
			{"sub", []string{"*.toy"}, []string{"sub/b.toy"}},
			{"link", []string{"*.toy"}, []string{"sub/deep/c.toy"}},
			{"link", []string{filepath.Join(w.Root(), "*.toy")}, []string{"a.toy"}},
			{"", []string{"missing.toy", "sub/notes.txt"}, []string{"missing.toy", "sub/notes.txt"}},
			{"", []string{"out/made.toy"}, []string{"out/made.toy"}},
			{"", []string{"sub/deep", "sub"}, []string{"sub/deep/c.toy", "sub/b.toy"}},
		} {
			files, err := w.Expand(t.Context(), filepath.Join(w.Root(), c.base), c.names)
			var got []string
			for _, f := range files {
				if filepath.IsAbs(f) {
					f = w.Relative(f)
				}
				got = append(got, f)
			}
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("%s, from %q %q: %v (-want +got):\n%s", name, c.base, c.names, err, diff)
			}
		}
		var nothing *NotDiagnosedError
		for _, names := range []string{"empty", "*.none", "out"} {
			if files, err := w.Expand(t.Context(), w.Root(), []string{names}); !errors.As(err, &nothing) {
				t.Errorf("%s, %s: %q, %v", name, names, files, err)
			}
		}
	}
}

// Without git a folder stands for what is in it now, and not for what was there at the last look.
func TestExpandWithoutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	w := open(t, "-- a.toy --\n-- node_modules/x.toy --\n", Options{Servers: toys()})
	var got []string
	for _, name := range []string{"", "new/below/b.toy"} {
		if name != "" {
			lsptest.WriteFile(t, filepath.Join(w.Root(), filepath.FromSlash(name)), "")
		}
		files, err := w.Expand(t.Context(), w.Root(), []string{"."})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			got = append(got, w.Relative(f))
		}
	}
	if diff := cmp.Diff([]string{"a.toy", "a.toy", "new/below/b.toy"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// toys is one server for the files of these tests.
func toys() registry.Table {
	return registry.Table{{ID: "toy", Languages: []registry.Language{{ID: "toy", Patterns: []string{".toy"}}}, Commands: []registry.Command{{Binary: "toy-server"}}, SingleFile: true, Role: registry.Primary}}
}
