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

// SignatureHelp returns the signatures of the call around a place.
func (n *Navigator) SignatureHelp(ctx context.Context, req api.PlaceRequest) (result.Signatures, error) {
	return overlay.Ask(ctx, n.view, req.Limits, func(s *result.Signatures) *result.Head { return &s.Head },
		func(ctx context.Context, q *symbols.Inquiry) (result.Signatures, error) {
			t, err := restate.Target(ctx, n.names, q, req.Selector)
			if err != nil {
				return result.Signatures{}, err
			}
			help, err := q.SignatureHelp(ctx, t)
			if err != nil {
				return result.Signatures{}, err
			}
			return signatures(n.names.At(t.Path, t.At), help), nil
		})
}

func signatures(at string, help *protocol.SignatureHelp) result.Signatures {
	answer := result.Signatures{At: at, Signatures: []result.Signature{}}
	if help == nil {
		return answer
	}
	answer.Active = help.Active
	for _, s := range help.Signatures {
		signature := result.Signature{Label: s.Label, Documentation: s.Documentation}
		for i, p := range s.Parameters {
			signature.Parameters = append(signature.Parameters, p.Label)
			if i == s.Active {
				signature.ActiveParameter = p.Label
			}
		}
		answer.Signatures = append(answer.Signatures, signature)
	}
	return answer
}
