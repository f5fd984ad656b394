package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

var doReferences = bind(api.References, func(ctx context.Context, e *Engine, req api.ReferencesRequest) (result.Places, error) {
	return overlay.Ask(ctx, e.view, req.Limits, headOfPlaces, func(ctx context.Context, q *symbols.Inquiry) (result.Places, error) {
		t, err := q.Resolve(ctx, selectorOf(req.Selector))
		if err != nil {
			return result.Places{}, err
		}
		places, err := q.References(ctx, t, req.IncludeDeclaration)
		if err != nil {
			return result.Places{}, err
		}
		return e.places(q, t.Name, "reference", places, req.SourceLines == nil || *req.SourceLines), nil
	})
})

var doHighlights = bind(api.Highlights, func(ctx context.Context, e *Engine, req api.HighlightsRequest) (result.Places, error) {
	return overlay.Ask(ctx, e.view, req.Limits, headOfPlaces, func(ctx context.Context, q *symbols.Inquiry) (result.Places, error) {
		t, err := q.Resolve(ctx, selectorOf(req.Selector))
		if err != nil {
			return result.Places{}, err
		}
		highlights, err := q.Highlights(ctx, t)
		if err != nil {
			return result.Places{}, err
		}
		slices.SortFunc(highlights, func(a, b protocol.Highlight) int {
			return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
		})
		var places []symbols.Place
		for _, h := range highlights {
			places = append(places, symbols.Place{Path: t.Path, Range: h.Range})
		}
		result := e.places(q, t.Name, "use", places, true)
		for i, h := range highlights {
			result.Files[0].Places[i].Kind = []string{"", "text", "read", "write"}[h.Kind]
		}
		return result, nil
	})
})
