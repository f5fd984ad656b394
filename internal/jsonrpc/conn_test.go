package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func is(err, target error) bool { return errors.Is(err, target) }
func isClosed(err error) bool   { return errors.Is(err, ErrClosed) }

func isFrameError(err error) bool {
	var e *FrameError
	return errors.As(err, &e)
}

// A call that is given up tells the peer which one, and says why it ended. An
// answer that comes all the same harms nobody.
func TestCancellationTellsThePeer(t *testing.T) {
	conn, p := dial(t, &recorder{}, Options{})
	defer p.raw.Close()
	give := func(ctx context.Context, stop func(), want error) {
		t.Helper()
		failed := make(chan error)
		go func() {
			_, err := conn.Call(ctx, "slow", nil)
			failed <- err
		}()
		request := p.next()
		stop()
		cancel := p.next()
		if cancel.Method != "$/cancelRequest" || string(cancel.Params) != fmt.Sprintf(`{"id":%s}`, request.ID) {
			t.Errorf("for %s the peer was told %s", request.ID, cancel.text)
		}
		if err := <-failed; !is(err, want) || isClosed(err) {
			t.Errorf("got %v, want %v", err, want)
		}
		p.write(answer(request.ID, `"late"`))
	}
	ctx, cancel := context.WithCancel(t.Context())
	give(ctx, cancel, context.Canceled)
	ctx, cancel = context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	give(ctx, func() {}, context.DeadlineExceeded)

	go func() { p.write(answer(p.next().ID, `"in time"`)) }()
	result, err := conn.Call(t.Context(), "quick", nil)
	if err != nil || string(result) != `"in time"` {
		t.Errorf("the next call: %s, %v", result, err)
	}
	_ = conn.Close()
}

// Requests of the peer are answered with the result of the handler, its error,
// or -32601, each under the id as it came.
func TestRequestsAreAnswered(t *testing.T) {
	h := &recorder{reply: func(method string, params json.RawMessage) (any, error) {
		switch method {
		case "echo":
			return params, nil
		case "nothing":
			return nil, nil
		case "fail":
			return nil, errors.New("no luck")
		}
		return nil, fmt.Errorf("%w (here)", ErrMethodNotFound)
	}}
	conn, p := dial(t, h, Options{})
	defer p.raw.Close()
	for _, c := range []struct{ request, result, message string }{
		{`"id":1,"method":"echo","params":{"a":[1,"ü"]}`, `{"a":[1,"ü"]}`, ""},
		{`"id":"one","method":"nothing"`, "null", ""},
		{`"id":2,"method":"fail","params":[]`, "", "no luck"},
		{`"id":3,"method":"toy/unknown"`, "", "method not found: toy/unknown"},
	} {
		p.write(frame(`{"jsonrpc":"2.0",` + c.request + `}`))
		m := p.next()
		if id, _, _ := strings.Cut(strings.TrimPrefix(c.request, `"id":`), ","); string(m.ID) != id {
			t.Errorf("%s: the answer has id %s", c.request, m.ID)
		}
		switch {
		case c.message == "" && string(m.Result) != c.result:
			t.Errorf("%s: answered %s", c.request, m.text)
		case c.message != "" && (m.Error == nil || m.Error.Message != c.message):
			t.Errorf("%s: answered %s", c.request, m.text)
		case c.message == "method not found: toy/unknown" && m.Error.Code != CodeMethodNotFound:
			t.Errorf("%s: code %d", c.request, m.Error.Code)
		}
	}
	_ = conn.Close()
}

// An error response is a *ResponseError with everything the peer said, and the
// connection lives on.
func TestErrorResponses(t *testing.T) {
	for _, c := range []struct {
		name, response string
		want           ResponseError
	}{
		{"with data", `"error":{"code":-32802,"message":"cancelled","data":{"retriggerRequest":true}}`, ResponseError{"m", -32802, "cancelled", json.RawMessage(`{"retriggerRequest":true}`)}},
		{"without", `"error":{"code":-32801,"message":"modified"}`, ResponseError{"m", -32801, "modified", nil}},
		{"a fractional code", `"error":{"code":-32603.0,"message":"x"}`, ResponseError{"m", -32603, "x", nil}},
		{"a null result beside it", `"result":null,"error":{"code":1,"message":"x"}`, ResponseError{"m", 1, "x", nil}},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, p := dial(t, &recorder{}, Options{})
			defer p.raw.Close()
			go func() { p.write(frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, p.next().ID, c.response))) }()
			_, err := conn.Call(t.Context(), "m", nil)
			var got *ResponseError
			if !errors.As(err, &got) || isClosed(err) {
				t.Fatalf("got %v", err)
			}
			if got.Method != c.want.Method || got.Code != c.want.Code || got.Message != c.want.Message || string(got.Data) != string(c.want.Data) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if conn.Err() != nil {
				t.Errorf("the connection ended: %v", conn.Err())
			}
			_ = conn.Close()
		})
	}
}

// Params reach the peer as given; nil sends no member at all, because some
// servers hang on null.
func TestParamsAsGiven(t *testing.T) {
	conn, p := dial(t, &recorder{}, Options{})
	defer p.raw.Close()
	for _, c := range []struct {
		params json.RawMessage
		want   string
	}{
		{nil, `{"jsonrpc":"2.0","method":"exit"}`},
		{json.RawMessage(`{}`), `{"jsonrpc":"2.0","method":"exit","params":{}}`},
		{json.RawMessage(`[1, 2]`), `{"jsonrpc":"2.0","method":"exit","params":[1, 2]}`},
	} {
		if err := conn.Notify("exit", c.params); err != nil {
			t.Fatal(err)
		}
		if m := p.next(); m.text != c.want {
			t.Errorf("sent %s, want %s", m.text, c.want)
		}
	}
	_ = conn.Close()
}

// A request whose answer is of no interest leaves in its turn, and what the peer answers, or that it does not, keeps nobody waiting.
func TestOrder(t *testing.T) {
	conn, p := dial(t, &recorder{}, Options{})
	defer p.raw.Close()
	if err := errors.Join(conn.Order("open", json.RawMessage(`{}`)), conn.Notify("exit", nil), conn.Order("close", nil)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for range 3 {
		m := p.next()
		got = append(got, m.text)
		if m.Method == "open" {
			p.write(answer(m.ID, "null"))
		}
	}
	want := []string{`{"jsonrpc":"2.0","method":"open","params":{},"id":1}`, `{"jsonrpc":"2.0","method":"exit"}`, `{"jsonrpc":"2.0","method":"close","id":2}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_ = conn.Close()
	if err := conn.Order("open", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// A peer that does not read blocks nobody: messages wait, up to MaxQueue. Then
// the connection ends and everything that waits says why.
func TestPeerThatDoesNotRead(t *testing.T) {
	conn, p := dial(t, &recorder{}, Options{MaxQueue: 10_000})
	defer p.raw.Close()
	pending := make(chan error)
	go func() {
		_, err := conn.Call(t.Context(), "waits", nil)
		pending <- err
	}()
	p.next() // and nothing after it
	var err error
	sent := 0
	for ; err == nil && sent < 1000; sent++ {
		err = conn.Notify("n", json.RawMessage(`"`+strings.Repeat("x", 950)+`"`))
	}
	if sent < 10 || sent > 12 {
		t.Errorf("about 10 notifications of 1 kB fit, but the %d. failed", sent)
	}
	waited := <-pending
	<-conn.Done()
	_, later := conn.Call(t.Context(), "later", nil)
	for _, err := range []error{err, waited, later, conn.Err()} {
		if err == nil || !strings.Contains(err.Error(), "does not read its input") {
			t.Errorf("got %v, want that the peer does not read", err)
		}
	}
	_ = conn.Close()
}

// A peer that does read can be sent any number of messages: MaxQueue bounds
// what waits, not what was sent.
func TestPeerThatReads(t *testing.T) {
	conn, p := dial(t, &recorder{}, Options{MaxQueue: 10_000})
	defer p.raw.Close()
	for i := range 100 {
		if err := conn.Notify("n", json.RawMessage(`"`+strings.Repeat("x", 950)+`"`)); err != nil {
			t.Fatalf("the %d. message: %v", i, err)
		}
		p.next()
	}
	_ = conn.Close()
}

// Close ends the calls that wait and the handlers' goroutines, tells the peer
// by the end of its input, and may be called again.
func TestCloseWhileCallsArePending(t *testing.T) {
	conn, p := dial(t, &recorder{}, Options{})
	failures := make(chan error)
	for range 10 {
		go func() {
			_, err := conn.Call(t.Context(), "m", nil)
			failures <- err
		}()
	}
	for range 10 {
		p.next()
	}
	closed := make(chan error)
	go func() { closed <- conn.Close() }()
	for range 10 {
		if err := <-failures; !isClosed(err) {
			t.Errorf("got %v, want ErrClosed", err)
		}
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if _, err := p.read(); err == nil {
		t.Error("the peer's input did not end")
	}
	select {
	case <-conn.Done():
	default:
		t.Error("Done is open after Close")
	}
	if _, err := conn.Call(t.Context(), "m", nil); !isClosed(err) {
		t.Errorf("a call after Close: %v", err)
	}
	if err := conn.Notify("n", nil); !isClosed(err) {
		t.Errorf("a notification after Close: %v", err)
	}
	if err := conn.Close(); err != nil {
		t.Errorf("the second Close: %v", err)
	}
}

// Flush returns when the peer has everything, and not before; it fails when
// the connection ends instead.
func TestFlush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, p := dial(t, &recorder{}, Options{})
		if err := conn.Flush(); err != nil {
			t.Errorf("nothing to flush: %v", err)
		}
		_ = conn.Notify("one", nil)
		_ = conn.Notify("two", nil)
		flushed := make(chan error, 1)
		go func() { flushed <- conn.Flush() }()
		p.next()
		synctest.Wait()
		select {
		case err := <-flushed:
			t.Errorf("flushed with a message unread: %v", err)
		default:
		}
		if m := p.next(); m.Method != "two" {
			t.Errorf("the second message is %s", m.text)
		}
		if err := <-flushed; err != nil {
			t.Error(err)
		}
		_ = conn.Notify("three", nil)
		go func() { flushed <- conn.Flush() }()
		synctest.Wait()
		_ = conn.Close()
		if err := <-flushed; err == nil {
			t.Error("flushed although the connection ended")
		}
	})
}
