package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

// tapped reads frames from data and says how far it came.
func tapped(r io.Reader) (s *stream, consumed func(total int) int) {
	in := bufio.NewReaderSize(r, 64<<10)
	return &stream{in: in, maxFrame: 1000}, func(total int) int { return total - in.Buffered() }
}

// Whatever the bytes, reading frames ends without a panic, takes no body over
// the limit, consumes exactly the header lines and the body, and does not
// depend on how the bytes arrive.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{
		"", "\r\n\r\n", frame(`{}`), frame(``), frame(`{}`) + frame(`[]`), "log\n" + frame(`{}`), "dbg" + frame(`{}`),
		"Content-Length: 2\n\n{}", "Content-Length: 2\r\nContent-Type: x\r\n\r\n{}", "Content-Length: 1001\r\n\r\n",
		"Content-Length: -1\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: 3\r\n\r\n{}",
		"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x", "content-length:+2\r\n\r\n{}",
		frame("\ufeff{\"id\":\"1\"}"), frame(`{"id":1,"error":{"code":1e99}}`), frame(`{"id":9007199254740993,"result":1}`),
		frame(`{"method":1}`), frame(`{"id":{},"method":"m"}`), frame(`{"id":[],"result":1}`),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		counted := &countingReader{r: bytes.NewReader(data)}
		s, consumed := tapped(counted)
		slow, _ := tapped(iotest.OneByteReader(bytes.NewReader(data)))
		for {
			from := consumed(counted.n)
			body, err := s.readFrame()
			to := consumed(counted.n)
			again, slowErr := slow.readFrame()
			if !bytes.Equal(body, again) || (err == nil) != (slowErr == nil) {
				t.Fatalf("in one piece: %q, %v; byte by byte: %q, %v", body, err, again, slowErr)
			}
			var unreadable *FrameError
			switch {
			case errors.As(err, &unreadable):
				if data[to-1] != '\n' && to != len(data) {
					t.Fatalf("after the bad header line %d bytes more were read", to-bytes.LastIndexByte(data[:to], '\n'))
				}
				return
			case err != nil:
				if to != len(data) {
					t.Fatalf("ended with %v at %d of %d bytes", err, to, len(data))
				}
				return
			}
			if len(body) > 1000 {
				t.Fatalf("a body of %d bytes", len(body))
			}
			if head := data[from : to-len(body)]; !bytes.Equal(data[to-len(body):to], body) || head[len(head)-1] != '\n' {
				t.Fatalf("the body %q is not what follows the header %q", body, head)
			}
			_, _ = decode(body) // must not panic
		}
	})
}

type countingReader struct {
	r io.Reader
	n int
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += n
	return n, err
}
