package workspace

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A server that turns out to be another program than its command says is started once more
// as that, with what that program is told at its start; and known as such from then on. One
// that is built in is what its entry says.
func TestServerThatIsAnotherProgram(t *testing.T) {
	for name, configured := range map[string]bool{"configured": true, "built in": false} {
		t.Run(name, func(t *testing.T) {
			journal := filepath.Join(t.TempDir(), "journal")
			d := lsptest.Script{JournalFile: journal, Rules: []lsptest.Rule{
				lsptest.On("initialize", lsptest.Reply(`{"capabilities":{"textDocumentSync":2},"serverInfo":{"name":"gopls"}}`)),
			}}.Definition(t)
			d.Configured = registry.Configured{Command: configured, InitializationOptions: []byte(`{"mine":1}`)}
			w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{d}})
			want, n := "toy", 1
			if configured {
				want, n = "gopls", 2
			}
			for range 2 {
				s, err := w.Server(t.Context(), only(t, w, "a.toy"))
				if err != nil {
					t.Fatal(err)
				}
				if got := s.Definition().Runs(); got != want || s.Definition().ID != "toy" {
					t.Errorf("it is %s", got)
				}
				if got := starts(t, journal); got != n {
					t.Errorf("%d starts, want %d", got, n)
				}
				w.Stop(t.Context(), keyOf(t, w))
				n++
			}
			var told string
			for _, e := range lsptest.ReadJournal(t, journal) {
				if e.Method == "initialize" {
					told = string(e.Params)
				}
			}
			if says := strings.Contains(told, `"diagnosticsTrigger":"Save"`) && strings.Contains(told, `"mine":1`); says != configured {
				t.Errorf("it was told %s", told)
			}
		})
	}
}

func keyOf(t *testing.T, w *Workspace) roots.Key {
	c := only(t, w, "a.toy")
	return c.Key()
}
