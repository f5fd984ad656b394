package simulation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// evaluate says what the edits of a session would break and mend.
func (s *Simulator) evaluate(ctx context.Context, of *session, req *api.SimulateRequest, answer *result.Simulation) error {
	if err := of.open(req.Action); err != nil {
		return err
	}
	evaluation, notes, err := s.judge(ctx, of, req)
	if err != nil {
		return err
	}
	answer.Evaluation, answer.Notes = evaluation, append(answer.Notes, notes...)
	if evaluation.Safe() && len(of.plan.Changes()) > 0 {
		answer.Next = fmt.Sprintf("simulate with action commit, session %q and apply true", of.id)
	}
	return nil
}

// judge evaluates a session as it is.
func (s *Simulator) judge(ctx context.Context, of *session, req *api.SimulateRequest) (*result.Evaluation, []string, error) {
	began := s.keeper.now()
	scope := cmp.Or(req.Scope, api.ScopeDependants)
	if len(of.plan.Changes()) == 0 {
		of.state = result.SimulationEvaluated
		return &result.Evaluation{
			Scope: scope, Verdict: result.Clean, Confidence: result.HighConfidence,
			Introduced: []result.FileFinding{}, Resolved: []result.FileFinding{}, Files: []result.File{},
		}, []string{"the session changes nothing: its files are as on disk"}, nil
	}
	if err := s.stale(of); err != nil {
		return nil, nil, err
	}
	judged, err := s.Judge(ctx, Judging{Scope: scope, Severities: req.Severities, OnDisk: req.OnDisk, Limits: req.Limits}, of.plan)
	if judged.Died {
		of.state = result.SimulationDirty
	}
	if err == nil {
		err = s.stale(of) // then it was judged against a text that is no longer there
	}
	if err != nil {
		return nil, nil, err
	}
	if !judged.Died {
		of.state = result.SimulationEvaluated
	}
	evaluation := evaluationOf(&judged.Edit)
	evaluation.Scope, evaluation.Confidence = scope, judged.Confidence
	evaluation.TookMS = s.keeper.now().Sub(began).Round(time.Millisecond).Milliseconds()
	return evaluation, slices.Concat(judged.Edit.State, judged.Edit.Notes), nil
}

// evaluationOf restates the answer to an edit that is not made.
func evaluationOf(e *result.Edit) *result.Evaluation {
	out := &result.Evaluation{
		Verdict: e.Verdict, Files: e.Files, Others: e.Others, Unknown: e.Unknown, Dependants: e.Dependants, Caps: e.Caps,
		Introduced: []result.FileFinding{}, Resolved: []result.FileFinding{},
	}
	errors := func(path string, list []result.Diagnostic) (found []result.FileFinding) {
		for _, d := range list {
			if d.Severity == "error" {
				found = append(found, result.FileFinding{File: path, Diagnostic: d})
			}
		}
		return found
	}
	for _, f := range slices.Concat(e.Files, e.Others) {
		out.Introduced = append(out.Introduced, errors(f.Path, f.Diagnostics)...)
		out.Resolved = append(out.Resolved, errors(f.Path, f.Fixed)...)
	}
	out.NetDelta = len(out.Introduced) - len(out.Resolved)
	return out
}

// chain adds edits one by one, and evaluates the session after each. It ends before an edit
// that cannot be made; the session keeps those before it.
func (s *Simulator) chain(ctx context.Context, of *session, req *api.SimulateRequest, answer *result.Simulation) error {
	if err := of.open(req.Action); err != nil {
		return err
	}
	chain := &result.Chain{Steps: []result.ChainStep{}}
	answer.Chain = chain
	var before []result.FileFinding
	for i := range req.Edits {
		plan, notes, err := s.draft(ctx, of.plan, req, i, i+1)
		if err == nil {
			err = of.take(plan, 1)
		}
		if err != nil && (i == 0 || ctx.Err() != nil) {
			return err
		}
		if err != nil {
			chain.Steps = append(chain.Steps, result.ChainStep{Step: i + 1, Introduced: []result.FileFinding{}, Error: result.ErrorOf(err)})
			break
		}
		evaluation, more, err := s.judge(ctx, of, req)
		if err != nil {
			return err
		}
		for _, note := range slices.Concat(notes, more) {
			if !slices.Contains(answer.Notes, note) {
				answer.Notes = append(answer.Notes, note)
			}
		}
		step := result.ChainStep{
			Step: i + 1, NetDelta: evaluation.NetDelta - chain.CumulativeDelta, Introduced: without(evaluation.Introduced, before),
			Verdict: evaluation.Verdict, Confidence: evaluation.Confidence,
		}
		if evaluation.Safe() {
			chain.SafeThrough = i + 1
		}
		chain.Steps, chain.CumulativeDelta = append(chain.Steps, step), evaluation.NetDelta
		answer.Evaluation, before = evaluation, evaluation.Introduced
	}
	return nil
}

// without returns the findings that are not among others, wherever they stand in their file:
// an edit moves lines.
func without(list, others []result.FileFinding) []result.FileFinding {
	type identity struct{ file, server, code, message string }
	of := func(f result.FileFinding) identity { return identity{f.File, f.Server, f.Code, f.Message} }
	known := make(map[identity]int)
	for _, f := range others {
		known[of(f)]++
	}
	left := []result.FileFinding{}
	for _, f := range list {
		if id := of(f); known[id] > 0 {
			known[id]--
		} else {
			left = append(left, f)
		}
	}
	return left
}
