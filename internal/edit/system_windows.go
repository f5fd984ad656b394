package edit

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// mayWrite: the read-only attribute is in the mode.
func mayWrite(string) bool { return true }

// keepOwner: a new file has the owner of its folder.
func keepOwner(*os.File, os.FileInfo) {}

// syncDir: folders are not synced here.
func syncDir(string) error { return nil }

// replaceFile moves a file over another. Virus scanners and indexers open files
// for a moment, in which it fails.
func replaceFile(from, to string) error {
	const tries = 10
	for i := 0; ; i++ {
		err := os.Rename(from, to)
		busy := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !busy || i == tries {
			return err
		}
		<-time.After(10 * time.Millisecond)
	}
}
