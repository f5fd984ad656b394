package navigation

import (
	"context"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Source returns the declaration that contains a place, with its text.
func (n *Navigator) Source(ctx context.Context, req api.SourceRequest) (result.Source, error) {
	if req.ContextLines < 0 {
		return result.Source{}, &api.ArgumentError{Argument: "context_lines", Reason: "it is not negative", Advice: "for example 3"}
	}
	return overlay.Ask(ctx, n.view, req.Limits, headOfSource, func(ctx context.Context, q *symbols.Inquiry) (result.Source, error) {
		t, err := q.Resolve(ctx, restate.Selector(req.Selector))
		if err != nil {
			return result.Source{}, err
		}
		at, err := declarationPlace(ctx, q, t)
		if err != nil {
			return result.Source{}, err
		}
		src, err := q.SourceAt(ctx, at)
		if err != nil {
			return result.Source{}, err
		}
		result, err := n.surrounded(q, src, req.ContextLines)
		if src.Symbol == nil {
			result.Notes = append(result.Notes, n.notDeclared(ctx, q, t))
		}
		return result, err
	})
}

// declarationPlace returns the place of a target or, where that is the use of a name, of what the name means.
func declarationPlace(ctx context.Context, q *symbols.Inquiry, t symbols.Target) (symbols.Place, error) {
	if t.Used {
		if places, err := q.Places(ctx, symbols.Definition, t); err != nil || len(places) > 0 {
			return append(places, symbols.Place{})[0], err
		}
	}
	return symbols.Place{Path: t.Path, Range: protocol.Range{Start: t.At, End: t.At}}, nil
}

// notDeclared says why the lines at a place are not those of a declaration.
func (n *Navigator) notDeclared(ctx context.Context, q *symbols.Inquiry, t symbols.Target) string {
	if _, err := q.Outline(ctx, t.Path); err != nil {
		return "a guess: no server tells what " + n.names.Relative(t.Path) + " declares, so this is the line where " + t.Name + " stands"
	}
	return "nothing is declared around " + t.Name + ": this is its line alone"
}

func headOfSource(s *result.Source) *result.Head { return &s.Head }

// surrounded adds the lines before and after a source.
func (n *Navigator) surrounded(q *symbols.Inquiry, src symbols.Source, lines int) (result.Source, error) {
	text, err := q.Text(src.Path)
	if err != nil {
		return result.Source{}, err
	}
	result := *restate.Source(n.names, src)
	first, last := max(0, src.First-lines), min(text.Lines()-1, src.Last+lines)
	if lines > 0 {
		var all []string
		for n := first; n <= last; n++ {
			all = append(all, string(text.Line(n)))
		}
		result.Line, result.EndLine, result.Code = uint32(first+1), uint32(last+1), strings.Join(all, "\n")
	}
	return result, nil
}
