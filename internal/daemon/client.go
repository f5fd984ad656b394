package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/remote"
	"github.com/lspine/lspine/internal/result"
)

// Options configure a [Client].
type Options struct {
	Identity
	// Command is the lspine command line (without the program) that runs the daemon of this
	// identity.
	Command []string
	Version string
	// Name describes the client in `daemon status`.
	Name string
	// Dir is the folder that relative paths in calls start from; "" means the root.
	Dir string
	// Session, if not "", names a session that several clients share one after another. It ends
	// with the daemon, or when there are too many, rather than with this client.
	Session string
	// Once says that the client makes only one call.
	Once bool
	// RunningOnly says that no daemon may be started.
	RunningOnly bool
	// Own creates the engine that answers if no daemon is available. If Own is nil, calls then
	// fail.
	Own func() (*engine.Engine, error)
	// Fell, if not nil, is called once with the reason why the client uses its own engine.
	Fell func(reason error)
}

// A Client is an [api.Caller] that calls a daemon. If the daemon ends, it finds or starts another;
// if none is available, its own engine answers. A Client is one session. It is safe for concurrent
// use. Whoever creates it closes it.
type Client struct {
	opts Options
	// connecting is held while a daemon is found or started.
	connecting *call.Lock

	mu     sync.Mutex
	closed bool
	conn   *connection
	own    *engine.Engine
	left   []*connection // connections that end with their last call
	began  string        // the commit at which the session began

	resting *rest // nil if the client makes only one call
}

// whyLooking is the reason in the error of a call that waits for the lock in vain.
const whyLooking = "a daemon was being started"

// Dial returns a Client that is connected to the daemon of an identity, which it starts if
// necessary, or that has its own engine.
func Dial(ctx context.Context, o Options) (*Client, error) {
	c := &Client{opts: o, connecting: call.NewLock(whyLooking)}
	if !o.Once {
		c.resting = &rest{free: debug.FreeOSMemory}
	}
	_, conn, err := c.caller(ctx)
	if err != nil {
		return nil, err
	}
	if conn != nil {
		conn.done()
	}
	return c, nil
}

// Call implements [api.Caller]. If the daemon ends during a call that only reads, the call is
// repeated. A call that may have changed files is not: it fails with a *[LostError].
func (c *Client) Call(ctx context.Context, name string, req, res any) error {
	with := api.CallOf(ctx)
	if with.Dir == "" {
		with.Dir = c.opts.Dir
	}
	with.Last = with.Last || c.opts.Once
	ctx = with.In(ctx)
	if givesText(name, req) {
		// Servers can see only one text of a file, and for all other clients that is the one on
		// disk.
		if err := c.leave(errOwnText); err != nil {
			return err
		}
	}
	for attempt := 1; ; attempt++ {
		caller, conn, err := c.caller(ctx)
		if err != nil {
			return err
		}
		err = caller.Call(ctx, name, req, res)
		if conn != nil {
			conn.done()
		}
		if c.resting != nil {
			c.resting.after()
		}
		if err == nil || conn == nil || !remote.IsLost(err) || ctx.Err() != nil {
			return err
		}
		c.drop(conn)
		if classOf(name, req) != api.Read {
			return &LostError{name}
		}
		if attempt == maxAttempts {
			if err := c.leave(fmt.Errorf("it ended %d times during one call", attempt)); err != nil {
				return err
			}
		}
	}
}

// EndSession forgets one of several sessions of the client, by its name in [api.Call]. With a daemon that has ended, so has the session.
func (c *Client) EndSession(name string) {
	c.mu.Lock()
	conn, own := c.conn, c.own
	c.mu.Unlock()
	if own != nil {
		own.EndSession(name)
	}
	if conn == nil || !conn.use() {
		return
	}
	defer conn.done()
	ctx, cancel := context.WithTimeout(context.Background(), helloTimeout)
	defer cancel()
	_ = conn.client.Ask(ctx, endMethod, ending{name}, nil) // a daemon that cannot forgets it with the connection
}

// maxAttempts is how many daemons are tried for a call before the client's own engine carries it
// out.
const maxAttempts = 2

// givesText reports whether a call opens a file with a text that is not on disk.
func givesText(name string, req any) bool {
	if name != api.Open.Name {
		return false
	}
	request, err := api.Open.Request(req)
	return err == nil && request.Text != nil
}

var errOwnText = errors.New("the session opened a file with a text that is not on disk")

// classOf returns the class of a call.
func classOf(name string, req any) api.Class {
	raw, err := json.Marshal(req)
	op, known := remote.Operations()[name]
	if err != nil || !known {
		return api.Admin
	}
	return op.ClassOf(raw)
}

// A LostError says that the daemon ended during a call that may have changed files, so the outcome
// is unknown.
type LostError struct{ Operation string }

func (e *LostError) Error() string {
	return "the daemon ended during " + e.Operation + ": whether it was carried out is not known"
}

// Kind returns result.Crashed.
func (e *LostError) Kind() result.Kind { return result.Crashed }

// Hint says what to do.
func (e *LostError) Hint() string {
	return "look at the files (git diff) before you ask for it again; of one edit all files are written, or none"
}

// An UnavailableError says why no daemon is available.
type UnavailableError struct{ Cause error }

func (e *UnavailableError) Error() string { return "no daemon: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *UnavailableError) Unwrap() error { return e.Cause }

// Kind returns result.Unavailable.
func (e *UnavailableError) Kind() result.Kind { return result.Unavailable }

// Hint says how to work without a daemon.
func (e *UnavailableError) Hint() string {
	return `"daemon": "never" in the configuration, or LSPINE_DAEMON=never, goes on without one`
}

var errLeft = &UnavailableError{errors.New("the session has ended")}

// caller returns who carries out the next call: a daemon, with a connection whose done must be
// called afterwards, or the client's own engine.
func (c *Client) caller(ctx context.Context) (api.Caller, *connection, error) {
	if caller, conn, err := c.present(); caller != nil || err != nil {
		return caller, conn, err
	}
	if err := c.connecting.Lock(ctx); err != nil {
		return nil, nil, err
	}
	defer c.connecting.Unlock()
	if caller, conn, err := c.present(); caller != nil || err != nil { // another goroutine was faster
		return caller, conn, err
	}
	c.mu.Lock()
	began := c.began
	c.mu.Unlock()
	conn, err := connect(ctx, &c.opts, began)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err := c.makeOwn(err); err != nil {
			return nil, nil, err
		}
		return c.present()
	}
	if ctx.Err() != nil { // the caller left while it was greeted, and nobody may call again
		conn.end()
		return nil, nil, ctx.Err()
	}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		conn.end()
		return nil, nil, errLeft
	}
	c.conn, c.began = conn, conn.began
	c.mu.Unlock()
	return c.present()
}

// present returns who carries out calls now, nil if a daemon must be found first.
func (c *Client) present() (api.Caller, *connection, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return nil, nil, errLeft
	case c.own != nil:
		return c.own, nil, nil
	case c.conn == nil:
		return nil, nil, nil
	}
	if !c.conn.use() {
		c.conn = nil
		return nil, nil, nil
	}
	return c.conn.client, c.conn, nil
}

// drop forgets a connection that has ended.
func (c *Client) drop(conn *connection) {
	conn.end()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == conn {
		c.conn = nil
	}
}

// leave makes the client's own engine carry out all further calls.
func (c *Client) leave(reason error) error {
	if err := c.connecting.Lock(context.Background()); err != nil { // it is never held forever
		return err
	}
	defer c.connecting.Unlock()
	return c.makeOwn(reason)
}

// makeOwn creates the client's own engine, unless it exists. The caller holds connecting.
func (c *Client) makeOwn(reason error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return errLeft
	case c.own != nil:
		return nil
	case c.opts.Own == nil:
		return &UnavailableError{reason}
	}
	own, err := c.opts.Own()
	if err != nil {
		return err
	}
	if c.began != "" {
		own.BeginSession("", c.began)
	}
	if c.opts.Fell != nil {
		c.opts.Fell(reason)
	}
	c.own = own
	if c.conn != nil {
		c.conn.leave()
		c.left, c.conn = append(c.left, c.conn), nil
	}
	return nil
}

// Daemon returns the process id of the daemon that answers, 0 if the client's own engine does.
func (c *Client) Daemon() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return 0
	}
	return c.conn.pid
}

// Close ends the session. The client's own engine, if there is one, must stop its servers before
// ctx ends.
func (c *Client) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	conns, own := c.left, c.own
	if c.conn != nil {
		conns = append(conns, c.conn)
	}
	c.conn, c.own, c.left = nil, nil, nil
	if c.resting != nil {
		c.resting.end()
	}
	c.mu.Unlock()
	for _, conn := range conns {
		conn.end()
	}
	if own != nil {
		return own.Close(ctx)
	}
	return nil
}
