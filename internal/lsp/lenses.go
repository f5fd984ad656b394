package lsp

import (
	"context"
	"fmt"

	"github.com/lspine/lspine/internal/protocol"
)

// CodeLenses returns the commands that are offered in a document (textDocument/codeLens),
// by their order. Some have no command until they are resolved.
func (s *Server) CodeLenses(ctx context.Context, path string) ([]protocol.CodeLens, error) {
	raw, err := s.call(ctx, "textDocument/codeLens", protocol.DocumentParams(protocol.URIFromPath(path)))
	if err != nil {
		return nil, err
	}
	lenses, skipped, err := protocol.DecodeCodeLenses(raw)
	s.drop(skipped)
	for i := range lenses {
		lenses[i].Range = s.translation().within(path, lenses[i].Range)
	}
	return lenses, err
}

// ResolveCodeLens returns a lens of [Server.CodeLenses] with its command
// (codeLens/resolve).
func (s *Server) ResolveCodeLens(ctx context.Context, lens protocol.CodeLens) (protocol.CodeLens, error) {
	raw, err := s.call(ctx, "codeLens/resolve", lens.Raw)
	if err != nil {
		return lens, err
	}
	resolved, ok := protocol.DecodeCodeLens(raw)
	if !ok {
		s.drop(1)
		return lens, fmt.Errorf("codeLens/resolve: %s answered with no lens", s.def.ID)
	}
	resolved.Range = lens.Range
	return resolved, nil
}
