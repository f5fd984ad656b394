//go:build unix

package lsp

import (
	"time"

	"golang.org/x/sys/unix"
)

// placed returns when a file was last written, or put in its place: a file that is moved keeps the
// time at which it was written.
func placed(path string) (time.Time, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return time.Time{}, err
	}
	written, changed := time.Unix(st.Mtim.Unix()), time.Unix(st.Ctim.Unix())
	if written.After(changed) { // as a program may set it
		return written, nil
	}
	return changed, nil
}
