//go:build unix

package gate

import (
	"io/fs"
	"os"
	"syscall"
)

// exposed returns why a file with secrets may not be used, because of who else can read or change it,
// and the beginning of a command that mends that; "" if it may be used.
func exposed(info fs.FileInfo) (why, mend string) {
	switch {
	case !ownedByUs(info, true):
		return "it belongs to another user", "copy it, or: sudo chown $USER "
	case info.Mode().Perm()&0o077 != 0 && !givenByRoot(info, os.Getuid(), os.Getegid()):
		return "other users may read or change it", "chmod 600 "
	}
	return "", ""
}

// givenByRoot reports whether a file is one that root lets a group read, that of a process of another user, and nobody else: so
// Kubernetes mounts secrets for those who run in a pod without root (fsGroup).
func givenByRoot(info fs.FileInfo, user, group int) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == 0 && user != 0 && stat.Gid == uint32(group) && info.Mode().Perm()&0o037 == 0
}
