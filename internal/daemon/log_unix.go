//go:build unix

package daemon

import (
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// maxLog is the size, in bytes, at which a log is renamed and a new one begun.
const maxLog = 1 << 20

// openLog opens the log of a place for appending. The Go runtime writes to it too, as standard
// error.
func openLog(p place) (*os.File, error) {
	path := filepath.Join(p.dir, logFile)
	if info, err := os.Lstat(path); err == nil && info.Size() >= maxLog {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, err
		}
	}
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|syscall.O_NOFOLLOW, 0o600)
}

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
	if r.written >= maxLog {
		r.anewLocked()
	}
	n, err := os.Stderr.Write(b)
	r.written += int64(n)
	return n, err
}

// anewLocked makes a new log standard output and standard error. If that fails the old one is used
// for maxLog more bytes.
func (r *rotating) anewLocked() {
	r.written = 0
	log, err := openLog(r.place)
	if err != nil {
		return
	}
	defer log.Close()
	for fd := 1; fd <= 2; fd++ {
		_ = unix.Dup2(int(log.Fd()), fd)
	}
}
