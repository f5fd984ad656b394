//go:build unix

package daemon

import (
	"fmt"
	"os"
	"syscall"
)

// ownAlone returns an error unless only the user may write to a folder.
func ownAlone(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case info.Mode()&os.ModeSymlink != 0:
		return &RefusedError{dir, "a link"}
	case !info.IsDir():
		return &RefusedError{dir, "not a folder"}
	case info.Mode().Perm()&0o022 != 0:
		return &RefusedError{dir, "a folder that others may write"}
	}
	return ownedByUs(dir, info)
}

// ownSocket returns an error unless a path is a socket of the user.
func ownSocket(path string) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case info.Mode().Type() != os.ModeSocket:
		return &RefusedError{path, "not a socket"}
	}
	return ownedByUs(path, info)
}

// isBusy returns false: on this system, an open file does not prevent others from opening it.
func isBusy(error) bool { return false }

func ownedByUs(path string, info os.FileInfo) error {
	if stat, known := info.Sys().(*syscall.Stat_t); !known || int(stat.Uid) != os.Getuid() {
		return &RefusedError{path, fmt.Sprintf("not owned by user %d", os.Getuid())}
	}
	return nil
}
