package jsonrpc

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A peer is the other end of a connection, played by the test.
type peer struct {
	t   testing.TB
	raw net.Conn
	in  *bufio.Reader
}

// dial returns a connection and its peer; the caller closes both. It is not for
// synctest where calls are made: jsonrpc2 pools channels across bubbles.
func dial(t testing.TB, h Handler, opts Options) (*Conn, *peer) {
	t.Helper()
	ours, theirs := net.Pipe()
	return New(ours, h, opts), &peer{t, theirs, bufio.NewReader(theirs)}
}

// A wireMessage is what the peer got.
type wireMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	text string
}

// read returns the next message, or io.EOF and the like.
func (p *peer) read() (wireMessage, error) {
	var m wireMessage
	length := -1
	for {
		line, err := p.in.ReadString('\n')
		if err != nil {
			return m, err
		}
		if line == "\r\n" {
			break
		}
		if _, err := fmt.Sscanf(line, "Content-Length: %d\r\n", &length); err != nil {
			return m, fmt.Errorf("header %q: %w", line, err)
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(p.in, body); err != nil {
		return m, err
	}
	m.text = string(body)
	return m, json.Unmarshal(body, &m)
}

// next is read where nothing may go wrong.
func (p *peer) next() wireMessage {
	p.t.Helper()
	m, err := p.read()
	if err != nil {
		p.t.Errorf("the peer could not read: %v", err)
	}
	return m
}

func (p *peer) write(raw string) {
	p.t.Helper()
	if _, err := io.WriteString(p.raw, raw); err != nil {
		p.t.Errorf("the peer could not write: %v", err)
	}
}

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

func answer(id json.RawMessage, result string) string {
	return frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result))
}

// A recorder is a handler that writes down what it gets.
type recorder struct {
	// reply answers requests; nil does not know any.
	reply func(method string, params json.RawMessage) (any, error)

	mu    sync.Mutex
	notes []string
}

func (r *recorder) Notification(method string, params json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, strings.TrimSpace(method+" "+string(params)))
}

func (r *recorder) Request(method string, params json.RawMessage) (any, error) {
	if r.reply == nil {
		return nil, ErrMethodNotFound
	}
	return r.reply(method, params)
}

func (r *recorder) seen() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.notes...)
}
