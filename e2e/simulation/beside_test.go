package simulation

import (
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// Two clients evaluate at once, one Go and the other Python, while a third goes on asking: each is
// told what its own edits break in files that nobody opened, each time, and nothing of the others'.
func TestEvaluationsOfTwoLanguagesAtOnce(t *testing.T) {
	s := enginetest.OpenReal(t, `
-- go.mod --
module m

go 1.24
-- lib/lib.go --
package lib

func Sum(a, b int) int { return a + b }
-- app/app.go --
package app

import "m/lib"

func Use() int { return lib.Sum(1, 2) }
-- core.py --
def total(a: int, b: int) -> int:
    return a + b
-- use.py --
from core import total

print(total(1, 2))
`, "gopls", "pyright")
	before := errorsOf(t, s)
	type told struct {
		Verdict, Confidence string
		Introduced          []string
	}
	edit := map[string]api.FileEdit{
		"go":     enginetest.Replacing("lib/lib.go", "a, b int", "a, b, c int"),
		"python": enginetest.Replacing("core.py", "b: int", "b: int, c: int"),
	}
	const rounds = 8
	got := map[string][]told{"go": make([]told, rounds), "python": make([]told, rounds)}
	var clients, asker sync.WaitGroup
	for client, answers := range got {
		clients.Go(func() {
			for i := range answers {
				e := simulate(t, s, api.SimulateRequest{Action: "preview", Edits: edits(edit[client])}).Evaluation
				answers[i] = told{e.Verdict, e.Confidence, listOf(e.Introduced)}
			}
		})
	}
	done := make(chan struct{})
	asker.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			for _, at := range []string{"app/app.go:5:29", "use.py:3:8"} {
				found := enginetest.Do(t, s, api.Definition, api.DefinitionRequest{Selector: api.Selector{At: at}})
				if found.Total != 1 {
					t.Errorf("definition of %s: %+v", at, found)
				}
			}
		}
	})
	clients.Wait()
	close(done)
	asker.Wait()
	want := map[string]told{
		"go":     {result.NewErrors, result.HighConfidence, []string{"app/app.go:5:37 not enough arguments in call to lib.Sum\n\thave (number, number)\n\twant (int, int, int)"}},
		"python": {result.NewErrors, result.HighConfidence, []string{"use.py:3:7 Argument missing for parameter \"c\""}},
	}
	for client, answers := range got {
		for i, answer := range answers {
			if diff := gocmp.Diff(want[client], answer); diff != "" {
				t.Errorf("%s, evaluation %d (-want +got):\n%s", client, i+1, diff)
			}
		}
	}
	if diff := gocmp.Diff(before, errorsOf(t, s)); diff != "" {
		t.Errorf("afterwards (-before +after):\n%s", diff)
	}
}
