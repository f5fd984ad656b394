package jsonrpc

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/lspine/lspine/internal/guard"
)

// A writer writes frames in the order they were queued, on a goroutine of its
// own, so that a peer that stops reading blocks nobody.
type writer struct {
	dst   io.Writer
	limit int
	done  chan struct{} // closed when the goroutine has ended

	mu     sync.Mutex
	ready  *sync.Cond
	queue  [][]byte
	queued int // bytes in queue
	err    error
	idle   bool // nothing is queued or being written
}

var errStopped = errors.New("connection is closed")

// An overflowError says that the peer stopped reading.
type overflowError struct{ queued int }

func (e *overflowError) Error() string {
	return fmt.Sprintf("%d bytes wait to be read by the peer: it does not read its input", e.queued)
}

func newWriter(dst io.Writer, limit int) *writer {
	w := &writer{dst: dst, limit: limit, done: make(chan struct{}), idle: true}
	w.ready = sync.NewCond(&w.mu)
	go w.run()
	return w
}

func (w *writer) enqueue(frame []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	if w.queued+len(frame) > w.limit {
		return &overflowError{w.queued}
	}
	w.queue = append(w.queue, frame)
	w.queued += len(frame)
	w.idle = false
	w.ready.Broadcast()
	return nil
}

// stop makes every later enqueue fail and lets the goroutine end as soon as
// its present write returns.
func (w *writer) stop() { w.fail(errStopped) }

func (w *writer) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
	w.queue, w.queued = nil, 0
	w.ready.Broadcast()
}

func (w *writer) wait() { <-w.done }

// flush waits until all that is queued was written, or writing failed.
func (w *writer) flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.idle && w.err == nil {
		w.ready.Wait()
	}
	return w.err
}

// run writes until writing fails. A panic is a failure.
func (w *writer) run() {
	defer close(w.done)
	if err := guard.Do(func() error { w.write(); return nil }); err != nil {
		w.fail(err)
	}
}

func (w *writer) write() {
	for {
		w.mu.Lock()
		for len(w.queue) == 0 && w.err == nil {
			w.idle = true
			w.ready.Broadcast()
			w.ready.Wait()
		}
		if w.err != nil {
			w.mu.Unlock()
			return
		}
		frame := w.queue[0]
		w.queue = w.queue[1:]
		w.queued -= len(frame)
		w.mu.Unlock()
		if _, err := w.dst.Write(frame); err != nil {
			w.fail(fmt.Errorf("write to the peer: %w", err))
			return
		}
	}
}
