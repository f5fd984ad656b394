package assembly_test

import (
	"encoding/json"
	"path"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// What files declare is asked for only of those whose source is wanted.
func TestOutlinesThatAreAskedFor(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string][]string{result.ContextDefinition: {"lib.toy"}, result.ContextType: nil} {
		journal := filepath.Join(t.TempDir(), "journal")
		s := enginetest.OpenToy(t, lsptest.Script{JournalFile: journal}, lsptest.Project)
		enginetest.Do(t, s, api.Assemble, api.AssembleRequest{Ranges: []api.Range{{File: "main.toy", StartLine: 1, EndLine: 1}}, Include: []string{kind}})
		var got []string
		for _, e := range lsptest.ReadJournal(t, journal) {
			if e.Method == "textDocument/documentSymbol" {
				var asked struct{ TextDocument struct{ URI string } }
				if err := json.Unmarshal(e.Params, &asked); err != nil {
					t.Fatal(err)
				}
				got = append(got, path.Base(asked.TextDocument.URI))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
	}
}
