package navigation

import (
	"cmp"
	"context"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// References returns where the selected symbol is used.
func (n *Navigator) References(ctx context.Context, req api.ReferencesRequest) (result.Places, error) {
	return overlay.Ask(ctx, n.view, req.Limits, headOfPlaces, func(ctx context.Context, q *symbols.Inquiry) (result.Places, error) {
		t, err := q.Resolve(ctx, restate.Selector(req.Selector))
		if err != nil {
			return result.Places{}, err
		}
		uses, err := q.Uses(ctx, t, req.IncludeDeclaration)
		if err != nil {
			return result.Places{}, err
		}
		return restate.Places(n.names, q, t.Name, "reference", uses.Places, req.SourceLines == nil || *req.SourceLines), nil
	})
}

// Highlights returns where the selected symbol is read and written in its own file.
func (n *Navigator) Highlights(ctx context.Context, req api.HighlightsRequest) (result.Places, error) {
	return overlay.Ask(ctx, n.view, req.Limits, headOfPlaces, func(ctx context.Context, q *symbols.Inquiry) (result.Places, error) {
		t, err := q.Resolve(ctx, restate.Selector(req.Selector))
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
		result := restate.Places(n.names, q, t.Name, "use", places, true)
		for i, h := range highlights {
			result.Files[0].Places[i].Kind = []string{"", "text", "read", "write"}[h.Kind]
		}
		return result, nil
	})
}
