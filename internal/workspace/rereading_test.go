package workspace

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A server that goes on with what it derived from files as they were is shown its documents anew when a file changed
// that concerns it, and the look tells that it was told; another one, and for another file, is not.
func TestDocumentsAreShownAnew(t *testing.T) {
	type outcome struct {
		Heard string
		Told  bool
	}
	for name, c := range map[string]struct {
		quirks  []registry.Quirk
		written string
		want    outcome
	}{
		"a file of the project": {[]registry.Quirk{registry.OpenChanged}, "toy.root", outcome{"didClose didOpen hover", true}},
		"a file of nobody":      {[]registry.Quirk{registry.OpenChanged}, "other.json", outcome{}},
		"a server that sees it": {nil, "toy.root", outcome{}},
	} {
		journal := filepath.Join(t.TempDir(), "journal")
		d := lsptest.Script{JournalFile: journal, NoWatch: true}.Definition(t)
		d.Quirks, d.Diagnostics.Outside = c.quirks, registry.OutsideWatched
		w := open(t, "-- toy.root --\n-- a.toy --\nuse x\n-- other.json --\n", Options{Servers: registry.Table{d}})
		w.takePicture()
		server, err := w.Server(t.Context(), only(t, w, "a.toy"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := server.Sync(filepath.Join(w.Root(), "a.toy"), []byte("use x\n")); err != nil {
			t.Fatal(err)
		}
		seen := 0
		heard := func() (methods []string) {
			if err := server.Barrier(t.Context(), "textDocument/documentSymbol", filepath.Join(w.Root(), "a.toy")); err != nil {
				t.Fatal(err)
			}
			entries := lsptest.ReadJournal(t, journal)
			for _, e := range entries[seen:] {
				if method, about := strings.CutPrefix(e.Method, "textDocument/"); about && method != "documentSymbol" && method != "publishDiagnostics" {
					methods = append(methods, method)
				}
			}
			seen = len(entries)
			return methods
		}
		heard()
		lsptest.WriteFile(t, filepath.Join(w.Root(), c.written), "changed\n")
		swept, err := w.Sweep(t.Context(), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, outcome{strings.Join(heard(), " "), swept.Told}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
