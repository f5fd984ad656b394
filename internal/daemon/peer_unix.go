//go:build unix

package daemon

import (
	"fmt"
	"net"
	"os"
)

// checkPeer returns an error unless the other end of a connection is a process of the same user.
func checkPeer(conn net.Conn) error {
	raw, err := conn.(*net.UnixConn).SyscallConn()
	if err != nil {
		return err
	}
	uid, failed := 0, error(nil)
	if err := raw.Control(func(fd uintptr) { uid, failed = uidOf(int(fd)) }); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	if uid != os.Getuid() {
		return &RefusedError{conn.LocalAddr().String(), fmt.Sprintf("asked for by user %d", uid)}
	}
	return nil
}
