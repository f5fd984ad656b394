package hostclient

import (
	"context"
	"encoding/json"
	"time"

	"github.com/lspine/lspine/internal/jsonrpc"
)

// A Question is a question of the user's policy about a request of the host.
type Question struct {
	// ID identifies one request and one rule.
	ID string `json:"id"`
	// Text is the question, for people.
	Text string `json:"text"`
	// Method and Params are those of the request, such as lspine/edit.
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
	// TimeoutMS is how long the service waits for an answer, in milliseconds.
	TimeoutMS int64 `json:"timeoutMs"`
}

// Said is a person's answer to a question.
type Said string

// The possible answers. After Nothing, the fallback of the rule decides.
const (
	Yes     Said = "yes"
	No      Said = "no"
	Nothing Said = "nothing"
)

// questions answers the service's questions, each on its own goroutine.
type questions struct{ client *Client }

// Serve implements [jsonrpc.Server].
func (s questions) Serve(ctx context.Context, _ *jsonrpc.Conn, method string, params json.RawMessage) (any, error) {
	ask := s.client.opts.Ask
	if method != "lspine/ask" || ask == nil {
		return nil, jsonrpc.ErrMethodNotFound
	}
	var q Question
	if err := json.Unmarshal(params, &q); err != nil {
		return nil, err
	}
	s.client.questions.Add(1)
	defer func() {
		s.client.settled.Add(1)
		s.client.questions.Add(-1)
	}()
	ctx, cancel := context.WithTimeout(ctx, time.Duration(q.TimeoutMS)*time.Millisecond)
	defer cancel()
	said := ask(ctx, q)
	if ctx.Err() != nil {
		said = Nothing
	}
	return struct {
		Said Said `json:"said"`
	}{said}, nil
}

// bounded returns a context that ends after limit, not counting time during which the user is being
// asked.
func (c *Client) bounded(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	var timer *time.Timer
	ready, settled := make(chan struct{}), c.settled.Load()
	timer = time.AfterFunc(limit, func() {
		<-ready
		open, now := c.questions.Load(), c.settled.Load()
		if open > 0 || now != settled {
			settled = now
			timer.Reset(limit)
			return
		}
		cancel(context.DeadlineExceeded)
	})
	close(ready)
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}
