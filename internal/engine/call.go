package engine

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// perform carries out one request. Every call comes through here: perform asks the policy whether
// it may run, sets its deadline, which bounds all waiting, for locks too, turns a panic into an
// error, reports progress to callers that want it, and shortens the answer to its budget.
func perform[Req, Res any](ctx context.Context, e *Engine, op api.Op[Req, Res], request Req, run func(context.Context, *Engine, Req) (Res, error)) (Res, error) {
	e = e.under(governed{op.Name, op.ClassFor(request), op.Edits, request, origin(ctx)})
	ctx, recorded := e.beginRecord(ctx)
	var deadline time.Duration
	if limited, ok := any(request).(limited); ok {
		deadline = limited.Deadline()
	}
	ctx, cancel := call.Begin(ctx, deadline)
	defer cancel()
	var answer Res
	err := guard.Do(func() (err error) {
		if err := e.permit(ctx); err != nil {
			return err
		}
		started, err := e.expectStarts(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = started() }() // also where it panics
		ctx, stop := e.pushProgress(ctx)
		defer stop()
		answer, err = run(ctx, e, request)
		if err = cmp.Or(started(), err); err != nil {
			return err
		}
		recorded(any(&answer).(result.Result), nil) // before anything is left out
		if asked, ok := any(request).(budgeted); ok && asked.Budget() >= 0 {
			render.Fit(any(&answer).(result.Result), asked.Budget())
		}
		return nil
	})
	if err != nil {
		var none Res
		err = call.Explain(ctx, op.Name, err)
		recorded(nil, err)
		return none, err
	}
	return answer, nil
}

// A failedCall is the error of a call: data for every caller, with the cause for those in the same
// process.
type failedCall struct {
	data  *result.Error
	cause error
}

func (f *failedCall) Error() string { return f.data.Message }

// Unwrap returns the data and the cause.
func (f *failedCall) Unwrap() []error { return []error{f.data, f.cause} }

// restated turns an error that leaves the engine into data; nil stays nil.
func restated(err error) error {
	if err == nil {
		return nil
	}
	of := result.ErrorOf(err)
	var panicked *guard.PanicError
	if errors.As(err, &panicked) {
		of.Data.Stack = panicked.Stack
	}
	return &failedCall{of, err}
}

// limited is a request that names the deadline of its call; 0 is none.
type limited interface{ Deadline() time.Duration }

// budgeted is a request that says how long the text of its answer may be; -1 is no bound.
type budgeted interface{ Budget() int }
