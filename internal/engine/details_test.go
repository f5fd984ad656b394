package engine

import (
	"errors"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// Whoever asks for the text of the lines gets it with each finding, and nobody
// else does.
func TestSourceLines(t *testing.T) {
	s := openShop(t, lsptest.Script{}, "-- toy.root --\n-- main.toy --\nfine\n\tan ERROR here\n")
	for _, wanted := range []string{"", "\tan ERROR here"} {
		result := s.check(api.CheckRequest{Files: []string{"main.toy"}, SourceLines: wanted != ""})
		if d := result.Files[0].Diagnostics; len(d) != 1 || d[0].SourceLine != wanted {
			t.Errorf("%+v, want the line %q", d, wanted)
		}
	}
}

// The status says what a server is doing, in the server's words.
func TestStatusTellsWork(t *testing.T) {
	s := openShop(t, lsptest.Script{Start: []lsptest.Action{
		lsptest.Notify("$/progress", `{"token":1,"value":{"kind":"begin","title":"Loading","message":"packages","percentage":40}}`),
		lsptest.Notify("$/progress", `{"token":2,"value":{"kind":"begin","title":"Indexing"}}`),
	}}, project)
	s.check(api.CheckRequest{Files: []string{"main.toy"}})
	result, err := api.Status.Do(t.Context(), s.Engine, api.StatusRequest{})
	if err != nil {
		t.Fatal(err)
	}
	works := result.Servers[0].Works
	if len(works) != 2 || works[0] != "Loading packages 40%" || works[1] != "Indexing" {
		t.Errorf("works %q", works)
	}
}

// Who asks for what came after an epoch waits until something came.
func TestDiagnosticsAfterEpoch(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	after := s.check(api.CheckRequest{Files: []string{"main.toy"}}).Epoch + 50
	got := make(chan result.Check, 1)
	go func() { // received below
		result, err := api.Diagnostics.Do(t.Context(), s.Engine, api.DiagnosticsRequest{AfterEpoch: after, TimeoutMS: 60_000})
		if err != nil {
			t.Error(err)
		}
		got <- result
	}()
	for {
		select {
		case result := <-got:
			if result.Epoch <= after {
				t.Errorf("epoch %d, want one after %d", result.Epoch, after)
			}
			return
		default:
			s.write("main.toy", "fine again\n")
			s.check(api.CheckRequest{Files: []string{"main.toy"}})
		}
	}
}

// Whoever wants a part of an inspection alone gets that alone, and a part that there
// is not is named.
func TestPartsOfAnInspection(t *testing.T) {
	s := openReal(t, "-- go.mod --\nmodule m\n\ngo 1.24\n-- a.go --\npackage m\n\n// A is one.\nfunc A() int { return 1 }\n\nvar B = A()\n", "gopls")
	at := api.Selector{At: "a.go:6 A"}
	both := do(t, s, api.Inspect, api.InspectRequest{Selector: at})
	hover := do(t, s, api.Inspect, api.InspectRequest{Selector: at, Parts: []string{"hover"}})
	definition := do(t, s, api.Inspect, api.InspectRequest{Selector: at, Parts: []string{"definition"}})
	if both.Hover == "" || both.Definition != "a.go:4:6" {
		t.Errorf("both: %+v", both)
	}
	if hover.Hover != both.Hover || hover.Definition != "" {
		t.Errorf("hover: %+v", hover)
	}
	if definition.Hover != "" || definition.Definition != both.Definition || definition.Signature != both.Signature {
		t.Errorf("definition: %+v", definition)
	}
	_, err := api.Inspect.Do(t.Context(), s.Engine, api.InspectRequest{Selector: at, Parts: []string{"colour"}})
	var wrong *api.ArgumentError
	if !errors.As(err, &wrong) || wrong.Argument != "parts" || wrong.Advice == "" {
		t.Errorf("%v", err)
	}
}
