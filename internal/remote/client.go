package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/result"
)

// grace is how long after the deadline of a call its answer may arrive: a server that answers at
// the deadline with what it knows still has to send the answer.
const grace = 5 * time.Second

// A Client is an [api.Caller] that calls operations at the other end of a stream. It is safe for
// concurrent use. Whoever creates it closes it.
type Client struct {
	conn *jsonrpc.Conn
	// ending is closed when the server announces that it will end.
	ending     chan struct{}
	endingOnce sync.Once

	mu    sync.Mutex
	last  int64 // the token of the most recent call
	notes map[int64]chan api.Progress
}

// NewClient returns a Client over a stream. [Client.Close] closes the stream.
func NewClient(stream io.ReadWriteCloser) *Client {
	c := &Client{notes: make(map[int64]chan api.Progress), ending: make(chan struct{})}
	c.conn = jsonrpc.New(stream, c, jsonrpc.Options{})
	return c
}

// Close closes the stream. Calls in flight fail.
func (c *Client) Close() error { return c.conn.Close() }

// Done returns a channel that is closed when the stream has ended.
func (c *Client) Done() <-chan struct{} { return c.conn.Done() }

// Ending returns a channel that is closed when the server announces that it will end. The server
// then waits a while for the calls in flight, and for the client to close the stream.
func (c *Client) Ending() <-chan struct{} { return c.ending }

// Ask calls a method that is not an operation, and decodes the result into answer, which may be
// nil.
func (c *Client) Ask(ctx context.Context, method string, params, answer any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return notJSON(method, err)
	}
	given, err := c.conn.Call(ctx, method, raw)
	if err != nil {
		return Restated(ctx, err)
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(given, answer); err != nil {
		return notJSON(method, err)
	}
	return nil
}

// IsLost reports whether an error of a Client says that the stream ended before the answer came.
// Whether the call was carried out is then unknown.
func IsLost(err error) bool { return errors.Is(err, errLost) }

// errLost is wrapped in the error of each call that was in flight when the stream ended.
var errLost = errors.New("the stream has ended")

// Call implements [api.Caller]. Errors have a [*result.Error] in their chain.
func (c *Client) Call(ctx context.Context, name string, req, res any) error {
	request, err := json.Marshal(req)
	if err != nil {
		return notJSON(name, err)
	}
	with := api.CallOf(ctx)
	asked := call{
		Request: request, Session: with.Session, Principal: with.Principal,
		Absolute: with.Absolute, Dir: with.Dir, Last: with.Last, Client: with.Client, Tool: with.Tool, Own: with.Own, Asks: with.Asks, Answers: with.Answers,
	}
	if with.Permission != (api.Permission{}) {
		asked.Permission = &with.Permission
	}
	if deadline, ok := ctx.Deadline(); ok {
		asked.TimeoutMS = max(1, time.Until(deadline).Milliseconds())
	}
	if with.Progress != nil {
		token, stop := c.follow(ctx, with.Progress)
		defer stop()
		asked.Progress = token
	}
	params, err := json.Marshal(asked)
	if err != nil {
		return notJSON(name, err)
	}
	waiting, done := beyond(ctx)
	defer done()
	answer, err := c.conn.Call(waiting, name, params)
	if err != nil {
		return Restated(ctx, err)
	}
	if err := json.Unmarshal(answer, res); err != nil {
		return notJSON(name, err)
	}
	return nil
}

// beyond returns a context that ends when ctx is canceled, or grace after the deadline of ctx.
func beyond(ctx context.Context) (context.Context, func()) {
	waiting, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel(context.Canceled)
			return
		}
		late := time.AfterFunc(grace, func() { cancel(context.DeadlineExceeded) })
		context.AfterFunc(waiting, func() { late.Stop() })
	})
	return waiting, func() {
		stop()
		cancel(nil)
	}
}

// A remoteError is the error of a call: data, along with the error of the caller's context or of
// the stream if that was the cause.
type remoteError struct {
	data  *result.Error
	cause error
}

func (e *remoteError) Error() string { return e.data.Message }

// Unwrap returns the data and the cause.
func (e *remoteError) Unwrap() []error { return []error{e.data, e.cause} }

// notJSON returns the error of a call whose request or result is not JSON.
func notJSON(name string, err error) error {
	err = fmt.Errorf("%s: %w", name, err)
	return &remoteError{result.ErrorOf(err), err}
}

// Restated converts an error of a connection to what [api.Caller] promises: data, if the other end
// sent a [result.Error] with it.
func Restated(ctx context.Context, err error) error {
	var response *jsonrpc.ResponseError
	switch {
	case ctx.Err() != nil && !errors.As(err, &response):
		return &remoteError{result.ErrorOf(ctx.Err()), ctx.Err()}
	case errors.Is(err, jsonrpc.ErrClosed):
		return &remoteError{&result.Error{Kind: result.Unavailable, Message: "the service has ended: " + err.Error(), Hint: "start it again"}, errors.Join(errLost, err)}
	}
	var data result.Error
	if !errors.As(err, &response) || json.Unmarshal(response.Data, &data) != nil {
		return &remoteError{&result.Error{Kind: result.Failed, Message: err.Error()}, err}
	}
	cause := error(response)
	switch data.Kind {
	case result.Canceled:
		cause = context.Canceled
	case result.Timeout:
		cause = context.DeadlineExceeded
	}
	return &remoteError{&data, cause}
}

// follow starts to report the progress of a call, which must carry the returned token. A slow
// listener gets only the newest report. stop returns after the last report.
func (c *Client) follow(ctx context.Context, tell func(context.Context, api.Progress)) (token int64, stop func()) {
	notes := make(chan api.Progress, 1)
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	c.last++
	token = c.last
	c.notes[token] = notes
	c.mu.Unlock()
	var telling guard.Group
	telling.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case p := <-notes:
				tell(ctx, p)
			}
		}
	})
	return token, func() {
		c.mu.Lock()
		delete(c.notes, token)
		c.mu.Unlock()
		cancel()
		telling.Wait()
	}
}

// Notification implements [jsonrpc.Handler]: it handles progress, and the server's announcement
// that it will end.
func (c *Client) Notification(method string, params json.RawMessage) {
	if method == endingMethod {
		c.endingOnce.Do(func() { close(c.ending) })
		return
	}
	var n note
	if method != progressMethod || json.Unmarshal(params, &n) != nil {
		return
	}
	c.mu.Lock()
	notes := c.notes[n.Token]
	c.mu.Unlock()
	if notes == nil {
		return
	}
	select {
	case <-notes: // an undelivered report is out of date
	default:
	}
	select {
	case notes <- n.Value:
	default: // only this goroutine sends
	}
}

// Request implements [jsonrpc.Handler]: a client answers no requests.
func (c *Client) Request(string, json.RawMessage) (any, error) {
	return nil, jsonrpc.ErrMethodNotFound
}
