package call

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// A Lock is held by one alone, or shared by many. Who waits for it can leave: the wait ends
// with the context.
type Lock struct {
	held    string
	free    *semaphore.Weighted
	waiting atomic.Int32
}

// everybody is the weight of all who may share a lock.
const everybody = 1 << 20

// NewLock returns a lock that nobody holds. Held says why it is held, to those who waited for
// it in vain.
func NewLock(held string) *Lock { return &Lock{held: held, free: semaphore.NewWeighted(everybody)} }

// Lock takes the lock alone, unless ctx ends before. One that is free is taken also past a
// deadline: what is known by then is still an answer.
func (l *Lock) Lock(ctx context.Context) error { return l.take(ctx, everybody) }

// TryLock takes the lock alone if it is free.
func (l *Lock) TryLock() bool { return l.free.TryAcquire(everybody) }

// Unlock gives back what Lock or TryLock took.
func (l *Lock) Unlock() { l.free.Release(everybody) }

// Share takes the lock together with others who share it, as Lock does.
func (l *Lock) Share(ctx context.Context) error { return l.take(ctx, 1) }

// Unshare gives back what Share took.
func (l *Lock) Unshare() { l.free.Release(1) }

// Wanted reports whether somebody waits for the lock.
func (l *Lock) Wanted() bool { return l.waiting.Load() > 0 }

func (l *Lock) take(ctx context.Context, n int64) error {
	if Canceled(ctx) == nil && l.free.TryAcquire(n) {
		return nil
	}
	l.waiting.Add(1)
	defer l.waiting.Add(-1)
	if err := l.free.Acquire(ctx, n); err != nil {
		return &busyError{l.held, err}
	}
	return nil
}

// A busyError says that a lock was not to be had before ctx ended.
type busyError struct {
	held string
	err  error
}

func (e *busyError) Error() string { return e.held + ": " + e.err.Error() }

func (e *busyError) Unwrap() error { return e.err }
