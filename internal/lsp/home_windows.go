package lsp

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// placed returns when a file was last written, or put in its place: a file that is moved keeps the
// time at which it was written.
func placed(path string) (time.Time, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return time.Time{}, err
	}
	const everybody = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE // stands in nobody's way
	file, err := windows.CreateFile(name, windows.FILE_READ_ATTRIBUTES, everybody, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		return time.Time{}, err
	}
	defer func() { _ = windows.CloseHandle(file) }() // nothing was written
	var times struct {                               // FILE_BASIC_INFO
		created, read, written, changed windows.Filetime
		attributes                      uint32
		_                               uint32
	}
	err = windows.GetFileInformationByHandleEx(file, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&times)), uint32(unsafe.Sizeof(times)))
	if err != nil {
		return time.Time{}, err
	}
	return time.Unix(0, max(times.written.Nanoseconds(), times.changed.Nanoseconds())), nil
}
