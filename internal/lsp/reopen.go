package lsp

import (
	"bytes"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// Reopen closes and opens an open document, or sends it again where that is the
// server's way, so that the server forgets what it derived from other files. The
// version grows by one. While it is closed the server has the file's text, and may judge others
// by it. So a document with another text is changed and changed back instead, and its version grows
// by two; but of a server with [registry.OutsideReopen], which would keep what it derived, the caller
// sees to it that it judges nothing else meanwhile.
func (s *Server) Reopen(path string) (Synced, error) {
	languageID, _ := s.def.LanguageID(path)
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	doc := s.docs.open[path]
	if doc == nil {
		return Synced{}, &TextError{path, "not open in " + s.def.ID}
	}
	if s.def.Diagnostics.Outside == registry.OutsideTouch {
		if err := s.notify("textDocument/didChange", protocol.DidChangeParams(doc.uri, doc.version+1, nil, string(doc.text))); err != nil {
			return Synced{}, err
		}
		doc.version++
		s.docs.generation++
		doc.sent = s.docs.states.number
		return s.syncedLocked(doc, true, false), nil
	}
	if onDisk, err := fspath.Read(path); err != nil || !bytes.Equal(protocol.Text(onDisk), doc.text) {
		if s.def.Diagnostics.Outside != registry.OutsideReopen {
			return s.changeTwiceLocked(doc)
		}
		s.docs.changedLocked(path)
	}
	if err := s.notify("textDocument/didClose", protocol.DocumentParams(doc.uri)); err != nil {
		return Synced{}, err
	}
	doc.version++
	if err := s.notify("textDocument/didOpen", protocol.DidOpenParams(doc.uri, languageID, doc.version, string(doc.text))); err != nil {
		return Synced{}, err
	}
	s.docs.generation++
	doc.sent = s.docs.states.number
	if err := s.afterOpenLocked(doc); err != nil {
		return Synced{}, err
	}
	return s.syncedLocked(doc, true, true), nil
}

// changeTwiceLocked adds an empty line to a document and takes it away. The server must not leave out the
// first change: clangd publishes nothing about a text that is the one before. s.docs.mu is held.
func (s *Server) changeTwiceLocked(doc *document) (Synced, error) {
	for _, text := range []string{string(doc.text) + "\n", string(doc.text)} {
		if err := s.notify("textDocument/didChange", protocol.WantedChangeParams(doc.uri, doc.version+1, text)); err != nil {
			return Synced{}, err
		}
		doc.version++
	}
	s.docs.generation++
	s.docs.states.changed()
	doc.sent = s.docs.states.number
	return s.syncedLocked(doc, true, false), nil
}

// Resend sends an open document once more, so that the server reads it anew; its version
// grows by one. Nothing that can change an answer about another file is told, so the
// generation stays. It returns false, and sends nothing, if the version is another one than
// the given: the caller's text is no longer the server's.
func (s *Server) Resend(path string, version int32) (Synced, bool, error) {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	doc := s.docs.open[path]
	if doc == nil || doc.version != version {
		return Synced{}, false, nil
	}
	if err := s.notify("textDocument/didChange", protocol.DidChangeParams(doc.uri, version+1, nil, string(doc.text))); err != nil {
		return Synced{}, false, err
	}
	doc.version++
	doc.sent = s.docs.states.number
	return s.syncedLocked(doc, true, false), true, nil
}
