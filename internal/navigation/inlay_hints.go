package navigation

import (
	"context"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// InlayHints returns the inferred types and parameter names that an editor would show in an area of
// a file.
func (n *Navigator) InlayHints(ctx context.Context, req api.AreaRequest) (result.Hints, error) {
	return overlay.Ask(ctx, n.view, req.Limits, func(h *result.Hints) *result.Head { return &h.Head },
		func(ctx context.Context, q *symbols.Inquiry) (result.Hints, error) {
			area, _, err := restate.Area(n.names, q, req.Area)
			if err != nil {
				return result.Hints{}, err
			}
			hints, err := q.InlayHints(ctx, area)
			if err != nil {
				return result.Hints{}, err
			}
			answer := result.Hints{Path: n.names.Relative(area.Path), Total: len(hints), Hints: []result.Hint{}}
			for _, h := range hints {
				hint := result.Hint{Line: h.Position.Line + 1, Column: h.Position.Character + 1, Label: h.Label}
				if h.Kind == 1 || h.Kind == 2 {
					hint.Kind = []string{"type", "parameter"}[h.Kind-1]
				}
				answer.Hints = append(answer.Hints, hint)
			}
			return answer, nil
		})
}
