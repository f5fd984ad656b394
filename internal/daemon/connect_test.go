package daemon

import (
	"net"
	"testing"

	"github.com/lspine/lspine/internal/remote"
)

// A connection that is left takes no new call, and is idle once the last call in progress has ended;
// one whose daemon is gone takes none either.
func TestLeavingAConnection(t *testing.T) {
	near, far := net.Pipe()
	c := &connection{client: remote.NewClient(near), idle: make(chan struct{})}
	t.Cleanup(func() { c.end(); _ = far.Close() })
	expect := func(what string, idle bool) {
		t.Helper()
		select {
		case <-c.idle:
			if !idle {
				t.Errorf("%s: it is idle", what)
			}
		default:
			if idle {
				t.Errorf("%s: it is not idle", what)
			}
		}
	}
	if !c.use() {
		t.Fatal("it takes no call")
	}
	c.done()
	expect("not left, no call", false)
	for range 2 {
		if !c.use() {
			t.Fatal("it takes no two calls")
		}
	}
	c.leave()
	expect("left, two calls", false)
	if c.use() {
		t.Error("it takes a call after it was left")
	}
	c.done()
	expect("left, one call", false)
	c.done()
	expect("left, no call", true)
	c.leave() // again, which changes nothing

	near, far = net.Pipe()
	gone := &connection{client: remote.NewClient(near), idle: make(chan struct{})}
	_ = far.Close()
	<-gone.client.Done()
	if gone.use() {
		t.Error("it takes a call although the daemon is gone")
	}
	gone.end()
}
