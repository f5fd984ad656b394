//go:build unix

package cli

import (
	"context"
	"io"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// socketPair returns both ends of a socket; ours can be waited for.
func socketPair(t *testing.T) (ours, host *os.File) {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		if err := unix.SetNonblock(fd, true); err != nil {
			t.Fatal(err)
		}
	}
	return os.NewFile(uintptr(fds[0]), "ours"), os.NewFile(uintptr(fds[1]), "host")
}

// The socket that the host speaks on first is read and the other one written, and nothing of
// the search for it ends what is read later.
func TestAwaitNavigation(t *testing.T) {
	for round := range 200 {
		first, firstHost := socketPair(t)
		second, secondHost := socketPair(t)
		ours, host := []*os.File{first, second}, []*os.File{firstHost, secondHost}
		speaks := round % 2
		if _, err := host[speaks].WriteString("hello"); err != nil {
			t.Fatal(err)
		}
		channel := &navigationChannel{either: ours}
		in, out, err := channel.Await(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if in != io.ReadCloser(ours[speaks]) || out != io.WriteCloser(ours[1-speaks]) {
			t.Fatalf("round %d: %v is read and %v is written", round, in, out)
		}
		later := make(chan error, 1)
		go func() {
			<-time.After(2 * time.Millisecond) // a pause of the host: the read is under way
			_, err := host[speaks].WriteString(" again")
			later <- err
		}()
		got := make([]byte, len("hello again"))
		if n, err := io.ReadFull(in, got); err != nil {
			t.Fatalf("round %d: read %q: %v", round, got[:n], err)
		}
		if err := <-later; err != nil {
			t.Fatal(err)
		}
		channel.Close()
		_ = firstHost.Close()
		_ = secondHost.Close()
	}
}

// While the host says nothing it is waited for, until the command is to end.
func TestAwaitNavigationOfASilentHost(t *testing.T) {
	first, firstHost := socketPair(t)
	second, secondHost := socketPair(t)
	for _, f := range []*os.File{firstHost, secondHost} {
		t.Cleanup(func() { _ = f.Close() })
	}
	channel := &navigationChannel{either: []*os.File{first, second}}
	defer channel.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if in, out, err := channel.Await(ctx); err == nil || ctx.Err() == nil {
		t.Errorf("%v is read and %v is written; %v, while the command goes on: %v", in, out, err, ctx.Err())
	}
}
