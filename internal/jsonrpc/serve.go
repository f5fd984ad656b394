package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"go.lsp.dev/jsonrpc2"

	"github.com/lspine/lspine/internal/guard"
)

// A Server answers requests that take their time. Serve runs on a goroutine of its own,
// several at once; its context ends when the peer cancels the request ($/cancelRequest) or
// the connection ends. Its result is encoded as JSON. An error is sent with the code and
// the data of a *[ResponseError] if it is one; a panic is an error of that request alone.
type Server interface {
	Serve(ctx context.Context, c *Conn, method string, params json.RawMessage) (result any, err error)
}

// Last is a result after which a connection ends: as soon as it was sent, null is read by
// the peer, and then the end.
type Last struct{}

// serving is the requests of the peer that a [Server] is at work on.
type serving struct {
	server Server
	ctx    context.Context // ends with the connection
	end    context.CancelFunc

	mu      sync.Mutex
	cancels map[jsonrpc2.ID]context.CancelFunc
}

func newServing(server Server) *serving {
	s := &serving{server: server, cancels: make(map[jsonrpc2.ID]context.CancelFunc)}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s
}

// serve answers one request, and lets the next ones be read meanwhile. ctx is that of the
// connection's handler.
func (s *serving) serve(ctx context.Context, c *Conn, req *jsonrpc2.Request) (answer any, err error) {
	method, params, id := req.Method(), json.RawMessage(req.Params()), req.ID()
	serving, cancel := context.WithCancel(s.ctx)
	defer cancel()
	s.mu.Lock()
	s.cancels[id] = cancel
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.cancels, id)
	}()
	jsonrpc2.Async(ctx)
	err = guard.Do(func() error {
		result, err := s.server.Serve(serving, c, method, params)
		if err != nil {
			return err
		}
		if _, last := result.(Last); last {
			c.stream.endAfter(id)
			result = nil
		}
		raw, err := json.Marshal(result)
		answer = jsonrpc2.RawMessage(raw)
		return err
	})
	if err == nil {
		return answer, nil
	}
	failure := &jsonrpc2.Error{Code: jsonrpc2.InternalError, Message: err.Error()}
	var known *ResponseError
	switch {
	case errors.As(err, &known):
		failure = &jsonrpc2.Error{Code: jsonrpc2.Code(known.Code), Message: known.Message, Data: jsonrpc2.RawMessage(known.Data)}
	case errors.Is(err, ErrMethodNotFound):
		failure.Code, failure.Message = CodeMethodNotFound, "method not found: "+method
	}
	return nil, failure
}

// cancel ends the request that a $/cancelRequest names, if it is still served.
func (s *serving) cancel(params json.RawMessage) {
	var named struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(params, &named) != nil {
		return // of a request that nobody can name
	}
	var number int64
	var text string
	var id jsonrpc2.ID
	switch {
	case json.Unmarshal(named.ID, &number) == nil:
		id = jsonrpc2.NewNumberID(number)
	case json.Unmarshal(named.ID, &text) == nil:
		id = jsonrpc2.NewStringID(text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.cancels[id]; cancel != nil {
		cancel()
	}
}
