package engine

import (
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/result"
)

// outcome completes the record of a call with its answer, and returns the events that follow from
// the answer: verdicts, new errors, a step of a simulation.
func (e *Engine) outcome(called *evidence.ToolCall, answer result.Result) (events []evidence.Event) {
	switch r := answer.(type) {
	case *result.Check:
		events = validated(called.Operation, r.Verdict, r.Files, r.Others)
	case *result.ClosedTurn:
		events = validated(called.Operation, r.Check.Verdict, r.Check.Files, r.Check.Others)
		if r.Outcome == result.TurnEscalate {
			events = append(events, givenUp(called.Operation, r.Round, r.Check.Files, r.Check.Others))
		}
	case *result.Edit:
		events = e.outcomeOfEdit(called, r)
	case *result.Fixes:
		if r.Edit != nil {
			events = e.outcomeOfEdit(called, r.Edit)
		}
	case *result.Command:
		if r.Edit != nil {
			events = e.outcomeOfEdit(called, r.Edit)
		}
	case *result.Simulation:
		step := &evidence.Simulated{Simulation: r.Session, Action: r.Action}
		if v := r.Evaluation; v != nil {
			step.Verdict, step.Confidence, step.NetDelta = v.Verdict, v.Confidence, v.NetDelta
		}
		if r.Commit != nil {
			step.Applied = r.Commit.Applied
			events = e.outcomeOfEdit(called, r.Commit)
		}
		events = append(events, step)
	}
	return events
}

// outcomeOfEdit completes the record of a change.
func (e *Engine) outcomeOfEdit(called *evidence.ToolCall, r *result.Edit) []evidence.Event {
	called.Edit, called.Applied = r.Summary, r.Applied
	var before, after int
	lists := [][]result.File{r.Files, r.Others}
	if of := e.governed.course; of != nil && of.counted.Files > 0 { // whichever severities the answer lists
		found := &of.counted
		before, after, lists = found.ErrorsBefore, found.ErrorsAfter, lists[1:]
		called.FilesChecked, called.WarningsBefore, called.WarningsAfter = found.Files, &found.WarningsBefore, &found.WarningsAfter
	}
	for _, files := range lists {
		for i := range files {
			made, fixed := errorsOf(&files[i])
			before += fixed + files[i].Older
			after += made + files[i].Older
		}
	}
	delta := after - before
	called.ErrorsBefore, called.ErrorsAfter, called.NetDelta = &before, &after, &delta
	events := validated(called.Operation, r.Verdict, r.Files, r.Others)
	if r.Escalate {
		events = append(events, givenUp(called.Operation, r.Rounds, r.Files, r.Others))
	}
	return events
}

// givenUp returns the event that a person should decide about the new errors in files.
func givenUp(operation string, rounds int, lists ...[]result.File) *evidence.GivenUp {
	of := &evidence.GivenUp{Operation: operation, Rounds: rounds}
	for _, files := range lists {
		for i := range files {
			switch made, _ := errorsOf(&files[i]); {
			case made == 0:
			case len(of.Files) == maxListed:
				of.More++
			default:
				of.Files = append(of.Files, files[i].Path)
			}
		}
	}
	return of
}

// errorsOf returns the numbers of new and of fixed errors in a file.
func errorsOf(f *result.File) (made, fixed int) {
	for i := range f.Diagnostics {
		if d := &f.Diagnostics[i]; d.New && d.Severity == "error" {
			made++
		}
	}
	for i := range f.Fixed {
		if f.Fixed[i].Severity == "error" {
			fixed++
		}
	}
	return made, fixed
}

// validated returns the events of a verdict: what was found in each file and, if there are any, the
// new errors.
func validated(operation, verdict string, lists ...[]result.File) []evidence.Event {
	of := &evidence.Validation{Operation: operation, Verdict: verdict, Files: []evidence.Validated{}}
	worse := &evidence.Regression{Operation: operation}
	for _, files := range lists {
		for i := range files {
			f := &files[i]
			made, _ := errorsOf(f)
			found := evidence.Validated{File: f.Path, Verdict: f.Verdict, Baseline: f.Baseline, New: made, Fixed: len(f.Fixed), Older: f.Older}
			if len(of.Files) < maxListed {
				of.Files = append(of.Files, found)
			} else {
				of.More++
			}
			addErrors(worse, f)
		}
	}
	events := []evidence.Event{of}
	if len(worse.Errors) > 0 {
		events = append(events, worse)
	}
	return events
}

// addErrors adds the new errors of a file, if it was compared with a baseline.
func addErrors(worse *evidence.Regression, f *result.File) {
	if f.Baseline == "" || f.Baseline == "none" {
		return
	}
	for i := range f.Diagnostics {
		d := &f.Diagnostics[i]
		switch {
		case !d.New || d.Severity != "error":
		case len(worse.Errors) == maxListed:
			worse.More++
		default:
			worse.Errors = append(worse.Errors, evidence.Finding{
				File: f.Path, Line: d.Line, Column: d.Column, Code: d.Code, Message: d.Message, Server: d.Server,
			})
		}
	}
}
