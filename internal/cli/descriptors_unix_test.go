//go:build unix

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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

// A host that closes both sockets without a word has left.
func TestAwaitNavigationOfAHostThatLeft(t *testing.T) {
	first, firstHost := socketPair(t)
	second, secondHost := socketPair(t)
	_, _ = firstHost.Close(), secondHost.Close()
	channel := &navigationChannel{either: []*os.File{first, second}}
	defer channel.Close()
	if in, out, err := channel.Await(t.Context()); in != nil || out != nil || err == nil || err.Error() != "the host left without a word" {
		t.Errorf("%v is read and %v is written; %v", in, out, err)
	}
}

// descriptors returns descriptors of the kinds, as a host leaves them: the reading or the writing
// end of a pipe, a socket, a file; or one that is not open.
func descriptors(t *testing.T, kinds string) (fds []int) {
	t.Helper()
	for _, kind := range strings.Fields(kinds) {
		var ends [2]int
		var err error
		switch kind {
		case "in", "out":
			err = unix.Pipe(ends[:])
			if kind == "out" {
				ends[0], ends[1] = ends[1], ends[0]
			}
		case "socket":
			ends, err = unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		case "file":
			ends[0], err = unix.Open(filepath.Join(t.TempDir(), "file"), unix.O_RDWR|unix.O_CREAT, 0o600)
			ends[1] = ends[0]
		case "none":
			ends = [2]int{1 << 20, -1}
		}
		if err != nil {
			t.Fatal(err)
		}
		fds = append(fds, ends[0])
		if ends[1] >= 0 {
			t.Cleanup(func() { _ = unix.Close(ends[1]) })
		}
	}
	return fds
}

// The kinds of the descriptors that a host leaves decide which is read and which is written; two
// sockets are both waited for, one serves for both. They are closed together, and no program that
// is started gets them.
func TestDescriptorsOfAHost(t *testing.T) {
	type channel struct{ In, Out, Either, Err string }
	usual := navigationDescriptors
	t.Cleanup(func() { navigationDescriptors = usual })
	for kinds, want := range map[string]channel{
		"in out":        {In: "first", Out: "second"},
		"out in":        {In: "second", Out: "first"},
		"socket socket": {Either: "first second"},
		"socket in":     {In: "second", Out: "first"},
		"socket out":    {In: "first", Out: "second"},
		"out socket":    {In: "second", Out: "first"},
		"socket file":   {In: "first", Out: "first"},
		"none socket":   {In: "second", Out: "second"},
		"in file":       {In: "first", Err: "the descriptors first and second are not open for it"},
		"out none":      {Out: "first", Err: "the descriptors first and second are not open for it"},
		"file file":     {Err: "the descriptors first and second are not open for it"},
	} {
		fds := descriptors(t, kinds)
		navigationDescriptors = fds
		n := openNavigation(&Streams{In: os.Stdin})
		// Whole numbers: the digits of one descriptor may begin the other's.
		naming := func(text string) string {
			return regexp.MustCompile(`(descriptor )?\d+`).ReplaceAllStringFunc(text, func(number string) string {
				switch strings.TrimPrefix(number, "descriptor ") {
				case fmt.Sprint(fds[0]):
					return "first"
				case fmt.Sprint(fds[1]):
					return "second"
				}
				return number
			})
		}
		name := func(files ...*os.File) string {
			var all []string
			for _, f := range files {
				if f == nil {
					continue
				}
				var fd uintptr // f.Fd would change its mode
				_, err := fmt.Sscanf(f.Name(), "descriptor %d", &fd)
				flags, err1 := unix.FcntlInt(fd, unix.F_GETFD, 0)
				modes, err2 := unix.FcntlInt(fd, unix.F_GETFL, 0)
				if err := errors.Join(err, err1, err2); err != nil || flags&unix.FD_CLOEXEC == 0 || modes&unix.O_NONBLOCK == 0 {
					t.Errorf("%s: %s is left to others, or cannot be interrupted: %v", kinds, f.Name(), err)
				}
				all = append(all, naming(f.Name()))
			}
			return strings.Join(all, " ")
		}
		got := channel{In: name(n.in), Out: name(n.out), Either: name(n.either...)}
		if n.err != nil {
			got.Err = naming(n.err.Error())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", kinds, diff)
		}
		if n.err == nil && n.either == nil {
			if in, out, err := n.Await(t.Context()); in != io.ReadCloser(n.in) || out != io.WriteCloser(n.out) || err != nil {
				t.Errorf("%s: %v is read and %v is written, %v", kinds, in, out, err)
			}
		}
		n.Close()
		for _, f := range append([]*os.File{n.in, n.out}, n.either...) {
			if f != nil && !errors.Is(f.Close(), os.ErrClosed) {
				t.Errorf("%s: %s was not closed", kinds, f.Name())
			}
		}
	}
	if n := openNavigation(&Streams{In: strings.NewReader("")}); n.err == nil || n.err.Error() != "there are no descriptors" {
		t.Errorf("without standard input: %+v", n)
	}
}

// Only a standard stream is replaced by one that can be interrupted.
func TestOtherStreamsStay(t *testing.T) {
	text := &bytes.Buffer{}
	pipe, other, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	defer other.Close()
	if pollable(text) != text || pollable(io.Reader(pipe)) != io.Reader(pipe) || pollable(other) != other {
		t.Error("another stream stands for it")
	}
}
