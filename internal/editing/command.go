package editing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// ExecuteCommand executes a command of a server, and makes the edits that it asks for.
func (e *Editor) ExecuteCommand(ctx context.Context, req api.CommandRequest) (result.Command, error) {
	if req.Command == "" {
		return result.Command{}, &api.ArgumentError{Argument: "command", Reason: "it is missing; a string is needed", Advice: `for example command: "gopls.tidy"`}
	}
	if !req.Confirm {
		return result.Command{}, &UnconfirmedError{req.Command}
	}
	return e.execute(ctx, req.Writing, func(ctx context.Context, a *overlay.Access, _ *symbols.Inquiry) (chosenCommand, error) {
		server, err := e.commander(ctx, a, req)
		return chosenCommand{server, req.Command, req.Arguments}, err
	})
}

// A chosenCommand is a command and the server that is to execute it.
type chosenCommand struct {
	server    symbols.Server
	command   string
	arguments []json.RawMessage
}

// execute executes a command, once it is chosen, makes the edits that it asks for, and says
// what came of both.
func (e *Editor) execute(ctx context.Context, how api.Writing, choose func(context.Context, *overlay.Access, *symbols.Inquiry) (chosenCommand, error)) (result.Command, error) {
	var ran *ran
	adopted := newAdoption()
	made, err := e.write(ctx, how, func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (_ edit.Summarizer, err error) {
		ctx, cancel := e.drafting(ctx)
		defer cancel()
		a := e.view.Access()
		defer a.Close()
		c, err := choose(ctx, a, q)
		if err != nil {
			return nil, err
		}
		ran, err = e.run(ctx, q, plan, c.server, c.command, c.arguments, adopted)
		return func(changes []edit.Change, applied bool) string {
			return fmt.Sprintf("%s %s.", verb("Edited", "editing of", applied), e.namesOf(changes))
		}, err
	})
	var nothing *edit.NothingToChangeError
	if err != nil && (!errors.As(err, &nothing) || ran == nil) {
		return result.Command{}, err
	}
	result := result.Command{Server: ran.server, Command: ran.command, Summary: ran.said(), Result: compact(ran.result)}
	if err == nil {
		adopted.tell(e, &made)
		result.Edit = &made
	}
	return result, nil
}

// An UnconfirmedError says that a command was not executed because the request did not confirm
// it.
type UnconfirmedError struct{ Command string }

func (e *UnconfirmedError) Error() string {
	return fmt.Sprintf("%s: a command of a server may do anything, so it has to be confirmed", e.Command)
}

// Hint says how to confirm.
func (e *UnconfirmedError) Hint() string {
	return "look what it does, then give confirm: true; fixes applies what servers offer without that"
}

// An UnknownCommandError says that no server at hand declares a command. Known are the commands
// that are declared, the most similar first.
type UnknownCommandError struct {
	Command string
	Servers []string // that were looked at
	Known   []string
}

func (e *UnknownCommandError) Error() string {
	if len(e.Servers) == 0 {
		return e.Command + ": no server runs that could declare it"
	}
	return fmt.Sprintf("%s: not declared by %s", e.Command, strings.Join(e.Servers, ", "))
}

// Hint lists the nearest commands.
func (e *UnknownCommandError) Hint() string {
	const most = 12
	if len(e.Known) == 0 {
		return "give a file: its server is started"
	}
	hint := "declared: " + strings.Join(e.Known[:min(most, len(e.Known))], ", ")
	if more := len(e.Known) - most; more > 0 {
		hint += fmt.Sprintf(" and %d more", more)
	}
	return hint
}

// commander returns the server that a command is for.
func (e *Editor) commander(ctx context.Context, a *overlay.Access, req api.CommandRequest) (*lsp.Server, error) {
	running := e.workspace.Running()
	if req.File != "" {
		path, err := a.Resolve(req.File)
		if err != nil {
			return nil, err
		}
		servers, failures := a.OpenIn(ctx, path, req.Server)
		if len(servers) == 0 && len(failures) > 0 {
			return nil, overlay.MostTelling(failures)
		}
		if len(servers) == 0 {
			return nil, &overlay.NoServerError{Path: e.names.Relative(path), Method: "workspace/executeCommand"}
		}
		running = servers
	}
	var names, known []string
	var declare []*lsp.Server
	for _, s := range running {
		if req.Server != "" && s.Definition().ID != req.Server {
			continue
		}
		names = append(names, s.Definition().ID)
		known = append(known, s.Commands()...)
		if s.SupportsCommand(req.Command) {
			declare = append(declare, s)
		}
	}
	switch {
	case len(declare) == 0:
		slices.Sort(names)
		return nil, &UnknownCommandError{req.Command, slices.Compact(names), nearestFirst(req.Command, known)}
	case len(declare) > 1:
		var roots []string
		for _, s := range declare {
			roots = append(roots, s.Definition().ID+" for "+e.names.Relative(s.Root()))
		}
		return nil, &api.ArgumentError{Argument: "file", Reason: "several servers declare the command: " + strings.Join(roots, ", "), Advice: "give a file of the one that is meant"}
	}
	return declare[0], nil
}

// nearestFirst sorts names by how little they differ from one, and takes each once.
func nearestFirst(name string, known []string) []string {
	slices.Sort(known)
	known = slices.Compact(known)
	distance := func(k string) int {
		d := levenshtein.ComputeDistance(strings.ToLower(k), strings.ToLower(name))
		if strings.Contains(strings.ToLower(k), strings.ToLower(name)) {
			d = 0
		}
		return d
	}
	slices.SortStableFunc(known, func(x, y string) int { return distance(x) - distance(y) })
	return known
}

// A ran is a command that was executed.
type ran struct {
	server, command string
	result          json.RawMessage
	edits           int // that it asked for
}

// permitted fails if the caller may not have a server execute a command, now or later in the call.
func (e *Editor) permitted(ctx context.Context, s symbols.Server, command string, now bool) error {
	if e.mayRun == nil {
		return nil
	}
	return e.mayRun(ctx, s.Definition().ID, command, now)
}

// run executes a command, if that is permitted, and puts the edits that it asked for into a plan. If one
// of them cannot be made, none is.
func (e *Editor) run(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan, s symbols.Server, command string, arguments []json.RawMessage, adopted *adoption) (*ran, error) {
	if err := e.permitted(ctx, s, command, true); err != nil {
		return nil, err
	}
	done, err := q.Execute(ctx, s, command, arguments)
	if err != nil {
		return nil, err
	}
	for _, raw := range done.Edits {
		if err := e.adopt(plan, s, raw, nil, adopted); err != nil {
			return nil, err
		}
	}
	return &ran{s.Definition().ID, command, done.Result, len(done.Edits)}, nil
}

// said says what came of a command in one line.
func (r *ran) said() string {
	text := fmt.Sprintf("%s executed %s: it", r.server, r.command)
	switch r.edits {
	case 0:
		text += " asked for no edit"
	default:
		text += " asked for " + several(r.edits, "edit")
	}
	if compact(r.result) == "" {
		return text + " and answered nothing."
	}
	return text + "."
}

// compact returns JSON without blanks, "" for null.
func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil || b.String() == "null" {
		return ""
	}
	return b.String()
}
