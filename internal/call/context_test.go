package call

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
)

// A context that belongs to no call is its own caller, has no deadline of a request, and leaves each wait its own limit.
func TestContextOfNoCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if Caller(ctx) != ctx || Bounded(ctx) || Left(ctx, time.Second) != time.Second || Left(ctx, 0) != 0 {
			t.Errorf("caller %v, bounded %t, left %v and %v", Caller(ctx), Bounded(ctx), Left(ctx, time.Second), Left(ctx, 0))
		}
		start := time.Now()
		part, cancel := Within(ctx, time.Second)
		defer cancel()
		<-part.Done()
		if took := time.Since(start); took != time.Second || ctx.Err() != nil {
			t.Errorf("a wait of its own ends after %v; around it %v", took, ctx.Err())
		}
	})
}

// A call ends with its caller and when it is over, and the caller's context with neither its deadline nor its end.
func TestEndsOfACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caller, leave := context.WithCancel(t.Context())
		ctx, end := Begin(caller, time.Minute)
		part, cancel := Within(ctx, time.Second)
		defer cancel()
		if Canceled(ctx) != nil || Canceled(part) != nil {
			t.Errorf("nobody left: %v, %v", Canceled(ctx), Canceled(part))
		}
		end()
		got := []error{Canceled(ctx), Canceled(part), Canceled(Caller(part))}
		leave()
		got = append(got, Canceled(Caller(part)))
		if fmt.Sprint(got) != "[context canceled context canceled <nil> context canceled]" {
			t.Error(got)
		}
		plain, end := Begin(caller, -time.Second)
		defer end()
		if Bounded(plain) || Caller(plain) != caller || !errors.Is(Canceled(plain), context.Canceled) {
			t.Errorf("less than no time is a deadline: %t; %v", Bounded(plain), Canceled(plain))
		}
	})
}

// A call within a call has its own deadline for its waits, but ends no later than the one around it.
func TestCallWithinACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer, cancel := Begin(t.Context(), time.Second)
		defer cancel()
		inner, cancel := Begin(outer, time.Hour)
		defer cancel()
		if Left(inner, 0) != time.Hour || Left(outer, 0) != time.Second || Caller(inner) != outer {
			t.Errorf("left %v within %v", Left(inner, 0), Left(outer, 0))
		}
		start := time.Now()
		<-inner.Done()
		if took := time.Since(start); took != time.Second {
			t.Errorf("it ends after %v", took)
		}
		if err := Explain(inner, "edit", inner.Err()); err != context.DeadlineExceeded {
			t.Errorf("its own deadline has not come: %v", err)
		}
	})
}

// A time-out is of the kind of time-outs, says what held it up however deep that is in the error, and is still the error of a deadline.
func TestTimeoutOfAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := Begin(t.Context(), time.Second)
		defer cancel()
		<-ctx.Done()
		wrapped := fmt.Errorf("first: %w", fmt.Errorf("second: %w", &busyError{"it was busy", context.DeadlineExceeded}))
		var late *TimeoutError
		if err := Explain(ctx, "edit", wrapped); !errors.As(err, &late) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&TimeoutError{"edit", "it was busy"}, late); diff != "" || late.Kind() != result.Timeout || errors.Is(late, context.Canceled) {
			t.Errorf("%s %s", late.Kind(), diff)
		}
		left := &busyError{"it was busy", context.Canceled}
		if err := Explain(ctx, "edit", left); err != error(left) {
			t.Errorf("who left is not late: %v", err)
		}
		if Explain(ctx, "edit", nil) != nil {
			t.Error("no error is one")
		}
	})
}

// As many as want to share a lock hold it at once, and it is free when the last of them is gone.
func TestLockOfMany(t *testing.T) {
	l := NewLock("")
	for range 100 {
		if err := l.Share(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		if l.TryLock() {
			t.Fatal("it is still shared")
		}
		l.Unshare()
	}
	if !l.TryLock() || l.TryLock() {
		t.Error("it is free for nobody, or for two")
	}
	l.Unlock()
	if !l.TryLock() {
		t.Error("it is not free again")
	}
}
