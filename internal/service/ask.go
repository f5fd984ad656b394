package service

import (
	"context"
	"encoding/json"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// askMethod is the request with which we ask the user of a host that declared "asks". While the
// user thinks, nothing runs for the call and no lock is held: the call is repeated with the answer.
const askMethod = "lspine/ask"

// A Question is the params of askMethod.
type Question struct {
	// ID identifies one request and one rule of the policy.
	ID string `json:"id"`
	// Text is the question, for people.
	Text string `json:"text"`
	// Method and Params are those of the host's request that the question is about.
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
	// TimeoutMS is how long we wait for an answer, in milliseconds.
	TimeoutMS int64 `json:"timeoutMs"`
}

// A Reply is the result of askMethod: what the user said. It is yes, no or nothing.
type Reply struct {
	Said api.Said `json:"said"`
}

type askingKey struct{}

// asking returns the context of a request whose calls put the policy's questions to the host.
func (t *conversation) asking(ctx context.Context, c *jsonrpc.Conn, method string, params json.RawMessage) context.Context {
	if !t.host.Asks || c == nil {
		return ctx
	}
	return context.WithValue(ctx, askingKey{}, api.Asking{Caller: t.host.Caller, Ask: func(ctx context.Context, q result.Question) (api.Said, error) {
		return t.ask(ctx, c, Question{q.ID, legible.Model(q.Text), method, params, q.TimeoutMS})
	}})
}

// caller returns the caller to use for a request.
func (t *conversation) caller(ctx context.Context) api.Caller {
	if asks, ok := ctx.Value(askingKey{}).(api.Asking); ok {
		return asks
	}
	return t.host.Caller
}

// ask asks the host's user. A host that fails or does not answer in time counts as having said
// nothing.
func (t *conversation) ask(ctx context.Context, c *jsonrpc.Conn, q Question) (api.Said, error) {
	params, err := json.Marshal(q)
	if err != nil {
		return api.Nothing, err
	}
	waiting, cancel := context.WithTimeout(ctx, time.Duration(q.TimeoutMS)*time.Millisecond)
	defer cancel()
	raw, err := c.Call(waiting, askMethod, params)
	if ctx.Err() != nil {
		return api.Nothing, ctx.Err()
	}
	var reply Reply
	if err == nil {
		err = json.Unmarshal(raw, &reply)
	}
	if err != nil {
		t.log.Warn("the host could not ask its user", "method", q.Method, "error", err)
	}
	if err != nil || reply.Said != api.Yes && reply.Said != api.No {
		return api.Nothing, nil
	}
	return reply.Said, nil
}
