package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// What changes in libraries is told like what changes in the tree, by looks and by sweeps, each once; of installed JavaScript,
// and of packages in packages, nothing.
func TestLibrariesAreLookedAt(t *testing.T) {
	for _, kind := range []string{"look", "sweep", "by turns"} {
		t.Run(kind, func(t *testing.T) {
			d := lsptest.Script{}.Definition(t)
			d.Roots = append(d.Roots, language.PackageJSON)
			w := open(t, "-- package.json --\n{}\n-- node_modules/lib/a.toy --\n-- node_modules/lib/sub/b.toy --\n-- node_modules/lib/c.js --\n-- node_modules/lib/node_modules/in/d.toy --\n-- src/e.toy --\n", Options{Servers: registry.Table{d}})
			w.follow(&d)
			path := func(name string) string { return filepath.Join(w.Root(), filepath.FromSlash(name)) }
			looks := 0
			look := func(want ...string) {
				t.Helper()
				lookAt := w.Sweep
				if looks++; kind == "look" || kind == "by turns" && looks%2 == 0 {
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
			look()
			for i := range 2 {
				text := fmt.Sprint(make([]int, i))
				lsptest.WriteFile(t, path("node_modules/lib/sub/b.toy"), text)
				lsptest.WriteFile(t, path("node_modules/lib/c.js"), text)
				lsptest.WriteFile(t, path("node_modules/lib/node_modules/in/d.toy"), text)
				look("node_modules/lib/sub/b.toy")
				look()
			}
			if err := os.RemoveAll(path("node_modules/lib")); err != nil {
				t.Fatal(err)
			}
			look("node_modules/lib/a.toy", "node_modules/lib/sub/b.toy")
			lsptest.WriteFile(t, path("node_modules/lib/new/f.toy"), "")
			look("node_modules/lib/new/f.toy")
			lsptest.WriteFile(t, path("node_modules/lib/new/f.toy"), "1")
			look("node_modules/lib/new/f.toy")
			look()
		})
	}
}
