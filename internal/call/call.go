// Package call keeps the time that one call of an operation may take. The deadline that a request
// names bounds everything that the call waits for, locks included. Without one, each wait has a
// limit of its own. Of many calls, those that came first work first.
package call

import (
	"context"
	"errors"
	"time"

	"github.com/lspine/lspine/internal/result"
)

// A call is one request on its way through an operation.
type call struct {
	// caller is the caller's context, without the deadline of the request.
	caller context.Context
	// deadline is zero if the request names none.
	deadline time.Time
	// inner says that the call is part of another.
	inner bool
}

type key struct{}

// of returns the call that a context belongs to.
func of(ctx context.Context) *call {
	if c, ok := ctx.Value(key{}).(*call); ok {
		return c
	}
	return &call{caller: ctx}
}

// Begin returns the context of a call that begins now and may take as long as its request says; 0
// means that the request names no deadline. The caller must call the returned function when the
// call has ended.
func Begin(ctx context.Context, deadline time.Duration) (context.Context, context.CancelFunc) {
	_, inner := ctx.Value(key{}).(*call)
	c := &call{caller: ctx, inner: inner}
	cancel := func() {}
	if deadline > 0 {
		c.deadline = time.Now().Add(deadline)
		ctx, cancel = context.WithDeadline(ctx, c.deadline)
	}
	return context.WithValue(ctx, key{}, c), cancel
}

// Caller returns the context that [Begin] was given: it ends when the caller leaves, but not at
// the deadline of the request. Without a call it is ctx itself.
func Caller(ctx context.Context) context.Context { return of(ctx).caller }

// Left returns how much time the call still has before its deadline, at least a millisecond. If
// the call has none it returns otherwise.
func Left(ctx context.Context, otherwise time.Duration) time.Duration {
	c := of(ctx)
	if c.deadline.IsZero() {
		return otherwise
	}
	return max(time.Until(c.deadline), time.Millisecond)
}

// Within returns a context that ends at the deadline of the call or, if it has none, after
// otherwise.
func Within(ctx context.Context, otherwise time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, Left(ctx, otherwise))
}

// Bounded reports whether the request of the call names a deadline.
func Bounded(ctx context.Context) bool { return !of(ctx).deadline.IsZero() }

// Canceled returns ctx.Err() if the caller left, and nil otherwise. A deadline that has passed is
// no error here: what is known by then is the answer.
func Canceled(ctx context.Context) error {
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// Explain turns err into a *[TimeoutError] of the operation if the deadline of the call has
// passed and err came of that. Any other error is returned as it is.
func Explain(ctx context.Context, operation string, err error) error {
	c := of(ctx)
	if c.deadline.IsZero() || !errors.Is(err, context.DeadlineExceeded) || time.Now().Before(c.deadline) {
		return err
	}
	var busy *busyError
	if errors.As(err, &busy) {
		return &TimeoutError{operation, busy.held}
	}
	return &TimeoutError{operation, ""}
}

// A TimeoutError says that the deadline passed before an operation had anything to answer. It
// matches context.DeadlineExceeded.
type TimeoutError struct {
	Operation string
	// Waited says what the operation was waiting for, "" if that is not known.
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

// Kind returns result.Timeout.
func (*TimeoutError) Kind() result.Kind { return result.Timeout }

// Unwrap returns context.DeadlineExceeded.
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }
