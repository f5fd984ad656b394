// Package jsonrpc is a framed JSON-RPC 2.0 connection as language servers
// speak it: Content-Length frames of bounded size, calls with cancellation,
// notifications in order, and a reader that forgives what servers get wrong.
// The state machine is go.lsp.dev/jsonrpc2, which only this package imports.
package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"github.com/lspine/lspine/internal/guard"
)

// Error codes that somebody decides by (JSON-RPC 2.0, LSP ErrorCodes).
const (
	CodeMethodNotFound   = -32601
	CodeInvalidParams    = -32602
	CodeServerCancelled  = -32802
	CodeContentModified  = -32801
	CodeRequestCancelled = -32800
)

// A ResponseError is an error response of the peer.
type ResponseError struct {
	Method  string
	Code    int
	Message string
	Data    json.RawMessage // nil if none
}

func (e *ResponseError) Error() string {
	return fmt.Sprintf("%s: %s (%d)", e.Method, e.Message, e.Code)
}

// ErrMethodNotFound is returned by a Handler for a request it does not know;
// the peer gets -32601.
var ErrMethodNotFound = errors.New("method not found")

// ErrClosed is returned (wrapped) by Call and Notify when the connection ended
// before the answer came. Conn.Err says why.
var ErrClosed = errors.New("connection closed")

// A Handler handles what the peer sends. Its methods run one after another, in
// the order of the wire, on the goroutine that reads: they must not block, and
// must not wait for a Call on the same connection. Params are owned by the
// handler; they are nil if the peer sent none.
type Handler interface {
	// Notification handles a notification.
	Notification(method string, params json.RawMessage)
	// Request answers a request. The result is encoded as JSON; nil is null.
	Request(method string, params json.RawMessage) (result any, err error)
}

// Options configure a connection. The zero value of each field means its
// default.
type Options struct {
	// MaxFrame bounds an incoming frame, in bytes; 64 MiB by default. A larger
	// one ends the connection with a *FrameError.
	MaxFrame int64
	// MaxQueue bounds what waits to be written, in bytes; 256 MiB by default.
	// What exceeds it ends the connection: the peer does not read.
	MaxQueue int
	// MaxHeld bounds the params of the requests of the peer that a Server has not answered, in bytes; 128
	// MiB by default. Beyond it, nothing is read until one is answered.
	MaxHeld int
	// Dropped, if not nil, is told of every message that was skipped, on the
	// goroutine that reads.
	Dropped func(reason string)
	// Trace, if not nil, is told of each message, before it is sent and once it was read. It may be called by several
	// goroutines at once, must not wait, and must not keep the body.
	Trace func(sent bool, body []byte)
	// Server, if not nil, answers the requests of the peer instead of the handler.
	Server Server
}

// A Conn is one connection. It is safe for concurrent use.
type Conn struct {
	stream  *stream
	conn    jsonrpc2.Conn
	serving *serving // nil without a Server
	done    chan struct{}
}

// New starts a connection over transport, which Close closes. Closing the
// transport must unblock a pending Read and Write.
func New(transport io.ReadWriteCloser, handler Handler, opts Options) *Conn {
	if opts.MaxFrame == 0 {
		opts.MaxFrame = 64 << 20
	}
	if opts.MaxQueue == 0 {
		opts.MaxQueue = 256 << 20
	}
	if opts.MaxHeld == 0 {
		opts.MaxHeld = 128 << 20
	}
	c := &Conn{stream: newStream(transport, opts), done: make(chan struct{})}
	c.conn = jsonrpc2.NewConn(c.stream)
	if opts.Server != nil {
		c.serving = newServing(opts.Server, opts.MaxHeld)
		c.stream.onEnd = c.serving.end
	}
	c.conn.Go(context.Background(), func(ctx context.Context, req *jsonrpc2.Request) (answer any, err error) {
		if c.serving != nil && req.IsCall() {
			return c.serving.serve(ctx, c, req.Clone())
		}
		// What a handler that panicked has done to its state nobody knows: the connection
		// ends, and no other.
		if failed := guard.Do(func() error { answer, err = c.handle(handler, req); return nil }); failed != nil {
			c.stream.end(failed)
			_ = c.stream.Close()
			return nil, failed
		}
		return answer, err
	})
	go func() {
		defer close(c.done)
		<-c.conn.Done()
		_ = c.stream.Close()
		c.stream.ending.Wait()
	}()
	return c
}

// handle passes on a message of the peer. It copies nothing: the params are a part of the frame, which stream.readFrame makes
// for this message alone.
func (c *Conn) handle(handler Handler, req *jsonrpc2.Request) (any, error) {
	method, params := strings.Clone(req.Method()), json.RawMessage(req.Params())
	if !req.IsCall() {
		if c.serving != nil && method == "$/cancelRequest" {
			c.serving.cancel(params)
			return nil, nil
		}
		handler.Notification(method, params)
		return nil, nil
	}
	result, err := handler.Request(method, params)
	if errors.Is(err, ErrMethodNotFound) {
		return nil, jsonrpc2.NewError(CodeMethodNotFound, "method not found: "+method)
	}
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(result)
	return jsonrpc2.RawMessage(raw), err
}

// Call sends a request and waits for its response. If ctx ends first, the peer
// is told with $/cancelRequest and ctx.Err() is returned. An error response is
// a *ResponseError. When Call returns, every notification that the peer sent
// before the response was handled. A nil params sends no params member.
func (c *Conn) Call(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	var result jsonrpc2.RawMessage
	id, err := c.conn.Call(ctx, method, rawOrNil(params), &result)
	if err == nil {
		return json.RawMessage(result), nil
	}
	if ctx.Err() != nil {
		if n, ok := id.Number(); ok {
			cancel := fmt.Appendf(nil, `{"id":%d}`, n)
			_ = c.conn.Notify(context.WithoutCancel(ctx), "$/cancelRequest", jsonrpc2.RawMessage(cancel))
		}
		return nil, fmt.Errorf("%s: %w", method, ctx.Err())
	}
	var failure *jsonrpc2.Error
	if errors.As(err, &failure) {
		return nil, &ResponseError{
			Method: method, Code: int(failure.Code), Message: failure.Message, Data: json.RawMessage(failure.Data),
		}
	}
	return nil, fmt.Errorf("%s: %w: %w", method, ErrClosed, c.reason(err))
}

// Order queues a request whose response is of no interest, and waits for none; it leaves in the order of the calls, as a notification
// does. A nil params sends no params member.
func (c *Conn) Order(method string, params json.RawMessage) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // whoever waits no longer has it written all the same
	if _, err := c.conn.Call(ctx, method, rawOrNil(params), nil); !errors.Is(err, context.Canceled) && err != nil {
		return fmt.Errorf("%s: %w: %w", method, ErrClosed, c.reason(err))
	}
	return nil
}

// Notify queues a notification; notifications and requests leave in the order
// of the calls. A nil params sends no params member.
func (c *Conn) Notify(method string, params json.RawMessage) error {
	err := c.conn.Notify(context.Background(), method, rawOrNil(params))
	if err != nil {
		return fmt.Errorf("%s: %w: %w", method, ErrClosed, c.reason(err))
	}
	return nil
}

// rawOrNil keeps a nil params an absent member instead of a null one.
func rawOrNil(params json.RawMessage) any {
	if params == nil {
		return nil
	}
	return jsonrpc2.RawMessage(params)
}

// Received returns how many bytes the peer has sent so far.
func (c *Conn) Received() int64 { return c.stream.received.Load() }

// Flush waits until everything sent so far was handed to the transport.
func (c *Conn) Flush() error { return c.stream.out.flush() }

// Done is closed when the connection has ended, whoever ended it.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns why the connection ended: io.EOF when the peer closed it, a
// *FrameError when it sent what cannot be read. It is nil before the end.
func (c *Conn) Err() error { return c.stream.endReason() }

func (c *Conn) reason(err error) error {
	if reason := c.Err(); reason != nil {
		return reason
	}
	return err
}

// Close ends the connection: pending calls fail with ErrClosed, the transport
// is closed. It waits until no handler runs any more, so a handler must not
// call it.
func (c *Conn) Close() error {
	err := c.stream.Close()
	_ = c.conn.Close()
	<-c.done
	return err
}
