package editing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Fixes lists the code actions for a place or a file, or applies one of them.
func (e *Editor) Fixes(ctx context.Context, req api.FixesRequest) (result.Fixes, error) {
	if req.Apply > 0 || req.Title != "" {
		return e.applyFix(ctx, req)
	}
	head := func(f *result.Fixes) *result.Head { return &f.Head }
	return overlay.Ask(ctx, e.view, req.Limits, head, func(ctx context.Context, q *symbols.Inquiry) (result.Fixes, error) {
		a := e.view.Access()
		defer a.Close()
		actions, err := e.codeActions(ctx, a, q, req)
		if err != nil {
			return result.Fixes{}, err
		}
		return e.listed(ctx, actions, req.WithEdits), nil
	})
}

// A codeAction is one that one server gave.
type codeAction struct {
	server symbols.Server
	action protocol.CodeAction
	// fixes are the diagnostics that it was given for, or names.
	fixes []protocol.Diagnostic
}

// An actionList is the code actions of one scope, in the order of their numbers.
type actionList struct {
	scope
	list  []codeAction
	notes []string
}

// maxDiffs bounds the actions of a list that are resolved for their diff.
const maxDiffs = 24

// listed presents code actions, each with the diff that it would make.
func (e *Editor) listed(ctx context.Context, o actionList, withEdits bool) result.Fixes {
	answer := result.Fixes{Path: e.names.Relative(o.path), Total: len(o.list), Actions: []result.FixAction{}}
	answer.Notes = o.notes
	for i, given := range o.list {
		action := given.action
		r := result.FixAction{
			Number: i + 1, Title: action.Title, Kind: action.Kind, Preferred: action.IsPreferred,
			Server: given.server.Definition().ID, Disabled: action.Disabled,
		}
		for _, d := range given.fixes {
			r.Mends = append(r.Mends, fmt.Sprintf("%d:%d %s", d.Range.Start.Line+1, d.Range.Start.Character+1, d.Message))
		}
		if action.Disabled == "" && i < maxDiffs && ctx.Err() == nil {
			var err error
			if action, r.Diff, err = e.previewed(ctx, given); err != nil {
				r.Problem = err.Error()
			} else if action.Edit != nil && r.Diff == "" {
				r.Problem = "it would change nothing"
			}
		}
		if action.Edit == nil && action.Command != nil {
			r.Command = action.Command.Command
		}
		if withEdits {
			if action.Command != nil {
				r.Command, r.Arguments = action.Command.Command, action.Command.Arguments
			}
			if e.readable(given.server, action.Edit) {
				r.Edit = action.Edit
			}
		}
		answer.Actions = append(answer.Actions, r)
	}
	if len(answer.Actions) > 0 {
		answer.Next = fmt.Sprintf("fixes with the same arguments and apply: 1, title: %q", answer.Actions[0].Title)
	}
	return answer
}

// readable reports whether others, who count positions as LSP does, can read a server's edit.
func (e *Editor) readable(s symbols.Server, raw json.RawMessage) bool {
	counting := s.EditCounting()
	w, err := edit.DecodeWorkspaceEdit(raw)
	if err != nil || counting.Encoding != protocol.UTF16 {
		return false
	}
	return !slices.ContainsFunc(w.Operations, func(op edit.Operation) bool {
		path, err := op.URI.Path()
		if err != nil || op.Kind != edit.EditText {
			return false
		}
		text, err := e.files.ReadFile(path)
		return err == nil && (protocol.Disputed(text, counting.Ends, protocol.LineEnds) != 0 || e.placeable(s, path, text) != nil)
	})
}

// previewed resolves an action and returns the diff of its edit, "" for none.
func (e *Editor) previewed(ctx context.Context, o codeAction) (protocol.CodeAction, string, error) {
	action, err := o.resolved(ctx)
	if err != nil || action.Edit == nil {
		return action, "", err
	}
	plan := edit.NewPlan(e.files)
	if err := e.adopt(plan, o.server, action.Edit, nil, newAdoption()); err != nil {
		return action, "", err
	}
	return action, plan.Diff(e.names.Relative), nil
}

// resolved returns the action with its edit, if the server gives that only now.
func (o *codeAction) resolved(ctx context.Context) (protocol.CodeAction, error) {
	if o.action.Edit != nil || !o.server.Supports("codeAction/resolve") {
		return o.action, nil
	}
	if o.action.Data == nil && o.action.Command != nil { // a command is all it is
		return o.action, nil
	}
	action, err := o.server.ResolveCodeAction(ctx, o.action)
	if err != nil {
		return o.action, fmt.Errorf("%s could not work out the action %q: %w", o.server.Definition().ID, o.action.Title, err)
	}
	return action, nil
}

// A ChoiceError says that the action to apply is not in the list as it is now.
type ChoiceError struct {
	Reason string
	// Titles are those of the list, in its order.
	Titles []string
}

func (e *ChoiceError) Error() string { return e.Reason }

// Hint lists what there is.
func (e *ChoiceError) Hint() string {
	const most = 20
	text := "fixes without apply lists the actions with their diffs"
	for i, title := range e.Titles[:min(most, len(e.Titles))] {
		text += fmt.Sprintf("\n  %d. %s", i+1, title)
	}
	if more := len(e.Titles) - most; more > 0 {
		text += fmt.Sprintf("\n  … and %d more", more)
	}
	return text
}

// choose returns the code action that a request names, by number, title or both.
func (o *actionList) choose(req api.FixesRequest) (codeAction, error) {
	titles := make([]string, len(o.list))
	var named []int
	for i := range o.list {
		titles[i] = o.list[i].action.Title
		if titles[i] == req.Title {
			named = append(named, i)
		}
	}
	fail := func(format string, args ...any) (codeAction, error) {
		return codeAction{}, &ChoiceError{fmt.Sprintf(format, args...), titles}
	}
	n := int(req.Apply) - 1
	switch {
	case n >= len(titles):
		return fail("apply: there is no action %d, but %s", n+1, several(len(titles), "action"))
	case n >= 0 && req.Title != "" && titles[n] != req.Title:
		if len(named) == 1 {
			return fail("the list has changed: %q is now action %d", req.Title, named[0]+1)
		}
		return fail("the list has changed: action %d is now %q", n+1, titles[n])
	case n < 0 && len(named) == 0:
		return fail("title: no action is called %q", req.Title)
	case n < 0 && len(named) > 1:
		return fail("title: %d actions are called %q; give the number too", len(named), req.Title)
	case n < 0:
		n = named[0]
	}
	if reason := o.list[n].action.Disabled; reason != "" {
		return fail("%q cannot be applied: %s", titles[n], reason)
	}
	return o.list[n], nil
}

// An application is one action on its way.
type application struct {
	*Editor
	req     api.FixesRequest
	chosen  codeAction
	action  protocol.CodeAction // resolved
	adopted *adoption
	ran     *ran // the command, if it was run
}

// applyFix applies one action: its edit, then its command.
func (e *Editor) applyFix(ctx context.Context, req api.FixesRequest) (result.Fixes, error) {
	a := application{Editor: e, req: req, adopted: newAdoption()}
	result := result.Fixes{Actions: []result.FixAction{}}
	made, err := e.write(ctx, req.Writing, a.draft)
	var nothing *edit.NothingToChangeError
	switch {
	case errors.As(err, &nothing) && a.ran != nil:
		result.Summary = a.ran.said()
		return result, nil
	case err != nil:
		return result, err
	}
	a.adopted.tell(e, &made)
	result.Edit = &made
	if command := a.action.Command; a.ran == nil && command != nil {
		switch {
		case !a.chosen.server.SupportsCommand(command.Command):
			made.Notes = append(made.Notes, "the action names a command for editors, which is not run: "+command.Command)
		case !made.Applied:
			made.Notes = append(made.Notes, "after its edit the action runs a command, here not run: "+command.Command)
		default:
			result.Then, err = a.after(ctx)
			if err != nil {
				made.Notes = append(made.Notes, "the edit is made, but then: "+err.Error())
			} else if result.Then == nil {
				made.Notes = append(made.Notes, a.ran.said())
			}
		}
	}
	return result, nil
}

// draft implements [Drafter].
func (a *application) draft(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
	ctx, cancel := a.drafting(ctx)
	defer cancel()
	access := a.view.Access()
	defer access.Close()
	actions, err := a.codeActions(ctx, access, q, a.req)
	if err != nil {
		return nil, err
	}
	if a.chosen, err = actions.choose(a.req); err != nil {
		return nil, err
	}
	if a.action, err = a.chosen.resolved(ctx); err != nil {
		return nil, err
	}
	command := a.action.Command
	switch {
	case a.action.Edit != nil:
		if err = a.permitAfter(ctx); err == nil {
			err = a.adopt(plan, a.chosen.server, a.action.Edit, nil, a.adopted)
		}
	case command == nil:
		err = &ChoiceError{Reason: fmt.Sprintf("%q brings neither an edit nor a command", a.action.Title)}
	case a.req.Mode == api.Preview:
		err = &ChoiceError{Reason: fmt.Sprintf("%q is a command, %s: what it changes is known only when it is run, so there is no preview", a.action.Title, command.Command)}
	default:
		a.ran, err = a.run(ctx, q, plan, a.chosen.server, command.Command, command.Arguments, a.adopted)
	}
	if err != nil {
		return nil, err
	}
	return a.summary, nil
}

// permitAfter fails if the command that follows the edit of the action may not be run.
func (a *application) permitAfter(ctx context.Context) error {
	command := a.action.Command
	if command == nil || a.req.Mode == api.Preview || !a.chosen.server.SupportsCommand(command.Command) {
		return nil // it is not run
	}
	return a.permitted(ctx, a.chosen.server, command.Command, false)
}

// after runs the command of an action whose edit is made, and makes what it asks
// for; nil if that is nothing.
func (a *application) after(ctx context.Context) (*result.Edit, error) {
	adopted := newAdoption()
	then, err := a.write(ctx, a.req.Writing, func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (_ edit.Summarizer, err error) {
		ctx, cancel := a.drafting(ctx)
		defer cancel()
		a.ran, err = a.run(ctx, q, plan, a.chosen.server, a.action.Command.Command, a.action.Command.Arguments, adopted)
		return a.summary, err
	})
	var nothing *edit.NothingToChangeError
	if errors.As(err, &nothing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	adopted.tell(a.Editor, &then)
	return &then, nil
}

// summary implements [edit.Summarizer].
func (a *application) summary(changes []edit.Change, applied bool) string {
	return fmt.Sprintf("%s %q in %s.", verb("Applied", "application of", applied), a.action.Title, a.namesOf(changes))
}

// rank orders kinds as people look for them: what fixes, what tidies, what
// rewrites.
func (o *codeAction) rank() int {
	kinds := []string{"quickfix", "", "source", "refactor"}
	i := slices.IndexFunc(kinds, func(kind string) bool { return kind == o.action.Kind || kind != "" && within(o.action.Kind, kind) })
	switch {
	case o.action.Disabled != "":
		return 10
	case i == 0 && o.action.IsPreferred:
		return -1
	case i < 0:
		return len(kinds)
	}
	return i
}
