package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/result"
)

// An Unseen is a call of a tool of which no engine knows: it was refused before one was asked, or the server or an
// extension carried it out. Engines record the others.
type Unseen struct {
	// Tool is the tool as it was called, Operation the one that it stands for, "" if there is none.
	Tool, Operation string
	Client          string
	// Root is the workspace, "" if the call ended before it was known.
	Root string
	// Failed is why it was refused or failed; nil if it was done.
	Failed *result.Error
	Took   time.Duration
}

// A note is what becomes known of a call while it runs.
type note struct {
	root string
	// seen says that an engine was asked to carry it out.
	seen bool
}

type noteKey struct{}

// noteOf returns the note on the call of a context; changes of it are lost if it is no call of a tool.
func noteOf(ctx context.Context) *note {
	if n, is := ctx.Value(noteKey{}).(*note); is {
		return n
	}
	return &note{}
}

// noting runs a call of a tool and reports it, unless an engine was asked to carry it out or it ends with a question, so
// that it will be repeated.
func (s *Server) noting(ctx context.Context, t *tool, req *mcp.CallToolRequest, run func(context.Context) *mcp.CallToolResult) *mcp.CallToolResult {
	if s.opts.Unseen == nil {
		return run(ctx)
	}
	begun, n := time.Now(), &note{}
	answer := run(context.WithValue(ctx, noteKey{}, n))
	if n.seen || answer.InputRequests != nil {
		return answer
	}
	call := Unseen{Tool: t.name, Operation: t.op.Name, Client: clientOf(ctx, req.ClientInfo()), Root: n.root, Took: time.Since(begun)}
	if f, is := answer.StructuredContent.(failure); is {
		call.Failed = &f.Error
	}
	s.opts.Unseen(call)
	return answer
}
