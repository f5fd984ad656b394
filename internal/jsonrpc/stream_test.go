package jsonrpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/jsonrpc2"

	"github.com/lspine/lspine/internal/lsptest"
)

// readOnly is a transport with what a peer has sent, and no more.
type readOnly struct{ io.Reader }

func (readOnly) Write(p []byte) (int, error) { return len(p), nil }
func (readOnly) Close() error                { return nil }

// What stands outside of frames is told, cut if it is long, and read over up to a bound; the bytes of all that was read
// are counted.
func TestTextOutsideOfFrames(t *testing.T) {
	type outcome struct {
		Bodies  []string
		Dropped []string
		Failed  string
	}
	line := strings.Repeat("x", 1023) + "\n"
	for name, c := range map[string]struct {
		raw  string
		want outcome
	}{
		"a short line":                     {"hello\n" + frame("{}"), outcome{Bodies: []string{"{}"}, Dropped: []string{"text outside a message: hello"}, Failed: "EOF"}},
		"as long as is told":               {strings.Repeat("y", 120) + "\n", outcome{Dropped: []string{"text outside a message: " + strings.Repeat("y", 120)}, Failed: "EOF"}},
		"longer":                           {strings.Repeat("y", 121) + "\n", outcome{Dropped: []string{"text outside a message: " + strings.Repeat("y", 120) + "…"}, Failed: "EOF"}},
		"a header of another kind":         {"Content-Type: x\r\n" + frame("1") + "content-TYPE: y\n\n" + frame("2"), outcome{Bodies: []string{"1", "2"}, Failed: "EOF"}},
		"two lengths":                      {"Content-Length: 9\r\nContent-Length: 1\r\n\r\n3", outcome{Bodies: []string{"3"}, Failed: "EOF"}},
		"an empty body":                    {frame("") + frame("4"), outcome{Bodies: []string{"", "4"}, Failed: "EOF"}},
		"a length of 0 that says so twice": {"Content-Length: 0\r\n\r\n\r\n" + frame("5"), outcome{Bodies: []string{"", "5"}, Failed: "EOF"}},
		"as much as may be":                {strings.Repeat(line, maxJunk>>10) + frame("6"), outcome{Bodies: []string{"6"}, Failed: "EOF"}},
		"one byte more":                    {strings.Repeat(line, maxJunk>>10) + "\n\r\nz\n" + frame("7"), outcome{Failed: "unreadable frame: 1048578 bytes that are no message; is this a language server on stdio?"}},
		"a line without end":               {"Content-Type", outcome{Failed: "unexpected EOF\nEOF"}},
		"a length alone":                   {"Content-Length: 1\r\n", outcome{Failed: "unexpected EOF\nEOF"}},
		"too large":                        {"Content-Length: 11\r\n\r\n", outcome{Failed: "unreadable frame: Content-Length is 11, the limit is 10 bytes"}},
		"just so large":                    {frame("0123456789"), outcome{Bodies: []string{"0123456789"}, Failed: "EOF"}},
		"a long number":                    {"Content-Length: " + strings.Repeat("1", 121) + "\r\n", outcome{Failed: `unreadable frame: Content-Length is "` + strings.Repeat("1", 120) + `…"`}},
		"broken off":                       {"Content-Length: 4\r\n\r\nab", outcome{Failed: "frame of 4 bytes broken off: unexpected EOF"}},
	} {
		var got outcome
		s := newStream(readOnly{strings.NewReader(c.raw)}, Options{MaxFrame: 10, MaxQueue: 10, Dropped: func(reason string) { got.Dropped = append(got.Dropped, reason) }})
		for {
			body, err := s.readFrame()
			if err != nil {
				got.Failed = err.Error()
				break
			}
			got.Bodies = append(got.Bodies, string(body))
		}
		if len(got.Dropped) > 100 {
			got.Dropped = nil // they are all alike
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if n := s.received.Load(); n != int64(len(c.raw)) && got.Failed[:3] == "EOF" {
			t.Errorf("%s: %d bytes were received of %d", name, n, len(c.raw))
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A message with an odd envelope is taken for the nearest one that can be meant, and one that cannot be meant is
// refused with the reason.
func TestOddEnvelopes(t *testing.T) {
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"result":{}}`: `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"id":"7","result":[1]}`:              `{"jsonrpc":"2.0","id":7,"result":[1]}`,
		`{"id":7}`:                             `{"jsonrpc":"2.0","id":7,"result":null}`,
		"\ufeff" + `{"id":7,"result":true}`:    `{"jsonrpc":"2.0","id":7,"result":true}`,
		`{"id":"7","error":{"code":-1.0,"message":"no","data":{"a":1}}}`: `{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no","data":{"a":1}}}`,
		`{"method":"n","params":1}`:                                      `{"jsonrpc":"2.0","method":"n","params":1}`,
		`{"id":null,"method":"n"}`:                                       `{"jsonrpc":"2.0","method":"n"}`,
		`{"id":3,"method":"ask","params":"s"}`:                           `{"jsonrpc":"2.0","method":"ask","params":"s","id":3}`,
		`{"id":1.5,"method":"ask"}`:                                      `{"jsonrpc":"2.0","method":"ask","id":"1.5"}`,
		`{"id":"x"}`:                                                     `response to id "x", which was never sent`,
		`{"id":null,"result":1}`:                                         `response to id null, which was never sent`,
		`{"result":1}`:                                                   `response to id , which was never sent`,
		`{"id":"` + strings.Repeat("x", 200) + `"}`:                      `response to id "` + strings.Repeat("x", 119) + `…, which was never sent`,
		`{`: `unexpected end of JSON input`,
	} {
		m, err := decode([]byte(body))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = string(jsonrpc2.AppendMessage(nil, m))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

// A gate is a writer that writes when it is let.
type gate struct {
	let  chan struct{}
	text bytes.Buffer
}

func (g *gate) Write(p []byte) (int, error) {
	<-g.let
	return g.text.Write(p)
}

// As many bytes wait as may, and what was written counts no more; the first reason for which writing ends is the one
// that is told.
func TestQueueOfAWriter(t *testing.T) {
	g := &gate{let: make(chan struct{})}
	w := newWriter(g, 10)
	add := func(text string) string {
		if err := w.enqueue([]byte(text)); err != nil {
			return err.Error()
		}
		return ""
	}
	got := []string{add("12345678901"), add("1")}
	g.let <- struct{}{} // it waits for no more than the next ones
	if err := w.flush(); err != nil {
		t.Error(err)
	}
	got = append(got, add("2"))
	lsptest.Eventually(t, time.Minute, func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.queued == 0
	}, "it is being written")
	got = append(got, add("345"), add("6789012"), add("3"), add(""))
	w.fail(errors.New("first"))
	w.stop()
	got = append(got, add("4"))
	close(g.let)
	w.wait()
	if err := w.flush(); err == nil || err.Error() != "first" {
		t.Errorf("flushed: %v", err)
	}
	const full = "10 bytes wait to be read by the peer: it does not read its input"
	want := []string{"0 bytes wait to be read by the peer: it does not read its input", "", "", "", "", full, "", "first"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if g.text.String() != "12" {
		t.Errorf("written was %q", g.text.String())
	}
}

// A writer whose destination fails says so, as it does when that panics.
func TestWriterThatFails(t *testing.T) {
	for want, dst := range map[string]io.Writer{"write to the peer: io: read/write on closed pipe": closedPipe(), "it failed inside: kaboom": panicking{}} {
		w := newWriter(dst, 10)
		if err := w.enqueue([]byte("x")); err != nil {
			t.Error(err)
		}
		w.wait()
		for _, err := range []error{w.flush(), w.enqueue(nil)} {
			if err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
}

func closedPipe() io.Writer {
	r, w := io.Pipe()
	_ = r.Close()
	return w
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("kaboom") }

// A connection without bounds of its own has the usual ones; it counts what it receives.
func TestBoundsOfAConnection(t *testing.T) {
	type bounds struct {
		Frame int64
		Queue int
	}
	of := func(o Options) bounds {
		conn, p := dial(t, &recorder{}, o)
		defer p.raw.Close()
		defer func() { _ = conn.Close() }()
		return bounds{conn.stream.maxFrame, conn.stream.out.limit}
	}
	if diff := cmp.Diff([]bounds{{64 << 20, 256 << 20}, {3, 5}}, []bounds{of(Options{}), of(Options{MaxFrame: 3, MaxQueue: 5})}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	conn, p := dial(t, &recorder{}, Options{})
	defer p.raw.Close()
	sent := 0
	go func() {
		text := answer(p.next().ID, `"x"`)
		sent = len(text)
		p.write(text)
	}()
	if _, err := conn.Call(t.Context(), "m", nil); err != nil {
		t.Fatal(err)
	}
	if got := conn.Received(); got != int64(sent) {
		t.Errorf("%d bytes were received of %d", got, sent)
	}
	_ = conn.Close()
}

// A parting server says good-bye to one request, and answers another when it is let.
type parting struct{ let chan struct{} }

func (p parting) Serve(_ context.Context, _ *Conn, method string, _ json.RawMessage) (any, error) {
	if method == "leave" {
		return Last{}, nil
	}
	<-p.let
	return "late", nil
}

// After its last response a connection ends by itself: the peer reads null, and then the end of what it reads.
func TestLastResponse(t *testing.T) {
	ours, theirs := net.Pipe()
	conn := New(ours, &recorder{}, Options{Server: parting{make(chan struct{})}})
	p := &peer{t, theirs, bufio.NewReader(theirs)}
	p.write(frame(`{"jsonrpc":"2.0","id":1,"method":"leave"}`))
	if m := p.next(); m.text != `{"jsonrpc":"2.0","id":1,"result":null}` {
		t.Errorf("answered was %s", m.text)
	}
	if _, err := p.read(); !errors.Is(err, io.EOF) {
		t.Errorf("then came %v", err)
	}
	<-conn.Done()
	if err := conn.Err(); !errors.Is(err, io.EOF) {
		t.Errorf("it ended with %v", err)
	}
	_ = conn.Close()
}

// Only the response to the request that was named is the last one.
func TestWhichResponseIsLast(t *testing.T) {
	s := newStream(readOnly{strings.NewReader("")}, Options{MaxQueue: 10})
	defer func() { _ = s.Close() }()
	last := func(text string) bool { return s.isLast([]byte(text)) }
	const response, other, call = `{"jsonrpc":"2.0","id":1,"result":null}`, `{"jsonrpc":"2.0","id":2,"result":null}`, `{"jsonrpc":"2.0","id":1,"method":"m"}`
	got := []bool{last(response)}
	s.endAfter(jsonrpc2.NewNumberID(1))
	got = append(got, last(response), last(other), last(call), last(`{`))
	if diff := cmp.Diff([]bool{false, true, false, false, false}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A cancellation that names no request, or makes no sense, ends none; each id ends its own.
func TestWhichRequestIsCanceled(t *testing.T) {
	var ended []string
	s := newServing(nil, 0)
	s.cancels[jsonrpc2.NewNumberID(7)] = func() { ended = append(ended, "7") }
	s.cancels[jsonrpc2.NewStringID("7")] = func() { ended = append(ended, `"7"`) }
	for _, params := range []string{``, `[]`, `{}`, `{"id":8}`, `{"id":"8"}`, `{"id":{}}`, `{"id":7}`, `{"id":"7"}`} {
		s.cancel(json.RawMessage(params))
	}
	if diff := cmp.Diff([]string{"7", `"7"`}, ended); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.end()
}
