package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// watchParent calls gone when the process that started this one has ended. stop ends the watch and
// waits for it. The end of standard input would show the same only if no other process held the
// other end.
func watchParent(gone func()) (stop func()) {
	parent := os.Getppid()
	fd, err := unix.PidfdOpen(parent, unix.PIDFD_NONBLOCK)
	if err != nil {
		return func() {}
	}
	if os.Getppid() != parent {
		_ = unix.Close(fd)
		gone()
		return func() {}
	}
	f := os.NewFile(uintptr(fd), "parent")
	raw, err := f.SyscallConn()
	if err != nil {
		_ = f.Close()
		return func() {}
	}
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		ended := func(fd uintptr) bool {
			poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			n, err := unix.Poll(poll, 0)
			return n > 0 && err == nil
		}
		if raw.Read(ended) == nil {
			gone()
		}
	}()
	return func() {
		_ = f.Close()
		<-watched
	}
}
