package mcpserver

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A session is the state of an MCP session. When a session closes, the SDK waits for its handlers
// without ending them; ctx ends them.
type session struct {
	ctx context.Context
	end context.CancelFunc
	// visitor is the name of the visitor that began the session, "" if nobody let it in.
	visitor string

	// mu guards the client's roots, the root that the session chose, and the skill. asked means
	// that the roots are as the client reported them; generation counts the changes that it
	// reported.
	mu         sync.Mutex
	roots      []string
	asked      bool
	generation int
	chosen     string
	// skill is the active skill, nil if there is none. ended names the skill that ended with its
	// last phase, "" once another has begun.
	skill *enforcement
	ended string
	// level says that the client has set the level of messages.
	level bool
}

// setLevel notes that the client has set the level of messages.
func (s *session) setLevel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.level = true
}

func (s *session) hasLevel() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.level
}

// chosenRoot returns the workspace that the session chose for calls that name none, "" if it chose
// none.
func (s *session) chosenRoot() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.chosen
}

// choose makes a folder, which the session must be allowed to use, the workspace of calls that name
// none.
func (s *session) choose(root string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chosen = root
}

// session returns the state of an MCP session. It is dropped, with its subscriptions, when the
// session ends.
func (s *Server) session(ss *mcp.ServerSession) *session { return s.sessionBy("", ss) }

// sessionBy is session for a request of a visitor, who owns the session if this is its first request.
func (s *Server) sessionBy(visitor string, ss *mcp.ServerSession) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own, ok := s.sessions[ss]; ok {
		return own
	}
	own := &session{visitor: visitor}
	own.ctx, own.end = context.WithCancel(s.ctx)
	s.sessions[ss] = own
	if s.closed {
		own.end()
		return own
	}
	if ss.ID() == "" && visitor == "" {
		s.tasks.Go(func() { s.tellLines(own.ctx, ss) })
	}
	s.tasks.Go(func() {
		_ = ss.Wait() // whoever served it knows why it ended
		own.end()
		if of, ends := s.opts.Engines.(SessionEnder); ends && ss.ID() != "" {
			of.EndSession(conversation(own.ctx, ss))
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.sessions, ss)
		s.dropLocked(ss)
		s.leaveFeedsLocked(ss)
	})
	return own
}

// conversation returns the name of the session, in an engine, of the calls of a client. Over HTTP one server has several clients, each
// with its own: that of its MCP session or, in the newest revision, which has none, that of its token. Other clients have the process
// to themselves, and need no name.
func conversation(ctx context.Context, ss *mcp.ServerSession) string {
	if ss != nil && ss.ID() != "" {
		return "mcp session " + ss.ID()
	}
	if name := visitorOf(ctx).Name; name != "" {
		return "token " + name
	}
	return ""
}

// endByID cancels the work of the session with the id.
func (s *Server) endByID(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ss, own := range s.sessions {
		if ss.ID() == id {
			own.end()
		}
	}
}

// newestEra is the first revision of MCP without sessions.
const newestEra = "2026-07-28"
