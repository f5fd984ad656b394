package lsp

import (
	"bytes"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// states counts the states of the texts that a server may have judged: those of all files, as
// the server has them. Changes with no request between them or under way lead to one state,
// because nothing in between was asked about. The fields are guarded by documents.mu.
type states struct {
	number uint64
	// requests is how many were sent, before how many of these were when the last state began.
	requests, before uint64
	underWay         int
}

// changed notes that a text changed.
func (s *states) changed() {
	if s.underWay > 0 || s.requests != s.before {
		s.number++
		s.before = s.requests
	}
}

// asks waits for the writes before it and notes a request, until answered is called.
func (d *documents) asks() (answered func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.states.requests++
	d.states.underWay++
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.states.underWay--
	}
}

// State returns the number of the state that the texts of all files are in, as the server has
// them. It grows by one with each change, but not when a document is opened or closed whose
// text is that of the file. Changes that nothing was asked between count as one. Opening and
// closing are only looked at for servers with [registry.ConfirmErrors].
func (s *Server) State() uint64 {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	return s.docs.states.number
}

// opensOrClosesLocked notes that a document is opened or closed: what the server takes for the
// text of its file changes if the file has another one. documents.mu is held.
func (s *Server) opensOrClosesLocked(path string, text []byte) {
	if !s.def.Has(registry.ConfirmErrors) {
		return
	}
	onDisk, err := fspath.Read(path)
	if err != nil || !bytes.Equal(protocol.Text(onDisk), text) {
		s.docs.states.changed()
	}
}
