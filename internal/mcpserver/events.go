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

// A feed reports the events of a workspace's servers, and of its files that change on disk, to the sessions that use the workspace. It
// ends with its last session.
type feed struct {
	cancel   context.CancelFunc
	sessions map[*mcp.ServerSession]bool // guarded by the server's mu
}

// joinFeed adds a session that uses a workspace to its feed. The SDK sends nothing to sessions that
// set no logging level, or whose client has no logging.
func (s *Server) joinFeed(ctx context.Context, ss *mcp.ServerSession, root string, caller api.Caller) {
	if s.inFeed(ss, root) {
		return
	}
	now, err := api.Events.Do(ctx, caller, api.EventsRequest{After: math.MaxUint64})
	if err != nil {
		return // the call itself reports the error
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, lives := s.sessions[ss]; !lives || s.closed {
		return
	}
	h := s.feeds[root]
	if h == nil {
		h = &feed{sessions: make(map[*mcp.ServerSession]bool)}
		var listening context.Context
		listening, h.cancel = context.WithCancel(api.CallOf(ctx).In(s.ctx))
		s.feeds[root] = h
		s.tasks.Go(func() {
			err := guard.Do(func() error { return s.listen(listening, h, root, caller, now.Last) })
			if listening.Err() == nil {
				s.giveUp(root, h, err)
			}
		})
	}
	h.sessions[ss] = true
}

// inFeed reports whether a session is in the feed of a workspace.
func (s *Server) inFeed(ss *mcp.ServerSession, root string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.feeds[root]
	return h != nil && h.sessions[ss]
}

// leaveFeedsLocked removes a session that has ended from all feeds, and ends feeds without
// sessions.
func (s *Server) leaveFeedsLocked(ss *mcp.ServerSession) {
	for root, h := range s.feeds {
		delete(h.sessions, ss)
		if len(h.sessions) == 0 {
			h.cancel()
			delete(s.feeds, root)
		}
	}
}

// giveUp ends a failed feed. The next call starts another one.
func (s *Server) giveUp(root string, h *feed, err error) {
	s.logFailure("events of servers end", err, "workspace", root)
	s.mu.Lock()
	defer s.mu.Unlock()
	h.cancel()
	if s.feeds[root] == h {
		delete(s.feeds, root)
	}
}

// listen sends the events after last to the sessions of a feed, until ctx ends or it fails.
func (s *Server) listen(ctx context.Context, h *feed, root string, caller api.Caller, last uint64) error {
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

// An occurrence is the data of a log message about a server, or about files.
type occurrence struct {
	result.Event
	Workspace string `json:"workspace"`
}

// announce sends an event to the sessions of a feed.
func (s *Server) announce(ctx context.Context, h *feed, root string, event result.Event) {
	s.mu.Lock()
	var sessions []*mcp.ServerSession
	for ss := range h.sessions {
		sessions = append(sessions, ss)
	}
	s.mu.Unlock()
	for _, ss := range sessions {
		logEvent(ctx, ss, root, event)
	}
}

// logEvent sends an event to a session. The SDK drops it if its level is below that of the session
// or, within a request that sets a level, of the request.
func logEvent(ctx context.Context, ss *mcp.ServerSession, root string, event result.Event) {
	level := cmp.Or(map[string]string{"crashed": "warning", "given_up": "error"}[event.Kind], "notice")
	//lint:ignore SA1019 older clients have it
	_ = ss.Log(ctx, &mcp.LoggingMessageParams{ // a session that ended needs none
		//lint:ignore SA1019 older clients have it
		Level: mcp.LoggingLevel(level), Logger: "lspine", Data: occurrence{event, root},
	})
}

// following returns a function that tells the client of what happened to servers during a call, if
// the call names a logging level: in the newest revision messages belong to requests, and sessions
// have no level.
func (s *Server) following(ctx context.Context, req *mcp.CallToolRequest, root string, caller api.Caller) (tell func()) {
	//lint:ignore SA1019 clients have it
	if req.Params.GetMeta()[mcp.MetaKeyLogLevel] == nil {
		return func() {}
	}
	before, err := api.Events.Do(ctx, caller, api.EventsRequest{After: math.MaxUint64})
	if err != nil {
		return func() {} // the call itself reports the error
	}
	return func() {
		now, _ := api.Events.Do(ctx, caller, api.EventsRequest{After: before.Last, TimeoutMS: 1})
		for _, event := range now.Events {
			logEvent(ctx, req.Session, root, event)
		}
	}
}
