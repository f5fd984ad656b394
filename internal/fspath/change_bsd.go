//go:build darwin || freebsd || netbsd

package fspath

import (
	"io/fs"
	"syscall"
	"time"
)

func change(info fs.FileInfo) uint64 {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok { // it is of no file of the system
		return 0
	}
	return ChangeOf(uint64(st.Ino), int64(st.Ctimespec.Sec), int64(st.Ctimespec.Nsec))
}

func changed(info fs.FileInfo) time.Time {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok { // it is of no file of the system
		return time.Time{}
	}
	return time.Unix(int64(st.Ctimespec.Sec), int64(st.Ctimespec.Nsec)) // they are smaller on some machines
}
