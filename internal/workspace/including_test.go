package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A server counts as told when a file changes that its files include by name, of whatever ending and wherever it is, also one that
// they came to include later; files that nobody includes are not its concern. It is the same with a watcher and without one.
func TestIncludedFilesThatChange(t *testing.T) {
	for name, look := range map[string]func(w *Workspace) (Swept, error){
		"a look": func(w *Workspace) (Swept, error) { return w.Look(t.Context(), nil) },
		"a look of a check that shows the file": func(w *Workspace) (Swept, error) {
			return w.Look(t.Context(), []string{filepath.Join(w.Root(), "root", "src", "a.rs")})
		},
		"a sweep": func(w *Workspace) (Swept, error) { return w.Sweep(t.Context(), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			toy := lsptest.Script{}.Definition(t)
			toy.Languages = []registry.Language{{ID: "rust", Patterns: []string{".rs"}}, {ID: "cpp", Patterns: []string{".cpp"}}}
			w := open(t, "-- root/toy.root --\n-- root/src/a.rs --\nconst A: &[u8] = include_bytes!(\"../a.bin\");\ninclude!(\"../../b.in\");\ninclude!(\"../../../outside.in\");\n"+
				"-- root/src/b.cpp --\n#include <s/c.frag>\n#include \"late.frag\"\n-- root/a.bin --\n-- root/other.bin --\n-- b.in --\n-- root/include/s/c.frag --\n",
				Options{Servers: registry.Table{toy}})
			at := func(name string) string { return filepath.Join(w.Root(), filepath.FromSlash(name)) }
			if _, err := look(w); err != nil {
				t.Fatal(err)
			}
			s, err := w.Server(t.Context(), only(t, w, "root/src/a.rs"))
			if err != nil {
				t.Fatal(err)
			}
			if name == "a look of a check that shows the file" {
				text, err := os.ReadFile(at("root/src/a.rs"))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Sync(at("root/src/a.rs"), text); err != nil {
					t.Fatal(err)
				}
			}
			text := "x"
			write := func(name string) func() {
				return func() {
					text += "x"
					lsptest.WriteFile(t, at(name), text)
				}
			}
			remove := func(name string) func() {
				return func() {
					if err := os.Remove(at(name)); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, step := range []struct {
				name  string
				do    func()
				reads bool
			}{
				{"nothing", func() {}, false},
				{"another file", write("root/other.bin"), false},
				{"an included one", write("root/a.bin"), true},
				{"nothing again", func() {}, false},
				{"it is gone", remove("root/a.bin"), true},
				{"it is back", write("root/a.bin"), true},
				{"one beside the project", write("b.in"), true},
				{"it is gone, too", remove("b.in"), true},
				{"one outside of the workspace", write("../outside.in"), true},
				{"one in a folder of the build", write("root/include/s/c.frag"), true},
				{"one that was missing", write("root/include/late.frag"), true},
				{"a file includes another", func() {
					lsptest.WriteFile(t, at("root/src/a.rs"), "const A: &str = include_str!(\"../other.bin\");\n")
				}, false},
				{"that one", write("root/other.bin"), true},
				{"the one before", write("root/a.bin"), false},
			} {
				before := s.Generation()
				lsptest.Tick(t)
				step.do()
				swept, err := look(w)
				if err != nil {
					t.Fatal(err)
				}
				if reads := s.Generation() != before; reads != step.reads || step.reads && !swept.Told {
					t.Errorf("%s: the server counts as told: %t, and %t; want %t", step.name, reads, swept.Told, step.reads)
				}
			}
			if diff := cmp.Diff(1, len(w.tree.inclusions)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
