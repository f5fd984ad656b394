package navigation

import (
	"context"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// SignatureHelp returns the signatures of the function whose call surrounds a place, and the
// parameter at that place.
func (n *Navigator) SignatureHelp(ctx context.Context, req api.PlaceRequest) (result.Signatures, error) {
	return askAtPlace(ctx, n, req, func(s *result.Signatures) *result.Head { return &s.Head },
		func(ctx context.Context, q *symbols.Inquiry, t symbols.Target) (answer result.Signatures, err error) {
			help, err := q.SignatureHelp(ctx, t)
			if err != nil {
				return answer, err
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
