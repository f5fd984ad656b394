package call

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// A Lock is held by one alone, or shared by many, like a sync.RWMutex; or it is held by a group,
// whose members keep out of each other's way by other means. Whoever waits for it can leave: the
// wait ends with a context.
type Lock struct {
	held    string
	free    *semaphore.Weighted
	waiting atomic.Int32
	// door is held by the one who is about to join the group: one of those who wait to join
	// stands in the queue, and lets the others in.
	door *semaphore.Weighted

	mu     sync.Mutex
	joined int // members of the group that holds the lock
}

// everybody is the weight of all who may share a lock.
const everybody = 1 << 20

// NewLock returns a lock that is free. held is what those who wait in vain are told about why it
// was not.
func NewLock(held string) *Lock {
	return &Lock{held: held, free: semaphore.NewWeighted(everybody), door: semaphore.NewWeighted(1)}
}

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

// Join takes the lock as a member of the group: together with the other members, and with nobody
// else. Who came before has it first: once somebody else waits for the lock, the group grows no
// more. It waits as Lock does.
func (l *Lock) Join(ctx context.Context) error {
	if Canceled(ctx) != nil || !l.door.TryAcquire(1) {
		if err := l.door.Acquire(ctx, 1); err != nil {
			return &busyError{l.held, err}
		}
	}
	defer l.door.Release(1)
	if Canceled(ctx) == nil && l.joinGroup() {
		return nil
	}
	if err := l.Lock(ctx); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.joined = 1
	return nil
}

// joinGroup makes one more member of the group, if it holds the lock and nobody else waits.
func (l *Lock) joinGroup() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.joined == 0 || l.Wanted() {
		return false
	}
	l.joined++
	return true
}

// Leave releases what Join took.
func (l *Lock) Leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.joined--; l.joined == 0 {
		l.Unlock()
	}
}

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
