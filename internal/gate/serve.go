package gate

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"

	"golang.org/x/net/netutil"
)

// Serve serves next behind the gate until ctx ends or the listener fails, and closes the listener. When
// ctx ends, no new requests are admitted, and those in progress get five seconds; then Serve calls end,
// which must end the streams, and closes all connections.
func (g *Gate) Serve(ctx context.Context, listener net.Listener, next http.Handler, end func()) error {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // a stream of HTTP/2 has deadlines of its own, which end it while it is quiet
	h := &http.Server{
		Handler: g.Handler(next), Protocols: protocols,
		ReadHeaderTimeout: g.times.header, ReadTimeout: g.times.body, IdleTimeout: g.times.idle, MaxHeaderBytes: maxHeader,
		ConnContext: seatOf, DisableGeneralOptionsHandler: true,
		ErrorLog: slog.NewLogLogger(g.log().Handler(), slog.LevelDebug),
	}
	counted := g.counted(listener)
	if g.opts.Certificate != nil {
		counted = g.opts.Certificate.over(counted)
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve(counted) }() // ends with h, below
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	g.draining.Store(true)
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), g.times.drain)
	defer cancel()
	select {
	case <-g.calls.ended():
	case <-drain.Done():
	}
	end()
	if err := h.Shutdown(drain); err != nil {
		_ = h.Close() // for clients that did not read their answers
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// counted returns a listener whose connections have seats, as far as there are any.
func (g *Gate) counted(listener net.Listener) net.Listener {
	return &seatedListener{Listener: netutil.LimitListener(listener, g.maxConnections+g.maxRefused), seats: make(chan struct{}, g.maxConnections)}
}

// A seatedListener gives its connections seats.
type seatedListener struct {
	net.Listener
	seats chan struct{} // holds one element for each that is taken
}

func (l *seatedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	select {
	case l.seats <- struct{}{}:
		return &seatedConn{Conn: conn, leave: sync.OnceFunc(func() { <-l.seats })}, nil
	default:
		return conn, nil
	}
}

// A seatedConn has a seat until it is closed.
type seatedConn struct {
	net.Conn
	leave func()
}

func (c *seatedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

type unseatedKey struct{}

// seatOf notes in the context of a connection that it has no seat.
func seatOf(ctx context.Context, conn net.Conn) context.Context {
	if wrapped, ok := conn.(interface{ NetConn() net.Conn }); ok { // TLS
		conn = wrapped.NetConn()
	}
	if _, seated := conn.(*seatedConn); seated {
		return ctx
	}
	return context.WithValue(ctx, unseatedKey{}, true)
}

// isSeated reports whether the connection of a request is one of those that are served.
func isSeated(ctx context.Context) bool { return ctx.Value(unseatedKey{}) == nil }
