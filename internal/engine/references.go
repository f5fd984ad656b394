package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// A ReferencesRequest asks where a symbol is used.
type ReferencesRequest struct {
	Selector
	IncludeDeclaration bool  `json:"include_declaration,omitempty" jsonschema:"count the declaration too"`
	SourceLines        *bool `json:"source_lines,omitempty" jsonschema:"give the text of each line (default true)"`
	Limits
}

// References lists the uses of a symbol.
var References = Op[ReferencesRequest, result.Places]{
	Name:  "references",
	Title: "Find references",
	Doc:   "Every use of a symbol in the workspace, by file.",
	Class: Read,
	run: func(ctx context.Context, e *Engine, req ReferencesRequest) (result.Places, error) {
		return ask(ctx, e, req.Limits, headOfPlaces, func(ctx context.Context, q *symbols.Inquiry) (result.Places, error) {
			t, err := q.Resolve(ctx, req.selector())
			if err != nil {
				return result.Places{}, err
			}
			places, err := q.References(ctx, t, req.IncludeDeclaration)
			if err != nil {
				return result.Places{}, err
			}
			return e.places(q, t.Name, "reference", places, req.SourceLines == nil || *req.SourceLines), nil
		})
	},
}

// A HighlightsRequest asks for the uses of a symbol in its own file.
type HighlightsRequest struct {
	Selector
	Limits
}

// Highlights lists the uses of a symbol in its own file, reads and writes apart.
var Highlights = Op[HighlightsRequest, result.Places]{
	Name:  "highlights",
	Title: "Highlight in file",
	Doc:   "Every use of a symbol in its own file, reads and writes apart.",
	Class: Read,
	run: func(ctx context.Context, e *Engine, req HighlightsRequest) (result.Places, error) {
		return ask(ctx, e, req.Limits, headOfPlaces, func(ctx context.Context, q *symbols.Inquiry) (result.Places, error) {
			t, err := q.Resolve(ctx, req.selector())
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
	},
}
