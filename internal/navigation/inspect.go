package navigation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// The parts of an inspection.
const (
	hoverPart      = "hover"
	definitionPart = "definition"
)

func checkInspect(r *api.InspectRequest) error {
	for _, part := range r.Parts {
		if part != hoverPart && part != definitionPart {
			return &api.ArgumentError{Argument: "parts", Reason: fmt.Sprintf("%q is none", part), Advice: "parts are hover and definition"}
		}
	}
	return nil
}

// Inspect returns the documentation and the definition of the selected symbol, as far as its
// servers know them.
func (n *Navigator) Inspect(ctx context.Context, req api.InspectRequest) (result.Inspection, error) {
	if err := checkInspect(&req); err != nil {
		return result.Inspection{}, err
	}
	return overlay.Ask(ctx, n.view, req.Limits, headOfInspection, func(ctx context.Context, q *symbols.Inquiry) (result.Inspection, error) {
		result, _, err := n.inspect(ctx, q, req.Selector, req.Parts...)
		if err == nil {
			result.Next = "references at " + result.At
		}
		return result, err
	})
}

func headOfInspection(i *result.Inspection) *result.Head { return &i.Head }

// inspect asks for the given parts, or for all if none is given. It leaves out parts that the
// server does not support.
func (n *Navigator) inspect(ctx context.Context, q *symbols.Inquiry, selector api.Selector, parts ...string) (result.Inspection, symbols.Target, error) {
	wanted := func(part string) bool { return len(parts) == 0 || slices.Contains(parts, part) }
	t, err := q.Resolve(ctx, restate.Selector(selector))
	if err != nil {
		return result.Inspection{}, t, err
	}
	answer := result.Inspection{Symbol: t.Name, At: n.names.At(t.Path, t.At)}
	type defined struct {
		places []symbols.Place
		err    error
	}
	asked := guard.Begin(func() (d defined) {
		if wanted(definitionPart) {
			d.places, d.err = q.Places(ctx, symbols.Definition, t)
		}
		return d
	})
	var hover protocol.Hover
	if wanted(hoverPart) {
		hover, err = q.Hover(ctx, t)
	}
	definition := asked()
	if err := lsp.UnlessUnsupported(err); err != nil {
		return result.Inspection{}, t, err
	}
	answer.Hover = restate.WithoutFileLinks(strings.TrimSpace(hover.Text))
	if err := lsp.UnlessUnsupported(definition.err); err != nil && answer.Hover == "" {
		return result.Inspection{}, t, err
	}
	if len(definition.places) > 0 {
		p := definition.places[0]
		answer.Definition = n.names.At(p.Path, p.Range.Start)
		if o, err := q.Outline(ctx, p.Path); err == nil {
			if s := o.Declared(p.Range.Start); s != nil {
				answer.Symbol, answer.Kind, answer.Signature = strings.Join(s.Path, "."), s.Kind, s.Detail
			}
		}
	}
	return answer, t, nil
}

// Explore returns what [Navigator.Inspect] does, plus the source, the references and the callers of
// the symbol.
func (n *Navigator) Explore(ctx context.Context, req api.ExploreRequest) (result.Inspection, error) {
	return overlay.Ask(ctx, n.view, req.Limits, headOfInspection, func(ctx context.Context, q *symbols.Inquiry) (result.Inspection, error) {
		answer, t, err := n.inspect(ctx, q, req.Selector)
		if err != nil {
			return result.Inspection{}, err
		}
		return n.explored(ctx, q, t, answer)
	})
}

func (n *Navigator) explored(ctx context.Context, q *symbols.Inquiry, t symbols.Target, answer result.Inspection) (result.Inspection, error) {
	at := symbols.Place{Path: t.Path}
	at.Range.Start, at.Range.End = t.At, t.At
	if places, err := q.Places(ctx, symbols.Definition, t); err == nil && len(places) > 0 {
		at = places[0]
	}
	if src, err := q.SourceAt(ctx, at); err == nil {
		answer.Source = restate.Source(n.names, src)
	}
	uses, err := q.Uses(ctx, t, false)
	if err = lsp.UnlessUnsupported(err); err != nil {
		return result.Inspection{}, err
	}
	places := restate.Places(n.names, q, t.Name, "reference", uses.Places, true)
	for _, f := range places.Files {
		if symbols.IsTest(n.names.FromBase(f.Path)) {
			answer.Tests += f.Count
			answer.TestFiles = append(answer.TestFiles, f.Path)
		}
	}
	answer.References = &places
	if answer.Kind == "function" || answer.Kind == "method" || answer.Kind == "constructor" {
		h, err := q.Hierarchy(ctx, t, symbols.Callers, 1)
		if err = lsp.UnlessUnsupported(err); err != nil {
			return result.Inspection{}, err
		}
		callers := n.hierarchy(q, t.Name, symbols.Callers, h, false)
		answer.Callers = &callers
	}
	return answer, nil
}
