package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/remote"
)

// The methods of a daemon in addition to the operations.
const (
	helloMethod  = "lspine/hello"  // begins a client's session
	statusMethod = "lspine/status" // returns the daemon's status
	drainMethod  = "lspine/drain"  // makes room: stop listening, and end with the last client
	stopMethod   = "lspine/stop"   // end as soon as the calls in progress are answered
	endMethod    = "lspine/end"    // ends a session of a client that goes on
	// Daemons ask each other which servers are running, and to stop one of them.
	tenantsMethod = "lspine/tenants"
	restMethod    = "lspine/rest"
)

// A hello is the params of helloMethod.
type hello struct {
	Version string `json:"version"`
	// Name describes the client in the status.
	Name string `json:"name,omitempty"`
	// Session names a session that outlives the client.
	Session string `json:"session,omitempty"`
	// Once says that the client makes only one call.
	Once bool `json:"once,omitempty"`
	// Began is the commit at which the session began, if it began with another daemon.
	Began string `json:"began,omitempty"`
}

// An ending is the params of endMethod.
type ending struct {
	// Session is the name of the session, as the client's calls have it.
	Session string `json:"session"`
}

// A welcome is the answer to hello.
type welcome struct {
	Version string `json:"version"`
	PID     int    `json:"pid"`
	Began   string `json:"began,omitempty"`
}

// RunOptions configure [Run].
type RunOptions struct {
	Identity Identity
	// Key is the key with which clients look for the daemon. If the identity's key has changed
	// since, because a file has changed, the daemon ends at once.
	Key Key
	// Engine carries out the calls. Run closes it.
	Engine *engine.Engine
	// Idle is how long the daemon stays without a client; 0 means until it is stopped.
	Idle    time.Duration
	Version string
	Level   slog.Leveler
	// Starter is what [Detach] returned.
	Starter *os.File
}

// How long the end of a daemon takes at most.
const (
	drainGrace = 5 * time.Second // for calls in progress
	closeGrace = 5 * time.Second // for language servers
)

// A server is a running daemon.
type server struct {
	opts  RunOptions
	place place
	log   *slog.Logger
	since time.Time
	ready time.Time // when it began to listen
	// socket listens for clients; bound identifies its file.
	socket net.Listener
	// life is locked for as long as the process lives.
	life  *flock.Flock
	bound os.FileInfo
	// clients are the goroutines that serve clients; work is the context of their calls.
	clients  guard.Group
	work     context.Context
	stopWork context.CancelFunc
	// ended is closed when the daemon is to end, stopping when clients are asked to leave.
	ended    chan struct{}
	endOnce  sync.Once
	stopping chan struct{}
	resting  rest

	mu       sync.Mutex
	sessions map[int]*session
	last     int     // the number of the most recent session
	kept     []*kept // sessions that outlive their clients, most recently used last
	draining bool    // it no longer listens
	idle     *time.Timer
	// needed is when the last client left. A client that only asks for the status does not count.
	needed time.Time
}

// Run serves an engine until it has had no client for RunOptions.Idle, a client stops it, or ctx
// ends. If [Dial] started the process, Run reports to it when the daemon listens.
func Run(ctx context.Context, o RunOptions) (err error) {
	d, err := listen(o)
	if err != nil {
		o.tell(fmt.Sprintf("error %v", err))
		return errors.Join(err, o.close())
	}
	o.tell("ready")
	d.log.Info("ready", "pid", os.Getpid(), "version", o.Version, "root", o.Engine.Root())
	err = d.serve(ctx)
	d.log.Info("end", "error", err)
	return errors.Join(err, forget(d.life)) // whoever waits for the lock finds everything done
}

// tell reports to the process that started the daemon how the start went.
func (o *RunOptions) tell(line string) {
	if o.Starter != nil {
		fmt.Fprintln(o.Starter, line)
		_ = o.Starter.Close()
	}
}

func (o *RunOptions) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	return o.Engine.Close(ctx)
}

// listen binds the socket, and writes the record.
func listen(o RunOptions) (*server, error) {
	o.Version = build(o.Version)
	key, err := o.Identity.Key()
	if err != nil {
		return nil, err
	}
	if o.Key != "" && o.Key != key {
		return nil, errors.New("the configuration or the environment changed meanwhile")
	}
	p, err := placeOf(key, o.Identity.Environ)
	if err != nil {
		return nil, err
	}
	d := &server{
		opts: o, place: p, since: time.Now(), needed: time.Now(), ended: make(chan struct{}), stopping: make(chan struct{}), sessions: make(map[int]*session),
		log:     slog.New(slog.NewTextHandler(newRotating(p), &slog.HandlerOptions{Level: o.Level})),
		resting: rest{free: debug.FreeOSMemory},
	}
	d.work, d.stopWork = context.WithCancel(context.Background())
	d.life = p.lifeOf(os.Getpid())
	if _, err := d.life.TryLock(); err != nil {
		return nil, err
	}
	if err := d.bind(); err != nil {
		_ = d.life.Close()
		return nil, err
	}
	return d, nil
}

// bind creates the socket, which no other user can use at any time.
func (d *server) bind() error {
	listener, err := listenSocket(d.place.socket)
	if err != nil {
		return err
	}
	d.socket = listener
	if d.bound, err = os.Lstat(d.place.socket); err == nil {
		os.SameFile(d.bound, d.bound) // on Windows, the file's identity is read only when it is compared
	}
	if d.ready = time.Now(); err == nil {
		err = d.place.writeRecord(Record{
			PID: os.Getpid(), Version: d.opts.Version, Root: d.opts.Engine.Root(),
			Started: d.since, Ready: d.ready, Socket: d.place.socket,
		})
	}
	if err != nil {
		_ = listener.Close()
		d.withdraw()
	}
	return err
}

// withdraw removes the socket and the record if they still belong to this daemon. The caller holds
// the lock of the place, because another daemon could start to listen there meanwhile.
func (d *server) withdraw() {
	now, err := os.Lstat(d.place.socket)
	if err != nil || d.bound == nil || !os.SameFile(now, d.bound) {
		return
	}
	_ = d.place.clean()
}

// serve accepts clients until the daemon is to end, and waits for all goroutines.
func (d *server) serve(ctx context.Context) error {
	d.mu.Lock()
	d.rearmLocked(0)
	d.mu.Unlock()
	var accepting guard.Group
	accepting.Go(d.accept)
	var rooms guard.Group
	roomy, roomless := context.WithCancel(d.work)
	rooms.Go(func() { d.makeRooms(roomy) })
	defer rooms.Wait()
	defer roomless()
	select {
	case <-ctx.Done():
		d.log.Info("told to end by the system")
	case <-d.ended:
	}
	d.drain(context.WithoutCancel(ctx), false)
	d.resting.end()
	accepting.Wait()
	d.finish()
	d.clients.Wait()
	d.stopWork()
	return d.opts.close()
}

// accept accepts clients until the socket is closed.
func (d *server) accept() {
	for {
		conn, err := d.socket.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			d.log.Warn("a client could not be let in", "error", err)
			select { // with too many open files, others must close some first
			case <-time.After(acceptRest):
			case <-d.ended:
			}
			continue
		}
		if err := checkPeer(conn); err != nil {
			d.log.Warn("a client is refused", "error", err)
			_ = conn.Close()
			continue
		}
		d.clients.Go(func() { d.serveClient(conn) })
	}
}

// serveClient serves one client until it leaves or the daemon ends.
func (d *server) serveClient(conn net.Conn) {
	s := d.begin()
	if s == nil {
		_ = conn.Close()
		return
	}
	defer d.leave(s)
	err := remote.Serve(d.work, conn, s, remote.Options{Further: map[string]remote.Method{
		helloMethod: s.hello, statusMethod: s.status, drainMethod: s.drain, stopMethod: s.stop, endMethod: s.endNamed,
		tenantsMethod: s.tenants, restMethod: s.rest,
	}, Ending: d.stopping})
	if err != nil {
		d.log.Warn("a session failed", "session", s.id, "error", err)
	}
}

// acceptRest is the pause after a failed attempt to accept a client.
const acceptRest = 100 * time.Millisecond

// maxClients limits the simultaneous connections.
const maxClients = 1000

// begin adds a client. It returns nil if there are too many or the daemon is ending.
func (d *server) begin() *session {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.draining || len(d.sessions) >= maxClients {
		return nil
	}
	d.last++
	s := &session{daemon: d, id: d.last, since: time.Now(), named: make(map[string]bool)}
	d.sessions[s.id] = s
	d.rearmLocked(0)
	return s
}

// leave removes a client, and ends its sessions.
func (d *server) leave(s *session) {
	s.end()
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.sessions, s.id)
	if s.version != "" {
		d.needed = time.Now()
	}
	d.rearmLocked(0)
	if len(d.sessions) == 0 && d.draining {
		d.end()
	}
}

// end makes the daemon end.
func (d *server) end() { d.endOnce.Do(func() { close(d.ended) }) }

// looks is how often a daemon without a client checks, while it waits for one, that its workspace
// still exists.
const looks = 30

// lockRest is the pause before a daemon that nobody needs tries again to lock its place.
const lockRest = 10 * time.Millisecond

// rearmLocked sets the timer that ends a daemon without clients, or one whose workspace is gone, to
// fire in least or later. Only a pause that is needed may be given: a client that asks for the status
// again and again sets the timer anew each time, and would keep a daemon that nobody needs.
func (d *server) rearmLocked(least time.Duration) {
	if d.idle != nil {
		d.idle.Stop()
		d.idle = nil
	}
	if len(d.sessions) == 0 && !d.draining && d.opts.Idle > 0 {
		d.idle = time.AfterFunc(max(least, min(d.restLocked(), d.opts.Idle/looks)), d.endIdle)
	}
}

// restLocked returns how much longer the daemon stays if no client comes.
func (d *server) restLocked() time.Duration {
	if _, err := os.Stat(d.opts.Engine.Root()); errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	return max(0, d.opts.Idle-time.Since(d.needed))
}

// endIdle ends the daemon if its time is over and it still has no client. If somebody holds the
// lock, it stays, because they are about to become a client or to start another daemon.
func (d *server) endIdle() {
	d.mu.Lock()
	if d.restLocked() > 0 {
		d.rearmLocked(0)
		d.mu.Unlock()
		return
	}
	d.mu.Unlock()
	release, free, err := d.place.tryLock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil && free {
		defer release()
	}
	switch {
	case len(d.sessions) > 0 || d.draining:
	case err == nil && !free:
		d.rearmLocked(lockRest)
	default:
		d.log.Info("nobody needed it", "for", time.Since(d.needed).Round(time.Second))
		d.closeLocked()
		d.end()
	}
}

// closeLocked stops accepting clients, so that another daemon can take the place.
func (d *server) closeLocked() {
	if d.draining {
		return
	}
	d.draining = true
	if d.idle != nil {
		d.idle.Stop()
		d.idle = nil
	}
	d.withdraw()
	_ = d.socket.Close()
}

// drain stops accepting clients. Unless the caller holds the lock of the place, drain acquires it,
// so that it cannot remove the socket of the next daemon.
func (d *server) drain(ctx context.Context, locked bool) {
	if !locked {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if release, err := d.place.lock(ctx); err == nil {
			defer release()
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closeLocked()
}

// finish ends the sessions: clients leave when their calls are answered, and are disconnected after
// a while.
func (d *server) finish() {
	close(d.stopping)
	late := time.AfterFunc(drainGrace, func() {
		d.log.Warn("calls are cut off")
		d.stopWork()
	})
	d.clients.Wait()
	late.Stop()
}
