package simulation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/result"
)

// evaluate judges what the edits of a session would break and fix.
func (s *Simulator) evaluate(ctx context.Context, of *session, req *api.SimulateRequest, answer *result.Simulation) error {
	if err := of.open(req.Action); err != nil {
		return err
	}
	err := s.judge(ctx, of, req, []*edit.Plan{of.plan}, func(e *result.Evaluation, notes []string) error {
		answer.Evaluation, answer.Notes = e, append(answer.Notes, notes...)
		return nil
	})
	if err != nil {
		return err
	}
	if answer.Evaluation.Safe() && len(of.plan.Changes()) > 0 {
		answer.Next = fmt.Sprintf("simulate with action commit, session %q and apply true", of.id)
	}
	return nil
}

// judge evaluates plans one after the other, and calls evaluated for each once it is the plan of
// the session.
func (s *Simulator) judge(ctx context.Context, of *session, req *api.SimulateRequest, plans []*edit.Plan, evaluated func(*result.Evaluation, []string) error) error {
	how := Judging{Scope: cmp.Or(req.Scope, api.ScopeDependants), Severities: req.Severities, OnDisk: req.OnDisk, Limits: req.Limits}
	for len(plans) > 0 {
		n := slices.IndexFunc(plans, func(plan *edit.Plan) bool { return len(plan.Changes()) == 0 })
		if n == 0 {
			if err := of.follow(plans[0]); err != nil {
				return err
			}
			of.state = result.SimulationEvaluated
			if err := evaluated(unchanged(how.Scope), []string{"the session changes nothing: its files are as on disk"}); err != nil {
				return err
			}
			plans = plans[1:]
			continue
		}
		if n < 0 {
			n = len(plans)
		}
		if err := s.judgeChanges(ctx, of, how, plans[:n], evaluated); err != nil {
			return err
		}
		plans = plans[n:]
	}
	return nil
}

// unchanged returns the evaluation of a plan without changes.
func unchanged(scope string) *result.Evaluation {
	return &result.Evaluation{
		Scope: scope, Verdict: result.Clean, Confidence: result.HighConfidence,
		Introduced: []result.FileFinding{}, Resolved: []result.FileFinding{}, Files: []result.File{},
	}
}

// judgeChanges evaluates plans that all have changes.
func (s *Simulator) judgeChanges(ctx context.Context, of *session, how Judging, plans []*edit.Plan, evaluated func(*result.Evaluation, []string) error) error {
	if err := s.stale(of, plans[len(plans)-1]); err != nil {
		return err
	}
	began := s.keeper.now()
	return s.Judge(ctx, how, plans, func(j Judged) error {
		if err := of.follow(plans[0]); err != nil {
			return err
		}
		plans = plans[1:]
		if j.Died {
			of.state = result.SimulationDirty
		}
		if err := s.stale(of, of.plan); err != nil {
			return err // the text it was judged against is no longer there
		}
		if !j.Died {
			of.state = result.SimulationEvaluated
		}
		e, now := evaluationOf(&j.Edit), s.keeper.now()
		e.Scope, e.Confidence = how.Scope, j.Confidence
		e.TookMS, began = now.Sub(began).Round(time.Millisecond).Milliseconds(), now
		return evaluated(e, slices.Concat(j.Edit.State, j.Edit.Notes))
	})
}

// evaluationOf returns the evaluation that follows from a preview.
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

// chain adds edits one by one and evaluates the session after each. It stops before the first edit
// that cannot be made; the session keeps the edits before it.
func (s *Simulator) chain(ctx context.Context, of *session, req *api.SimulateRequest, answer *result.Simulation) error {
	if err := of.open(req.Action); err != nil {
		return err
	}
	plans, notes, failed := s.draftEach(ctx, of.plan, req)
	if failed != nil && (len(plans) == 0 || ctx.Err() != nil) {
		return failed
	}
	chain := &result.Chain{Steps: []result.ChainStep{}}
	answer.Chain = chain
	var before []result.FileFinding
	err := s.judge(ctx, of, req, plans, func(e *result.Evaluation, more []string) error {
		i := len(chain.Steps)
		for _, note := range slices.Concat(notes[i], more) {
			if !slices.Contains(answer.Notes, note) {
				answer.Notes = append(answer.Notes, note)
			}
		}
		chain.Steps = append(chain.Steps, result.ChainStep{
			Step: i + 1, NetDelta: e.NetDelta - chain.CumulativeDelta, Introduced: without(e.Introduced, before),
			Verdict: e.Verdict, Confidence: e.Confidence,
		})
		if e.Safe() {
			chain.SafeThrough = i + 1
		}
		chain.CumulativeDelta, answer.Evaluation, before = e.NetDelta, e, e.Introduced
		return nil
	})
	if failed != nil {
		chain.Steps = append(chain.Steps, result.ChainStep{Step: len(plans) + 1, Introduced: []result.FileFinding{}, Error: result.ErrorOf(failed)})
	}
	return err
}

// draftEach returns a plan for each edit, which includes the changes of the edits before it, and
// the notes on each. At an edit that cannot be made, it returns the plans so far and the error.
func (s *Simulator) draftEach(ctx context.Context, plan *edit.Plan, req *api.SimulateRequest) (plans []*edit.Plan, notes [][]string, err error) {
	for i := range req.Edits {
		next, noted, err := s.draft(ctx, plan, req, i, i+1)
		if err == nil {
			err = bounded(next)
		}
		if err != nil {
			return plans, notes, err
		}
		plans, notes, plan = append(plans, next), append(notes, noted), next
	}
	return plans, notes, nil
}

// without returns the findings that are not among others, regardless of their position in the file,
// because edits move lines.
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
