package raw

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
)

// errEnded is what every waiting call gets when the server is gone.
var errEnded = errors.New("the server ended")

type object map[string]any

// A handler learns what the server says unasked. Both methods are called from
// the read loop and must not block.
type handler interface {
	notified(method string, params json.RawMessage)
	// asked returns the result of a request, and whether the method is known.
	asked(method string, params json.RawMessage) (any, bool)
}

// conn is a framed JSON-RPC connection to a process.
type conn struct {
	handler handler
	answers sync.WaitGroup // replies being written
	done    chan struct{}  // closed when the server ended and was waited for

	writing sync.Mutex // guards w
	w       io.WriteCloser

	mu      sync.Mutex // guards what follows
	nextID  int64
	pending map[int64]chan response
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	response
}

type response struct {
	Result json.RawMessage `json:"result"`
	Error  *responseError  `json:"error"`
}

type responseError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *responseError) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// newConn starts the read loop, which ends with the stream and then calls wait.
func newConn(w io.WriteCloser, r io.Reader, h handler, wait func() error) *conn {
	c := &conn{handler: h, w: w, done: make(chan struct{}), pending: map[int64]chan response{}}
	go func() {
		defer close(c.done)
		c.read(bufio.NewReaderSize(r, 1<<16))
		_ = wait() // how it ended is said by what it wrote to stderr
	}()
	return c
}

func (c *conn) read(r *bufio.Reader) {
	for {
		body, err := readFrame(r)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(body, &m) != nil {
			return
		}
		switch {
		case m.Method == "":
			c.deliver(m)
		case m.ID == nil:
			c.handler.notified(m.Method, m.Params)
		default:
			result, known := c.handler.asked(m.Method, m.Params)
			// Not here: a server that waits for us to read would wait forever.
			c.answers.Go(func() { c.reply(m.ID, result, known) })
		}
	}
}

func readFrame(r *bufio.Reader) ([]byte, error) {
	length := -1
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = textproto.TrimString(line)
		if line == "" {
			break
		}
		if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(textproto.TrimString(value)); err != nil {
				return nil, err
			}
		}
	}
	if length < 0 {
		return nil, errors.New("a frame without Content-Length")
	}
	body := make([]byte, length)
	_, err := io.ReadFull(r, body)
	return body, err
}

func (c *conn) deliver(m message) {
	id, err := strconv.ParseInt(string(m.ID), 10, 64)
	if err != nil {
		return
	}
	c.mu.Lock()
	waiting := c.pending[id]
	delete(c.pending, id)
	c.mu.Unlock()
	if waiting != nil {
		waiting <- m.response
	}
}

func (c *conn) reply(id json.RawMessage, result any, known bool) {
	answer := object{"jsonrpc": "2.0", "id": id, "result": result}
	if !known {
		delete(answer, "result")
		answer["error"] = object{"code": -32601, "message": "not supported"}
	}
	_ = c.write(answer) // if the server is gone, the read loop says so
}

// send starts a call; its response comes through the channel.
func (c *conn) send(method string, params any) (<-chan response, error) {
	waiting := make(chan response, 1)
	c.mu.Lock()
	c.nextID++
	id := c.nextID
	c.pending[id] = waiting
	c.mu.Unlock()
	request := object{"jsonrpc": "2.0", "id": id, "method": method}
	if params != nil {
		request["params"] = params
	}
	return waiting, c.write(request)
}

// await waits for the response of send and returns its result as it came.
func (c *conn) await(ctx context.Context, waiting <-chan response) (json.RawMessage, error) {
	select {
	case answer := <-waiting:
		if answer.Error != nil {
			return nil, answer.Error
		}
		return answer.Result, nil
	case <-c.done:
		return nil, errEnded
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// receive waits for the response of send and decodes it, if result is not nil.
func (c *conn) receive(ctx context.Context, waiting <-chan response, result any) error {
	answer, err := c.await(ctx, waiting)
	if err != nil || result == nil {
		return err
	}
	return json.Unmarshal(answer, result)
}

func (c *conn) call(ctx context.Context, method string, params, result any) error {
	waiting, err := c.send(method, params)
	if err != nil {
		return err
	}
	return c.receive(ctx, waiting, result)
}

// notify sends a notification; nil params send no member of that name.
func (c *conn) notify(method string, params any) error {
	notification := object{"jsonrpc": "2.0", "method": method}
	if params != nil {
		notification["params"] = params
	}
	return c.write(notification)
}

func (c *conn) write(body object) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	frame := make([]byte, 0, len(encoded)+32)
	frame = fmt.Appendf(frame, "Content-Length: %d\r\n\r\n", len(encoded))
	frame = append(frame, encoded...)
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.w.Write(frame); err != nil {
		return fmt.Errorf("%w: %w", errEnded, err)
	}
	return nil
}

func (c *conn) closeInput() {
	c.writing.Lock()
	defer c.writing.Unlock()
	_ = c.w.Close() // what is lost is lost with the server
}

// tail keeps the last bytes written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const keep = 4 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if len(t.kept) > keep {
		t.kept = append([]byte(nil), t.kept[len(t.kept)-keep:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.kept))
}
