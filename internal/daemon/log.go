package daemon

import (
	"os"
	"sync"
)

// maxLog is the size, in bytes, at which a log is renamed and a new one begun.
const maxLog = 1 << 20

// A rotating writer writes to standard error, which is the log of a place, and begins a new log
// when that is too long.
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
	if r.written >= maxLog { // if there can be no new one, the old one is used for as long again
		r.written = 0
		beginLog(r.place)
	}
	n, err := os.Stderr.Write(b)
	r.written += int64(n)
	return n, err
}
