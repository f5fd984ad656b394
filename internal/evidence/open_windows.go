package evidence

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// openFile is os.OpenFile for reading and appending, by flags os.O_CREATE and maybe os.O_EXCL; but the
// file can be moved away while it is open, as on other systems.
func openFile(path string, flag int) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	how := uint32(windows.OPEN_ALWAYS)
	if flag&os.O_EXCL != 0 {
		how = windows.CREATE_NEW
	}
	handle, err := windows.CreateFile(name, windows.FILE_GENERIC_READ|windows.FILE_APPEND_DATA|windows.FILE_WRITE_ATTRIBUTES,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil, how, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}
