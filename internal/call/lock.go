package call

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// A Lock is held by one alone, or shared by many, like a sync.RWMutex. Whoever waits for it can
// leave: the wait ends with a context.
type Lock struct {
	held    string
	free    *semaphore.Weighted
	waiting atomic.Int32
}

// everybody is the weight of all who may share a lock.
const everybody = 1 << 20

// NewLock returns a lock that is free. held is what those who wait in vain are told about why it
// was not.
func NewLock(held string) *Lock { return &Lock{held: held, free: semaphore.NewWeighted(everybody)} }

// Lock waits until nobody holds the lock, and takes it alone. It returns an error if ctx ends
// first. A lock that is free is taken even after the deadline of ctx: what is known by then is
// still an answer.
func (l *Lock) Lock(ctx context.Context) error { return l.take(ctx, everybody) }

// TryLock takes the lock alone if it is free, and reports whether it did.
func (l *Lock) TryLock() bool { return l.free.TryAcquire(everybody) }

// Unlock releases what Lock or TryLock took.
func (l *Lock) Unlock() { l.free.Release(everybody) }

// Share takes the lock together with others that share it. It waits as Lock does.
func (l *Lock) Share(ctx context.Context) error { return l.take(ctx, 1) }

// Unshare releases what Share took.
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
