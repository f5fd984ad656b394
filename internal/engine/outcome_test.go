package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/result"
)

// A step of a simulation is on record with what it was judged to do, and whether it was written.
func TestRecordOfASimulation(t *testing.T) {
	evaluated := &result.Simulation{Action: "evaluate", Evaluation: &result.Evaluation{Verdict: result.NewErrors, Confidence: result.HighConfidence, NetDelta: 2}}
	evaluated.Session = "s1"
	want := []evidence.Event{&evidence.Simulated{Simulation: "s1", Action: "evaluate", Verdict: result.NewErrors, Confidence: result.HighConfidence, NetDelta: 2}}
	if diff := cmp.Diff(want, (&Engine{}).outcome(&evidence.ToolCall{Operation: "simulate"}, evaluated)); diff != "" {
		t.Error(diff)
	}
	listed := &result.Simulation{Action: "list"}
	if diff := cmp.Diff([]evidence.Event{&evidence.Simulated{Action: "list"}}, (&Engine{}).outcome(&evidence.ToolCall{}, listed)); diff != "" {
		t.Error(diff)
	}
}
