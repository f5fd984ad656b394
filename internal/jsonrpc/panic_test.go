package jsonrpc

import (
	"encoding/json"
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/guard"
)

// thrower is a handler that panics.
type thrower struct{}

func (thrower) Notification(string, json.RawMessage) { panic("notified") }

func (thrower) Request(string, json.RawMessage) (any, error) { panic("asked") }

// A handler that panics ends its connection, with what is pending on it, and nothing else.
func TestPanickingHandlerEndsTheConnection(t *testing.T) {
	for want, message := range map[string]string{
		"notified": `{"jsonrpc":"2.0","method":"note"}`,
		"asked":    `{"jsonrpc":"2.0","id":1,"method":"question"}`,
	} {
		t.Run(want, func(t *testing.T) {
			conn, p := dial(t, thrower{}, Options{})
			other, q := dial(t, &recorder{}, Options{})
			pending := make(chan error)
			go func() {
				_, err := conn.Call(t.Context(), "slow", nil)
				pending <- err
			}()
			p.next()
			p.write(frame(message))
			if err := <-pending; !isClosed(err) {
				t.Errorf("pending: %v", err)
			}
			<-conn.Done()
			var failed *guard.PanicError
			if err := conn.Err(); !errors.As(err, &failed) || failed.Value != want {
				t.Errorf("%v", err)
			}
			go func() { q.write(answer(q.next().ID, `1`)) }()
			if _, err := other.Call(t.Context(), "quick", nil); err != nil {
				t.Error(err)
			}
			_, _ = conn.Close(), other.Close()
		})
	}
}

// unwritable is a transport that panics when it is written to.
type unwritable struct{ net.Conn }

func (unwritable) Write([]byte) (int, error) { panic("written") }

// A panic of what writes to the peer is a failure to write: of this connection, and of nothing
// else.
func TestPanicWhileWriting(t *testing.T) {
	ours, theirs := net.Pipe()
	conn := New(unwritable{ours}, &recorder{}, Options{})
	_ = conn.Notify("note", nil)
	var failed *guard.PanicError
	if err := conn.Flush(); !errors.As(err, &failed) || failed.Value != "written" {
		t.Errorf("%v", err)
	}
	if err := conn.Notify("another", nil); err == nil {
		t.Error("it goes on")
	}
	_, _ = conn.Close(), theirs.Close()
}

// broken is a transport that cannot be written to.
type broken struct{ net.Conn }

func (broken) Write([]byte) (int, error) { return 0, errUnplugged }

var errUnplugged = errors.New("unplugged")

// What cannot be written ends the connection, with the reason.
func TestWriteThatFails(t *testing.T) {
	ours, theirs := net.Pipe()
	conn := New(broken{ours}, &recorder{}, Options{})
	_ = conn.Notify("note", nil)
	if err := conn.Flush(); !errors.Is(err, errUnplugged) || err.Error() != "write to the peer: unplugged" {
		t.Errorf("%v", err)
	}
	if err := conn.Notify("another", nil); err == nil {
		t.Error("it goes on")
	}
	_, _ = conn.Close(), theirs.Close()
}

// What a peer said is quoted as far as a line of a log goes.
func TestQuotesAreCut(t *testing.T) {
	fits := strings.Repeat("x", 120)
	for text, want := range map[string]string{"": "", fits: fits, fits + "y": fits + "…"} {
		if got := clip(text); got != want {
			t.Errorf("%d bytes are quoted as %q", len(text), got)
		}
	}
}
