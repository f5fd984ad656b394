package gate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
)

// readBody reads the body of a request, and gives the request a copy of it. It reports false if it has
// refused the request, because the body is too long or takes too long.
func (g *Gate) readBody(a *answer, r *http.Request) bool {
	body, err := io.ReadAll(http.MaxBytesReader(a, r.Body, MaxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		refuse(a, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is longer than %d bytes", MaxBody))
		return false
	case errors.Is(err, os.ErrDeadlineExceeded):
		a.Header().Set("Connection", "close")
		refuse(a, http.StatusRequestTimeout, fmt.Sprintf("the request did not arrive within %v", g.times.body))
		return false
	case err != nil:
		a.Header().Set("Connection", "close")
		refuse(a, http.StatusBadRequest, "the request cannot be read")
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	return true
}

// working counts what is in progress. It is safe for concurrent use.
type working struct {
	// mu guards count and idle.
	mu    sync.Mutex
	count int
	idle  chan struct{} // is closed when count is 0 again; nil if nobody waits
}

// begin counts one more, until end is called.
func (w *working) begin() (end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count++
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.count--
		if w.count == 0 && w.idle != nil {
			close(w.idle)
			w.idle = nil
		}
	}
}

// ended returns a channel that is closed when nothing is in progress.
func (w *working) ended() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count == 0 {
		none := make(chan struct{})
		close(none)
		return none
	}
	if w.idle == nil {
		w.idle = make(chan struct{})
	}
	return w.idle
}
