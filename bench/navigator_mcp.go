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
	"github.com/lspine/lspine/internal/api"
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
	wire   io.WriteCloser
	lines  *bufio.Reader
	last   int // id of the last request
	served chan error
	leave  context.CancelFunc
}

// one is the engine of every workspace.
type one struct{ engine *engine.Engine }

func (o one) Engine(context.Context, string) (api.Caller, error) { return o.engine, nil }

func startMCP(e *engine.Engine, profile string) (*mcpNavigator, error) {
	server, err := mcpserver.New(mcpserver.Options{Engines: one{e}, Root: e.Root(), Dir: e.Root(), Profile: profile, Structured: "full"})
	if err != nil {
		return nil, err
	}
	ours, theirs := net.Pipe()
	serving, leave := context.WithCancel(context.Background())
	n := &mcpNavigator{root: e.Root(), server: server, wire: theirs, lines: bufio.NewReaderSize(theirs, 64<<10), served: make(chan error, 1), leave: leave}
	go func() { n.served <- server.Serve(serving, ours, ours) }() // received in stop
	if err := n.begin(); err != nil {
		return nil, errors.Join(err, n.stop())
	}
	return n, nil
}

// begin opens the session.
func (n *mcpNavigator) begin() error {
	_, _, err := request[struct{}](n, "initialize", json.RawMessage(
		`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"lspine-bench","version":"1"}}`))
	if err == nil {
		_, err = io.WriteString(n.wire, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	return err
}

func (n *mcpNavigator) stop() error {
	_ = n.wire.Close() // how the server saw it counts
	n.leave()
	err := <-n.served
	n.server.Close()
	return err
}

// request sends a request and decodes its result.
func request[T any](n *mcpNavigator, method string, params any) (result T, length int, err error) {
	n.last++
	text, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		ID      int    `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", n.last, method, params})
	if err != nil {
		return result, 0, err
	}
	if _, err := n.wire.Write(append(text, '\n')); err != nil {
		return result, 0, err
	}
	for {
		line, err := n.lines.ReadBytes('\n')
		if err != nil {
			return result, 0, err
		}
		var answer struct {
			ID     int             `json:"id"`
			Result T               `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			return result, 0, err
		}
		switch {
		case answer.ID != n.last: // a notification
		case answer.Error != nil:
			return result, 0, fmt.Errorf("%s: %s", method, answer.Error)
		default:
			return answer.Result, len(line), nil
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
	whole      int             // bytes of the message
}

// text is what a model reads.
func (c *called) text() string {
	var b strings.Builder
	for _, part := range c.Content {
		b.WriteString(part.Text)
	}
	return b.String()
}

func (n *mcpNavigator) call(tool string, arguments any) (called, error) {
	result, length, err := request[called](n, "tools/call", struct {
		Name      string `json:"name"`
		Arguments any    `json:"arguments"`
	}{tool, arguments})
	result.whole = length
	if err == nil && result.IsError {
		err = fmt.Errorf("%s: %s", tool, result.text())
	}
	return result, err
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

// listed returns how many tools there are, and the bytes of the message with them.
func (n *mcpNavigator) listed() (tools, bytes int, err error) {
	list, length, err := request[struct {
		Tools []json.RawMessage `json:"tools"`
	}](n, "tools/list", struct{}{})
	return len(list.Tools), length, err
}
