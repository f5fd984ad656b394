package jsonrpc

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
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

// A clerk takes a turn for each request, which lasts until the test ends it.
type clerk struct {
	mu    sync.Mutex
	begun int
	end   chan struct{}
}

func (k *clerk) Serve(ctx context.Context, _ *Conn, _ string, _ json.RawMessage) (any, error) {
	k.mu.Lock()
	k.begun++
	k.mu.Unlock()
	select {
	case <-k.end:
		return "done", nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (k *clerk) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.begun
}

// A peer that floods a connection has 64 requests worked on at once. Some more wait, and can be canceled; what it sends
// beyond these is not read until one is answered, so that it takes no memory. Every request is answered in the end.
func TestAFloodOfRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		k := &clerk{end: make(chan struct{})}
		conn := New(ours, &recorder{}, Options{Server: k})
		var answers sync.Map
		var reading sync.WaitGroup
		reading.Go(func() {
			for p := (&peer{t, theirs, bufio.NewReader(theirs)}); ; {
				got, err := p.read()
				if err != nil {
					return
				}
				said := strings.Trim(string(got.Result), `"`)
				if got.Error != nil {
					said = got.Error.Message
				}
				answers.Store(string(got.ID), said)
			}
		})
		const all = 3000
		var sent atomic.Int64
		send := func(message string) {
			if _, err := io.WriteString(theirs, frame(message)); err != nil {
				t.Error(err)
			}
		}
		var sending sync.WaitGroup
		sending.Go(func() {
			for id := 1; id <= all; id++ {
				if send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"work"}`, id)); id == 100 {
					send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":80}}`)
				}
				sent.Add(1)
			}
		})
		synctest.Wait()
		// What was read ahead into the buffer of a connection counts as sent.
		if begun, read := k.count(), sent.Load(); begun != maxServed || read < maxHeld || read > maxHeld+bufferSize/60 {
			t.Errorf("%d of %d requests were begun, and %d read; want %d and about %d", begun, all, read, maxServed, maxHeld)
		}
		if got, _ := answers.Load("80"); got != "context canceled" {
			t.Errorf("a request that waits was canceled: %q", got)
		}
		k.end <- struct{}{}
		synctest.Wait()
		if begun := k.count(); begun != maxServed+1 {
			t.Errorf("after one ended, %d were begun", begun)
		}
		close(k.end)
		sending.Wait()
		synctest.Wait()
		answered := 0
		answers.Range(func(id, result any) bool {
			if answered++; result != "done" && id != "80" {
				t.Errorf("%s: %q", id, result)
			}
			return true
		})
		if answered != all {
			t.Errorf("%d of %d requests were answered", answered, all)
		}
		_ = conn.Close()
		reading.Wait()
	})
}

// The params of what waits are bounded, too, and the end of a connection ends what waits for its turn or to be read.
func TestTheEndOfAFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		conn := New(ours, &recorder{}, Options{Server: &clerk{}, MaxHeld: 1 << 20})
		var sending sync.WaitGroup
		sent := 0
		sending.Go(func() {
			for id := 1; ; id++ {
				if _, err := io.WriteString(theirs, frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"work","params":["%s"]}`, id, strings.Repeat("x", 64<<10)))); err != nil {
					return
				}
				sent++
			}
		})
		synctest.Wait()
		_ = conn.Close()
		sending.Wait()
		if most := 17; sent > most {
			t.Errorf("%d of 64 KiB were read, want at most %d", sent, most)
		}
	})
}
