//go:build unix

package daemon

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// maxSocketPath is the maximum length of a socket path, in bytes, that every system supports: macOS
// allows 104 including the final zero.
const maxSocketPath = 103

// socketPath returns the path of the socket for a folder. It is in that folder unless the path
// would be too long; then it is in a private folder below the one for temporary files.
func socketPath(dir, key string, environ []string) (string, error) {
	if path := filepath.Join(dir, socketFile); len(path) <= maxSocketPath {
		return path, nil
	}
	for _, temporary := range []string{lookup(environ, "TMPDIR"), "/tmp"} {
		short := filepath.Join(temporary, fmt.Sprintf("lspine-%d", os.Getuid()))
		path := filepath.Join(short, key+".sock")
		if filepath.IsAbs(path) && len(path) <= maxSocketPath {
			return path, private(short)
		}
	}
	return "", fmt.Errorf("%s is too long for a socket", dir)
}

// listenSocket creates a socket that no other user can use at any time, because its folder is
// private.
func listenSocket(path string) (net.Listener, error) {
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	listener.SetUnlinkOnClose(false) // the file may belong to another daemon by then
	if err := os.Chmod(path, 0o600); err != nil {
		_ = listener.Close()
		return nil, err
	}
	return listener, nil
}

// dialSocket connects to a socket if both it and its listener belong to the same user.
func dialSocket(ctx context.Context, path string) (net.Conn, error) {
	if err := ownSocket(path); err != nil {
		return nil, err
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := checkPeer(conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// userName identifies the current user in keys.
func userName() string { return fmt.Sprint(os.Getuid()) }
