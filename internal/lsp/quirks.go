package lsp

import (
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// What single servers need and no other does stands here, behind the named
// flags of the registry; no other file knows a server by name.

// afterOpenLocked does what must follow a didOpen. documents.mu is held.
func (s *Server) afterOpenLocked(doc *document) error {
	if !s.def.Has(registry.ChangeAfterOpen) {
		return nil
	}
	doc.version++
	return s.notify("textDocument/didChange", protocol.DidChangeParams(doc.uri, doc.version, nil, string(doc.text)))
}
