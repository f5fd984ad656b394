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

// An answer that holds a change completes the record of its call with it, whatever the operation; one without
// a change does not.
//
// Requirement: SYN-15, SYN-16, AGENT-39.
func TestRecordOfAChange(t *testing.T) {
	wrong, was := result.Diagnostic{Severity: "error", Message: "wrong", New: true, Line: 3, Column: 4, Code: "E1", Server: "toy"}, result.Diagnostic{Severity: "error"}
	change := &result.Edit{Applied: true, Summary: "one file"}
	change.Verdict = "new_errors"
	change.Files = []result.File{{Path: "a.toy", Verdict: "new_errors", Baseline: "before", Older: 2, Diagnostics: []result.Diagnostic{wrong, {Severity: "error"}, {Severity: "warning", New: true}}}}
	change.Others = []result.File{{Path: "b.toy", Verdict: "clean", Baseline: "none", Fixed: []result.Diagnostic{was, was, {Severity: "warning"}}, Diagnostics: []result.Diagnostic{wrong}}}
	number := func(n int) *int { return &n }
	changed := evidence.ToolCall{Operation: "op", Edit: "one file", Applied: true, ErrorsBefore: number(4), ErrorsAfter: number(4), NetDelta: number(0)}
	files := []evidence.Validated{
		{File: "a.toy", Verdict: "new_errors", Baseline: "before", New: 1, Older: 2}, {File: "b.toy", Verdict: "clean", Baseline: "none", New: 1, Fixed: 3},
	}
	judged := []evidence.Event{
		&evidence.Validation{Operation: "op", Verdict: "new_errors", Files: files},
		&evidence.Regression{Operation: "op", Errors: []evidence.Finding{{File: "a.toy", Line: 3, Column: 4, Code: "E1", Message: "wrong", Server: "toy"}}},
	}
	step := &result.Simulation{Action: "commit", Commit: change}
	step.Session = "s1"
	check := result.Check{Verdict: "new_errors", Files: change.Files, Others: change.Others}
	again := *change
	again.Escalate, again.Rounds = true, 4
	left := append(judged[:2:2], &evidence.GivenUp{Operation: "op", Rounds: 4, Files: []string{"a.toy", "b.toy"}})
	for name, c := range map[string]struct {
		answer result.Result
		call   evidence.ToolCall
		events []evidence.Event
	}{
		"edit":                    {change, changed, judged},
		"fixes":                   {&result.Fixes{Edit: change}, changed, judged},
		"fixes that are listed":   {&result.Fixes{}, evidence.ToolCall{Operation: "op"}, nil},
		"command":                 {&result.Command{Edit: change}, changed, judged},
		"command without an edit": {&result.Command{}, evidence.ToolCall{Operation: "op"}, nil},
		"check":                   {&check, evidence.ToolCall{Operation: "op"}, judged},
		"turn":                    {&result.ClosedTurn{Check: check}, evidence.ToolCall{Operation: "op"}, judged},
		"edit that is not mended": {&again, changed, left},
		"turn that is given up":   {&result.ClosedTurn{Check: check, Outcome: result.TurnEscalate, Round: 4}, evidence.ToolCall{Operation: "op"}, left},
		"commit of a simulation":  {step, changed, append(judged[:2:2], &evidence.Simulated{Simulation: "s1", Action: "commit", Applied: true})},
		"question":                {&result.Places{}, evidence.ToolCall{Operation: "op"}, nil},
	} {
		called := evidence.ToolCall{Operation: "op"}
		events := (&Engine{}).outcome(&called, c.answer)
		if diff := cmp.Diff(c.events, events); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(c.call, called); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Lists on record are bounded, and say how much more there was.
func TestRecordsAreBounded(t *testing.T) {
	wrong := result.Diagnostic{Severity: "error", New: true}
	var files []result.File
	for range maxListed + 2 {
		files = append(files, result.File{Baseline: "head", Diagnostics: []result.Diagnostic{wrong, wrong}})
	}
	events := validated("check", "new_errors", files)
	if len(events) != 2 {
		t.Fatalf("%+v", events)
	}
	of, worse := events[0].(*evidence.Validation), events[1].(*evidence.Regression)
	got := [4]int{len(of.Files), of.More, len(worse.Errors), worse.More}
	if diff := cmp.Diff([4]int{maxListed, 2, maxListed, maxListed + 4}, got); diff != "" {
		t.Error(diff)
	}
}
