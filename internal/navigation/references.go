package navigation

import (
	"cmp"
	"context"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/refcache"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// References returns where the selected symbol is used. If that was asked before, maybe by another process, and nothing has changed since
// that could change the answer, no server is asked, nor started.
func (n *Navigator) References(ctx context.Context, req api.ReferencesRequest) (result.Places, error) {
	if err := req.Limits.Valid(); err != nil {
		return result.Places{}, err
	}
	lines := req.SourceLines == nil || *req.SourceLines
	question := n.kept.Ask(n.names, n.view, req.Selector, req.IncludeDeclaration)
	if known := question.Known(ctx); known != nil {
		access := n.view.Access() // to texts alone
		defer access.Close()
		answer := n.referencesOf(symbols.New(access), *known, lines)
		answer.From, answer.Completeness = known.From, result.Complete
		return answer, nil
	}
	if indexed := question.Indexed(ctx); indexed != nil {
		access := n.view.Access() // to texts alone
		defer access.Close()
		answer := n.referencesOf(symbols.New(access), indexed.Answer, lines)
		answer.From, answer.Completeness = indexed.From, result.Indexed
		return answer, nil
	}
	var found refcache.Answer
	answer, err := overlay.Ask(ctx, question.View(n.view), req.Limits, headOfPlaces, func(ctx context.Context, q *symbols.Inquiry) (result.Places, error) {
		t, err := q.Resolve(ctx, restate.Selector(req.Selector))
		if err != nil {
			return result.Places{}, err
		}
		uses, err := q.Uses(ctx, t, req.IncludeDeclaration)
		if err != nil {
			return result.Places{}, err
		}
		found = refcache.Answer{Target: t, Places: uses.Places}
		return n.referencesOf(q, found, lines), nil
	})
	// What needs a note, or has a state, may depend on more than is known.
	if err == nil && answer.Completeness == result.Complete && len(answer.State) == 0 && len(answer.Notes) == 0 {
		question.Keep(found)
	}
	return answer, err
}

// referencesOf returns where a symbol is used, as the caller is shown it.
func (n *Navigator) referencesOf(q *symbols.Inquiry, found refcache.Answer, lines bool) result.Places {
	return restate.Places(n.names, q, found.Target.Name, "reference", found.Places, lines)
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
