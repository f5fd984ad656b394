package diagnostics

import (
	"context"
	"sync"
)

// epochs numbers everything that becomes known. A number is taken while the lock of the stream
// concerned is held, and the lock is kept until the finding is stored: whoever learns of an epoch
// and then reads the streams finds everything up to it. The lock of epochs is therefore the last
// one to take.
type epochs struct {
	mu    sync.Mutex
	last  uint64
	grown chan struct{} // closed and replaced when last grows
}

// newEpochs starts at 1, so that a caller that waits for an epoch after 1 waits for the first
// event.
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

// Epoch returns a number that grows with every check and every publish [BR-83].
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
