package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/mcpserver"
)

// mcpNavigator asks an engine through MCP: LSPine's server, a stream in memory,
// and a client as thin as the raw one, which decodes what a model reads and keeps
// the structured result as it came. The caller must stop it. Calls come from one
// goroutine.
type mcpNavigator struct {
	root   string
	server *mcpserver.Server
	wire   net.Conn
	lines  *bufio.Reader
	last   int // id of the last request
	served chan error
	leave  context.CancelFunc
}

// one is the engine of every workspace.
type one struct{ engine *engine.Engine }

func (o one) Engine(context.Context, string) (engine.Caller, error) { return o.engine, nil }

func startMCP(e *engine.Engine, profile string) (*mcpNavigator, error) {
	server, err := mcpserver.New(mcpserver.Options{Engines: one{e}, Root: e.Root(), Dir: e.Root(), Profile: profile})
	if err != nil {
		return nil, err
	}
	ours, theirs := net.Pipe()
	serving, leave := context.WithCancel(context.Background())
	n := &mcpNavigator{root: e.Root(), server: server, wire: theirs, lines: bufio.NewReaderSize(theirs, 64<<10), served: make(chan error, 1), leave: leave}
	go func() { n.served <- server.Serve(serving, ours, ours) }() // received in stop
	_, err = n.request("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": struct{}{}, "clientInfo": map[string]string{"name": "lspine-bench", "version": "1"},
	})
	if err == nil {
		_, err = io.WriteString(theirs, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	if err != nil {
		return nil, errors.Join(err, n.stop())
	}
	return n, nil
}

func (n *mcpNavigator) stop() error {
	_ = n.wire.Close() // how the server saw it counts
	n.leave()
	err := <-n.served
	n.server.Close()
	return err
}

// request sends a request and returns the result as it came.
func (n *mcpNavigator) request(method string, params any) (json.RawMessage, error) {
	n.last++
	request, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		ID      int    `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", n.last, method, params})
	if err != nil {
		return nil, err
	}
	if _, err := n.wire.Write(append(request, '\n')); err != nil {
		return nil, err
	}
	for {
		line, err := n.lines.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var answer struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			return nil, err
		}
		switch {
		case answer.ID != n.last: // a notification
		case answer.Error != nil:
			return nil, fmt.Errorf("%s: %s", method, answer.Error)
		default:
			return answer.Result, nil
		}
	}
}

// A called is the result of a tool.
type called struct {
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
	whole      int             // bytes
}

// text is what a model reads.
func (c *called) text() string {
	var b strings.Builder
	for _, part := range c.Content {
		b.WriteString(part.Text)
	}
	return b.String()
}

func (n *mcpNavigator) call(tool string, arguments any) (*called, error) {
	raw, err := n.request("tools/call", struct {
		Name      string `json:"name"`
		Arguments any    `json:"arguments"`
	}{tool, arguments})
	if err != nil {
		return nil, err
	}
	result := &called{whole: len(raw)}
	if err := json.Unmarshal(raw, result); err != nil {
		return nil, err
	}
	if result.IsError {
		return nil, fmt.Errorf("%s: %s", tool, result.text())
	}
	return result, nil
}

func (n *mcpNavigator) ask(_ context.Context, q question, s project.Symbol) (func() (int, error), error) {
	tool, request, reply, err := asOperation(n.root, q, s)
	if err != nil {
		return nil, err
	}
	result, err := n.call(tool, request)
	return func() (int, error) {
		err := json.Unmarshal(result.Structured, reply)
		return found(reply), err
	}, err
}

// listed returns how many tools there are, and the bytes of their list.
func (n *mcpNavigator) listed() (tools, bytes int, err error) {
	raw, err := n.request("tools/list", struct{}{})
	var list struct {
		Tools []json.RawMessage `json:"tools"`
	}
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	return len(list.Tools), len(raw), err
}
