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
	return ChangeOf(st.Ino, int64(st.Ctim.Sec), int64(st.Ctim.Nsec))
}

func changed(info fs.FileInfo) time.Time {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok { // it is of no file of the system
		return time.Time{}
	}
	return time.Unix(int64(st.Ctim.Sec), int64(st.Ctim.Nsec)) // they are smaller on some machines
}
