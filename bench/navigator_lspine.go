package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/mcpserver"
	"github.com/lspine/lspine/internal/render"
)

// engineNavigator asks the engine in this process.
type engineNavigator struct{ engine *engine.Engine }

func (n *engineNavigator) ask(ctx context.Context, q question, s project.Symbol) (func() (int, error), error) {
	operation, request, reply, err := asOperation(n.engine.Root(), q, s)
	if err != nil {
		return nil, err
	}
	err = n.engine.Call(ctx, operation, request, reply)
	return func() (int, error) { return found(reply), nil }, err
}

// asOperation is a question in LSPine's words: an operation, which the default
// profile has as a tool of that name, its request, and where its reply goes.
func asOperation(root string, q question, s project.Symbol) (operation string, request any, reply render.Reply, err error) {
	declared, err := selector(root, s.Declared)
	if err != nil {
		return "", nil, nil, err
	}
	used, err := selector(root, s.Used)
	switch q {
	case definition:
		return engine.Definition.Name, engine.DefinitionRequest{Selector: used}, new(render.Places), err
	case references, referencesLines:
		lines := q == referencesLines
		return engine.References.Name, engine.ReferencesRequest{Selector: declared, SourceLines: &lines}, new(render.Places), err
	case hover, inspect:
		return engine.Inspect.Name, engine.InspectRequest{Selector: used}, new(render.Inspection), err
	case outline:
		file, _, _ := strings.Cut(declared.At, ":")
		return engine.Symbols.Name, engine.SymbolsRequest{File: file}, new(render.Symbols), err
	case search:
		return engine.Symbols.Name, engine.SymbolsRequest{Query: s.Name}, new(render.Symbols), err
	case callers:
		return engine.Hierarchy.Name, engine.HierarchyRequest{Selector: declared}, new(render.Hierarchy), err
	}
	return "", nil, nil, fmt.Errorf("no question %q", q)
}

func selector(root string, p project.Place) (engine.Selector, error) {
	name, err := filepath.Rel(root, p.File)
	return engine.Selector{At: fmt.Sprintf("%s:%d:%d", filepath.ToSlash(name), p.Line+1, p.Character+1)}, err
}

// found is how many things a reply has found, as [raw.Answer] counts.
func found(reply render.Reply) int {
	switch r := reply.(type) {
	case *render.Places:
		return r.Total
	case *render.Symbols:
		return r.Total
	case *render.Hierarchy:
		return r.Total
	case *render.Inspection:
		return min(len(r.Hover), 1)
	}
	return 0
}

// mcpNavigator asks an engine through MCP: the official client, a stream in
// memory, and LSPine's server. The caller must stop it.
type mcpNavigator struct {
	root    string
	server  *mcpserver.Server
	session *mcp.ClientSession
	wire    *tap
	served  chan error
	leave   context.CancelFunc
}

// one is the engine of every workspace.
type one struct{ engine *engine.Engine }

func (o one) Engine(context.Context, string) (engine.Caller, error) { return o.engine, nil }

func startMCP(ctx context.Context, e *engine.Engine, profile string) (*mcpNavigator, error) {
	server, err := mcpserver.New(mcpserver.Options{Engines: one{e}, Root: e.Root(), Dir: e.Root(), Profile: profile})
	if err != nil {
		return nil, err
	}
	ours, theirs := net.Pipe()
	serving, leave := context.WithCancel(context.Background())
	n := &mcpNavigator{root: e.Root(), server: server, wire: &tap{ReadCloser: theirs}, served: make(chan error, 1), leave: leave}
	go func() { n.served <- server.Serve(serving, ours, ours) }() // received in stop
	client := mcp.NewClient(&mcp.Implementation{Name: "lspine-bench", Version: "1"}, nil)
	n.session, err = client.Connect(ctx, &mcp.IOTransport{Reader: n.wire, Writer: theirs}, nil)
	if err != nil {
		return nil, errors.Join(err, n.stop())
	}
	return n, nil
}

func (n *mcpNavigator) stop() error {
	if n.session != nil {
		_ = n.session.Close() // how the server saw it counts
	}
	n.leave()
	err := <-n.served
	n.server.Close()
	return err
}

func (n *mcpNavigator) ask(ctx context.Context, q question, s project.Symbol) (func() (int, error), error) {
	tool, request, reply, err := asOperation(n.root, q, s)
	if err != nil {
		return nil, err
	}
	result, err := n.call(ctx, tool, request)
	if err != nil {
		return nil, err
	}
	return func() (int, error) {
		err := structured(result, reply)
		return found(reply), err
	}, nil
}

// structured reads the structured result.
func structured(result *mcp.CallToolResult, into render.Reply) error {
	text, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func (n *mcpNavigator) call(ctx context.Context, tool string, arguments any) (*mcp.CallToolResult, error) {
	result, err := n.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err == nil && result.IsError {
		err = fmt.Errorf("%s: %s", tool, textOf(result))
	}
	return result, err
}

// textOf is what a model reads.
func textOf(result *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

// A tap keeps the last message that passed. Messages are lines.
type tap struct {
	io.ReadCloser

	mu   sync.Mutex
	line []byte
}

func (t *tap) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.mu.Lock()
	defer t.mu.Unlock()
	for chunk := range bytes.Lines(p[:n]) {
		if bytes.HasSuffix(t.line, []byte("\n")) {
			t.line = t.line[:0]
		}
		t.line = append(t.line, chunk...)
	}
	return n, err
}

// result returns the length of the result in the last message.
func (t *tap) result() (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var message struct {
		Result json.RawMessage `json:"result"`
	}
	err := json.Unmarshal(t.line, &message)
	return len(message.Result), err
}
