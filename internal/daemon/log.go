package daemon

import (
	"os"
	"sync"
)

// maxLog is the size, in bytes, at which a log is renamed and a new one is started.
const maxLog = 1 << 20

// A rotating writer writes to standard error, which is the log of a place, and starts a new log
// when that gets too long.
type rotating struct {
	place place

	mu      sync.Mutex
	written int64
}

func newRotating(p place) *rotating {
	r := &rotating{place: p}
	if info, err := os.Stderr.Stat(); err == nil {
		r.written = info.Size()
	}
	return r
}

func (r *rotating) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.written >= maxLog { // if that fails, use the old log for the same amount again
		r.written = 0
		beginLog(r.place)
	}
	n, err := os.Stderr.Write(b)
	r.written += int64(n)
	return n, err
}
