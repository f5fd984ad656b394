package daemon

import "golang.org/x/sys/unix"

// uidOf returns the user at the other end of a socket.
func uidOf(fd int) (int, error) {
	credentials, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(credentials.Uid), nil
}
