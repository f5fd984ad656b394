package fspath

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ErrNotRegular says that what a path names is no regular file: a device, a pipe or a socket.
var ErrNotRegular = errors.New("not a regular file")

// ErrTooLarge says that a file is larger than MaxRead.
var ErrTooLarge = fmt.Errorf("larger than %d MB", MaxRead>>20)

// IsMissing reports whether an error, of reading a file or of asking about it, says that there is no such file: nothing has its name, a
// folder has it, or something else than a folder has the name of a folder that it would be in.
func IsMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENOTDIR)
}

// Missing reports whether there is no file with a path, in the sense of [IsMissing]. A link is one, unless it leads to a folder.
func Missing(path string) bool {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Stat(path)
		return err == nil && target.IsDir()
	}
	return IsMissing(err) || err == nil && info.IsDir()
}

// MaxRead is how many bytes [Read] reads at most: more than any source file has, and than the largest compilation
// databases.
const MaxRead = 256 << 20

// Read reads a file of somebody else, in the place of [os.ReadFile], which never returns where a checkout has a link to a
// device, or a pipe. Links are followed. Its errors are [*fs.PathError]s, also ErrNotRegular and ErrTooLarge, and syscall.EISDIR of a
// folder.
func Read(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > MaxRead {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrTooLarge}
	}
	// One byte more, to see the end without growing; it may have grown since.
	text := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case errors.Is(err, io.EOF):
			return text, nil
		case err != nil:
			return nil, err
		case len(text) > MaxRead:
			return nil, &fs.PathError{Op: "read", Path: path, Err: ErrTooLarge}
		case len(text) == cap(text):
			text = append(text, 0)[:len(text)]
		}
	}
}

// Open opens a regular file for reading, in the place of [os.Open], and waits for nobody: not for who writes into a pipe.
// The caller closes it.
func Open(path string) (*os.File, error) {
	if info, err := os.Stat(path); err != nil {
		var failed *fs.PathError
		if errors.As(err, &failed) {
			failed.Op = "open"
		}
		return nil, err
	} else if info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	} else if !info.Mode().IsRegular() { // some devices do something when they are opened
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|notWaiting, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() { // it is another file by now
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}
