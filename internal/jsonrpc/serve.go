package jsonrpc

import (
	"context"
	"encoding/json"
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

// What a peer can have us do at once. A peer that asks for more waits, and nobody else does.
const (
	// maxServed bounds the requests of a connection that a [Server] is at work on. The next ones wait in
	// the order in which they came, and can be canceled.
	maxServed = 64
	// maxHeld bounds the requests that were read and not answered. No message of the peer is read beyond
	// them until one is answered. See also [Options].MaxHeld.
	maxHeld = 5 * maxServed
)

// serving is the requests of the peer that a [Server] is at work on.
type serving struct {
	server   Server
	maxBytes int             // of the params of requests that were read and not answered
	ctx      context.Context // ends with the connection
	end      context.CancelFunc
	// turns has an element for each request that the server is at work on.
	turns chan struct{}
	// answered has an element if a request was answered since somebody last looked.
	answered chan struct{}

	mu        sync.Mutex
	cancels   map[jsonrpc2.ID]context.CancelFunc
	held      int // requests that were read and not answered
	heldBytes int // of their params
}

func newServing(server Server, maxBytes int) *serving {
	s := &serving{
		server: server, maxBytes: maxBytes, cancels: make(map[jsonrpc2.ID]context.CancelFunc),
		turns: make(chan struct{}, maxServed), answered: make(chan struct{}, 1),
	}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s
}

// hold counts a request that was read, and waits until the next one may be read, or the connection
// has ended.
func (s *serving) hold(id jsonrpc2.ID, bytes int, cancel context.CancelFunc) {
	s.mu.Lock()
	s.cancels[id] = cancel
	s.held++
	s.heldBytes += bytes
	s.mu.Unlock()
	for s.isFull() {
		select {
		case <-s.answered:
		case <-s.ctx.Done():
			return
		}
	}
}

func (s *serving) isFull() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held > maxHeld || s.heldBytes > s.maxBytes && s.held > 1
}

// letGo ends what hold has counted.
func (s *serving) letGo(id jsonrpc2.ID, bytes int) {
	s.mu.Lock()
	delete(s.cancels, id)
	s.held--
	s.heldBytes -= bytes
	s.mu.Unlock()
	select {
	case s.answered <- struct{}{}:
	default:
	}
}

// serve answers one request, and lets the next ones be read meanwhile. ctx is that of the
// connection's handler.
func (s *serving) serve(ctx context.Context, c *Conn, req *jsonrpc2.Request) (answer any, err error) {
	method, params, id := req.Method(), json.RawMessage(req.Params()), req.ID()
	serving, cancel := context.WithCancel(s.ctx)
	defer cancel()
	s.hold(id, len(params), cancel)
	defer s.letGo(id, len(params))
	jsonrpc2.Async(ctx)
	err = guard.Do(func() error {
		select {
		case s.turns <- struct{}{}:
			defer func() { <-s.turns }()
		case <-serving.Done():
			return serving.Err()
		}
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
	return nil, failureOf(method, err)
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
