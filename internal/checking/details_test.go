package checking_test

import (
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// Findings contain the text of their lines only on request.
func TestSourceLines(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, "-- toy.root --\n-- main.toy --\nfine\n\tan ERROR here\n")
	for _, wanted := range []string{"", "\tan ERROR here"} {
		result := s.Check(api.CheckRequest{Files: []string{"main.toy"}, SourceLines: wanted != ""})
		if d := result.Files[0].Diagnostics; len(d) != 1 || d[0].SourceLine != wanted {
			t.Errorf("%+v, want the line %q", d, wanted)
		}
	}
}

// A request for what came after an epoch waits until something has come.
func TestDiagnosticsAfterEpoch(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	after := s.Check(api.CheckRequest{Files: []string{"main.toy"}}).Epoch + 50
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
			s.Write("main.toy", "fine again\n")
			s.Check(api.CheckRequest{Files: []string{"main.toy"}})
		}
	}
}
