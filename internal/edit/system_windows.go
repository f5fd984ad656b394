package edit

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// mayWrite: the read-only attribute is in the mode.
func mayWrite(string) bool { return true }

// keepOwner gives f the access list of the file that it replaces, if that has one of its own: what it
// inherits it has from its folder.
func keepOwner(f *os.File, like string, _ os.FileInfo) {
	security, err := windows.GetNamedSecurityInfo(like, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return
	}
	control, _, err := security.Control()
	if err != nil {
		return
	}
	list, _, err := security.DACL()
	if err != nil || list == nil {
		return
	}
	var what windows.SECURITY_INFORMATION = windows.DACL_SECURITY_INFORMATION | windows.UNPROTECTED_DACL_SECURITY_INFORMATION
	if control&windows.SE_DACL_PROTECTED != 0 {
		what = windows.DACL_SECURITY_INFORMATION | windows.PROTECTED_DACL_SECURITY_INFORMATION
	}
	_ = windows.SetNamedSecurityInfo(f.Name(), windows.SE_FILE_OBJECT, what, nil, nil, list, nil)
}

// syncDir: folders are not synced here.
func syncDir(string) error { return nil }

// busyFor is how long a file is waited for that another program has open: virus scanners, indexers
// and builds do for a moment, and nothing says when they are done.
const busyFor = 2 * time.Second

// insist repeats a step as long as another program has the file open, up to busyFor.
func insist(step func() error) error {
	end := time.Now().Add(busyFor)
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		err := step()
		if !isBusy(err) || time.Now().After(end) {
			return err
		}
		<-time.After(pause)
	}
}

// isBusy reports whether a step failed because somebody has the file open.
func isBusy(err error) bool {
	for _, busy := range []error{windows.ERROR_SHARING_VIOLATION, windows.ERROR_ACCESS_DENIED, windows.ERROR_LOCK_VIOLATION, windows.ERROR_USER_MAPPED_FILE} {
		if errors.Is(err, busy) {
			return true
		}
	}
	return false
}

// replaceFile moves a file, over another if there is one.
func replaceFile(from, to string) error {
	return insist(func() error { return os.Rename(from, to) })
}

// removeFile removes a file or an empty folder.
func removeFile(path string) error { return insist(func() error { return os.Remove(path) }) }
