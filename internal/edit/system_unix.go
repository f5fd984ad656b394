//go:build unix

package edit

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// mayWrite reports whether this process may write a file.
func mayWrite(path string) bool { return unix.Access(path, unix.W_OK) == nil }

// keepOwner gives f the owner of the file that it replaces, if this process may.
func keepOwner(f *os.File, _ string, info os.FileInfo) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}

// syncDir makes the names in a folder last.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) { // not on this file system
		err = nil
	}
	return errors.Join(err, f.Close())
}

// replaceFile moves a file, over another if there is one.
func replaceFile(from, to string) error { return os.Rename(from, to) }

// removeFile removes a file or an empty folder.
func removeFile(path string) error { return os.Remove(path) }
