package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/lspine/lspine/internal/protocol"
)

// The requests that explain a text. Paths are absolute and of open documents;
// positions are 0-based, in UTF-16 units, both ways. Each returns an
// *UnsupportedError, and sends nothing, if the server did not declare it.

// HoverAt returns what the server says about a place (textDocument/hover).
func (s *Server) HoverAt(ctx context.Context, path string, at protocol.Position) (protocol.Hover, error) {
	raw, err := s.callAt(ctx, "textDocument/hover", path, at)
	if err != nil {
		return protocol.Hover{}, err
	}
	hover, err := protocol.DecodeHover(raw)
	if hover.Range != nil {
		*hover.Range = s.translation().within(path, *hover.Range)
	}
	return hover, err
}

// SignatureHelp returns what can be called at a place
// (textDocument/signatureHelp), nil for nothing.
func (s *Server) SignatureHelp(ctx context.Context, path string, at protocol.Position) (*protocol.SignatureHelp, error) {
	raw, err := s.callAt(ctx, "textDocument/signatureHelp", path, at)
	if err != nil {
		return nil, err
	}
	help, skipped, err := protocol.DecodeSignatureHelp(raw)
	s.drop(skipped)
	return help, err
}

// Completions returns what could stand at a place (textDocument/completion).
func (s *Server) Completions(ctx context.Context, path string, at protocol.Position) (protocol.CompletionList, error) {
	raw, err := s.callAt(ctx, "textDocument/completion", path, at)
	if err != nil {
		return protocol.CompletionList{}, err
	}
	list, skipped, err := protocol.DecodeCompletions(raw)
	s.drop(skipped)
	return list, err
}

// Highlights returns the places of the document that belong together with one
// (textDocument/documentHighlight).
func (s *Server) Highlights(ctx context.Context, path string, at protocol.Position) ([]protocol.Highlight, error) {
	raw, err := s.callAt(ctx, "textDocument/documentHighlight", path, at)
	if err != nil {
		return nil, err
	}
	highlights, skipped, err := protocol.DecodeHighlights(raw)
	s.drop(skipped)
	translation := s.translation()
	for i := range highlights {
		highlights[i].Range = translation.within(path, highlights[i].Range)
	}
	return highlights, err
}

// InlayHints returns the hints for a range (textDocument/inlayHint), by place: gopls sends
// them in any order.
func (s *Server) InlayHints(ctx context.Context, path string, r protocol.Range) ([]protocol.InlayHint, error) {
	raw, err := s.callWithin(ctx, "textDocument/inlayHint", path, r)
	if err != nil {
		return nil, err
	}
	hints, skipped, err := protocol.DecodeInlayHints(raw)
	s.drop(skipped)
	translation := s.translation()
	for i := range hints {
		at := hints[i].Position
		hints[i].Position = translation.within(path, protocol.Range{Start: at, End: at}).Start
	}
	slices.SortStableFunc(hints, func(a, b protocol.InlayHint) int {
		return cmp.Or(cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Position.Character, b.Position.Character))
	})
	return hints, err
}

// FoldingRanges returns what can be folded (textDocument/foldingRange).
func (s *Server) FoldingRanges(ctx context.Context, path string) ([]protocol.FoldingRange, error) {
	raw, err := s.call(ctx, "textDocument/foldingRange", protocol.DocumentParams(protocol.URIFromPath(path)))
	if err != nil {
		return nil, err
	}
	ranges, skipped, err := protocol.DecodeFoldingRanges(raw)
	s.drop(skipped)
	translation := s.translation()
	for i := range ranges {
		lines := translation.within(path, protocol.Range{Start: protocol.Position{Line: ranges[i].StartLine}, End: protocol.Position{Line: ranges[i].EndLine}})
		ranges[i].StartLine, ranges[i].EndLine = lines.Start.Line, lines.End.Line
	}
	return ranges, err
}

const (
	tokensFull  = "textDocument/semanticTokens/full"
	tokensRange = "textDocument/semanticTokens/range"
)

// SemanticTokens returns the tokens of the document that touch a range, all of
// them for a nil one. It uses the form that fits
// (textDocument/semanticTokens/range or full), or the one there is.
func (s *Server) SemanticTokens(ctx context.Context, path string, r *protocol.Range) ([]protocol.SemanticToken, error) {
	method := tokensFull
	if s.Supports(tokensRange) && (r != nil || !s.Supports(tokensFull)) {
		method = tokensRange
	}
	legend := protocol.DecodeTokenLegend(s.options(method))
	var raw json.RawMessage
	var err error
	if method == tokensFull {
		raw, err = s.call(ctx, method, protocol.DocumentParams(protocol.URIFromPath(path)))
	} else {
		asked := r
		if asked == nil {
			asked = new(s.all(path))
		}
		raw, err = s.callWithin(ctx, method, path, *asked)
	}
	if err != nil {
		return nil, err
	}
	tokens, skipped, err := protocol.DecodeSemanticTokens(raw, legend)
	s.drop(skipped)
	s.translation().tokens(path, tokens)
	if r == nil {
		return tokens, err
	}
	return touching(tokens, *r), err
}

// touching returns the tokens that share a character with r; an empty r is
// touched by what it is inside of. Tokens are changed.
func touching(tokens []protocol.SemanticToken, r protocol.Range) []protocol.SemanticToken {
	kept := tokens[:0]
	for _, t := range tokens {
		inside := r.Start == r.End && t.Range.Start == r.Start
		if inside || t.Range.Start.Before(r.End) && r.Start.Before(t.Range.End) {
			kept = append(kept, t)
		}
	}
	return kept
}

// all returns the range of a whole document.
func (s *Server) all(path string) protocol.Range {
	text, mapper := s.believed(path)
	if text == nil {
		return protocol.Range{End: protocol.Position{Line: 1<<31 - 1}}
	}
	if mapper == nil {
		mapper = protocol.NewMapper(text)
	}
	return protocol.Range{End: mapper.End(protocol.UTF16)}
}

// callAt sends a request for a place in a document.
func (s *Server) callAt(ctx context.Context, method, path string, at protocol.Position) (json.RawMessage, error) {
	return s.call(ctx, method, protocol.PositionParams(protocol.URIFromPath(path), s.reading(path).toWire(at)))
}

// callWithin sends a request for a range of a document.
func (s *Server) callWithin(ctx context.Context, method, path string, r protocol.Range) (json.RawMessage, error) {
	return s.call(ctx, method, protocol.RangeParams(protocol.URIFromPath(path), s.reading(path).rangeToWire(r)))
}
