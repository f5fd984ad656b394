package simulation

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/result"
)

// open fails if a session is committed or discarded.
func (of *session) open(action string) error {
	if of.state == result.SimulationCommitted || of.state == result.SimulationDiscarded {
		return &StateError{of.id, of.state, action}
	}
	return nil
}

// edit adds edits to a session: all of them or none.
func (s *Simulator) edit(ctx context.Context, of *session, req *api.SimulateRequest, answer *result.Simulation) error {
	if err := of.open(req.Action); err != nil {
		return err
	}
	plan := of.plan.Next()
	for i := 0; i < len(req.Edits); {
		// Consecutive file edits form one step: all their ranges refer to the same text.
		n := 1
		for i+n < len(req.Edits) && isFileEdit(&req.Edits[i]) && isFileEdit(&req.Edits[i+n]) {
			n++
		}
		next, notes, err := s.draft(ctx, plan, req, i, i+n)
		if err != nil && n == 1 {
			err = api.ErrorOfEdit(err, i, len(req.Edits)) // of several file edits it says which
		}
		if err != nil {
			return err
		}
		plan, answer.Notes = next, append(answer.Notes, notes...)
		i += n
	}
	if err := of.take(plan, len(req.Edits)); err != nil {
		return err
	}
	answer.Done = fmt.Sprintf("the session has %d edits, which change %d files; nothing is written", of.steps, len(plan.Changes()))
	answer.Next = fmt.Sprintf("simulate with action evaluate and session %q", of.id)
	return nil
}

// take replaces the plan of the session with one that has the given number of additional edits.
func (of *session) take(plan *edit.Plan, edits int) error {
	if err := bounded(plan); err != nil {
		return err
	}
	of.plan, of.state = plan, result.SimulationMutated
	of.steps += edits
	return nil
}

// follow makes plan the plan of the session, unless it already is. Such a plan has one more edit.
func (of *session) follow(plan *edit.Plan) error {
	if plan == of.plan {
		return nil
	}
	return of.take(plan, 1)
}

// bounded fails with a *TooLargeError if a plan holds too much text.
func bounded(plan *edit.Plan) error {
	if size := plan.Size(); size > maxSize {
		return &TooLargeError{size, maxSize}
	}
	return nil
}

func isFileEdit(e *api.SimulatedEdit) bool {
	return e.Rename == nil && e.EditSymbol == nil && e.Fix == nil
}

// draft returns plan with the edits from index first (inclusive) to last (exclusive), all of one
// kind, and the notes on them.
func (s *Simulator) draft(ctx context.Context, plan *edit.Plan, req *api.SimulateRequest, first, last int) (next *edit.Plan, notes []string, err error) {
	next = plan.Next()
	e, argument := &req.Edits[first], fmt.Sprintf("edits[%d]", first)
	if isFileEdit(e) {
		edits := make([]api.FileEdit, last-first)
		for i := range edits {
			edits[i] = req.Edits[first+i].FileEdit
		}
		made, err := s.Editor(next, true).EditFiles(ctx, api.EditRequest{Edits: edits})
		return next, made.Notes, renumbered(err, first)
	}
	if kinds := kindsOf(e); len(kinds) > 1 {
		return nil, nil, &api.ArgumentError{Argument: argument, Reason: "it says several changes: " + strings.Join(kinds, ", "), Advice: "give one in each of the edits"}
	}
	notes, err = s.draftByServers(ctx, s.Editor(next, false), e, req.Limits, argument)
	return next, notes, err
}

// kindsOf returns the kinds of change that an edit asks for.
func kindsOf(e *api.SimulatedEdit) (kinds []string) {
	for _, kind := range []struct {
		name  string
		given bool
	}{
		{"rename", e.Rename != nil},
		{"edit_symbol", e.EditSymbol != nil},
		{"fix", e.Fix != nil},
		{"an edit of a file", !reflect.DeepEqual(e.FileEdit, api.FileEdit{})},
	} {
		if kind.given {
			kinds = append(kinds, kind.name)
		}
	}
	return kinds
}

// draftByServers drafts an edit with the help of servers, and returns the notes on it. argument
// names the edit in errors.
func (s *Simulator) draftByServers(ctx context.Context, editor Editor, e *api.SimulatedEdit, limits api.Limits, argument string) ([]string, error) {
	switch {
	case e.Rename != nil:
		argument += ".rename."
		req := *e.Rename
		if err := drafting(&req.Writing, limits, argument); err != nil {
			return nil, err
		}
		made, err := editor.Rename(ctx, req)
		return made.Notes, within(argument, err)
	case e.EditSymbol != nil:
		argument += ".edit_symbol."
		req := *e.EditSymbol
		if err := drafting(&req.Writing, limits, argument); err != nil {
			return nil, err
		}
		made, err := editor.EditSymbol(ctx, req)
		return made.Notes, within(argument, err)
	}
	argument += ".fix."
	req := *e.Fix
	if err := drafting(&req.Writing, limits, argument); err != nil {
		return nil, err
	}
	if req.Apply == 0 && req.Title == "" {
		return nil, &api.ArgumentError{Argument: argument + "apply", Reason: "it is missing", Advice: "give apply, the number of the action, or its title; fixes lists them"}
	}
	made, err := editor.Fixes(ctx, req)
	if err != nil || made.Edit == nil {
		return nil, within(argument, err)
	}
	return made.Edit.Notes, nil
}

// drafting makes a request draft its changes only, within the limits of the call.
func drafting(how *api.Writing, limits api.Limits, argument string) error {
	if how.Mode != "" && how.Mode != api.Preview {
		return &api.ArgumentError{Argument: argument + "mode", Reason: "a step of a session is not written", Advice: "leave it out; simulate with action commit writes the session"}
	}
	how.Mode = api.Preview
	how.TimeoutMS = cmp.Or(how.TimeoutMS, limits.TimeoutMS)
	return nil
}

// within returns err with its argument named from the caller's point of view.
func within(argument string, err error) error {
	if wrong, ok := err.(*api.ArgumentError); ok {
		return &api.ArgumentError{Argument: argument + wrong.Argument, Reason: wrong.Reason, Advice: wrong.Advice}
	}
	return err
}

var numbered = lazyregexp.New(`^edits\[(\d+)\]`)

// renumbered returns err with the index of an edit as the caller counts; first is the index of the
// first edit.
func renumbered(err error, first int) error {
	name := func(argument string) string {
		return numbered.ReplaceAllStringFunc(argument, func(of string) string {
			n, _ := strconv.Atoi(numbered.FindStringSubmatch(of)[1]) // the pattern matches digits
			return fmt.Sprintf("edits[%d]", n+first)
		})
	}
	switch wrong := err.(type) {
	case *api.ArgumentError:
		return &api.ArgumentError{Argument: name(wrong.Argument), Reason: wrong.Reason, Advice: wrong.Advice}
	case *api.EditError:
		return &api.EditError{Argument: name(wrong.Argument), Err: wrong.Err}
	}
	return err
}
