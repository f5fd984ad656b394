// Package simulation keeps sessions of edits that exist only in memory, and reports what they would
// break before they are written. Servers see the texts of a session only while it is evaluated, or
// while they draft one of its edits. Functions in [Options] do the drafting, judging and writing.
package simulation

import (
	"context"
	"fmt"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// Options configure the simulator of one caller.
type Options struct {
	// Owner is the name of the caller's session. The caller cannot see the simulations of other
	// owners.
	Owner string
	Names workspace.Names
	// Files are the files on disk that may be edited.
	Files edit.Files
	// Editor returns an editor that drafts into a plan. If alone is false, servers may help, and
	// see the texts of the plan meanwhile.
	Editor func(plan *edit.Plan, alone bool) Editor
	// Judge calls judged for each plan in turn, none of them empty, with what its changes would
	// break, as a preview does. It stops at the first error from judged and returns it.
	Judge func(ctx context.Context, how Judging, plans []*edit.Plan, judged func(Judged) error) error
	// Keep writes the changes of a plan, all or none. It calls current once nobody else can write;
	// if current returns an error, Keep writes nothing and returns that error.
	Keep func(ctx context.Context, how api.Writing, plan *edit.Plan, current func() error) (result.Edit, error)
}

// An Editor drafts changes into a plan. Its methods are the operations of the same names.
type Editor interface {
	EditFiles(ctx context.Context, req api.EditRequest) (result.Edit, error)
	Rename(ctx context.Context, req api.RenameRequest) (result.Edit, error)
	EditSymbol(ctx context.Context, req api.EditSymbolRequest) (result.Edit, error)
	Fixes(ctx context.Context, req api.FixesRequest) (result.Fixes, error)
}

// A Judging says how to judge changes. Its fields are those of [api.SimulateRequest].
type Judging struct {
	Scope      string
	Severities []string
	OnDisk     bool
	api.Limits
}

// A Judged says what changes would break.
type Judged struct {
	Edit result.Edit
	// Confidence is one of the confidences of package result.
	Confidence string
	// Died reports that a server ended during the judgement, so its result is unknown.
	Died bool
}

// A Simulator works with the simulations of one caller. It is safe for concurrent use; calls for
// the same simulation wait for each other.
type Simulator struct {
	Options
	keeper *Keeper
}

// For returns the simulator of one caller.
func (k *Keeper) For(o Options) *Simulator { return &Simulator{o, k} }

// Simulate carries out one action. It fails with an [*UnknownSessionError], [*TooManyError],
// [*TooLargeError], [*StateError] or [*StaleError], or with an [*api.ArgumentError] if the request
// is invalid.
func (s *Simulator) Simulate(ctx context.Context, req api.SimulateRequest) (result.Simulation, error) {
	if err := check(&req); err != nil {
		return result.Simulation{}, err
	}
	var act func(context.Context, *session, *api.SimulateRequest, *result.Simulation) error
	switch req.Action {
	case api.SimulateCreate:
		made, err := s.keeper.create(s.Owner, req.Label, edit.NewPlan(s.Files))
		if err != nil {
			return result.Simulation{}, err
		}
		return result.Simulation{
			Action: req.Action, SimulationSession: s.told(made), Done: "created " + made.id,
			Head: result.Head{Next: fmt.Sprintf("simulate with action edit, session %q and edits", made.id)},
		}, nil
	case api.SimulateList:
		return s.list(), nil
	case api.SimulatePreview:
		return s.preview(ctx, &req)
	case api.SimulateEdit:
		act = s.edit
	case api.SimulateEvaluate:
		act = s.evaluate
	case api.SimulateChain:
		act = s.chain
	case api.SimulateCommit:
		act = s.commit
	case api.SimulateDiscard:
		act = s.discard
	case api.SimulateDestroy:
		act = s.destroy
	}
	of, err := s.keeper.find(s.Owner, req.Session)
	if err != nil {
		return result.Simulation{}, err
	}
	release, err := s.keeper.use(ctx, of)
	if err != nil {
		return result.Simulation{}, err
	}
	defer release()
	answer := result.Simulation{Action: req.Action}
	if err := act(ctx, of, &req, &answer); err != nil {
		return result.Simulation{}, err
	}
	answer.SimulationSession = s.told(of)
	return answer, nil
}

// check validates a request without looking at sessions.
func check(req *api.SimulateRequest) error {
	if err := req.Valid(); err != nil {
		return err
	}
	takesEdits, judges := false, false
	switch req.Action {
	case api.SimulateCreate, api.SimulateList, api.SimulateCommit, api.SimulateDiscard, api.SimulateDestroy:
	case api.SimulateEdit:
		takesEdits = true
	case api.SimulateEvaluate:
		judges = true
	case api.SimulateChain, api.SimulatePreview:
		takesEdits, judges = true, true
	default:
		reason := fmt.Sprintf("%q is no action", req.Action)
		if req.Action == "" {
			reason = "it is missing"
		}
		return &api.ArgumentError{Argument: "action", Reason: reason, Advice: "actions are create, edit, evaluate, chain, commit, discard, destroy, list and preview"}
	}
	needsSession := req.Action != api.SimulateCreate && req.Action != api.SimulateList && req.Action != api.SimulatePreview
	switch {
	case needsSession && req.Session == "":
		return &api.ArgumentError{Argument: "session", Reason: "it is missing", Advice: "simulate with action create makes one; simulate with action list names those there are"}
	case !needsSession && req.Session != "":
		return &api.ArgumentError{Argument: "session", Reason: req.Action + " takes none", Advice: "leave it out"}
	case takesEdits && len(req.Edits) == 0:
		return &api.ArgumentError{Argument: "edits", Reason: "it is empty", Advice: "for example " + api.Example("edits")}
	case !takesEdits && len(req.Edits) > 0:
		return &api.ArgumentError{Argument: "edits", Reason: req.Action + " takes none", Advice: "simulate with action edit takes them"}
	case req.Apply && req.Action != api.SimulateCommit:
		return &api.ArgumentError{Argument: "apply", Reason: "it goes with commit", Advice: "simulate with action commit and apply true writes the files"}
	case req.OnDisk && !judges:
		return &api.ArgumentError{Argument: "on_disk", Reason: "it goes with evaluate, chain and preview", Advice: "leave it out"}
	}
	switch req.Scope {
	case "", api.ScopeFile, api.ScopeDependants, api.ScopeWorkspace:
		return nil
	}
	return &api.ArgumentError{Argument: "scope", Reason: fmt.Sprintf("%q is no scope", req.Scope), Advice: "scopes are file, dependants and workspace"}
}

// told returns the description of a session for its caller.
func (s *Simulator) told(of *session) result.SimulationSession {
	told := result.SimulationSession{Session: of.id, Label: of.label, Status: of.state, Steps: of.steps}
	for _, c := range of.plan.Changes() {
		changed := result.Edited{Path: s.Names.Relative(c.Path), Created: c.Created, Deleted: c.Deleted, Replacements: c.Replacements}
		if c.From != "" {
			changed.From = s.Names.Relative(c.From)
		}
		if changed.Added, changed.Removed = c.Lines(); !c.Deleted {
			changed.Hash = edit.Hash(c.After)
		}
		told.Changes = append(told.Changes, changed)
	}
	return told
}

// list returns the caller's sessions, without their changes.
func (s *Simulator) list() result.Simulation {
	answer := result.Simulation{Action: api.SimulateList, Sessions: s.keeper.list(s.Owner)}
	answer.Done = fmt.Sprintf("%d sessions", len(answer.Sessions))
	return answer
}

// preview drafts and judges edits in a session that is never listed and does not outlive the call.
func (s *Simulator) preview(ctx context.Context, req *api.SimulateRequest) (result.Simulation, error) {
	of := newSession("preview", "", edit.NewPlan(s.Files))
	answer := result.Simulation{Action: req.Action}
	if err := s.edit(ctx, of, req, &answer); err != nil {
		return result.Simulation{}, err
	}
	answer.Done = ""
	if err := s.evaluate(ctx, of, req, &answer); err != nil {
		return result.Simulation{}, err
	}
	answer.SimulationSession = result.SimulationSession{Changes: s.told(of).Changes}
	answer.Diff, answer.Next = of.plan.Diff(s.Names.Relative), ""
	return answer, nil
}
