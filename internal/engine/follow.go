package engine

import (
	"context"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/workspace"
)

// Bounds of following a server that answers a question.
const (
	// followLimit bounds a question to servers that demonstrably work, unless the caller
	// named a deadline.
	followLimit = 120 * time.Second
	followPulse = time.Second
	// minWork is the processor time within a pulse that counts as work.
	minWork = 20 * time.Millisecond
)

// A followed is a context with a deadline that moves on while somebody works. Its end is
// context.DeadlineExceeded, as that of any other deadline.
type followed struct {
	context.Context
	done chan struct{}

	mu  sync.Mutex
	err error
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

// atWork returns what reports whether a running server used the processor since it was
// asked last or, where that is not known, says that it is at work. Nothing is measured
// before it is asked for the first time: most questions are answered by then.
func (e *Engine) atWork() func() bool {
	measure := func() (cpu time.Duration, says bool) {
		for _, s := range e.workspace.Running() {
			used, known := s.CPUTime()
			cpu += used
			says = says || !known && len(s.Works()) > 0
		}
		return cpu + e.workspace.StartTime(workspace.Key{}), says
	}
	var before time.Duration
	return func() bool {
		now, says := measure()
		worked := now-before >= minWork
		before = now
		return worked || says
	}
}
