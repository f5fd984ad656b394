package call

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The deadline of a request bounds all that its call waits for; what is left of it is never
// less than a moment, and the caller's own context has none.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plain, cancel := Begin(t.Context(), 0)
		defer cancel()
		if got := Left(plain, time.Hour); got != time.Hour || Bounded(plain) {
			t.Errorf("without a deadline: %v, bounded %t", got, Bounded(plain))
		}
		ctx, cancel := Begin(t.Context(), time.Second)
		defer cancel()
		part, cancel := Within(ctx, time.Hour)
		defer cancel()
		if got := Left(part, time.Hour); got != time.Second || !Bounded(part) {
			t.Errorf("left at the beginning: %v, bounded %t", got, Bounded(part))
		}
		<-part.Done()
		if got := Left(ctx, time.Hour); got != time.Millisecond {
			t.Errorf("left at the end: %v", got)
		}
		if err := Caller(part).Err(); err != nil {
			t.Errorf("the caller's context ended: %v", err)
		}
		if Canceled(part) != nil {
			t.Error("a deadline is no cancellation")
		}
	})
}

// Who waits for a lock can leave: at the deadline with the reason why it was held, at the
// caller's cancellation at once. One that is free is had also past a deadline.
func TestLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLock("others were at work")
		if err := l.Share(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := l.Share(t.Context()); err != nil {
			t.Fatalf("a second one cannot share it: %v", err)
		}
		if l.TryLock() {
			t.Fatal("it is shared, and taken alone")
		}
		ctx, cancel := Begin(t.Context(), time.Second)
		defer cancel()
		err := Explain(ctx, "edit", l.Lock(ctx))
		var late *TimeoutError
		if !errors.As(err, &late) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%T: %v", err, err)
		}
		if diff := cmp.Diff(&TimeoutError{"edit", "others were at work"}, late); diff != "" {
			t.Error(diff)
		}
		l.Unshare()
		l.Unshare()
		if err := l.Lock(ctx); err != nil {
			t.Errorf("it is free: %v", err)
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if err := l.Share(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		l.Unlock()
		if err := l.Share(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("free, but the caller is gone: %v", err)
		}
	})
}

// Only an error of the call's own deadline, when that has come, is a time-out of the call.
func TestExplain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := Begin(t.Context(), time.Second)
		defer cancel()
		if err := Explain(ctx, "edit", context.DeadlineExceeded); err != context.DeadlineExceeded {
			t.Errorf("before the deadline: %v", err)
		}
		<-ctx.Done()
		other := errors.New("other")
		if err := Explain(ctx, "edit", other); err != other {
			t.Errorf("another error: %v", err)
		}
		if diff := cmp.Diff(&TimeoutError{Operation: "edit"}, Explain(ctx, "edit", context.DeadlineExceeded)); diff != "" {
			t.Error(diff)
		}
		if err := Explain(t.Context(), "edit", context.DeadlineExceeded); err != context.DeadlineExceeded {
			t.Errorf("a call without a deadline: %v", err)
		}
	})
}

// Who holds a lock can see that others wait for it, until they have it or leave.
func TestLockIsWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLock("")
		if err := l.Lock(t.Context()); err != nil || l.Wanted() {
			t.Errorf("%v, wanted: %t", err, l.Wanted())
		}
		ctx, leave := context.WithCancel(t.Context())
		go func() { _ = l.Share(ctx) }()
		go func() { _ = l.Lock(t.Context()) }()
		synctest.Wait()
		wanted := []bool{l.Wanted()}
		leave()
		synctest.Wait()
		wanted = append(wanted, l.Wanted())
		l.Unlock()
		synctest.Wait()
		if diff := cmp.Diff([]bool{true, true, false}, append(wanted, l.Wanted())); diff != "" {
			t.Error(diff)
		}
	})
}

// A group holds a lock together, and nobody else with it. Whoever waits for it comes before those
// who join later, and when the group has it again all who wait to join are in.
func TestLockOfAGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLock("a group was at work")
		events := make(chan string, 10)
		begin := func(name string, take func(context.Context) error) {
			go func() {
				if err := take(t.Context()); err != nil {
					t.Error(err)
				}
				events <- name
			}()
			synctest.Wait()
		}
		heard := func() (names []string) {
			synctest.Wait()
			for len(events) > 0 {
				names = append(names, <-events)
			}
			slices.Sort(names)
			return names
		}
		var got [][]string
		begin("first", l.Join)
		begin("second", l.Join)
		got = append(got, heard())
		begin("asker", l.Share)
		begin("third", l.Join)
		begin("fourth", l.Join)
		l.Leave()
		got = append(got, heard())
		l.Leave()
		got = append(got, heard())
		l.Unshare()
		got = append(got, heard())
		begin("alone", l.Lock)
		l.Leave()
		got = append(got, heard())
		l.Leave()
		got = append(got, heard())
		want := [][]string{{"first", "second"}, nil, {"asker"}, {"fourth", "third"}, nil, {"alone"}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if l.TryLock() {
			t.Error("it is held alone, and taken once more")
		}
	})
}

// Who waits to join a group can leave, whether he stands in the queue or behind another; a lock
// that is free is joined also past a deadline.
func TestWhoWaitsToJoinCanLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLock("others were at work")
		if err := l.Lock(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		failed := make(chan error, 2)
		for range 2 {
			go func() { failed <- l.Join(ctx) }()
		}
		for range 2 {
			if err := <-failed; !errors.Is(err, context.DeadlineExceeded) || err.Error() != "others were at work: context deadline exceeded" {
				t.Errorf("%v", err)
			}
		}
		l.Unlock()
		if err := l.Join(ctx); err != nil {
			t.Errorf("it is free: %v", err)
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if err := l.Join(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("the caller is gone: %v", err)
		}
		l.Leave()
		if !l.TryLock() {
			t.Error("the group left, and the lock is not free")
		}
	})
}
