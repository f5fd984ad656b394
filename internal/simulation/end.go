package simulation

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/result"
)

// commit writes the files of a session, all or none, or returns its changes as a patch.
func (s *Simulator) commit(ctx context.Context, of *session, req *api.SimulateRequest, answer *result.Simulation) error {
	if err := of.open(req.Action); err != nil {
		return err
	}
	changes := of.plan.Changes()
	if len(changes) == 0 {
		return &edit.NothingToChangeError{}
	}
	if !req.Apply {
		if req.WithTexts {
			answer.Texts = s.texts(changes)
		}
		answer.Diff = of.plan.Diff(s.Names.Relative)
		answer.Done = fmt.Sprintf("the changes of %d files as a patch; nothing is written", len(changes))
		return nil
	}
	made, err := s.Keep(ctx, api.Writing{Severities: req.Severities, Limits: req.Limits}, of.plan, func() error { return s.stale(of, of.plan) })
	var conflict *edit.ConflictError
	if errors.As(err, &conflict) { // somebody wrote between the last check and the write
		if stale := s.stale(of, of.plan); stale != nil {
			return stale
		}
	}
	if err != nil {
		return err
	}
	of.state = result.SimulationCommitted
	made.Summary = fmt.Sprintf("Committed %s: %d files written (%s).", of.id, len(changes), s.namesOf(changes))
	answer.Commit = &made
	return nil
}

// namesOf lists the changed files; of many, only the first ones.
func (s *Simulator) namesOf(changes []edit.Change) string {
	const most = 8
	var names []string
	for _, c := range changes[:min(most, len(changes))] {
		names = append(names, s.Names.Relative(c.Path))
	}
	if more := len(changes) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// texts returns the changed files with their new contents. A name under which a file no longer
// exists has the content "".
func (s *Simulator) texts(changes []edit.Change) (texts []result.FileText) {
	for _, c := range changes {
		if c.From != "" {
			texts = append(texts, result.FileText{Path: s.Names.Relative(c.From)})
		}
		texts = append(texts, result.FileText{Path: s.Names.Relative(c.Path), Text: string(c.After)})
	}
	return texts
}

// stale fails with a *StaleError if a file that the session changes is not as the session read it.
func (s *Simulator) stale(of *session, plan *edit.Plan) error {
	outdated, err := plan.Outdated()
	if err != nil || len(outdated) == 0 {
		return err
	}
	stale := &StaleError{Session: of.id}
	for _, f := range outdated {
		path := func(path string) string { return path }
		fits := edit.NewPlan(s.Files).Patch(plan.DiffOf(f.Path, path)) == nil
		stale.Files = append(stale.Files, StaleFile{Path: s.Names.Relative(f.Path), Read: f.Read, Now: f.Now, Fits: fits})
	}
	return stale
}

// discard drops the edits of a session. The session remains but accepts no more edits.
func (s *Simulator) discard(_ context.Context, of *session, req *api.SimulateRequest, answer *result.Simulation) error {
	if err := of.open(req.Action); err != nil {
		return err
	}
	of.plan, of.state = edit.NewPlan(s.Files), result.SimulationDiscarded
	answer.Done = fmt.Sprintf("the %d edits of %s are dropped; the disk is as it was", of.steps, of.id)
	return nil
}

// destroy removes a session.
func (s *Simulator) destroy(_ context.Context, of *session, _ *api.SimulateRequest, answer *result.Simulation) error {
	s.keeper.remove(of)
	of.plan, of.state = edit.NewPlan(s.Files), result.SimulationDestroyed
	answer.Done = of.id + " is gone"
	return nil
}
