package call

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// turnLimit is how long a call keeps others from beginning: one that takes longer waits for a server or for a lock.
const turnLimit = 50 * time.Millisecond

// Turns let a few calls work at once, in the order in which they came. Without them, of many calls at once each takes as long as all
// others together, and some take several times as long as others. A nil *Turns lets every call work at once. It is safe for
// concurrent use.
type Turns struct{ free *semaphore.Weighted }

// NewTurns returns turns for two calls on each processor.
func NewTurns() *Turns {
	return &Turns{semaphore.NewWeighted(2 * int64(runtime.GOMAXPROCS(0)))}
}

// Take waits for the turn of a call. The turn ends when the returned function is called, as it must be, and 50 ms after it began at the
// latest. A call within a call works in the turn of that one. Take returns an error only if the caller leaves; after the deadline of the
// call it waits no longer.
func (t *Turns) Take(ctx context.Context) (end func(), err error) {
	if t == nil || of(ctx).inner {
		return func() {}, nil
	}
	if !t.free.TryAcquire(1) && t.free.Acquire(ctx, 1) != nil {
		return func() {}, Canceled(ctx)
	}
	release := sync.OnceFunc(func() { t.free.Release(1) })
	limit := time.AfterFunc(turnLimit, release)
	return func() {
		limit.Stop()
		release()
	}, nil
}
