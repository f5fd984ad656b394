package navigation

import (
	"context"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// SemanticTokens returns the words in an area of a file with the kinds that the server assigns to
// them, such as variable or type.
func (n *Navigator) SemanticTokens(ctx context.Context, req api.AreaRequest) (result.Tokens, error) {
	return overlay.Ask(ctx, n.view, req.Limits, func(t *result.Tokens) *result.Head { return &t.Head },
		func(ctx context.Context, q *symbols.Inquiry) (result.Tokens, error) {
			area, text, err := restate.Area(n.names, q, req.Area)
			if err != nil {
				return result.Tokens{}, err
			}
			tokens, err := q.SemanticTokens(ctx, area)
			if err != nil {
				return result.Tokens{}, err
			}
			result := result.Tokens{Path: n.names.Relative(area.Path), Total: len(tokens), Tokens: []result.Token{}}
			for _, t := range tokens {
				result.Tokens = append(result.Tokens, presentToken(text, t))
			}
			return result, nil
		})
}

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
