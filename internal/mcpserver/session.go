package mcpserver

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A session is what we keep of an MCP session. The SDK waits for handlers when a
// session closes, and does not end them: ctx does.
type session struct {
	ctx context.Context
	end context.CancelFunc

	// mu guards the client's roots, the one that it chose, and the skill. asked says that they are
	// as the client told them, generation counts how often it said that they changed.
	mu         sync.Mutex
	roots      []string
	asked      bool
	generation int
	chosen     string
	// skill is the one that is active, nil for none; ended that which ended with its last phase, "" for
	// none since another began.
	skill *enforcement
	ended string
}

// chosenRoot returns the workspace that the session chose for calls that name none, or "".
func (s *session) chosenRoot() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.chosen
}

// choose makes a folder the workspace of calls that name none. It is one that the session
// may use.
func (s *session) choose(root string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chosen = root
}

// session returns what we keep of an MCP session. It is dropped, with its
// subscriptions, when the session has ended.
func (s *Server) session(ss *mcp.ServerSession) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own, ok := s.sessions[ss]; ok {
		return own
	}
	own := &session{}
	own.ctx, own.end = context.WithCancel(s.ctx)
	s.sessions[ss] = own
	if s.closed {
		own.end()
		return own
	}
	s.tasks.Go(func() {
		_ = ss.Wait() // why it ended is known to who served it
		own.end()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.sessions, ss)
		s.dropLocked(ss)
		s.leaveFeedsLocked(ss)
	})
	return own
}

// endByID ends what the session with the id is doing.
func (s *Server) endByID(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ss, own := range s.sessions {
		if ss.ID() == id {
			own.end()
		}
	}
}
