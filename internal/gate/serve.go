package gate

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"

	"golang.org/x/net/netutil"
)

// Serve serves next behind the gate until ctx ends or the listener fails, and closes the listener. When
// ctx ends, no new requests are admitted, and those in progress get five seconds; then Serve calls end,
// which must end the streams, and closes all connections. Meanwhile, requests and streams end when their token is taken back.
func (g *Gate) Serve(ctx context.Context, listener net.Listener, next http.Handler, end func()) error {
	defer g.opts.Tokens.follow(ctx)()
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

// A seatedListener gives its connections seats. A stranger is a connection of which no request was let in yet: where all seats are
// taken, the stranger that is there longest makes room, so those who only hold connections keep nobody out.
type seatedListener struct {
	net.Listener
	seats chan struct{} // holds one element for each that is taken

	mu        sync.Mutex // guards strangers
	strangers []*seatedConn
}

func (l *seatedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if seated := l.seat(conn); seated != nil {
		return seated, nil
	}
	if l.makeRoom() {
		if seated := l.seat(conn); seated != nil {
			return seated, nil
		}
	}
	return conn, nil
}

// seat returns a connection with a seat, as a stranger, nil if there is no seat.
func (l *seatedListener) seat(conn net.Conn) net.Conn {
	select {
	case l.seats <- struct{}{}:
	default:
		return nil
	}
	c := &seatedConn{Conn: conn}
	c.known = sync.OnceFunc(func() { l.forget(c) })
	c.leave = sync.OnceFunc(func() {
		c.known()
		<-l.seats
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.strangers = append(l.strangers, c)
	return c
}

// makeRoom closes the connection of the stranger that is there longest, and reports whether there is one.
func (l *seatedListener) makeRoom() bool {
	l.mu.Lock()
	var oldest *seatedConn
	if len(l.strangers) > 0 {
		oldest = l.strangers[0]
	}
	l.mu.Unlock()
	if oldest == nil {
		return false
	}
	_ = oldest.Close() // nothing was promised to it
	return true
}

// forget makes a connection no stranger any more.
func (l *seatedListener) forget(c *seatedConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.strangers = slices.DeleteFunc(l.strangers, func(s *seatedConn) bool { return s == c })
}

// A seatedConn has a seat until it is closed.
type seatedConn struct {
	net.Conn
	// known says that a request of the connection was let in; leave gives the seat back.
	known, leave func()
}

func (c *seatedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

type seatKey struct{}

// seatOf notes in the context of a connection which seat it has.
func seatOf(ctx context.Context, conn net.Conn) context.Context {
	if wrapped, ok := conn.(interface{ NetConn() net.Conn }); ok { // TLS
		conn = wrapped.NetConn()
	}
	seated, _ := conn.(*seatedConn)
	return context.WithValue(ctx, seatKey{}, seated)
}

// isSeated reports whether the connection of a request is one of those that are served.
func isSeated(ctx context.Context) bool {
	seated, counted := ctx.Value(seatKey{}).(*seatedConn)
	return !counted || seated != nil
}

// letIn says that a request of a connection is let in.
func letIn(ctx context.Context) {
	if seated, _ := ctx.Value(seatKey{}).(*seatedConn); seated != nil {
		seated.known()
	}
}
