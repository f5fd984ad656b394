package render

import (
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/result"
)

func closedTurn(outcome string) *result.ClosedTurn {
	return &result.ClosedTurn{
		Turn: "t1", Outcome: outcome, Round: 1, Limit: 2, Class: result.NewErrors,
		Files: []result.TurnFile{
			{Path: "a.go", Change: result.TurnModified, Class: result.NewErrors, Baseline: "head"},
			{Path: "b.py", Change: result.TurnCreated, Class: result.LSPUnavailable, Reason: "pyright: not\ninstalled"},
			{Path: "c.txt", Change: result.TurnDeleted},
		},
		Check: result.Check{Verdict: result.NewErrors, Files: []result.File{{
			Path: "a.go", Verdict: result.NewErrors, Baseline: "head",
			Servers:     []result.Answer{{Server: "gopls", Freshness: "fresh"}},
			Diagnostics: []result.Diagnostic{{Line: 3, Column: 4, Severity: "error", Message: "undefined: F", New: true, Server: "gopls"}},
		}}},
		Items: []result.ContextItem{{Kind: result.ContextDiagnostics, Text: "a.go: 1 finding\n"}, {Kind: result.ContextType, Text: "d.go:1 G\nfunc G()\n"}},
	}
}

// A turn that is to be closed reads as what becomes of it, how each file was judged, what is wrong, and
// what the code around it uses.
func TestTextsOfTurns(t *testing.T) {
	golden(t, "turn", Brief(&result.Turn{Turn: "t1", Commit: "0123456789abcdef", Files: 7, Kept: 2}))
	golden(t, "turn_self_correct", Brief(closedTurn(result.TurnSelfCorrect)))
	golden(t, "turn_escalate", Brief(closedTurn(result.TurnEscalate)))
	golden(t, "turn_closed", Brief(&result.ClosedTurn{Turn: "t2", Outcome: result.TurnClosed, Class: result.Clean, Check: result.Check{Verdict: result.Clean}}))
}

// With little room context goes first, then findings; what becomes of the turn stays.
func TestTurnFits(t *testing.T) {
	whole := len(Brief(closedTurn(result.TurnEscalate)))
	for max, kept := range map[int]string{whole: "func G()", whole - 1: "undefined: F", LeastBytes: "turn t1 closed: new_errors after 2 rounds; ask the user"} {
		closed := closedTurn(result.TurnEscalate)
		Fit(closed, max)
		if text := Brief(closed); len(text) > max || !strings.Contains(text, kept) || (closed.Cut == "") != (max == whole) {
			t.Errorf("%d bytes:\n%s", max, text)
		}
	}
}
