//go:build unix

package gate

import "io/fs"

// exposed returns why a file with secrets may not be used, because of who else can read or change it,
// and the beginning of a command that mends that; "" if it may be used.
func exposed(info fs.FileInfo) (why, mend string) {
	switch {
	case !ownedByUs(info, true):
		return "it belongs to another user", "copy it, or: sudo chown $USER "
	case info.Mode().Perm()&0o077 != 0:
		return "other users may read or change it", "chmod 600 "
	}
	return "", ""
}
