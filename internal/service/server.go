package service

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/result"
)

// Serve answers the calls that come over a stream, and returns when the stream or ctx has
// ended and no call runs any more. It closes the stream. That the other side went away is
// no error.
func Serve(ctx context.Context, stream io.ReadWriteCloser, caller api.Caller) error {
	c := jsonrpc.New(stream, requestsAlone{}, jsonrpc.Options{Server: &server{caller}})
	defer context.AfterFunc(ctx, func() { _ = c.Close() })() // what it waits for is ended
	<-c.Done()
	if err := c.Err(); ctx.Err() == nil && err != nil && err != io.EOF {
		return err
	}
	return nil
}

// requestsAlone handles messages that are no requests of the catalog: it ignores notifications, and has no method of its own.
type requestsAlone struct{}

func (requestsAlone) Notification(string, json.RawMessage) {}

func (requestsAlone) Request(string, json.RawMessage) (any, error) {
	return nil, jsonrpc.ErrMethodNotFound
}

type server struct{ caller api.Caller }

// operations are those of the catalog, by name.
var operations = sync.OnceValue(func() map[string]api.Operation {
	all := make(map[string]api.Operation)
	for _, op := range api.Operations() {
		all[op.Name] = op
	}
	return all
})

// Serve implements [jsonrpc.Server].
func (s *server) Serve(ctx context.Context, c *jsonrpc.Conn, method string, params json.RawMessage) (any, error) {
	op, known := operations()[method]
	if !known {
		return nil, failed(jsonrpc.CodeMethodNotFound, &api.UnknownOperationError{Name: method})
	}
	var asked call
	if err := json.Unmarshal(params, &asked); err != nil {
		return nil, failed(jsonrpc.CodeInvalidParams, &api.ArgumentError{Argument: "params", Reason: err.Error(), Advice: `for example {"request":{}}`})
	}
	with := api.Call{Session: asked.Session, Principal: asked.Principal, Absolute: asked.Absolute}
	if asked.Progress != 0 {
		with.Progress = func(_ context.Context, p api.Progress) {
			if raw, err := json.Marshal(note{asked.Progress, p}); err == nil {
				_ = c.Notify(progressMethod, raw) // who is gone needs none
			}
		}
	}
	ctx = with.In(ctx)
	if asked.TimeoutMS > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(asked.TimeoutMS)*time.Millisecond)
		defer cancel()
	}
	answer := op.New()
	if err := s.caller.Call(ctx, method, asked.Request, answer); err != nil {
		return nil, failed(codeFailed, err)
	}
	return answer, nil
}

// failed makes an error response of an error, with all that is known of it as data.
func failed(code int, err error) error {
	of := result.ErrorOf(err)
	if of.Kind == result.Canceled {
		code = jsonrpc.CodeRequestCancelled
	}
	data, err := json.Marshal(of)
	if err != nil {
		return err
	}
	return &jsonrpc.ResponseError{Code: code, Message: of.Message, Data: data}
}
