package engine

import (
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// Whoever asks for the text of the lines gets it with each finding, and nobody
// else does.
func TestSourceLines(t *testing.T) {
	s := openShop(t, lsptest.Script{}, "-- toy.root --\n-- main.toy --\nfine\n\tan ERROR here\n")
	for _, wanted := range []string{"", "\tan ERROR here"} {
		result := s.check(CheckRequest{Files: []string{"main.toy"}, SourceLines: wanted != ""})
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
	s.check(CheckRequest{Files: []string{"main.toy"}})
	result, err := Status.Do(t.Context(), s.Engine, StatusRequest{})
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
	after := s.check(CheckRequest{Files: []string{"main.toy"}}).Epoch + 50
	got := make(chan CheckResult, 1)
	go func() { // received below
		result, err := Diagnostics.Do(t.Context(), s.Engine, DiagnosticsRequest{AfterEpoch: after, TimeoutMS: 60_000})
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
			s.check(CheckRequest{Files: []string{"main.toy"}})
		}
	}
}
