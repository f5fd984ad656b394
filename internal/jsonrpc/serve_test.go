package jsonrpc

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A workbench serves requests: some at once, some until they are canceled.
type workbench struct{ began chan string }

func (w *workbench) Serve(ctx context.Context, _ *Conn, method string, _ json.RawMessage) (any, error) {
	switch method {
	case "quick":
		return "done", nil
	case "fails":
		return nil, fmt.Errorf("wrapped: %w", &ResponseError{Code: -32000, Message: "no", Data: json.RawMessage(`{"kind":"x"}`)})
	case "panics":
		panic("kaboom")
	case "waits":
		w.began <- method
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return nil, ErrMethodNotFound
}

// Requests are answered beside those that wait; each ends when the peer cancels it, by a
// number or a string, and fails alone. Notifications still go to the handler.
func TestServerAnswersBesideWhatWaits(t *testing.T) {
	w := &workbench{began: make(chan string)}
	notes := &recorder{}
	conn, p := dial(t, notes, Options{Server: w})
	for _, id := range []string{`7`, `"seven"`} {
		p.write(frame(`{"jsonrpc":"2.0","id":` + id + `,"method":"waits"}`))
		<-w.began
		for _, c := range []struct{ method, want string }{
			{"quick", `"result":"done"`},
			{"fails", `"code":-32000 "message":"no" "data":{"kind":"x"}`},
			{"panics", `"code":-32603 "message":"it failed inside: kaboom"`},
			{"unknown", `"code":-32601 "message":"method not found: unknown"`},
		} {
			p.write(frame(`{"jsonrpc":"2.0","id":8,"method":"` + c.method + `"}`))
			got := p.next()
			if string(got.ID) != "8" || !holds(got.text, c.want) {
				t.Errorf("%s: %s, want %s", c.method, got.text, c.want)
			}
		}
		p.write(frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}`)) // of nothing
		p.write(frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":` + id + `}}`))
		if got := p.next(); string(got.ID) != id || got.Error == nil || got.Error.Message != "context canceled" {
			t.Errorf("canceled: %s", got.text)
		}
	}
	p.write(frame(`{"jsonrpc":"2.0","method":"note"}`))
	p.write(frame(`{"jsonrpc":"2.0","id":9,"method":"quick"}`))
	p.next()
	if got := notes.seen(); len(got) != 1 || got[0] != "note" {
		t.Errorf("the handler got %q", got)
	}
	_ = conn.Close()
	if left := len(conn.serving.cancels); left > 0 {
		t.Errorf("%d requests can still be canceled", left)
	}
}

// holds reports whether a message has each of the parts, which spaces part from members on.
func holds(text, parts string) bool {
	for _, part := range strings.Split(parts, ` "`) {
		if !strings.Contains(text, strings.TrimPrefix(part, `"`)) {
			return false
		}
	}
	return true
}

// The end of the connection ends what is served on it, whoever ended it.
func TestTheEndOfAConnectionEndsWhatIsServed(t *testing.T) {
	for name, end := range map[string]func(*Conn, *peer){
		"we close":      func(c *Conn, _ *peer) { _ = c.Close() },
		"the peer left": func(_ *Conn, p *peer) { _ = p.raw.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			w := &workbench{began: make(chan string)}
			conn, p := dial(t, &recorder{}, Options{Server: w})
			p.write(frame(`{"jsonrpc":"2.0","id":1,"method":"waits"}`))
			<-w.began
			end(conn, p)
			<-conn.Done()
			_ = conn.Close()
		})
	}
}
