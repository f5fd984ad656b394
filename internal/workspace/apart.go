package workspace

import (
	"context"
	"sync/atomic"

	"github.com/lspine/lspine/internal/guard"
)

// apart does something that is finished once it has begun, such as a look at the whole
// disk under the lock of the picture. The caller may leave when ctx ends: then the work
// goes on without him, for the workspace, and what came of it goes to left. do calls made
// once, with what came of it.
func apart[T any](ctx context.Context, w *Workspace, do func(made func(T)), left func(T)) (T, error) {
	var none T
	if ctx.Err() != nil {
		return none, ctx.Err()
	}
	type outcome struct {
		made T
		err  error
	}
	const waiting, delivered, gone = 0, 1, 2
	var state atomic.Int32
	result := make(chan outcome, 1)
	started := w.startUnlessClosed(func() {
		err := guard.Do(func() error {
			do(func(made T) {
				if state.CompareAndSwap(waiting, delivered) {
					result <- outcome{made: made}
				} else {
					left(made)
				}
			})
			return nil
		})
		if err != nil && state.CompareAndSwap(waiting, delivered) {
			result <- outcome{err: err}
		}
	})
	if !started {
		return none, errClosed
	}
	select {
	case o := <-result:
		return o.made, o.err
	case <-ctx.Done():
		if state.CompareAndSwap(waiting, gone) {
			return none, ctx.Err()
		}
		o := <-result
		return o.made, o.err
	}
}

// inTurn does something short under the lock of the picture, unless ctx ends before it is
// its turn.
func (w *Workspace) inTurn(ctx context.Context, do func()) error {
	_, err := apart(ctx, w, func(made func(struct{})) {
		w.tree.mu.Lock()
		defer w.tree.mu.Unlock()
		do()
		made(struct{}{})
	}, func(struct{}) {})
	return err
}

// startUnlessClosed starts a goroutine that Close waits for.
func (w *Workspace) startUnlessClosed(do func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	w.starts.Go(do)
	return true
}
