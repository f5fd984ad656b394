package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"syscall"
	"time"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/remote"
)

// How long a client waits for a daemon, in addition to its own context. A daemon that has not
// answered by then counts as absent.
const (
	helloTimeout = 5 * time.Second
	startTimeout = 15 * time.Second
)

// errNoneRuns is the reason if no daemon is running and none may be started.
var errNoneRuns = errors.New("none runs")

// IsAbsent reports whether a reason given to Options.Fell is not a failure, because no daemon was
// to be expected.
func IsAbsent(reason error) bool {
	return errors.Is(reason, errNoneRuns) || errors.Is(reason, errOwnText)
}

// A connection connects a session to its daemon.
type connection struct {
	client *remote.Client
	pid    int
	began  string
	// watching has the goroutines that end with the connection.
	watching guard.Group

	mu      sync.Mutex
	calls   int
	leaving bool // no new call may start

	idle chan struct{} // closed when leaving and no call is in progress
}

// use records the start of a call. It returns false if the connection must not be used any more.
func (c *connection) use() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.client.Done():
		return false
	default:
	}
	if c.leaving {
		return false
	}
	c.calls++
	return true
}

// done notes that a call has ended.
func (c *connection) done() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls--
	c.restLocked()
}

func (c *connection) restLocked() {
	if c.leaving && c.calls == 0 {
		select {
		case <-c.idle:
		default:
			close(c.idle)
		}
	}
}

// leave closes the connection once the calls in progress are done. No new call may start.
func (c *connection) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leaving = true
	c.restLocked()
}

// watch closes the connection once no call is in progress, after leave or because the daemon
// announces its end.
func (c *connection) watch() {
	ending := c.client.Ending()
	for {
		select {
		case <-c.client.Done():
			return
		case <-ending:
			ending = nil
			c.leave()
		case <-c.idle:
			_ = c.client.Close()
			return
		}
	}
}

// end closes the connection at once. Calls in progress fail.
func (c *connection) end() {
	_ = c.client.Close()
	c.watching.Wait()
}

// connect returns a connection to the daemon of an identity, which it starts if necessary.
func connect(ctx context.Context, o *Options, began string) (*connection, error) {
	key, err := o.Key()
	if err != nil {
		return nil, err
	}
	p, err := placeOf(key, o.Environ)
	if err != nil {
		return nil, err
	}
	c, other, err := p.greet(ctx, o, began)
	if err == nil && other == "" {
		return c, nil
	}
	if err == nil {
		c.end()
	}
	if o.RunningOnly {
		return nil, errNoneRuns
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	release, err := p.lock(ctx)
	if err != nil {
		return nil, fmt.Errorf("its lock: %w", err)
	}
	defer release()
	c, other, err = p.greet(ctx, o, began) // another process may have been faster
	switch {
	case err == nil && other == "":
		return c, nil
	case err == nil:
		if err := makesRoom(ctx, c, other, build(o.Version)); err != nil {
			return nil, err
		}
	case remote.IsLost(err): // it is about to end, or was just killed
		if r, err := p.readRecord(); err == nil {
			if err := p.awaitEnd(ctx, r.PID); err != nil {
				return nil, err
			}
		}
	case !isNobody(err):
		return nil, err
	}
	if err := p.clean(); err != nil {
		return nil, err
	}
	if err := startDetached(ctx, p, o, key); err != nil {
		return nil, err
	}
	c, other, err = p.greet(ctx, o, began)
	if err == nil && other != "" {
		c.end()
		err = fmt.Errorf("it is of version %s", other)
	}
	return c, err
}

// isNobody reports whether an error of greet says that no daemon is listening.
func isNobody(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)
}

// greet connects to the daemon of a place and begins the session. other is the daemon's version if
// it differs from ours.
func (p place) greet(ctx context.Context, o *Options, began string) (_ *connection, other string, err error) {
	c, err := p.dial(ctx)
	if err != nil {
		return nil, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, helloTimeout)
	defer cancel()
	var w welcome
	if err := c.client.Ask(ctx, helloMethod, hello{build(o.Version), o.Name, o.Session, o.Once, began}, &w); err != nil {
		c.end()
		return nil, "", fmt.Errorf("it does not answer: %w", err)
	}
	c.pid, c.began = w.PID, w.Began
	if w.Version != build(o.Version) {
		other = w.Version
	}
	return c, other, nil
}

// dial connects to the socket of a place if socket and listener belong to the same user.
func (p place) dial(ctx context.Context) (*connection, error) {
	ctx, cancel := context.WithTimeout(ctx, helloTimeout)
	defer cancel()
	conn, err := dialSocket(ctx, p.socket)
	if err != nil {
		return nil, err
	}
	c := &connection{client: remote.NewClient(conn), idle: make(chan struct{})}
	c.watching.Go(c.watch)
	return c, nil
}

// makesRoom asks a daemon of another version to accept no more clients. It leaves a newer daemon
// alone, because otherwise two versions in use would keep ending each other's servers.
func makesRoom(ctx context.Context, c *connection, other, ours string) error {
	defer c.end()
	if isNewer(other, ours) {
		return fmt.Errorf("one of the newer version %s runs", other)
	}
	if err := c.client.Ask(ctx, drainMethod, struct{}{}, nil); err != nil && !remote.IsLost(err) {
		return fmt.Errorf("the one of version %s does not make room: %w", other, err)
	}
	return nil
}
