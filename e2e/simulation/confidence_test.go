package simulation

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// harmless are the verdicts that say that edits break nothing.
var harmless = []string{"", result.Clean, result.WarningsOnly, result.BaselineError}

// A server that hangs, and one that dies, make an evaluation that says so, is never harmless, and
// names no commit as what follows. The session stays: it can be evaluated again.
func TestConfidenceOfServersThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		script     lsptest.Script
		timeout    int // one that hangs is not waited for
		confidence string
		status     string
	}{
		"hangs": {
			lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/didChange", lsptest.Hang()).With("third").OnceIn(filepath.Join(t.TempDir(), "hung"))}},
			1000,
			result.LowConfidence, result.SimulationEvaluated,
		},
		"dies": {
			lsptest.Script{Rules: []lsptest.Rule{lsptest.OnNth("textDocument/didChange", 3, lsptest.Kill()).OnceIn(filepath.Join(t.TempDir(), "killed"))}},
			20_000,
			result.PartialConfidence, result.SimulationDirty,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenToy(t, c.script, lsptest.Project)
			s.Expect("main.toy clean")
			session := simulate(t, s, api.SimulateRequest{Action: "create"}).Session
			simulate(t, s, api.SimulateRequest{Action: "edit", Session: session, Edits: edits(writing("main.toy", "use helper\ndef another\n"))})
			evaluate := func(timeout int) result.Simulation {
				t.Helper()
				return simulate(t, s, api.SimulateRequest{Action: "evaluate", Session: session, Limits: api.Limits{TimeoutMS: timeout}})
			}
			known := func() {
				t.Helper()
				if a := evaluate(20_000); said(a.Evaluation) != "clean high" || a.Status != result.SimulationEvaluated || !strings.Contains(a.Next, "commit") {
					t.Errorf("%s, next %q: %+v", a.Status, a.Next, a.Evaluation)
				}
			}
			known()
			// What it said of the text from before would be an answer.
			simulate(t, s, api.SimulateRequest{Action: "edit", Session: session, Edits: edits(writing("main.toy", "use helper\ndef third\n"))})
			a := evaluate(c.timeout)
			if e := a.Evaluation; e.Confidence != c.confidence || slices.Contains(harmless, e.Verdict) || a.Status != c.status || strings.Contains(a.Next, "commit") {
				t.Errorf("%s, %s, next %q: %+v", said(e), a.Status, a.Next, e)
			}
			known()
		})
	}
}

// Where not all users are judged, because there are too many, the confidence is partial; in the
// scope of the workspace all are.
func TestUsersThatAreNotJudgedMakeItPartial(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, `
-- .lspine.jsonc --
{"lsp": {"maxDependants": 1}}
-- pyrightconfig.json --
{}
-- lib.py --
def half(a: int) -> int:
    return a // 2
-- one.py --
from lib import half

one = half(1)
-- two.py --
from lib import half

two = half(2)
`, "pyright")
	evaluated := func(scope string) string {
		t.Helper()
		return said(simulate(t, s, api.SimulateRequest{Action: "preview", Scope: scope, Edits: edits(writing("lib.py", "def half(b: int) -> int:\n    return b // 2\n"))}).Evaluation)
	}
	for _, c := range []struct{ scope, want string }{{"dependants", "unknown partial"}, {"workspace", "clean high"}, {"file", "clean high"}} {
		if got := evaluated(c.scope); got != c.want {
			t.Errorf("%s: %s, want %s", c.scope, got, c.want)
		}
	}
}

// said states an evaluation in two words.
func said(e *result.Evaluation) string { return e.Verdict + " " + e.Confidence }

// A chain whose server hangs at its second step is safe through the first alone.
func TestChainIsNotSafeThroughAStepThatIsNotKnown(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.OnNth("textDocument/didChange", 2, lsptest.Hang())}}, lsptest.Project)
	s.Expect("main.toy clean")
	session := simulate(t, s, api.SimulateRequest{Action: "create"}).Session
	chain := simulate(t, s, api.SimulateRequest{Action: "chain", Session: session, Limits: api.Limits{TimeoutMS: 1000}, Edits: edits(
		writing("main.toy", "use helper\n\n"), writing("main.toy", "use helper\n\n\n"),
	)}).Chain
	if chain.SafeThrough != 1 || len(chain.Steps) != 2 || chain.Steps[1].Confidence != result.LowConfidence || slices.Contains(harmless, chain.Steps[1].Verdict) {
		t.Errorf("%+v", chain)
	}
}
