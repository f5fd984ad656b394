package daemon

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// openLog opens the log of a place for appending. The Go runtime also writes to it, as standard
// error.
func openLog(p place) (*os.File, error) {
	path := filepath.Join(p.dir, logFile)
	if info, err := os.Lstat(path); err == nil && info.Size() >= maxLog {
		beginLog(p)
	}
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
}

// beginLog copies the log and then empties it, because an open file cannot be renamed. The next
// write goes to its beginning, because all writers append.
func beginLog(p place) {
	path := filepath.Join(p.dir, logFile)
	if copyFile(path, path+".1") == nil {
		_ = os.Truncate(path, 0)
	}
}

func copyFile(from, to string) error {
	old, err := os.Open(from)
	if err != nil {
		return err
	}
	defer old.Close()
	kept, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(kept, old)
	return errors.Join(err, kept.Close())
}
