package editing

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// CodeLenses lists the code lenses of a file: commands that servers offer at its lines.
func (e *Editor) CodeLenses(ctx context.Context, req api.LensRequest) (result.Lenses, error) {
	head := func(l *result.Lenses) *result.Head { return &l.Head }
	return overlay.Ask(ctx, e.view, req.Limits, head, func(ctx context.Context, q *symbols.Inquiry) (result.Lenses, error) {
		a := e.view.Access()
		defer a.Close()
		path, lenses, err := e.lenses(ctx, a, q, req.File, req.Line)
		if err != nil {
			return result.Lenses{}, err
		}
		result := result.Lenses{Path: e.names.Relative(path), Total: len(lenses), Lenses: []result.Lens{}}
		for i, l := range lenses {
			result.Lenses = append(result.Lenses, l.shown(i+1))
		}
		return result, nil
	})
}

// An offeredLens is a lens of one server.
type offeredLens struct {
	server symbols.Server
	protocol.CodeLens
	err error // that it could not be resolved
}

// lenses returns what the servers of a file offer, resolved, by place.
func (e *Editor) lenses(ctx context.Context, a *overlay.Access, q *symbols.Inquiry, file string, line api.OneBased) (path string, lenses []offeredLens, err error) {
	if file == "" {
		return "", nil, &api.ArgumentError{Argument: "file", Reason: "it is missing", Advice: `for example "src/a.go"`}
	}
	if path, err = a.Resolve(file); err != nil {
		return "", nil, err
	}
	servers, failures := a.Servers(ctx, path, "textDocument/codeLens")
	if len(servers) == 0 {
		return "", nil, overlay.MostTelling(failures)
	}
	for _, s := range servers {
		offered, err := q.CodeLenses(ctx, s, path)
		if err != nil {
			return "", nil, err
		}
		for _, l := range offered {
			if line == 0 || uint32(line) == l.Range.Start.Line+1 {
				lenses = append(lenses, offeredLens{s, l, nil})
			}
		}
	}
	slices.SortStableFunc(lenses, func(x, y offeredLens) int {
		return cmp.Or(cmp.Compare(x.Range.Start.Line, y.Range.Start.Line), cmp.Compare(x.Range.Start.Character, y.Range.Start.Character))
	})
	for i := range lenses {
		if l := &lenses[i]; l.Command == nil && l.server.Supports("codeLens/resolve") {
			l.CodeLens, l.err = l.server.ResolveCodeLens(ctx, l.CodeLens)
		}
	}
	return path, lenses, ctx.Err()
}

func (l *offeredLens) shown(number int) result.Lens {
	r := result.Lens{
		Number: number, Line: l.Range.Start.Line + 1, Column: l.Range.Start.Character + 1, EndLine: l.Range.End.Line + 1, Server: l.server.Definition().ID,
	}
	switch {
	case l.err != nil:
		r.Problem = l.err.Error()
	case l.Command == nil:
		r.Problem = "it has no command"
	default:
		r.Title, r.Command, r.Arguments = l.Command.Title, l.Command.Command, l.Command.Arguments
		if !l.server.SupportsCommand(r.Command) {
			r.Problem = "it is a command of editors, not of " + r.Server
		}
	}
	return r
}

// ExecuteLens executes the command of a code lens.
func (e *Editor) ExecuteLens(ctx context.Context, req api.ExecuteLensRequest) (result.Command, error) {
	return e.execute(ctx, req.Writing, func(ctx context.Context, a *overlay.Access, q *symbols.Inquiry) (chosenCommand, error) {
		_, lenses, err := e.lenses(ctx, a, q, req.File, req.Line)
		if err != nil {
			return chosenCommand{}, err
		}
		chosen, err := chooseLens(&req, lenses)
		if err != nil {
			return chosenCommand{}, err
		}
		if !req.Confirm {
			return chosenCommand{}, &UnconfirmedError{chosen.Command.Command}
		}
		return chosenCommand{chosen.server, chosen.Command.Command, chosen.Command.Arguments}, nil
	})
}

// chooseLens returns the lens that a request names.
func chooseLens(req *api.ExecuteLensRequest, lenses []offeredLens) (offeredLens, error) {
	titles := make([]string, len(lenses))
	for i := range lenses {
		titles[i] = lenses[i].shown(i + 1).Title
	}
	n := int(req.Number) - 1
	if req.Number == 0 {
		if n = 0; req.Title != "" {
			n = slices.Index(titles, req.Title)
		}
	}
	switch {
	case n < 0 || n >= len(lenses):
		return offeredLens{}, &LensError{fmt.Sprintf("there is no such code lens, but %d", len(lenses)), titles}
	case req.Title != "" && titles[n] != req.Title:
		return offeredLens{}, &LensError{fmt.Sprintf("code lens %d is now %q", n+1, titles[n]), titles}
	}
	if problem := lenses[n].shown(n + 1).Problem; problem != "" {
		return offeredLens{}, &LensError{fmt.Sprintf("code lens %d, %q, cannot be executed: %s", n+1, titles[n], problem), titles}
	}
	return lenses[n], nil
}

// A LensError says that a code lens cannot be executed. Titles are those in the list, in its
// order.
type LensError struct {
	Reason string
	Titles []string
}

func (e *LensError) Error() string { return e.Reason }

// Hint lists what there is.
func (e *LensError) Hint() string {
	text := "code_lenses lists them"
	for i, title := range e.Titles[:min(12, len(e.Titles))] {
		text += fmt.Sprintf("\n  %d. %s", i+1, title)
	}
	return text
}

// FormatEdits returns the edits that would format a file, and writes nothing.
func (e *Editor) FormatEdits(ctx context.Context, req api.FormatEditsRequest) (result.Formatting, error) {
	if req.File == "" {
		return result.Formatting{}, &api.ArgumentError{Argument: "file", Reason: "it is missing", Advice: `for example "src/a.go"`}
	}
	if req.TabSize < 0 {
		return result.Formatting{}, &api.ArgumentError{Argument: "tab_size", Reason: "it is not negative", Advice: "for example 4"}
	}
	head := func(f *result.Formatting) *result.Head { return &f.Head }
	return overlay.Ask(ctx, e.view, req.Limits, head, func(ctx context.Context, q *symbols.Inquiry) (result.Formatting, error) {
		path, err := e.names.Resolve(req.File)
		if err != nil {
			return result.Formatting{}, err
		}
		edits, _, err := e.formatted(ctx, q, path, req.Area, func(o *protocol.FormattingOptions) {
			o.TabSize = cmp.Or(req.TabSize, o.TabSize)
			if req.InsertSpaces != nil {
				o.InsertSpaces = *req.InsertSpaces
			}
		})
		answer := result.Formatting{Path: e.names.Relative(path), Edits: []result.TextEdit{}}
		for _, change := range edits {
			answer.Edits = append(answer.Edits, result.TextEdit{
				StartLine: change.Range.Start.Line + 1, StartColumn: change.Range.Start.Character + 1,
				EndLine: change.Range.End.Line + 1, EndColumn: change.Range.End.Character + 1, NewText: change.NewText,
			})
		}
		return answer, err
	})
}
