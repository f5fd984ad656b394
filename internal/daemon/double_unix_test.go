//go:build unix

package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/remote"
)

// A double stands in for a daemon: a test says what it answers. What is nil is answered with nothing.
type double struct {
	hello func(conn net.Conn, h hello) (welcome, error)
	// call answers an operation.
	call func(ctx context.Context, conn net.Conn, name string, res any) error
	// others answer all other methods.
	others map[string]func(conn net.Conn, params json.RawMessage) (any, error)
}

// errLostHere is what a double answers that has closed the connection, to nobody.
var errLostHere = errors.New("nobody hears it")

// standsIn lets a double listen at a place, and counts the clients that it has.
func standsIn(t *testing.T, p place, d double) (clients *atomic.Int32) {
	t.Helper()
	listener, err := listenSocket(p.socket)
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	clients = new(atomic.Int32)
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			clients.Add(1)
			serving.Go(func() {
				defer clients.Add(-1)
				_ = remote.Serve(ctx, conn, doubleOf{d, conn}, remote.Options{Further: d.methods(conn)})
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		cancel()
		serving.Wait()
	})
	return clients
}

// A doubleOf is a double as one client has it.
type doubleOf struct {
	double
	conn net.Conn
}

func (d doubleOf) Call(ctx context.Context, name string, _, res any) error {
	return d.call(ctx, d.conn, name, res)
}

func (d double) methods(conn net.Conn) map[string]remote.Method {
	methods := map[string]remote.Method{helloMethod: func(_ context.Context, params json.RawMessage) (any, error) {
		var h hello
		if err := json.Unmarshal(params, &h); err != nil || d.hello == nil {
			return welcome{}, err
		}
		return d.hello(conn, h)
	}}
	for name, answer := range d.others {
		methods[name] = func(_ context.Context, params json.RawMessage) (any, error) { return answer(conn, params) }
	}
	return methods
}

// haveLeft waits until a double has no client any more.
func haveLeft(t *testing.T, clients *atomic.Int32) {
	t.Helper()
	lsptest.Eventually(t, patience, func() bool { return clients.Load() == 0 }, "the clients leave")
}

// patience is how long a test waits for what only a broken machine does not do.
const patience = 30 * time.Second
