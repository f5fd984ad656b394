package disk

import (
	"os"
	"time"

	"github.com/lspine/lspine/internal/fspath"
)

// A Stamp tells whether a file changed. The time is compared with ==, so it
// holds no monotonic reading and is in the local zone.
type Stamp struct {
	Modified time.Time
	Size     int64  // in bytes
	Change   uint64 // see fspath.Change
}

// StampOf returns the stamp that a file or folder has.
func StampOf(info os.FileInfo) Stamp { return Stamp{info.ModTime(), info.Size(), fspath.Change(info)} }

// StampsOf returns the stamps that files have now, by their paths.
func StampsOf(paths []string) map[string]Stamp {
	stamps := make(map[string]Stamp, len(paths))
	for _, path := range paths {
		stamps[path] = StampNow(path)
	}
	return stamps
}

// StampNow returns the stamp of a file, zero if there is none.
func StampNow(path string) Stamp {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Stamp{}
	case info.IsDir():
		return Stamp{Size: 1} // that it is there; what is in it has stamps of its own
	}
	return StampOf(info)
}

// Same reports whether files are as they were, and can be told from what they might be.
func Same(stamps map[string]Stamp) bool {
	for path, before := range stamps {
		if now := StampNow(path); now != before || !now.Modified.IsZero() && time.Since(now.Modified) < Unsettled(now.Modified) {
			return false
		}
	}
	return true
}

// Unsettled is how long after a time of a file system another change may get the
// same one: its clock ticks every few milliseconds, or, if it does not count
// below seconds, every two.
func Unsettled(t time.Time) time.Duration {
	if t.Nanosecond()%int(time.Millisecond) != 0 {
		return 10 * time.Millisecond
	}
	return 2 * time.Second
}
