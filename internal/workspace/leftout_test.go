package workspace

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// What tools keep for themselves is neither watched nor looked at; sources that they make are, beside it.
func TestScratchIsLeftOut(t *testing.T) {
	a := seat(t, "-- target/.rustc_info.json --\n-- target/debug/.fingerprint/c/a.toy --\n-- target/debug/incremental/c/s/a.toy --\n"+
		"-- target/debug/deps/a.toy --\n-- target/debug/examples/a.toy --\n-- target/debug/build/c/out/gen.toy --\n-- src/__pycache__/a.toy --\n-- src/gen/a.toy --\n")
	a.write("target/debug/incremental/c/s/a.toy", "1")
	a.write("target/debug/incremental/c/t/b.toy", "1")
	a.write("src/__pycache__/a.toy", "1")
	a.look()
	a.write("target/debug/build/c/out/gen.toy", "1")
	a.write("src/gen/a.toy", "1")
	a.look("changed src/gen/a.toy", "changed target/debug/build/c/out/gen.toy")

	if x := a.tree.watcher; x != nil {
		var watched []string
		for _, folder := range slices.Sorted(maps.Keys(x.watched)) {
			watched = append(watched, a.Relative(folder))
		}
		want := []string{".", "src", "src/gen", "target", "target/debug", "target/debug/build", "target/debug/build/c", "target/debug/build/c/out"}
		if diff := cmp.Diff(want, watched); diff != "" {
			t.Errorf("watched (-want +got):\n%s", diff)
		}
	}
}

// A folder that turns out to be one that only a tool uses is left out from then on. Nobody is told that its files are gone, as they
// are not.
func TestFoldersBecomeScratch(t *testing.T) {
	a := seat(t, "-- out/deps/sub/a.toy --\n-- out/build/b.toy --\n-- out/examples/notes --\n")
	a.write("out/deps/sub/a.toy", "1")
	a.look("changed out/deps/sub/a.toy")
	a.write("out/.fingerprint/c/a.toy", "1")
	a.look()
	a.write("out/deps/sub/a.toy", "22")
	a.look()
	a.remove("out/.fingerprint")
	a.look("created out/deps/sub/a.toy")
}

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
