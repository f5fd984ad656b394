package engine

import (
	"context"
	"fmt"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// area returns the range that a request names, within its file.
func (e *Engine) area(q *symbols.Inquiry, a api.Area) (symbols.Place, *protocol.Mapper, error) {
	if a.File == "" {
		return symbols.Place{}, nil, &api.ArgumentError{Argument: "file", Reason: "it is missing", Advice: `for example "src/a.go"`}
	}
	path, err := e.workspace.Resolve(e.base(), a.File)
	if err != nil {
		return symbols.Place{}, nil, err
	}
	text, err := q.Text(path)
	if err != nil {
		return symbols.Place{}, nil, err
	}
	r := symbols.LineRange(text, 0, text.Lines()-1)
	switch {
	case int(a.StartLine) > text.Lines():
		return symbols.Place{}, nil, &api.ArgumentError{Argument: "start_line", Reason: fmt.Sprintf("%d is past the end: the file has %d lines", a.StartLine, text.Lines()), Advice: "name a line of the file"}
	case a.EndLine > 0 && (a.EndLine < a.StartLine || a.EndLine == a.StartLine && a.EndColumn > 0 && a.EndColumn < a.StartColumn):
		return symbols.Place{}, nil, &api.ArgumentError{Argument: "end_line", Reason: "the end is before the start", Advice: "for example start_line 10, end_line 20"}
	}
	if a.StartLine > 0 {
		r.Start = protocol.Position{Line: uint32(a.StartLine - 1), Character: uint32(max(a.StartColumn, 1) - 1)}
	}
	if a.EndLine > 0 && int(a.EndLine) <= text.Lines() {
		r.End = symbols.LineRange(text, int(a.EndLine)-1, int(a.EndLine)-1).End
		if a.EndColumn > 0 {
			r.End.Character = min(r.End.Character, uint32(a.EndColumn-1))
		}
	}
	return symbols.Place{Path: path, Range: r}, text, nil
}

var doInlayHints = bind(api.InlayHints, func(ctx context.Context, e *Engine, req api.AreaRequest) (result.Hints, error) {
	return overlay.Ask(ctx, e.view, req.Limits, func(h *result.Hints) *result.Head { return &h.Head },
		func(ctx context.Context, q *symbols.Inquiry) (result.Hints, error) {
			area, _, err := e.area(q, req.Area)
			if err != nil {
				return result.Hints{}, err
			}
			hints, err := q.InlayHints(ctx, area)
			if err != nil {
				return result.Hints{}, err
			}
			answer := result.Hints{Path: e.relative(area.Path), Total: len(hints), Hints: []result.Hint{}}
			for _, h := range hints {
				hint := result.Hint{Line: h.Position.Line + 1, Column: h.Position.Character + 1, Label: h.Label}
				if h.Kind == 1 || h.Kind == 2 {
					hint.Kind = []string{"type", "parameter"}[h.Kind-1]
				}
				answer.Hints = append(answer.Hints, hint)
			}
			return answer, nil
		})
})

var doSemanticTokens = bind(api.SemanticTokens, func(ctx context.Context, e *Engine, req api.AreaRequest) (result.Tokens, error) {
	return overlay.Ask(ctx, e.view, req.Limits, func(t *result.Tokens) *result.Head { return &t.Head },
		func(ctx context.Context, q *symbols.Inquiry) (result.Tokens, error) {
			area, text, err := e.area(q, req.Area)
			if err != nil {
				return result.Tokens{}, err
			}
			tokens, err := q.SemanticTokens(ctx, area)
			if err != nil {
				return result.Tokens{}, err
			}
			result := result.Tokens{Path: e.relative(area.Path), Total: len(tokens), Tokens: []result.Token{}}
			for _, t := range tokens {
				result.Tokens = append(result.Tokens, presentToken(text, t))
			}
			return result, nil
		})
})

func presentToken(text *protocol.Mapper, t protocol.SemanticToken) result.Token {
	token := result.Token{
		Line: t.Range.Start.Line + 1, Column: t.Range.Start.Character + 1, Type: t.Type, Modifiers: t.Modifiers,
	}
	if t.Range.Start.Line == t.Range.End.Line {
		token.Length = t.Range.End.Character - t.Range.Start.Character
	}
	from, to := text.Offset(t.Range.Start, protocol.UTF16), text.Offset(t.Range.End, protocol.UTF16)
	token.Text = string(text.Content()[from:max(from, to)])
	return token
}

var doFolding = bind(api.Folding, func(ctx context.Context, e *Engine, req api.FileRequest) (result.Folds, error) {
	return overlay.Ask(ctx, e.view, req.Limits, func(f *result.Folds) *result.Head { return &f.Head },
		func(ctx context.Context, q *symbols.Inquiry) (result.Folds, error) {
			area, _, err := e.area(q, api.Area{File: req.File})
			if err != nil {
				return result.Folds{}, err
			}
			ranges, err := q.FoldingRanges(ctx, area.Path)
			if err != nil {
				return result.Folds{}, err
			}
			answer := result.Folds{Path: e.relative(area.Path), Total: len(ranges), Folds: []result.Fold{}}
			for _, r := range ranges {
				answer.Folds = append(answer.Folds, result.Fold{Line: r.StartLine + 1, EndLine: r.EndLine + 1, Kind: r.Kind})
			}
			return answer, nil
		})
})
