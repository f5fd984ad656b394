package diagnostics

import (
	"context"
	"sync"
)

// epochs numbers what becomes known. A number is taken while the lock of the stream that it is
// about is held, and until the finding stands there: who is told of an epoch, and then reads
// the streams, finds all that it counts. Its own lock is therefore the last one to take.
type epochs struct {
	mu    sync.Mutex
	last  uint64
	grown chan struct{} // closed and replaced when last grows
}

// newEpochs begins with 1, so that who asks for what comes after the first waits for it.
func newEpochs() *epochs { return &epochs{last: 1, grown: make(chan struct{})} }

// next counts one more event.
func (e *epochs) next() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last++
	close(e.grown)
	e.grown = make(chan struct{})
	return e.last
}

func (e *epochs) now() (last uint64, grown <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.last, e.grown
}

// Epoch returns a number that grows with every check and every publish
// [BR-83].
func (c *Collector) Epoch() uint64 {
	last, _ := c.epochs.now()
	return last
}

// AwaitEpoch waits until the epoch is greater than after, or ctx ends, and returns the epoch.
func (c *Collector) AwaitEpoch(ctx context.Context, after uint64) uint64 {
	for {
		epoch, grown := c.epochs.now()
		if epoch > after {
			return epoch
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return epoch
		}
	}
}
