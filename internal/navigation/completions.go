package navigation

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Completions returns what can be inserted at a place, most likely first.
func (n *Navigator) Completions(ctx context.Context, req api.PlaceRequest) (result.Completions, error) {
	return askAtPlace(ctx, n, req, func(c *result.Completions) *result.Head { return &c.Head },
		func(ctx context.Context, q *symbols.Inquiry, t symbols.Target) (answer result.Completions, err error) {
			list, err := q.Completions(ctx, t)
			if err != nil {
				return answer, err
			}
			text, err := q.Text(t.Path)
			if err != nil {
				return answer, err
			}
			return completions(n.names.At(t.Path, t.At), list, restate.Beginning(text, t.At)), nil
		})
}

// askAtPlace sends a request about the place that req names. head returns the head of an answer.
func askAtPlace[Res any, P interface {
	*Res
	result.Result
}](ctx context.Context, n *Navigator, req api.PlaceRequest, head func(P) *result.Head, ask func(context.Context, *symbols.Inquiry, symbols.Target) (Res, error)) (Res, error) {
	return overlay.Ask(ctx, n.view, req.Limits, head, func(ctx context.Context, q *symbols.Inquiry) (none Res, err error) {
		t, err := restate.Target(ctx, n.names, q, req.Selector)
		if err != nil {
			return none, err
		}
		return ask(ctx, q, t)
	})
}

// completions returns the items that continue what is already written before the place, or all if
// none does, ordered by their sort text. Servers may leave filtering and sorting to the client.
func completions(at string, list protocol.CompletionList, written string) result.Completions {
	items := slices.Clone(list.Items)
	going := slices.DeleteFunc(slices.Clone(items), func(item protocol.CompletionItem) bool {
		return !strings.HasPrefix(strings.ToLower(strings.TrimSpace(item.FilterText)), strings.ToLower(written))
	})
	if len(going) > 0 {
		items = going
	}
	slices.SortStableFunc(items, func(a, b protocol.CompletionItem) int { return cmp.Compare(a.SortText, b.SortText) })
	answer := result.Completions{At: at, Total: len(items), Items: []result.Completion{}, Incomplete: list.Incomplete}
	for _, item := range items {
		label := strings.TrimSpace(item.Label)
		c := result.Completion{Label: label, Kind: symbols.CompletionKind(item.Kind), Detail: item.Detail, Deprecated: item.Deprecated}
		if item.InsertText != label {
			c.Insert = item.InsertText
		}
		answer.Items = append(answer.Items, c)
	}
	return answer
}
