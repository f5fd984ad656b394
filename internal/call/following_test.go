package call

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lspine/lspine/internal/guard"
)

// A question to a server that works is waited for beyond its deadline, up to the limit,
// and not when nobody works; its end is that of a deadline, also for what was derived from
// it, and the caller's own end comes through at once.
func TestFollowing(t *testing.T) {
	always := func() bool { return true }
	never := func() bool { return false }
	for name, tt := range map[string]struct {
		works  func() bool
		parent time.Duration // 0: none
		after  time.Duration
		err    error
	}{
		"nobody works":             {never, 0, 30 * time.Second, context.DeadlineExceeded},
		"somebody works":           {always, 0, 120 * time.Second, context.DeadlineExceeded},
		"somebody works for a bit": {untilAsked(6), 0, 34 * time.Second, context.DeadlineExceeded},
		"the caller has less time": {always, 40 * time.Second, 40 * time.Second, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if tt.parent > 0 {
					limited, cancel := context.WithTimeout(ctx, tt.parent)
					defer cancel()
					ctx = limited
				}
				start := time.Now()
				f, stop := following(ctx, 30*time.Second, 120*time.Second, tt.works)
				defer stop()
				derived, cancel := context.WithCancel(f)
				defer cancel()
				<-derived.Done()
				if took := time.Since(start); took != tt.after || !errors.Is(f.Err(), tt.err) || !errors.Is(derived.Err(), tt.err) {
					t.Errorf("after %v: %v, derived %v; want %v after %v", took, f.Err(), derived.Err(), tt.err, tt.after)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		gone, leave := context.WithCancel(t.Context())
		f, stop := following(gone, time.Second, time.Minute, always)
		leave()
		<-f.Done()
		if !errors.Is(f.Err(), context.Canceled) {
			t.Errorf("left: %v", f.Err())
		}
		stop()
		ended, stop := following(t.Context(), time.Second, time.Minute, always)
		if stop(); !errors.Is(ended.Err(), context.Canceled) {
			t.Errorf("stopped: %v", ended.Err())
		}
	})
}

// untilAsked works until it was asked a number of times.
func untilAsked(n int) func() bool {
	return func() bool {
		n--
		return n > 0
	}
}

// A panic of what watches the time ends the wait, and is its error.
func TestPanicWhileFollowing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, stop := following(t.Context(), time.Second, time.Minute, func() bool { panic("kaboom") })
		defer stop()
		<-f.Done()
		var failed *guard.PanicError
		if err := f.Err(); !errors.As(err, &failed) || failed.Value != "kaboom" {
			t.Errorf("%v", err)
		}
	})
}

// Where the request names a deadline, that alone ends the question, whether or not somebody works;
// without one it ends after its limit, and after two minutes or a longer limit if somebody works.
func TestFollowingACall(t *testing.T) {
	for name, tt := range map[string]struct {
		deadline, limit time.Duration
		works           bool
		after           time.Duration
	}{
		"a deadline":                    {50 * time.Second, 30 * time.Second, false, 50 * time.Second},
		"a deadline, and work":          {50 * time.Second, 30 * time.Second, true, 50 * time.Second},
		"a deadline that is soon":       {5 * time.Second, 30 * time.Second, true, 5 * time.Second},
		"no deadline":                   {0, 30 * time.Second, false, 30 * time.Second},
		"no deadline, and work":         {0, 30 * time.Second, true, mostFollowed},
		"no deadline, and a long limit": {0, 300 * time.Second, true, 300 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := Begin(t.Context(), tt.deadline)
				defer cancel()
				start := time.Now()
				f, stop := Following(ctx, tt.limit, func() bool { return tt.works })
				defer stop()
				<-f.Done()
				if took := time.Since(start); took != tt.after || !errors.Is(f.Err(), context.DeadlineExceeded) {
					t.Errorf("it ends after %v with %v", took, f.Err())
				}
			})
		})
	}
}
