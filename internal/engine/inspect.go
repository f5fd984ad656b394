package engine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/symbols"
)

// An InspectRequest asks what a symbol is.
type InspectRequest struct {
	Selector
	Parts []string `json:"parts,omitempty" jsonschema:"what to ask for: hover, definition; default: both"`
	Limits
}

// The parts of an inspection.
const (
	hoverPart      = "hover"
	definitionPart = "definition"
)

func (r *InspectRequest) check() error {
	for _, part := range r.Parts {
		if part != hoverPart && part != definitionPart {
			return &ArgumentError{"parts", fmt.Sprintf("%q is none", part), "parts are hover and definition"}
		}
	}
	return nil
}

// An ExploreRequest asks for everything about a symbol.
type ExploreRequest struct {
	Selector
	Limits
}

// InspectResult is what is known of a symbol.
type InspectResult = render.Inspection

// Inspect tells type, documentation, signature and definition in one.
var Inspect = Op[InspectRequest, InspectResult]{
	Name:  "inspect",
	Title: "Inspect symbol",
	Doc:   "Type, documentation, signature and definition of a symbol.",
	Class: Read,
	run: func(ctx context.Context, e *Engine, req InspectRequest) (InspectResult, error) {
		if err := req.check(); err != nil {
			return InspectResult{}, err
		}
		return ask(ctx, e, req.Limits, headOfInspection, func(ctx context.Context, q *symbols.Inquiry) (InspectResult, error) {
			result, _, err := e.inspect(ctx, q, req.Selector, req.Parts...)
			if err == nil {
				result.Next = "references at " + result.At
			}
			return result, err
		})
	},
}

func headOfInspection(i *render.Inspection) *render.Head { return &i.Head }

// inspect asks for the parts, all if there are none; a server that lacks one of them
// is asked for the other.
func (e *Engine) inspect(ctx context.Context, q *symbols.Inquiry, selector Selector, parts ...string) (InspectResult, symbols.Target, error) {
	wanted := func(part string) bool { return len(parts) == 0 || slices.Contains(parts, part) }
	t, err := q.Resolve(ctx, selector.selector())
	if err != nil {
		return InspectResult{}, t, err
	}
	result := InspectResult{Symbol: t.Name, At: e.where(t.Path, t.At)}
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
	if err := unlessUnsupported(err); err != nil {
		return InspectResult{}, t, err
	}
	result.Hover = withoutFileLinks(strings.TrimSpace(hover.Text))
	if err := unlessUnsupported(definition.err); err != nil && result.Hover == "" {
		return InspectResult{}, t, err
	}
	if len(definition.places) > 0 {
		p := definition.places[0]
		result.Definition = e.where(p.Path, p.Range.Start)
		if o, err := q.Outline(ctx, p.Path); err == nil {
			if s := o.Declared(p.Range.Start); s != nil {
				result.Symbol, result.Kind, result.Signature = strings.Join(s.Path, "."), s.Kind, s.Detail
			}
		}
	}
	return result, t, nil
}

// fileLink is a link of markdown to a file of this machine.
var fileLink = regexp.MustCompile(`\[([^\]\n]+)\]\(file:[^)\s]*\)`)

// withoutFileLinks keeps the words of links that only an editor could follow.
func withoutFileLinks(markdown string) string { return fileLink.ReplaceAllString(markdown, "$1") }

func unlessUnsupported(err error) error {
	var unsupported *lsp.UnsupportedError
	if errors.As(err, &unsupported) {
		return nil
	}
	return err
}

// Explore tells everything about a symbol in one.
var Explore = Op[ExploreRequest, InspectResult]{
	Name:  "explore",
	Title: "Explore symbol",
	Doc:   "A symbol in one answer: type, documentation, source, callers, references, tests.",
	Class: Read,
	run: func(ctx context.Context, e *Engine, req ExploreRequest) (InspectResult, error) {
		return ask(ctx, e, req.Limits, headOfInspection, func(ctx context.Context, q *symbols.Inquiry) (InspectResult, error) {
			result, t, err := e.inspect(ctx, q, req.Selector)
			if err != nil {
				return InspectResult{}, err
			}
			return e.explored(ctx, q, t, result)
		})
	},
}

func (e *Engine) explored(ctx context.Context, q *symbols.Inquiry, t symbols.Target, result InspectResult) (InspectResult, error) {
	at := symbols.Place{Path: t.Path}
	at.Range.Start, at.Range.End = t.At, t.At
	if places, err := q.Places(ctx, symbols.Definition, t); err == nil && len(places) > 0 {
		at = places[0]
	}
	if src, err := q.SourceAt(ctx, at); err == nil {
		result.Source = e.source(src)
	}
	references, err := q.References(ctx, t, false)
	if err = unlessUnsupported(err); err != nil {
		return InspectResult{}, err
	}
	places := e.places(q, t.Name, "reference", references, true)
	for _, f := range places.Files {
		if e.isTest(f.Path) {
			result.Tests += f.Count
			result.TestFiles = append(result.TestFiles, f.Path)
		}
	}
	result.References = &places
	if result.Kind == "function" || result.Kind == "method" || result.Kind == "constructor" {
		h, err := q.Hierarchy(ctx, t, symbols.Callers, 1)
		if err = unlessUnsupported(err); err != nil {
			return InspectResult{}, err
		}
		callers := e.hierarchy(q, t.Name, symbols.Callers, h, false)
		result.Callers = &callers
	}
	return result, nil
}
