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

// perform carries out one request; every call goes through it. It sets the deadline (which also
// bounds waiting for locks), waits for the call's turn, asks the policy for permission, turns a
// panic into an error, reports progress to callers that want it, and fits the answer to its budget.
func perform[Req, Res any](
	ctx context.Context, e *Engine, op api.Op[Req, Res], request Req, run func(context.Context, *Engine, Req) (Res, error),
) (Res, error) {
	e = e.forCall(governed{
		operation: op.Name, class: op.ClassFor(request), edits: op.Edits, parts: api.PartsOf(op.Name, request),
		request: request, origin: origin(ctx),
	})
	ctx, recorded := e.beginRecord(ctx)
	var deadline time.Duration
	if limited, ok := any(request).(limited); ok {
		deadline = limited.Deadline()
	}
	ctx, cancel := call.Begin(ctx, deadline)
	defer cancel()
	var answer Res
	err := guard.Do(func() (err error) {
		if !op.Waits {
			end, err := e.turns.Take(ctx)
			if err != nil {
				return err
			}
			defer end()
		}
		if err := e.permit(ctx); err != nil {
			return err
		}
		started, err := e.expectStarts(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = started() }() // even after a panic
		ctx, stop := e.pushProgress(ctx)
		defer stop()
		answer, err = run(ctx, e, request)
		if err = cmp.Or(started(), err); err != nil {
			return err
		}
		recorded(any(&answer).(result.Result), nil) // before anything is left out to fit the budget
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

// A failedCall is the error of a call: data for every caller, and the cause for callers in the same
// process.
type failedCall struct {
	data  *result.Error
	cause error
}

func (f *failedCall) Error() string { return f.data.Message }

// Unwrap returns the data and the cause.
func (f *failedCall) Unwrap() []error { return []error{f.data, f.cause} }

// restated converts an error that leaves the engine to data; nil stays nil.
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

// A limited request specifies the deadline of its call; 0 means none.
type limited interface{ Deadline() time.Duration }

// A budgeted request specifies how long the text of its answer may be; -1 means no limit.
type budgeted interface{ Budget() int }
