// Package gate lets requests in that come over HTTP. It listens on an address or a socket, says who asks, and limits how
// much whoever asks can take: time, size, connections, calls. What is served behind it is somebody else's business: it
// knows nothing of MCP.
package gate

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/time/rate"

	"github.com/lspine/lspine/internal/policy"
)

// Limits are what one client may take at once. 0 means the default for Calls and Streams, and no limit for PerSecond.
type Limits struct {
	// Calls are the requests that may be in progress, without streams; Streams are the streams that may be open.
	Calls, Streams int
	// PerSecond is how many requests a second may begin on average, and Burst how many at once; 0 is as many as
	// PerSecond, at least 1.
	PerSecond float64
	Burst     int
}

const (
	defaultCalls   = 64
	defaultStreams = 128
)

// A Client is whoever a token belongs to. It is safe for concurrent use, and is not changed after it is made.
type Client struct {
	// Name is the name of the token or, with OAuth, the subject of the token. No two clients have the same one.
	Name string
	// Workspaces are the folders that the client may use, of those that are served; nil means all. They are absolute.
	Workspaces []string
	// Sole says that there is one token for all: whoever has it may do, and see, all that the server may.
	Sole bool

	rules  policy.Policy
	limits Limits
	rate   *rate.Limiter // nil: no limit
	calls  chan struct{} // holds one element for each call in progress
	opened chan struct{} // holds one element for each open stream
	// valid ends when the token is taken back.
	valid   context.Context
	recall  context.CancelFunc
	written fingerprint // of what the token file says of it
}

func newClient(name string, limits Limits) *Client {
	if limits.Calls == 0 {
		limits.Calls = defaultCalls
	}
	if limits.Streams == 0 {
		limits.Streams = defaultStreams
	}
	c := &Client{Name: name, limits: limits, calls: make(chan struct{}, limits.Calls), opened: make(chan struct{}, limits.Streams)}
	if limits.PerSecond > 0 {
		burst := limits.Burst
		if burst == 0 {
			burst = max(int(limits.PerSecond), 1)
		}
		c.rate = rate.NewLimiter(rate.Limit(limits.PerSecond), burst)
	}
	c.valid, c.recall = context.WithCancel(context.Background())
	return c
}

// Rule returns what the client's own rules say of a call of an operation, by the name of its class; ok is false if none of them is about it. The rules can only
// forbid or ask: what they allow may still be forbidden by the user's policy.
func (c *Client) Rule(operation, class string) (d policy.Decision, ok bool) {
	d = c.rules.Decide(policy.Subject{Operation: operation, Class: policy.Class(class), Client: "mcp/" + c.Name})
	return d, d.Number > 0
}

// begin takes what a request needs of the client's limits, until done is called. If as many are in progress as may be, it
// waits for the end of one, at most as long as patience and until ctx ends: a client that was just answered may be here
// before its former request has ended. If nothing is left then, refused says so, and after is when to try again.
func (c *Client) begin(ctx context.Context, stream bool, patience time.Duration) (done func(), refused string, after time.Duration) {
	if c.rate != nil {
		now := time.Now()
		r := c.rate.ReserveN(now, 1)
		if wait := r.DelayFrom(now); wait > 0 {
			r.CancelAt(now)
			return nil, "too many requests for this token", wait
		}
	}
	held, what := c.calls, "calls"
	if stream {
		held, what = c.opened, "streams"
	}
	done = func() { <-held }
	select {
	case held <- struct{}{}:
		return done, "", 0
	default:
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case held <- struct{}{}: // the one that waits longest comes first
		return done, "", 0
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil, fmt.Sprintf("%d %s of this token are in progress", cap(held), what), time.Second
}

type clientKey struct{}

// ClientOf returns the client that a request comes from, nil if nobody had to say who he is.
func ClientOf(ctx context.Context) *Client {
	c, _ := ctx.Value(clientKey{}).(*Client)
	return c
}
