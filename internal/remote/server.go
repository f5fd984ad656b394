package remote

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// A Method answers a request that is not an operation.
type Method func(ctx context.Context, params json.RawMessage) (any, error)

// Options are optional features of a server.
type Options struct {
	// Further has methods in addition to the operations, by name.
	Further map[string]Method
	// Ending, if not nil, is closed to announce to the client that the server will end. The client
	// should close the stream as soon as its calls are answered; see [Client.Ending].
	Ending <-chan struct{}
}

// telling announces the end to the client when ending is closed. stop waits until that has happened
// or the connection has ended.
func telling(c *jsonrpc.Conn, ending <-chan struct{}) (stop func()) {
	var group guard.Group
	group.Go(func() {
		select {
		case <-ending:
			_ = c.Notify(endingMethod, json.RawMessage("{}")) // a client that is gone needs no notice
		case <-c.Done():
		}
	})
	return group.Wait
}

// Serve answers the calls that arrive on a stream using caller. It returns when the stream or ctx
// has ended and no call is running any more, and closes the stream. It is not an error if the
// client closes the stream.
func Serve(ctx context.Context, stream io.ReadWriteCloser, caller api.Caller, o Options) error {
	c := jsonrpc.New(stream, requestsAlone{}, jsonrpc.Options{Server: &server{caller, o.Further}})
	if o.Ending != nil {
		defer telling(c, o.Ending)()
	}
	defer context.AfterFunc(ctx, func() { _ = c.Close() })() // ends what Serve waits for
	<-c.Done()
	if err := c.Err(); ctx.Err() == nil && err != nil && err != io.EOF {
		return err
	}
	return nil
}

// requestsAlone handles messages that are not requests of the catalog: it ignores notifications,
// and has no methods of its own.
type requestsAlone struct{}

func (requestsAlone) Notification(string, json.RawMessage) {}

func (requestsAlone) Request(string, json.RawMessage) (any, error) {
	return nil, jsonrpc.ErrMethodNotFound
}

type server struct {
	caller  api.Caller
	further map[string]Method
}

// Operations returns the operations of the catalog, by name.
var Operations = sync.OnceValue(func() map[string]api.Operation {
	all := make(map[string]api.Operation)
	for _, op := range api.Operations() {
		all[op.Name] = op
	}
	return all
})

// Serve implements [jsonrpc.Server].
func (s *server) Serve(ctx context.Context, c *jsonrpc.Conn, method string, params json.RawMessage) (any, error) {
	if ask := s.further[method]; ask != nil {
		answer, err := ask(ctx, params)
		if err != nil {
			return nil, Failure(CodeFailed, err)
		}
		return answer, nil
	}
	op, known := Operations()[method]
	if !known {
		return nil, Failure(jsonrpc.CodeMethodNotFound, &api.UnknownOperationError{Name: method})
	}
	var asked call
	if err := json.Unmarshal(params, &asked); err != nil {
		return nil, Failure(jsonrpc.CodeInvalidParams, &api.ArgumentError{Argument: "params", Reason: err.Error(), Advice: `for example {"request":{}}`})
	}
	with := api.Call{
		Session: asked.Session, Principal: asked.Principal,
		Absolute: asked.Absolute, Dir: asked.Dir, Last: asked.Last, Client: asked.Client, Tool: asked.Tool, Own: asked.Own, Asks: asked.Asks, Answers: asked.Answers,
	}
	if asked.Permission != nil {
		with.Permission = *asked.Permission
	}
	if asked.Progress != 0 {
		with.Progress = func(_ context.Context, p api.Progress) {
			if raw, err := json.Marshal(note{asked.Progress, p}); err == nil {
				_ = c.Notify(progressMethod, raw) // a client that is gone needs none
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
		return nil, Failure(CodeFailed, err)
	}
	return answer, nil
}

// Failure returns err as an error response with that code, whose data is the [result.Error]. Its message, which people and models
// read, shows what is not seen; the data is exact.
func Failure(code int, err error) error {
	of := result.ErrorOf(err)
	if of.Kind == result.Canceled {
		code = jsonrpc.CodeRequestCancelled
	}
	data, err := json.Marshal(of)
	if err != nil {
		return err
	}
	return &jsonrpc.ResponseError{Code: code, Message: legible.Model(of.Message), Data: data}
}
