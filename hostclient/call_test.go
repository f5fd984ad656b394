package hostclient

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/pkg/host"
	"github.com/lspine/lspine/pkg/types"
)

// A host works by way of the service as it does in its own process: checks and turns, with errors
// that have kinds. A service that is not there is one.
func TestHostOverAService(t *testing.T) {
	opts := options(t, "-- main.toy --\nERROR one\n", lsptest.Script{})
	c := started(t, opts)
	h := host.New(c)
	check, err := h.Check(t.Context(), types.CheckRequest{Files: []string{"main.toy"}, Baseline: "none"})
	if err != nil || check.Verdict != types.NewErrors || len(check.Files) != 1 || check.Files[0].Diagnostics[0].Message != "one" {
		t.Errorf("%+v %v", check, err)
	}
	if _, err := h.BeginTurn(t.Context()); err != nil {
		t.Error(err)
	}
	lsptest.WriteFile(t, opts.Root+"/main.toy", "ERROR one\nERROR two\n")
	closed, err := h.CloseTurn(t.Context(), types.CloseTurnRequest{})
	want := []types.TurnFile{{Path: "main.toy", Change: "modified", Class: types.NewErrors, Baseline: "before"}}
	if diff := cmp.Diff(want, closed.Files); diff != "" || err != nil || closed.Outcome != types.TurnSelfCorrect {
		t.Error(diff, closed.Outcome, err)
	}
	kindOf := func(_ types.Check, err error) types.Kind { return types.ErrorOf(err).Kind }
	if got := kindOf(h.Check(t.Context(), types.CheckRequest{Files: []string{"main.toy"}, Baseline: "yesterday"})); got != "argument" {
		t.Errorf("a wrong request is %q", got)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if got := kindOf(h.Check(canceled, types.CheckRequest{Files: []string{"main.toy"}})); got != "canceled" {
		t.Errorf("a canceled call is %q", got)
	}
	c.Shutdown(context.Background())
	if got := kindOf(h.Check(t.Context(), types.CheckRequest{Files: []string{"main.toy"}})); got != "unavailable" {
		t.Errorf("without a service a call is %q", got)
	}
}
