package lsp

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/lspine/lspine/internal/protocol"
)

// partials passes partial results to the requests that they belong to.
type partials struct {
	mu   sync.Mutex
	last int
	take map[string]func(json.RawMessage) // by token
}

// begin returns the token of a request whose partial results take gets, and a function that ends that.
func (p *partials) begin(take func(json.RawMessage)) (token string, end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.take == nil {
		p.take = make(map[string]func(json.RawMessage))
	}
	p.last++
	token = "lspine-partial-" + strconv.Itoa(p.last)
	p.take[token] = take
	return token, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.take, token)
	}
}

// took passes on a $/progress if it is a partial result.
func (p *partials) took(params json.RawMessage) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.take) == 0 {
		return false
	}
	token, value, ok := protocol.PartialResult(params)
	if take := p.take[token]; ok && take != nil {
		take(value)
		return true
	}
	return false
}

// PullWorkspace sends workspace/diagnostic. previous has the result ids of earlier reports. What the server says
// comes to said as it comes, in the order of the wire, the last before PullWorkspace returns; after an error it counts only if the caller
// ended the request itself. said must not wait.
func (s *Server) PullWorkspace(ctx context.Context, identifier string, previous map[protocol.DocumentURI]string, said func([]protocol.WorkspaceReport)) error {
	take := func(raw json.RawMessage) error {
		reports, skipped, err := protocol.DecodeWorkspaceReports(raw)
		if err != nil {
			return err
		}
		s.drop(skipped)
		for i := range reports {
			if path, err := reports[i].URI.Path(); err == nil {
				reports[i].Items = s.reported(path, reports[i].Items)
			}
		}
		said(reports)
		return nil
	}
	token, end := s.partials.begin(func(raw json.RawMessage) {
		if take(raw) != nil {
			s.drop(1)
		}
	})
	defer end()
	raw, err := s.call(ctx, "workspace/diagnostic", protocol.WorkspacePullParams(identifier, previous, token))
	if err != nil {
		return err
	}
	return take(raw)
}

// Pristine reports whether what the server knows of a file must come from the disk, as it was when the server
// first read it: it never had the file open, and was told of no change on disk, of whatever file. Some servers go on to
// judge the text of a document that is closed, or answer before they have read what changed.
func (s *Server) Pristine(path string) bool {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	_, open := s.docs.open[path]
	_, closed := s.docs.closed[path]
	return !open && !closed && !s.docs.toldChanges
}
