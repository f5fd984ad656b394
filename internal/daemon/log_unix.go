//go:build unix

package daemon

import (
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// openLog opens the log of a place for appending. The Go runtime also writes to it, as standard
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

// beginLog redirects standard output and standard error to a new log.
func beginLog(p place) {
	log, err := openLog(p)
	if err != nil {
		return
	}
	defer log.Close()
	for fd := 1; fd <= 2; fd++ {
		_ = unix.Dup2(int(log.Fd()), fd)
	}
}
