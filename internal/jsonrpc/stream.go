package jsonrpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"

	"github.com/lspine/lspine/internal/guard"
)

// maxHeaderLine bounds one header line; maxJunk bounds what may stand before a
// frame, so that a program that is no language server ends the connection.
const (
	maxHeaderLine = 8 << 10
	maxJunk       = 1 << 20
)

// A FrameError ends a connection: the peer sent a frame that cannot be read,
// or one larger than allowed. The bytes after it cannot be trusted.
type FrameError struct {
	Reason string
}

func (e *FrameError) Error() string { return "unreadable frame: " + e.Reason }

// stream is a jsonrpc2.Stream that reads what language servers really write:
// text before a frame, bad JSON in one frame, ids echoed as strings, a byte
// order mark, responses without a result. One goroutine reads; any may write.
type stream struct {
	transport io.ReadWriteCloser
	in        *bufio.Reader
	received  atomic.Int64 // bytes
	out       *writer
	maxFrame  int64
	// dropped is told of every message that could not be used.
	dropped func(reason string)
	trace   func(sent bool, body []byte) // nil without

	// onEnd, if not nil, is called when the connection ends, perhaps more than once.
	onEnd func()

	closeOnce sync.Once
	closeErr  error

	// ending is what closes the stream after its last response.
	ending guard.Group

	mu     sync.Mutex
	last   *jsonrpc2.ID // of the request whose response is the last
	reason error        // why the connection ended; the first reason stays
}

// bufferSize is how much is read ahead, in bytes. Larger bodies are read directly.
const bufferSize = 8 << 10

func newStream(transport io.ReadWriteCloser, opts Options) *stream {
	s := &stream{
		transport: transport,
		out:       newWriter(transport, opts.MaxQueue),
		maxFrame:  opts.MaxFrame,
		dropped:   opts.Dropped,
		trace:     opts.Trace,
	}
	s.in = bufio.NewReaderSize(counted{transport, &s.received}, bufferSize)
	return s
}

// counted counts what is read.
type counted struct {
	io.Reader
	bytes *atomic.Int64
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.bytes.Add(int64(n))
	return n, err
}

// Close closes the transport, which ends a pending Read, and waits for the
// writer. What was queued and not yet written is lost.
func (s *stream) Close() error {
	s.closeOnce.Do(func() {
		if s.onEnd != nil {
			s.onEnd()
		}
		s.out.stop()
		s.closeErr = s.transport.Close()
		s.out.wait()
	})
	return s.closeErr
}

// Write queues a message; it does not wait for the peer to read it. If too much
// waits already, the connection ends: what waits would wait forever.
func (s *stream) Write(_ context.Context, m jsonrpc2.Message) (int64, error) {
	body := jsonrpc2.AppendMessage(make([]byte, 0, 512), m)
	frame := framed(body)
	if s.trace != nil {
		s.trace(true, body)
	}
	err := s.out.enqueue(frame)
	var overflow *overflowError
	if errors.As(err, &overflow) {
		s.end(err)
		_ = s.Close()
	}
	if s.isLast(body) {
		s.ending.Go(func() { // who writes is not to wait
			_ = s.out.flush()
			s.end(io.EOF)
			_ = s.Close()
		})
	}
	return int64(len(frame)), err
}

// framed returns a message with its header.
func framed(body []byte) []byte {
	frame := make([]byte, 0, len(body)+32)
	frame = append(frame, "Content-Length: "...)
	frame = strconv.AppendInt(frame, int64(len(body)), 10)
	frame = append(frame, "\r\n\r\n"...)
	return append(frame, body...)
}

// endAfter makes the response to a request the last that is sent.
func (s *stream) endAfter(id jsonrpc2.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = &id
}

// isLast reports whether a message is the last response.
func (s *stream) isLast(body []byte) bool {
	s.mu.Lock()
	last := s.last
	s.mu.Unlock()
	if last == nil {
		return false
	}
	m, err := jsonrpc2.DecodeMessage(body)
	if err != nil {
		return false
	}
	r, ok := m.(*jsonrpc2.Response)
	return ok && r.ID() == *last
}

// Read returns the next message that can be understood.
func (s *stream) Read(context.Context) (m jsonrpc2.Message, length int64, err error) {
	err = guard.Do(func() error {
		m, length, err = s.read()
		return err
	})
	if err != nil {
		s.end(err)
	}
	return m, length, err
}

func (s *stream) read() (jsonrpc2.Message, int64, error) {
	for {
		body, err := s.readFrame()
		if err != nil {
			return nil, 0, err
		}
		if s.trace != nil {
			s.trace(false, body)
		}
		m, err := decode(body)
		if err != nil {
			s.drop(fmt.Sprintf("message of %d bytes: %v", len(body), err))
			continue
		}
		return m, int64(len(body)), nil
	}
}

func (s *stream) drop(reason string) {
	if s.dropped != nil {
		s.dropped(reason)
	}
}

func (s *stream) end(reason error) {
	if s.onEnd != nil {
		s.onEnd()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reason == nil {
		s.reason = reason
	}
}

func (s *stream) endReason() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reason
}

// readFrame reads one frame. Lines that are no header are dropped; a
// Content-Length that text without a line end was glued to is found.
func (s *stream) readFrame() ([]byte, error) {
	length, junk := int64(-1), 0
	more := false
	for {
		line, err := s.in.ReadSlice('\n')
		rest := more // of a line that is longer than the buffer, and no header
		switch more = errors.Is(err, bufio.ErrBufferFull); {
		case more:
		case err != nil:
			if len(line) > 0 || length >= 0 {
				err = errors.Join(io.ErrUnexpectedEOF, err)
			}
			return nil, err
		}
		text := bytes.TrimRight(line, "\r\n")
		if len(text) == 0 {
			if length >= 0 {
				break
			}
			continue
		}
		value, isLength := contentLength(text)
		if !isLength {
			if !isHeader(text) {
				if junk += len(line); junk > maxJunk {
					return nil, &FrameError{fmt.Sprintf("%d bytes that are no message; is this a language server on stdio?", junk)}
				}
				if !rest {
					s.drop("text outside a message: " + clip(string(text)))
				}
			}
			continue
		}
		length, err = strconv.ParseInt(value, 10, 64)
		if err != nil || length < 0 {
			return nil, &FrameError{fmt.Sprintf("Content-Length is %q", clip(value))}
		}
		if length > s.maxFrame {
			return nil, &FrameError{fmt.Sprintf("Content-Length is %d, the limit is %d bytes", length, s.maxFrame)}
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(s.in, body); err != nil {
		return nil, fmt.Errorf("frame of %d bytes broken off: %w", length, err)
	}
	return body, nil
}

const lengthHeader = "content-length"

// contentLength returns the value of a Content-Length header in line, which
// may have text glued before it.
func contentLength(line []byte) (string, bool) {
	if len(line) > maxHeaderLine {
		return "", false
	}
	key, value, ok := bytes.Cut(line, []byte(":"))
	if !ok || len(key) < len(lengthHeader) || !bytes.EqualFold(key[len(key)-len(lengthHeader):], []byte(lengthHeader)) {
		return "", false
	}
	return strings.TrimSpace(string(value)), true
}

func isHeader(line []byte) bool {
	key, _, ok := bytes.Cut(line, []byte(":"))
	return ok && bytes.EqualFold(key, []byte("content-type"))
}

func clip(s string) string {
	if len(s) > 120 {
		return s[:120] + "…"
	}
	return s
}

// decode returns the message in body, or the nearest one that can be meant.
func decode(body []byte) (jsonrpc2.Message, error) {
	m, err := jsonrpc2.DecodeMessage(body)
	if err == nil {
		r, isResponse := m.(*jsonrpc2.Response)
		if !isResponse {
			return m, nil
		}
		id := r.ID()
		if _, ok := id.Number(); ok { // our ids are numbers
			return m, nil
		}
	}
	return repair(body)
}

// repair rebuilds a message from an odd envelope.
func repair(body []byte) (jsonrpc2.Message, error) {
	var e struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Code    float64         `json:"code"`
			Message string          `json:"message"`
			Data    json.RawMessage `json:"data"`
		} `json:"error"`
	}
	if err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\ufeff")), &e); err != nil {
		return nil, err
	}
	hasID := len(e.ID) > 0 && string(e.ID) != "null"
	id, idErr := parseID(e.ID)
	if e.Method != nil {
		if !hasID {
			return jsonrpc2.NewNotification(*e.Method, jsonrpc2.RawMessage(e.Params)), nil
		}
		if idErr != nil {
			id = jsonrpc2.NewStringID(strings.Trim(string(e.ID), `"`))
		}
		return jsonrpc2.NewCall(id, *e.Method, jsonrpc2.RawMessage(e.Params)), nil
	}
	if !hasID || idErr != nil {
		return nil, fmt.Errorf("response to id %s, which was never sent", clip(string(e.ID)))
	}
	if e.Error != nil {
		failure := jsonrpc2.NewError(jsonrpc2.Code(e.Error.Code), e.Error.Message)
		failure.Data = jsonrpc2.RawMessage(e.Error.Data)
		return jsonrpc2.NewResponse(id, nil, failure), nil
	}
	if e.Result == nil {
		e.Result = json.RawMessage("null")
	}
	return jsonrpc2.NewResponse(id, jsonrpc2.RawMessage(e.Result), nil), nil
}

// parseID reads a number, or a number that was echoed as a string.
func parseID(raw json.RawMessage) (jsonrpc2.ID, error) {
	n, err := strconv.ParseInt(string(bytes.Trim(raw, `"`)), 10, 64)
	return jsonrpc2.NewNumberID(n), err
}
