// Package call bounds one call of an operation in time: by the deadline that its request
// names, also while it waits for a lock, and else by what the configuration allows.
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
}

type key struct{}

// of returns the call that a context belongs to.
func of(ctx context.Context) *call {
	if c, ok := ctx.Value(key{}).(*call); ok {
		return c
	}
	return &call{caller: ctx}
}

// Begin returns the context of a call whose request names a deadline, from now; 0 is none.
func Begin(ctx context.Context, deadline time.Duration) (context.Context, context.CancelFunc) {
	c := &call{caller: ctx}
	cancel := func() {}
	if deadline > 0 {
		c.deadline = time.Now().Add(deadline)
		ctx, cancel = context.WithDeadline(ctx, c.deadline)
	}
	return context.WithValue(ctx, key{}, c), cancel
}

// Caller returns the context of who called, without the deadline of the request.
func Caller(ctx context.Context) context.Context { return of(ctx).caller }

// Left returns how much time a call still has, at least a moment; without a deadline, what
// it would take otherwise.
func Left(ctx context.Context, otherwise time.Duration) time.Duration {
	c := of(ctx)
	if c.deadline.IsZero() {
		return otherwise
	}
	return max(time.Until(c.deadline), time.Millisecond)
}

// Within returns a context that ends with the deadline of its call or, without one, after
// otherwise.
func Within(ctx context.Context, otherwise time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, Left(ctx, otherwise))
}

// Bounded reports whether the request of a call names a deadline.
func Bounded(ctx context.Context) bool { return !of(ctx).deadline.IsZero() }

// Canceled returns the error of a context that its caller ended. The end of a deadline is
// not one: then what is known by then is the answer.
func Canceled(ctx context.Context) error {
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// Explain restates the error of a call whose deadline has come as a [TimeoutError]; others
// stay as they are.
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

// Kind returns result.Timeout.
func (*TimeoutError) Kind() result.Kind { return result.Timeout }

// Unwrap makes it an end of a deadline like others.
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }
