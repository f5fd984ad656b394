package fspath

import (
	"io/fs"
	"syscall"
	"time"
)

func change(info fs.FileInfo) uint64 {
	data, ok := info.Sys().(*syscall.Win32FileAttributeData)
	if !ok { // it is of no file of the system
		return 0
	}
	return uint64(data.CreationTime.Nanoseconds())
}

func changed(fs.FileInfo) time.Time { return time.Time{} }
