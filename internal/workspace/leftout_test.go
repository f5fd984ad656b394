package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Installed packages of Python are looked at once a server starts that reads them: what changes, comes and goes there is told.
func TestPackagesAreLookedAtForTheirServers(t *testing.T) {
	const site = ".venv/lib/python3.12/site-packages/"
	archive := "-- toy.root --\n-- first.toy --\n-- .venv/pyvenv.cfg --\n-- " + site + "a/__init__.toy --\n-- " + site + "a/sub/b.toy --\n"
	for _, kind := range []string{"look", "sweep"} {
		for file, told := range map[string]bool{"a.py": true, "a.hpp": true, "a.ts": false} {
			t.Run(kind+" "+file, func(t *testing.T) {
				d := lsptest.Script{}.Definition(t)
				d.Languages = append(d.Languages, registry.Language{ID: string(language.Of(file).ID), Patterns: []string{filepath.Ext(file)}})
				w := open(t, archive, Options{Servers: registry.Table{d}})
				path := func(name string) string { return filepath.Join(w.Root(), filepath.FromSlash(name)) }
				server, err := w.Server(t.Context(), only(t, w, "first.toy"))
				if err != nil {
					t.Fatal(err)
				}
				if err := server.Barrier(t.Context(), "textDocument/documentSymbol", path("first.toy")); err != nil { // what it wants to hear of came
					t.Fatal(err)
				}
				look := func(want ...string) {
					t.Helper()
					lookAt := w.Sweep
					if kind == "look" {
						lookAt = w.Look
					}
					swept, err := lookAt(t.Context(), nil)
					var got []string
					for _, path := range swept.Changed {
						got = append(got, w.Relative(path))
					}
					slices.Sort(got)
					if diff := cmp.Diff(want, got); diff != "" || err != nil {
						t.Errorf("%v (-want +got):\n%s", err, diff)
					}
				}
				if !told {
					lsptest.WriteFile(t, path(site+"a/sub/b.toy"), "1")
					look()
					return
				}
				look()
				lsptest.WriteFile(t, path(site+"a/sub/b.toy"), "1")
				look(site + "a/sub/b.toy")
				look()
				lsptest.WriteFile(t, path("other/pyvenv.cfg"), "")
				lsptest.WriteFile(t, path("other/lib/python3.12/site-packages/c.toy"), "")
				look("other/lib/python3.12/site-packages/c.toy", "other/pyvenv.cfg")
				lsptest.WriteFile(t, path("other/lib/python3.12/site-packages/c.toy"), "1")
				look("other/lib/python3.12/site-packages/c.toy")
				if err := os.RemoveAll(path(".venv")); err != nil {
					t.Fatal(err)
				}
				look(site+"a/__init__.toy", site+"a/sub/b.toy", ".venv/pyvenv.cfg")
				look()
			})
		}
	}
}

// Files of the repository that are where only tools look are no sources of the project.
func TestSourcesLeaveOutScratch(t *testing.T) {
	r := lsptest.NewRepository(t, "-- a.ts --\n-- .mypy_cache/b.ts --\n-- target/debug/.fingerprint/x/c.ts --\n-- target/debug/deps/d.ts --\n-- target/debug/examples/f.ts --\n"+
		"-- target/debug/build/e.ts --\n")
	r.Commit()
	w := open(t, "", Options{Root: r.Root, Environ: lsptest.GitEnvironment, Servers: scripts()})
	files, err := w.Sources(t.Context())
	if diff := cmp.Diff([]string{"a.ts", "target/debug/build/e.ts"}, r.Names(files)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
