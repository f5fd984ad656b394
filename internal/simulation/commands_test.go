package simulation_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A fix that only a command of the server makes is no step of a session: what it changes is known
// only when it is run, and nothing runs it.
func TestCommandsAreNoSteps(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	s := enginetest.OpenToy(t, lsptest.Script{
		JournalFile:  journal,
		Capabilities: json.RawMessage(`{"codeActionProvider":true,"executeCommandProvider":{"commands":["toy.fix"]}}`),
		Rules:        []lsptest.Rule{lsptest.On("textDocument/codeAction", lsptest.Reply(`[{"title":"Mend","command":"toy.fix"}]`))},
	}, toys)
	simulate(t, s, api.SimulateRequest{Action: "create"})
	fix := api.SimulatedEdit{Fix: &api.FixesRequest{Selector: api.Selector{File: "lib.toy", Line: 1}, Title: "Mend"}}
	got := refused(t, s, api.SimulateRequest{Action: "edit", Session: "s1", Edits: []api.SimulatedEdit{fix}})
	want := &result.Error{Kind: result.Argument, Message: `"Mend" is a command, toy.fix: what it changes is known only when it is run, so there is no preview`, Hint: "fixes without apply lists the actions with their diffs"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, e := range lsptest.ReadJournal(t, journal) {
		if e.Method == "workspace/executeCommand" {
			t.Errorf("the server was told to run %s", e.Params)
		}
	}
}
