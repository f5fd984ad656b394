//go:build unix

package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// ListenSocket listens on a socket, given by an absolute path, that only this user can use at any time.
// Nobody else may be able to put another file in its place, so nobody else may write to its folder. A
// socket that is there is replaced if it is the user's and nobody answers. It fails with a
// *[SocketError]. Closing the listener removes the socket, unless another is in its place.
func ListenSocket(ctx context.Context, path string) (net.Listener, error) {
	dir := filepath.Dir(path)
	if err := checkFolder(dir); err != nil {
		return nil, err
	}
	if err := checkSocket(ctx, path); err != nil {
		return nil, err
	}
	// A socket is created with the rights that the umask leaves. In a folder of its own, nobody can
	// use it before it has the right ones.
	private, err := os.MkdirTemp(dir, ".s")
	if err != nil {
		return nil, &SocketError{path, err.Error(), "choose a folder that you may write to"}
	}
	defer func() { _ = os.RemoveAll(private) }()
	first := filepath.Join(private, "s")
	if len(first) > maxSocketPath || len(path) > maxSocketPath {
		return nil, &SocketError{path, "the path is too long for a socket", fmt.Sprintf("choose one of at most %d bytes", maxSocketPath-len(first)+len(path))}
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: first, Net: "unix"})
	if err != nil {
		return nil, &SocketError{path, err.Error(), ""}
	}
	listener.SetUnlinkOnClose(false) // it gets another name
	err = os.Chmod(first, 0o600)
	if err == nil {
		err = os.Rename(first, path)
	}
	if err != nil {
		_ = listener.Close()
		return nil, &SocketError{path, err.Error(), ""}
	}
	made, err := os.Lstat(path)
	if err != nil {
		_ = listener.Close()
		return nil, &SocketError{path, err.Error(), ""}
	}
	return &socket{listener, path, made}, nil
}

// checkFolder returns why other users could replace what is in a folder, or put another folder in its place.
func checkFolder(dir string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		real = dir // it says below what is wrong
	}
	for above := filepath.Dir(real); above != filepath.Dir(above); above = filepath.Dir(above) {
		if err := checkOneFolder(above); err != nil {
			return err
		}
	}
	return checkOneFolder(dir)
}

func checkOneFolder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return &SocketError{dir, "there is no such folder", "make it: mkdir -m 700 " + dir}
	case !info.IsDir():
		return &SocketError{dir, "it is not a folder", ""}
	case !ownedByUs(info, true), info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0:
		return &SocketError{dir, "other users may replace files in this folder", "choose a folder of your own: mkdir -m 700 " + filepath.Join(dir, "lspine")}
	}
	return nil
}

// checkSocket returns why a socket may not be created at a path. It removes nothing.
func checkSocket(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return &SocketError{path, err.Error(), ""}
	case info.Mode().Type() != fs.ModeSocket:
		return &SocketError{path, "a file is there that is not a socket", "choose another path"}
	case !ownedByUs(info, false):
		return &SocketError{path, "a socket of another user is there", "choose another path"}
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", path)
	if err == nil {
		_ = conn.Close()
		return &SocketError{path, "a server answers there already", "choose another path, or end that server"}
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return &SocketError{path, err.Error(), "choose another path"}
	}
	return nil
}

// ownedByUs reports whether a file belongs to this user or, if the administrator counts, to him.
func ownedByUs(info fs.FileInfo, orRoot bool) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (stat.Uid == uint32(os.Getuid()) || orRoot && stat.Uid == 0)
}

// A socket removes its file when it is closed.
type socket struct {
	net.Listener
	path string
	made fs.FileInfo
}

func (s *socket) Close() error {
	if now, err := os.Lstat(s.path); err == nil && os.SameFile(now, s.made) {
		_ = os.Remove(s.path) // the next server removes what is left
	}
	return s.Listener.Close()
}
