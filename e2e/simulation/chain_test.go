package simulation

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// judged is what is compared of an evaluation.
type judged struct {
	Verdict, Confidence  string
	Delta                int
	Introduced, Resolved []string
}

// Each step of a chain is judged as an evaluation of the same edits is: a signature breaks its
// users, each is mended in a step of its own, and then an older error. Nothing of it is left.
func TestChainsSayWhatEvaluationsSay(t *testing.T) {
	for _, p := range []project{goProject, scriptProject("typescript"), scriptProject("typescript-language-server"), pythonProject} {
		t.Run(p.server, func(t *testing.T) {
			t.Parallel()
			s := p.open(t)
			before := errorsOf(t, s)
			var steps []api.FileEdit
			for _, name := range []string{"whole", "mended"} {
				for _, e := range p.edits {
					if e.name == name {
						steps = append(steps, e.list...)
					}
				}
			}
			create := api.SimulateRequest{Action: "create"}
			var want []judged
			single := simulate(t, s, create).Session
			for _, step := range steps {
				simulate(t, s, api.SimulateRequest{Action: "edit", Session: single, Edits: edits(step)})
				e := simulate(t, s, api.SimulateRequest{Action: "evaluate", Session: single}).Evaluation
				want = append(want, judged{e.Verdict, e.Confidence, e.NetDelta, listOf(e.Introduced), listOf(e.Resolved)})
			}
			chained := simulate(t, s, create).Session
			answer := simulate(t, s, api.SimulateRequest{Action: "chain", Session: chained, Edits: edits(steps...)})
			sum := 0
			for i, step := range answer.Chain.Steps {
				sum += step.NetDelta
				got, wanted := judged{Verdict: step.Verdict, Confidence: step.Confidence, Delta: sum}, want[i]
				if i == len(steps)-1 {
					got.Introduced, got.Resolved = listOf(answer.Evaluation.Introduced), listOf(answer.Evaluation.Resolved)
				} else {
					wanted.Introduced, wanted.Resolved = nil, nil
				}
				if diff := gocmp.Diff(wanted, got); diff != "" {
					t.Errorf("step %d (-evaluation +chain):\n%s", i+1, diff)
				}
			}
			last := len(steps)
			if answer.Chain.SafeThrough != last || answer.Chain.CumulativeDelta != -1 || want[0].Verdict != result.NewErrors {
				t.Errorf("%+v after %+v", answer.Chain, want)
			}
			if diff := gocmp.Diff(before, errorsOf(t, s)); diff != "" {
				t.Errorf("after the chain there are others (-before +after):\n%s", diff)
			}
		})
	}
}
