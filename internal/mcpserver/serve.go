package mcpserver

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"sync"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve serves one session over a stream of lines, such as standard input and output. It returns
// when the stream or ctx ends, and closes both in and out. It is not an error if the client goes
// away.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	w := &wholeWrites{w: out}
	ss, err := s.mcp.Connect(ctx, &mcp.IOTransport{
		Reader: newLineFilter(in, func(answer []byte) {
			_, _ = w.Write(answer) // a client that does not read learns nothing
		}),
		Writer:        w,
		MaxLineLength: -1, // the filter has its own limit
	}, nil)
	if err != nil {
		return err
	}
	own := s.session(ss)
	defer context.AfterFunc(ctx, func() {
		own.end()
		_ = ss.Close() // ends what Serve waits for
	})()
	if err = ss.Wait(); left(err) || ctx.Err() != nil || s.ctx.Err() != nil {
		return nil
	}
	return err
}

// left reports whether an error only says that the client went away.
func left(err error) bool {
	for _, usual := range append([]error{
		io.EOF, io.ErrClosedPipe, io.ErrUnexpectedEOF, fs.ErrClosed, net.ErrClosed, syscall.EPIPE, syscall.ECONNRESET, mcp.ErrConnectionClosed,
	}, pipeErrors...) {
		if errors.Is(err, usual) {
			return true
		}
	}
	return err == nil
}

// wholeWrites keeps lines from several writers apart.
type wholeWrites struct {
	mu sync.Mutex // is held while something is written

	w io.WriteCloser
}

func (l *wholeWrites) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

func (l *wholeWrites) Close() error { return l.w.Close() }
