package mcpserver

import (
	"context"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/result"
)

// progressEvery is how long a call takes before it says what it waits for, and
// how often it says so.
const progressEvery = 300 * time.Millisecond

// showProgress begins to tell the client what the servers are doing, if it asked
// for that. The caller must call stop, which returns when nothing more is sent.
func (s *Server) showProgress(ctx context.Context, req *mcp.CallToolRequest, caller api.Caller) (stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var telling guard.Group
	telling.Go(func() {
		ticks := time.NewTicker(progressEvery)
		defer ticks.Stop()
		for begun := time.Now(); ; {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
			}
			message := "working"
			if status, err := api.Status.Do(ctx, caller, api.StatusRequest{Scope: "running"}); err == nil {
				message = waitingFor(status.Servers)
			}
			if ctx.Err() != nil {
				return
			}
			// Seconds grow with every note; what is left to do nobody knows.
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: time.Since(begun).Seconds(), Message: message,
			}) // a client that is gone gets no result either
		}
	})
	return func() {
		cancel()
		telling.Wait()
	}
}

// waitingFor says in one line what the servers are doing.
func waitingFor(servers []result.Server) string {
	var parts []string
	for i := range servers {
		server := &servers[i]
		switch {
		case server.State == "starting":
			parts = append(parts, server.ID+": starting")
		case server.State == "active" && len(server.Works) > 0:
			parts = append(parts, server.ID+": "+server.Works[len(server.Works)-1])
		}
	}
	if len(parts) == 0 {
		return "waiting for the servers"
	}
	return strings.Join(parts, " · ")
}

// indexing reports whether a server has not finished what it began with.
func indexing(servers []result.Server) bool {
	for i := range servers {
		if servers[i].State == "starting" || len(servers[i].Works) > 0 {
			return true
		}
	}
	return false
}
