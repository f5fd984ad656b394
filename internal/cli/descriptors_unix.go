//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A navigationChannel is the pair of file descriptors 3 and 4, over which a host speaks MCP. Hosts
// disagree on which one to read from: LLxprt's protocol says 3, its published client uses 4.
type navigationChannel struct {
	// in and out are set if the kind of the descriptors decides: pipes have a direction, and a
	// single socket is used for both.
	in, out *os.File
	// either holds two sockets: the host will use the one on which it writes first.
	either []*os.File
	err    error // why there is no channel
}

// The descriptors that hosts use.
var navigationDescriptors = []int{3, 4}

// openNavigation takes over the descriptors that were open when the process started, so that no
// language server inherits them. It must be called before the process opens anything.
func openNavigation(streams *Streams) *navigationChannel {
	n := &navigationChannel{}
	if streams.In != os.Stdin {
		n.err = errors.New("there are no descriptors")
		return n
	}
	var both []*os.File
	for _, fd := range navigationDescriptors {
		f, direction := inherited(fd)
		switch direction {
		case syscall.O_RDONLY:
			n.in = f
		case syscall.O_WRONLY:
			n.out = f
		case syscall.O_RDWR:
			both = append(both, f)
		}
	}
	switch {
	case n.in != nil && n.out != nil:
	case len(both) == 2:
		n.either = both
	case len(both) == 1 && n.in != nil:
		n.out = both[0]
	case len(both) == 1 && n.out != nil:
		n.in = both[0]
	case len(both) == 1:
		n.in, n.out = both[0], both[0]
	default:
		n.err = fmt.Errorf("the descriptors %d and %d are not open for it", navigationDescriptors[0], navigationDescriptors[1])
	}
	return n
}

// inherited returns an inherited pipe or socket and its direction; nil for any other file.
func inherited(fd int) (f *os.File, direction int) {
	var stat unix.Stat_t
	if unix.Fstat(fd, &stat) != nil || stat.Mode&unix.S_IFMT != unix.S_IFIFO && stat.Mode&unix.S_IFMT != unix.S_IFSOCK {
		return nil, -1
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil {
		return nil, -1
	}
	unix.CloseOnExec(fd)
	_ = unix.SetNonblock(fd, true) // otherwise a pending read could not be interrupted
	return os.NewFile(uintptr(fd), fmt.Sprintf("descriptor %d", fd)), flags & syscall.O_ACCMODE
}

// Close closes the descriptors.
func (n *navigationChannel) Close() {
	for _, f := range append([]*os.File{n.in, n.out}, n.either...) {
		if f != nil {
			_ = f.Close() // possibly closed before
		}
	}
}

// Await returns the files to read from and to write to. With two sockets, it waits until the host
// writes to one of them.
func (n *navigationChannel) Await(ctx context.Context) (in io.ReadCloser, out io.WriteCloser, err error) {
	if len(n.either) == 0 {
		return n.in, n.out, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan struct{})
	context.AfterFunc(ctx, func() {
		defer close(ended)
		for _, f := range n.either {
			_ = f.SetReadDeadline(time.Now()) // ends the waits
		}
	})
	spoke := make([]bool, len(n.either))
	var listening sync.WaitGroup
	for i, f := range n.either {
		listening.Go(func() {
			if spoke[i] = heard(f); spoke[i] {
				cancel()
			}
		})
	}
	listening.Wait()
	cancel()
	<-ended // otherwise it could interrupt the reads of the socket's next user
	for i, f := range n.either {
		if spoke[i] {
			_ = f.SetReadDeadline(time.Time{})
			return f, n.either[1-i], nil
		}
	}
	return nil, nil, errors.New("the host left without a word")
}

// heard waits until something can be read from a socket, without reading it. It returns false if
// the socket is closed or the wait ends.
func heard(f *os.File) (something bool) {
	raw, err := f.SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Read(func(fd uintptr) (done bool) {
		var b [1]byte
		n, _, err := unix.Recvfrom(int(fd), b[:], unix.MSG_PEEK|unix.MSG_DONTWAIT)
		something = n > 0
		return err == nil || !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EINTR)
	})
	return err == nil && something
}

// pollable returns a standard stream whose Close ends pending reads and writes, if it is a pipe or
// a socket. It leaves a terminal as it is, because other processes share it.
func pollable[T any](stream T) T {
	f, ok := any(stream).(*os.File)
	if !ok {
		return stream
	}
	fd := int(f.Fd())
	if fd > 1 {
		return stream
	}
	if again, direction := inherited(fd); direction >= 0 {
		return any(again).(T)
	}
	return stream
}
