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

// The signature of a call is asked for once, whether its type is wanted as well or not, and told.
func TestSignaturesAreAskedForOnce(t *testing.T) {
	t.Parallel()
	for _, kinds := range [][]string{{result.ContextSignature}, {result.ContextSignature, result.ContextType}} {
		journal := filepath.Join(t.TempDir(), "journal")
		s := enginetest.OpenToy(t, lsptest.Script{
			JournalFile: journal, Capabilities: json.RawMessage(`{"signatureHelpProvider":{}}`),
			Rules: []lsptest.Rule{
				lsptest.On("textDocument/signatureHelp", lsptest.Reply(`{"signatures":[{"label":"helper: a word"}]}`)),
				lsptest.On("textDocument/hover", lsptest.Reply(`{"contents":"It helps."}`)),
			},
		}, "-- toy.root --\n-- main.toy --\nuse helper(1)\n-- lib.toy --\ndef helper(1)\n")
		got := enginetest.Do(t, s, api.Assemble, api.AssembleRequest{Ranges: []api.Range{{File: "main.toy", StartLine: 1, EndLine: 1}}, Include: kinds})
		var signatures []string
		for _, item := range got.Items {
			if item.Kind == result.ContextSignature {
				signatures = append(signatures, item.Text)
			}
		}
		asked := 0
		for _, e := range lsptest.ReadJournal(t, journal) {
			if e.Kind == "request" && e.Method == "textDocument/signatureHelp" {
				asked++
			}
		}
		if diff := cmp.Diff([]string{"call of helper at main.toy:1:5\nhelper: a word\n"}, signatures); diff != "" || asked != 1 {
			t.Errorf("%v: asked %d times (-want +got):\n%s", kinds, asked, diff)
		}
	}
}
