package engine

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// perform passes one request to its operation. Every call comes through here: it sets the
// deadline that the request names, over all that the operation waits for, its locks
// among them, makes an error of a panic, pushes the progress to a caller who wants it, and fits
// the answer into its budget.
func perform[Req, Res any](ctx context.Context, e *Engine, name string, request Req, run func(context.Context, *Engine, Req) (Res, error)) (Res, error) {
	c := &call{context: ctx}
	if limited, ok := any(request).(limited); ok && limited.Deadline() > 0 {
		var cancel context.CancelFunc
		c.deadline = time.Now().Add(limited.Deadline())
		ctx, cancel = context.WithDeadline(ctx, c.deadline)
		defer cancel()
	}
	var answer Res
	err := guard.Do(func() (err error) {
		defer e.pushProgress(ctx)()
		if answer, err = run(context.WithValue(ctx, callKey{}, c), e, request); err != nil {
			return err
		}
		if asked, ok := any(request).(budgeted); ok && asked.Budget() >= 0 {
			render.Fit(any(&answer).(result.Result), asked.Budget())
		}
		return nil
	})
	if err != nil {
		var none Res
		return none, c.explained(name, err)
	}
	return answer, nil
}

// A failedCall is the error of a call: as data to who calls, with its cause for who runs in the
// same process.
type failedCall struct {
	data  *result.Error
	cause error
}

func (f *failedCall) Error() string { return f.data.Message }

// Unwrap returns both.
func (f *failedCall) Unwrap() []error { return []error{f.data, f.cause} }

// restated makes data of an error that leaves the engine; nil stays nil.
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

// A call is one request on its way through an operation.
type call struct {
	// context is the caller's, without the deadline of the request.
	context context.Context
	// deadline is zero if the request names none.
	deadline time.Time
}

type callKey struct{}

// callOf returns the call that a context belongs to.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{context: ctx}
}

// left returns how much time a call still has, at least a moment; without a deadline,
// what the caller of left would take.
func (c *call) left(otherwise time.Duration) time.Duration {
	if c.deadline.IsZero() {
		return otherwise
	}
	return max(time.Until(c.deadline), time.Millisecond)
}

// explained restates the error of a call whose deadline has come.
func (c *call) explained(operation string, err error) error {
	if c.deadline.IsZero() || !errors.Is(err, context.DeadlineExceeded) || time.Now().Before(c.deadline) {
		return err
	}
	var busy *busyError
	if errors.As(err, &busy) {
		return &TimeoutError{operation, busy.held}
	}
	return &TimeoutError{operation, ""}
}

// A TimeoutError says that an operation had not come far enough for any answer when its
// deadline came.
type TimeoutError struct {
	Operation string
	// Waited says what it waited for, if that is known.
	Waited string
}

func (e *TimeoutError) Error() string {
	text := e.Operation + ": no answer before the deadline"
	if e.Waited != "" {
		text += ": " + e.Waited
	}
	return text
}

// Hint says what to do.
func (e *TimeoutError) Hint() string { return "ask again, or raise timeout_ms" }

// Unwrap makes it an end of a deadline like others.
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }

// A busyError says that a lock was not to be had before ctx ended.
type busyError struct {
	held string
	err  error
}

func (e *busyError) Error() string { return e.held + ": " + e.err.Error() }

func (e *busyError) Unwrap() error { return e.err }

const (
	// beingWritten is why the lock of writers is held, beingShown that of overlays.
	beingWritten = "another operation was changing files"
	beingShown   = "the servers were being shown texts that are not on disk, or answered other questions"
)

// take takes a lock of the engine, unless ctx ends before. One that is free is taken also
// past a deadline: what is known by then is still an answer.
func take(ctx context.Context, lock *semaphore.Weighted, n int64, held string) error {
	if canceled(ctx) == nil && lock.TryAcquire(n) {
		return nil
	}
	if err := lock.Acquire(ctx, n); err != nil {
		return &busyError{held, err}
	}
	return nil
}

// canceled returns the error of a context that its caller ended. The end of a deadline is
// not one: then what is known by then is the answer.
func canceled(ctx context.Context) error {
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// bounded returns the context of a question: with the deadline of its call or, without
// one, that of the configuration, which moves on while a server demonstrably works.
func (e *Engine) bounded(ctx context.Context) (context.Context, func()) {
	settings := e.opts.Config.Settings
	switch {
	case !callOf(ctx).deadline.IsZero():
		return context.WithCancel(ctx)
	case settings.PatienceLimit > 0:
		return following(ctx, settings.RequestTimeout, max(followLimit, settings.RequestTimeout), e.atWork())
	}
	return context.WithTimeout(ctx, settings.RequestTimeout)
}

// drafting returns the context of the questions with which changes are drafted.
func (e *Engine) drafting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, callOf(ctx).left(e.opts.Config.Settings.RequestTimeout))
}

// searching returns the context of a search for files that a change concerns: it leaves
// half of the time for asking about them.
func (e *Engine) searching(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, callOf(ctx).left(2*e.opts.Config.Settings.RequestTimeout)/2)
}

// minLook is how long a look at the disk after a change may take, also past the deadline.
const minLook = 300 * time.Millisecond

// looking returns the context of a look at the disk that servers must be told of: who
// goes away does not end it.
func (e *Engine) looking(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), max(minLook, callOf(ctx).left(e.opts.Config.Settings.RequestTimeout)))
}
