package call

import (
	"context"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/guard"
)

// Bounds of following a server that answers a question.
const (
	// mostFollowed bounds a question to servers that demonstrably work, unless the caller
	// named a deadline.
	mostFollowed = 120 * time.Second
	followPulse  = time.Second
)

// A followed is a context with a deadline that moves on while somebody works. Its end is
// context.DeadlineExceeded, as that of any other deadline.
type followed struct {
	context.Context
	done chan struct{}

	mu  sync.Mutex
	err error
}

// Following returns the context for a question to servers. If the request of the call names a
// deadline the context ends then. Otherwise it ends after limit or, while works keeps reporting
// that the servers did something since it was last called, after two minutes at most. The caller
// must call the returned function, which ends the context.
func Following(ctx context.Context, limit time.Duration, works func() bool) (context.Context, func()) {
	if Bounded(ctx) {
		return context.WithCancel(ctx)
	}
	return following(ctx, limit, max(mostFollowed, limit), works)
}

// following returns a context that ends after limit or, as long as works reports work
// since it was asked last, after most. The caller must call the returned function, which
// ends it and waits for what watches the time.
func following(ctx context.Context, limit, most time.Duration, works func() bool) (context.Context, func()) {
	f := &followed{Context: ctx, done: make(chan struct{})}
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		f.end(guard.Do(func() error { return f.watch(limit, most, works, stop) }))
	}()
	return f, sync.OnceFunc(func() {
		close(stop)
		<-ended
	})
}

// watch waits for the end and returns why it came.
func (f *followed) watch(limit, most time.Duration, works func() bool, stop <-chan struct{}) error {
	first := max(0, limit-followPulse) // what is done in the last pulse before the limit counts
	waited := first
	timer := time.NewTimer(first)
	defer timer.Stop()
	for {
		select {
		case <-stop:
			return context.Canceled
		case <-f.Context.Done():
			return f.Context.Err()
		case <-timer.C:
			if worked := works(); waited >= limit && (waited >= most || !worked) {
				return context.DeadlineExceeded
			}
			pulse := min(followPulse, most-waited)
			waited += pulse
			timer.Reset(pulse)
		}
	}
}

func (f *followed) end(err error) {
	f.mu.Lock()
	f.err = err
	f.mu.Unlock()
	close(f.done)
}

// Done implements [context.Context].
func (f *followed) Done() <-chan struct{} { return f.done }

// Err implements [context.Context].
func (f *followed) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}
