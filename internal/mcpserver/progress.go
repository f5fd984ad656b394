package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// telling returns a context whose calls report progress to the client, if the client asked for it.
func telling(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	token := req.Params.GetProgressToken()
	if token == nil {
		return ctx
	}
	begun, call := time.Now(), api.CallOf(ctx)
	call.Progress = func(ctx context.Context, p api.Progress) {
		// Seconds grow with every report; how much is left is unknown.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: time.Since(begun).Seconds(), Message: waitingFor(p),
		}) // a client that is gone gets no result either
	}
	return call.In(ctx)
}

// waitingFor returns a line with the number of files done, if there are several, and with what the
// servers are doing.
func waitingFor(p api.Progress) string {
	var parts []string
	if p.Total > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d files", p.Done, p.Total))
	}
	for i := range p.Servers {
		server := &p.Servers[i]
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
	return legible.Line(strings.Join(parts, " · "))
}

// indexing reports whether a server has not finished loading.
func indexing(servers []result.Server) bool {
	for i := range servers {
		if servers[i].State == "starting" || len(servers[i].Works) > 0 {
			return true
		}
	}
	return false
}
