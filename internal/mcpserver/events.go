package mcpserver

import (
	"cmp"
	"context"
	"math"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/result"
)

// A hearing tells the sessions that use a workspace what happens to its servers. It
// lives as long as there are any.
type hearing struct {
	cancel   context.CancelFunc
	sessions map[*mcp.ServerSession]bool // guarded by the server's mu
}

// hear makes a session that uses a workspace be told of its servers. Who set no
// level of logging, or has no logging, is told nothing by the SDK.
func (s *Server) hear(ctx context.Context, ss *mcp.ServerSession, root string, caller api.Caller) {
	if s.hears(ss, root) {
		return
	}
	now, err := api.Events.Do(ctx, caller, api.EventsRequest{After: math.MaxUint64})
	if err != nil {
		return // the call itself will say so
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, lives := s.sessions[ss]; !lives || s.closed {
		return
	}
	h := s.hearings[root]
	if h == nil {
		h = &hearing{sessions: make(map[*mcp.ServerSession]bool)}
		var listening context.Context
		listening, h.cancel = context.WithCancel(api.CallOf(ctx).In(s.ctx))
		s.hearings[root] = h
		s.tasks.Go(func() {
			err := guard.Do(func() error { return s.listen(listening, h, root, caller, now.Last) })
			if listening.Err() == nil {
				s.giveUp(root, h, err)
			}
		})
	}
	h.sessions[ss] = true
}

// hears reports whether a session is told already.
func (s *Server) hears(ss *mcp.ServerSession, root string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.hearings[root]
	return h != nil && h.sessions[ss]
}

// deafenLocked forgets a session that has ended, and the hearings that nobody needs.
func (s *Server) deafenLocked(ss *mcp.ServerSession) {
	for root, h := range s.hearings {
		delete(h.sessions, ss)
		if len(h.sessions) == 0 {
			h.cancel()
			delete(s.hearings, root)
		}
	}
}

// giveUp ends a hearing that failed: the next call begins another one.
func (s *Server) giveUp(root string, h *hearing, err error) {
	s.logFailure("events of servers end", err, "workspace", root)
	s.mu.Lock()
	defer s.mu.Unlock()
	h.cancel()
	if s.hearings[root] == h {
		delete(s.hearings, root)
	}
}

// listen passes on what happened after the last event, until ctx ends or that fails.
func (s *Server) listen(ctx context.Context, h *hearing, root string, caller api.Caller, last uint64) error {
	var err error
	for err == nil {
		var now result.Events
		now, err = api.Events.Do(ctx, caller, api.EventsRequest{After: last, TimeoutMS: int(epochWait.Milliseconds())})
		last = now.Last
		for _, event := range now.Events {
			s.announce(ctx, h, root, event)
		}
	}
	return err
}

// An occurrence is the payload of a message about a server.
type occurrence struct {
	result.Event
	Workspace string `json:"workspace"`
}

// announce sends an event to the sessions of a hearing.
func (s *Server) announce(ctx context.Context, h *hearing, root string, event result.Event) {
	level := cmp.Or(map[string]string{"crashed": "warning", "given_up": "error"}[event.Kind], "notice")
	s.mu.Lock()
	var sessions []*mcp.ServerSession
	for ss := range h.sessions {
		sessions = append(sessions, ss)
	}
	s.mu.Unlock()
	for _, ss := range sessions {
		//lint:ignore SA1019 older clients have it
		_ = ss.Log(ctx, &mcp.LoggingMessageParams{ // a session that ended needs none
			//lint:ignore SA1019 older clients have it
			Level: mcp.LoggingLevel(level), Logger: "lspine", Data: occurrence{event, root},
		})
	}
}
