//go:build darwin || freebsd || netbsd

package fspath

import (
	"io/fs"
	"syscall"
)

func change(info fs.FileInfo) uint64 {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok { // it is of no file of the system
		return 0
	}
	return ChangeOf(uint64(st.Ino), int64(st.Ctimespec.Sec), int64(st.Ctimespec.Nsec))
}
