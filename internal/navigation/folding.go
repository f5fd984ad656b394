package navigation

import (
	"context"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Folding returns the folding ranges of a file.
func (n *Navigator) Folding(ctx context.Context, req api.FileRequest) (result.Folds, error) {
	return overlay.Ask(ctx, n.view, req.Limits, func(f *result.Folds) *result.Head { return &f.Head },
		func(ctx context.Context, q *symbols.Inquiry) (result.Folds, error) {
			area, _, err := restate.Area(n.names, q, api.Area{File: req.File})
			if err != nil {
				return result.Folds{}, err
			}
			ranges, err := q.FoldingRanges(ctx, area.Path)
			if err != nil {
				return result.Folds{}, err
			}
			answer := result.Folds{Path: n.names.Relative(area.Path), Total: len(ranges), Folds: []result.Fold{}}
			for _, r := range ranges {
				answer.Folds = append(answer.Folds, result.Fold{Line: r.StartLine + 1, EndLine: r.EndLine + 1, Kind: r.Kind})
			}
			return answer, nil
		})
}
