package jsonrpc

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Everything that servers were seen to get wrong is survived: the call that
// was made before it is answered, and what is lost is said.
func TestSurvivesWhatServersGetWrong(t *testing.T) {
	const good = `{"jsonrpc":"2.0","id":%s,"result":{"x":1}}`
	ok := func(id string) string { return frame(fmt.Sprintf(good, id)) }
	body := func(format string) func(string) string {
		return func(id string) string { return frame(fmt.Sprintf(format, id)) }
	}
	header := func(format string) func(string) string {
		return func(id string) string {
			b := fmt.Sprintf(good, id)
			return fmt.Sprintf(format, len(b)) + b
		}
	}
	before := func(raw string) func(string) string {
		return func(id string) string { return raw + ok(id) }
	}
	for _, c := range []struct {
		name    string
		raw     func(id string) string
		result  string // {"x":1} if empty
		notes   []string
		answers []string // what we answer
		dropped int
	}{
		{name: "nothing wrong", raw: ok},
		{name: "Content-Type, too", raw: header("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n")},
		{name: "lower case header", raw: header("content-length: %d\r\n\r\n")},
		{name: "no space after the colon", raw: header("Content-Length:%d\r\n\r\n")},
		{name: "line feeds only", raw: header("Content-Length: %d\n\n")},
		{name: "a log line before", raw: before("Starting server...\n"), dropped: 1},
		{name: "a log line with a colon", raw: before("WARN: something odd\r\n"), dropped: 1},
		{name: "text glued to the header", raw: before("dbg")},
		{name: "blank lines before", raw: before("\r\n\r\n")},
		{name: "a very long log line", raw: before(strings.Repeat("x", 300<<10) + "\n"), dropped: 1},
		{name: "two lines as long as what is read ahead", raw: before(strings.Repeat(strings.Repeat("x", bufferSize)+"\n", 2)), dropped: 2},
		{name: "a frame of bad JSON", raw: before(frame(`{"jsonrpc":`)), dropped: 1},
		{name: "an empty frame", raw: before(frame("")), dropped: 1},
		{name: "a frame of another JSON value", raw: before(frame("[]") + frame("7") + frame("null")), dropped: 3},
		{name: "no jsonrpc member", raw: body(`{"id":%s,"result":{"x":1}}`)},
		{name: "the id as a string", raw: body(`{"jsonrpc":"2.0","id":"%s","result":{"x":1}}`)},
		{name: "an unknown id before", raw: before(frame(fmt.Sprintf(good, "99999")))},
		{name: "an unknown text id before", raw: before(frame(fmt.Sprintf(good, `"who"`))), dropped: 1},
		{name: "an error without id before", raw: before(frame(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`)), dropped: 1},
		{name: "result and a null error", raw: body(`{"jsonrpc":"2.0","id":%s,"result":{"x":1},"error":null}`)},
		{name: "neither result nor error", raw: body(`{"jsonrpc":"2.0","id":%s}`), result: "null"},
		{name: "a null result", raw: body(`{"jsonrpc":"2.0","id":%s,"result":null}`), result: "null"},
		{name: "an unknown member", raw: body(`{"jsonrpc":"2.0","id":%s,"result":{"x":1},"method2":1}`)},
		{name: "a notification without params", raw: before(frame(`{"jsonrpc":"2.0","method":"n"}`)), notes: []string{"n"}},
		{name: "a notification with a null id", raw: before(frame(`{"jsonrpc":"2.0","id":null,"method":"n","params":{}}`)), notes: []string{"n {}"}},
		{name: "a notification with scalar params", raw: before(frame(`{"jsonrpc":"2.0","method":"n","params":"s"}`)), notes: []string{`n "s"`}},
		{
			name: "a request with a text id", raw: before(frame(`{"jsonrpc":"2.0","id":"srv-1","method":"ask","params":{}}`)),
			answers: []string{`"srv-1" method not found: ask`},
		},
		{
			name: "a request with an odd id", raw: before(frame(`{"jsonrpc":"2.0","id":1.5,"method":"ask"}`)),
			answers: []string{`"1.5" method not found: ask`},
		},
		{name: "a byte order mark", raw: func(id string) string { return frame("\ufeff" + fmt.Sprintf(good, id)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var h recorder
			dropped := 0
			conn, p := dial(t, &h, Options{Dropped: func(string) { dropped++ }})
			var answers []string
			served := make(chan struct{})
			go func() {
				defer close(served)
				p.write(c.raw(string(p.next().ID)))
				for m, err := p.read(); err == nil; m, err = p.read() {
					answers = append(answers, fmt.Sprintf("%s %s", m.ID, m.Error.Message))
				}
			}()
			result, err := conn.Call(t.Context(), "m", nil)
			want := c.result
			if want == "" {
				want = `{"x":1}`
			}
			if err != nil || string(result) != want {
				t.Errorf("got %s, %v; want %s", result, err, want)
			}
			if err := conn.Flush(); err != nil || conn.Err() != nil {
				t.Errorf("the connection ended: %v, %v", err, conn.Err())
			}
			if err := conn.Close(); err != nil {
				t.Error(err)
			}
			p.raw.Close()
			<-served
			if d := cmp.Diff(c.notes, h.seen()); d != "" {
				t.Errorf("notifications:\n%s", d)
			}
			if d := cmp.Diff(c.answers, answers); d != "" {
				t.Errorf("answers:\n%s", d)
			}
			if dropped != c.dropped {
				t.Errorf("%d messages were said to be dropped, want %d", dropped, c.dropped)
			}
		})
	}
}

// What cannot be read ends the connection: the call that waits, and every
// later one, says why.
func TestUnreadableFramesEndTheConnection(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		says      []string
	}{
		{"one byte too large", "Content-Length: 1001\r\n\r\n", []string{"1001", "limit is 1000"}},
		{"absurdly large", "Content-Length: 99999999999999999999\r\n\r\n", []string{"99999999999999999999"}},
		{"negative", "Content-Length: -1\r\n\r\n", []string{`"-1"`}},
		{"no number", "Content-Length: twelve\r\n\r\n", []string{`"twelve"`}},
		{"nothing", "Content-Length:\r\n\r\n", []string{`""`}},
		{"no language server", strings.Repeat("listening on port 8080\n", 50_000), []string{"no message", "language server"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, p := dial(t, &recorder{}, Options{MaxFrame: 1000})
			defer p.raw.Close()
			go func() {
				p.next()
				_, _ = io.WriteString(p.raw, c.raw) // the connection may end first
			}()
			_, err := conn.Call(t.Context(), "m", nil)
			<-conn.Done()
			_, later := conn.Call(t.Context(), "later", nil)
			noted := conn.Notify("noted", nil)
			for _, err := range []error{err, later, noted} {
				if !isFrameError(err) || !isClosed(err) {
					t.Errorf("got %v, want ErrClosed because of a *FrameError", err)
					continue
				}
				for _, word := range c.says {
					if !strings.Contains(err.Error(), word) {
						t.Errorf("%q does not say %q", err, word)
					}
				}
			}
			if !isFrameError(conn.Err()) {
				t.Errorf("Err is %v", conn.Err())
			}
			_ = conn.Close()
		})
	}
}

// A frame of exactly the limit is read.
func TestLargestFrameIsRead(t *testing.T) {
	conn, p := dial(t, &recorder{}, Options{MaxFrame: 1000})
	defer p.raw.Close()
	go func() {
		id := p.next().ID
		padding := 1000 - len(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":""}`, id))
		p.write(answer(id, `"`+strings.Repeat("x", padding)+`"`))
	}()
	result, err := conn.Call(t.Context(), "m", nil)
	if err != nil || len(result) < 900 {
		t.Errorf("%d bytes, %v", len(result), err)
	}
	_ = conn.Close()
}

// A peer that ends, in the middle of a frame or between two, fails all that
// waits at once.
func TestPendingCallsFailWhenThePeerEnds(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		reason    error
	}{
		{"between frames", "", io.EOF},
		{"in a header", "Content-Len", io.ErrUnexpectedEOF},
		{"after a header", "Content-Length: 100\r\n", io.ErrUnexpectedEOF},
		{"in a body", "Content-Length: 100\r\n\r\n{\"jsonrpc\":", io.ErrUnexpectedEOF},
		{"before a body", "Content-Length: 100\r\n\r\n", io.EOF},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, p := dial(t, &recorder{}, Options{})
			failures := make(chan error)
			for range 3 {
				go func() {
					_, err := conn.Call(t.Context(), "m", nil)
					failures <- err
				}()
			}
			for range 3 {
				p.next()
			}
			p.write(c.raw)
			p.raw.Close()
			for range 3 {
				if err := <-failures; !isClosed(err) || !is(err, c.reason) {
					t.Errorf("got %v, want ErrClosed because of %v", err, c.reason)
				}
			}
			<-conn.Done()
			if !is(conn.Err(), c.reason) {
				t.Errorf("Err is %v, want %v", conn.Err(), c.reason)
			}
			_ = conn.Close()
		})
	}
}

// When Call returns, every notification that came before the response was
// handled, in the order of the wire.
func TestNotificationsComeBeforeTheResponse(t *testing.T) {
	const n = 2000
	var want []string
	for i := range n {
		want = append(want, fmt.Sprintf(`n {"i":%d}`, i))
	}
	var h recorder
	conn, p := dial(t, &h, Options{})
	defer p.raw.Close()
	go func() {
		id := p.next().ID
		for i := range n {
			p.write(frame(fmt.Sprintf(`{"jsonrpc":"2.0","method":"n","params":{"i":%d}}`, i)))
		}
		p.write(answer(id, "1"))
	}()
	if _, err := conn.Call(t.Context(), "m", nil); err != nil {
		t.Fatal(err)
	}
	if got := h.seen(); !slices.Equal(got, want) {
		t.Errorf("%d notifications were seen, or in another order", len(got))
	}
	_ = conn.Close()
}
