package symbols

import (
	"cmp"
	"context"
	"slices"

	"github.com/lspine/lspine/internal/protocol"
)

// The methods of the definition family (LSP, textDocument/…).
const (
	Definition     = "textDocument/definition"
	Declaration    = "textDocument/declaration"
	TypeDefinition = "textDocument/typeDefinition"
	Implementation = "textDocument/implementation"
)

// Places returns the answer to a method of the definition family about a target, in the server's
// order, each place once. No places and no error means that there is none.
func (q *Inquiry) Places(ctx context.Context, method string, t Target) ([]Place, error) {
	places, err := ask(ctx, q, t.Path, method, func(ctx context.Context, s Server) ([]Place, error) {
		locations, err := s.Locations(ctx, method, t.Path, t.At)
		return q.placesOf(s, locations), err
	})
	if err == nil && method == Definition {
		places, err = q.counterpart(ctx, t, places)
	}
	if err == nil && method == Definition && len(places) == 0 && t.Symbol != nil && protocol.IsVirtual(t.Path) {
		places = []Place{{t.Path, t.Symbol.Selection}} // of a library that its server found by name
	}
	q.read(ctx, places)
	return places, err
}

// References returns the places where a target is used, ordered by path as shown to the caller,
// then by line and column.
func (q *Inquiry) References(ctx context.Context, t Target, includeDeclaration bool) ([]Place, error) {
	places, err := ask(ctx, q, t.Path, "textDocument/references", func(ctx context.Context, s Server) ([]Place, error) {
		locations, err := s.References(ctx, t.Path, t.At, includeDeclaration)
		return q.placesOf(s, locations), err
	})
	q.sort(places)
	return places, err
}

func (q *Inquiry) sort(places []Place) {
	names := make(map[string]string)
	for _, p := range places {
		if _, ok := names[p.Path]; !ok {
			names[p.Path] = q.access.Relative(p.Path)
		}
	}
	slices.SortStableFunc(places, func(a, b Place) int {
		return cmp.Or(cmp.Compare(names[a.Path], names[b.Path]), compare(a.Range.Start, b.Range.Start))
	})
}

// Hover returns the hover text of a target; its Text is "" if the server has none.
func (q *Inquiry) Hover(ctx context.Context, t Target) (protocol.Hover, error) {
	return one(ask(ctx, q, t.Path, "textDocument/hover", single(func(ctx context.Context, s Server) (protocol.Hover, error) {
		return s.HoverAt(ctx, t.Path, t.At)
	})))
}

// SignatureHelp returns the signatures of the call around a place; nil if there is no call.
func (q *Inquiry) SignatureHelp(ctx context.Context, t Target) (*protocol.SignatureHelp, error) {
	return one(ask(ctx, q, t.Path, "textDocument/signatureHelp", single(func(ctx context.Context, s Server) (*protocol.SignatureHelp, error) {
		return s.SignatureHelp(ctx, t.Path, t.At)
	})))
}

// Completions returns what can be inserted at a place, unsorted.
func (q *Inquiry) Completions(ctx context.Context, t Target) (protocol.CompletionList, error) {
	return one(ask(ctx, q, t.Path, "textDocument/completion", single(func(ctx context.Context, s Server) (protocol.CompletionList, error) {
		return s.Completions(ctx, t.Path, t.At)
	})))
}

// Highlights returns the uses of a target in its own file, as far as they are read or written.
func (q *Inquiry) Highlights(ctx context.Context, t Target) ([]protocol.Highlight, error) {
	return ask(ctx, q, t.Path, "textDocument/documentHighlight", func(ctx context.Context, s Server) ([]protocol.Highlight, error) {
		return s.Highlights(ctx, t.Path, t.At)
	})
}

// InlayHints returns the inlay hints in a range of a file.
func (q *Inquiry) InlayHints(ctx context.Context, p Place) ([]protocol.InlayHint, error) {
	return ask(ctx, q, p.Path, "textDocument/inlayHint", func(ctx context.Context, s Server) ([]protocol.InlayHint, error) {
		return s.InlayHints(ctx, p.Path, p.Range)
	})
}

// SemanticTokens returns the semantic tokens in a range of a file.
func (q *Inquiry) SemanticTokens(ctx context.Context, p Place) ([]protocol.SemanticToken, error) {
	return ask(ctx, q, p.Path, "textDocument/semanticTokens", func(ctx context.Context, s Server) ([]protocol.SemanticToken, error) {
		return s.SemanticTokens(ctx, p.Path, &p.Range)
	})
}

// FoldingRanges returns the folding ranges of a file.
func (q *Inquiry) FoldingRanges(ctx context.Context, path string) ([]protocol.FoldingRange, error) {
	return ask(ctx, q, path, "textDocument/foldingRange", func(ctx context.Context, s Server) ([]protocol.FoldingRange, error) {
		return s.FoldingRanges(ctx, path)
	})
}

// one returns the only answer there is, or the zero value.
func one[T any](answers []T, err error) (answer T, _ error) {
	if err != nil || len(answers) == 0 {
		return answer, err
	}
	return answers[0], nil
}
