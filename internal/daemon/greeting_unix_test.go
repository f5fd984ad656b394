//go:build unix

package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/remote"
)

// fallen is why a client answers by itself, whether that was to be expected, and how often the daemon
// was asked to make room.
type fallen struct {
	Reason string
	Absent bool
	Drains int32
}

// Where a daemon is of no use, the client says why and answers by itself: nothing of the daemon is
// touched, nobody stays connected, and its place is free for the next.
func TestDaemonsOfNoUse(t *testing.T) {
	welcomes := func(version string) func(net.Conn, hello) (welcome, error) {
		return func(net.Conn, hello) (welcome, error) { return welcome{Version: version, PID: 7}, nil }
	}
	for name, c := range map[string]struct {
		hello       func(net.Conn, hello) (welcome, error)
		drain       error
		runningOnly bool
		want        fallen
	}{
		"it refuses":                  {func(net.Conn, hello) (welcome, error) { return welcome{}, errors.New("not you") }, nil, false, fallen{"it does not answer: not you", false, 0}},
		"it is newer":                 {welcomes("v2.0.0"), nil, false, fallen{"one of the newer version v2.0.0 runs", false, 0}},
		"it is older and stays":       {welcomes("v0.9.0"), errors.New("not now"), false, fallen{"the one of version v0.9.0 does not make room: not now", false, 1}},
		"it is another, and may stay": {welcomes("v0.9.0"), nil, true, fallen{"none runs", true, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, lsptest.Script{})
			p := s.place()
			var got fallen
			var drains atomic.Int32
			clients := standsIn(t, p, double{hello: c.hello, others: map[string]func(net.Conn, json.RawMessage) (any, error){
				drainMethod: func(net.Conn, json.RawMessage) (any, error) { drains.Add(1); return struct{}{}, c.drain },
			}})
			client := s.dial(func(o *Options) {
				o.RunningOnly = c.runningOnly
				o.Fell = func(reason error) { got = fallen{reason.Error(), IsAbsent(reason), drains.Load()} }
			})
			if diff := cmp.Diff(c.want, got); diff != "" || client.Daemon() != 0 || s.own.Load() != 1 {
				t.Errorf("the daemon is %d, %d engines: %s", client.Daemon(), s.own.Load(), diff)
			}
			haveLeft(t, clients)
			must(t, ownSocket(p.socket))
			isFree(t, p)
		})
	}
}

// isFree fails the test unless nobody holds the lock of a place.
func isFree(t *testing.T, p place) {
	t.Helper()
	release, free, err := p.tryLock()
	if !free || err != nil {
		t.Fatalf("the lock is held, %v", err)
	}
	release()
}

// Where no daemon can be found or started, the client says what is in the way.
func TestDaemonsThatDoNotBegin(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *shop, o *Options)
		want   func(s *shop) string
	}{
		"none may be started": {func(_ *shop, o *Options) { o.RunningOnly = true }, func(*shop) string { return "none runs" }},
		"the workspace is gone": {
			func(s *shop, o *Options) { o.Root, o.RunningOnly = filepath.Join(s.root, "gone"), true },
			func(s *shop) string { return "lstat " + filepath.Join(s.root, "gone") + ": no such file or directory" },
		},
		"there is no place for it": {
			func(_ *shop, o *Options) { o.Environ, o.RunningOnly = []string{"PATH=" + os.Getenv("PATH")}, true },
			func(*shop) string { return "there is neither a runtime folder nor a home folder to keep it in" },
		},
		"its log is a folder": {
			func(s *shop, _ *Options) { must(s.t, os.Mkdir(filepath.Join(s.place().dir, logFile), 0o700)) },
			func(s *shop) string { return "open " + filepath.Join(s.place().dir, logFile) + ": is a directory" },
		},
		"its record is a full folder": {
			func(s *shop, _ *Options) {
				must(s.t, os.MkdirAll(filepath.Join(s.place().dir, recordFile, "full"), 0o700))
			},
			func(s *shop) string {
				return "remove " + filepath.Join(s.place().dir, recordFile) + ": directory not empty"
			},
		},
		"it ends at once": {
			func(s *shop, o *Options) { o.Command = []string{"daemon", "--root", filepath.Join(s.root, "gone")} },
			func(s *shop) string {
				return "it ended before it was ready; " + filepath.Join(s.place().dir, logFile) + " says why"
			},
		},
		"it has another configuration": {
			func(s *shop, o *Options) {
				file := filepath.Join(filepath.Dir(s.configFile), "other.jsonc")
				lsptest.WriteFile(s.t, file, `{"lsp": {"maxRestarts": 3}}`)
				o.Command = []string{"daemon", "--root", s.root, "--config", file, "--version", s.version}
			},
			func(*shop) string { return "the configuration or the environment changed meanwhile" },
		},
		"it is of another version": {
			func(_ *shop, o *Options) { o.Version = "v1.0.1" },
			func(*shop) string { return "it is of version v1.0.0" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, lsptest.Script{})
			var reasons []string
			client := s.dial(func(o *Options) {
				c.change(s, o)
				o.Fell = func(reason error) { reasons = append(reasons, reason.Error()) }
			})
			if diff := cmp.Diff([]string{c.want(s)}, reasons); diff != "" || client.Daemon() != 0 {
				t.Errorf("the daemon is %d: %s", client.Daemon(), diff)
			}
			isFree(t, s.place())
		})
	}
}

// A daemon that is lost while it is greeted is waited for: until it has ended, nothing of it is
// removed, and no other one is started.
func TestDaemonThatIsAboutToEnd(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	p := s.place()
	const pid = 1 << 30
	life := p.lifeOf(pid)
	if free, err := life.TryLock(); !free || err != nil {
		t.Fatalf("%t, %v", free, err)
	}
	must(t, p.writeRecord(Record{PID: pid, Root: s.root}))
	hellos := make(chan struct{}, 10)
	clients := standsIn(t, p, double{hello: func(conn net.Conn, _ hello) (welcome, error) {
		hellos <- struct{}{}
		_ = conn.Close()
		return welcome{}, errLostHere
	}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		c, err := Dial(ctx, s.options())
		if err == nil {
			s.close(c)
		}
		ended <- err
	}()
	<-hellos
	<-hellos
	haveLeft(t, clients)
	if _, free, err := p.tryLock(); free || err != nil {
		t.Errorf("the lock is free, %v", err)
	}
	cancel()
	if err := <-ended; err != context.Canceled || s.own.Load() != 0 {
		t.Errorf("%v; engines of their own: %d", err, s.own.Load())
	}
	must(t, ownSocket(p.socket))
	if r, err := p.readRecord(); r.PID != pid || err != nil {
		t.Errorf("the record: %+v, %v", r, err)
	}
	if _, err := os.Lstat(filepath.Join(p.dir, logFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("another one was started: %v", err)
	}
	must(t, forget(life))
	c := s.dial()
	s.mustDef(c)
	if c.Daemon() == 0 || c.Daemon() == pid || s.own.Load() != 0 {
		t.Errorf("the next daemon is %d; engines of their own: %d", c.Daemon(), s.own.Load())
	}
}

// That a daemon is ready is read from its pipe, as is why it is not; who no longer waits is told so
// at once.
func TestAwaitingADaemon(t *testing.T) {
	p := place{dir: "place"}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		said string
		want string
	}{
		"ready":       {t.Context(), "ready\n", ""},
		"failed":      {t.Context(), "error it is broken\n", "it is broken"},
		"half a word": {t.Context(), "rea", "it ended before it was ready; " + filepath.Join("place", logFile) + " says why"},
		"nothing":     {t.Context(), "", "it ended before it was ready; " + filepath.Join("place", logFile) + " says why"},
		"canceled":    {canceled, "", context.Canceled.Error()},
	} {
		ready, starter, err := os.Pipe()
		must(t, err)
		if _, err := starter.WriteString(c.said); err != nil {
			t.Fatal(err)
		}
		if c.ctx == t.Context() { // else only the context ends the wait
			must(t, starter.Close())
		}
		got := ""
		if err := awaitReady(c.ctx, p, ready); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		_ = starter.Close()
		_ = ready.Close()
	}
}

// A connection ends when the last call in progress has ended after its daemon announced its end; at
// once where there is none.
func TestDaemonAnnouncesItsEnd(t *testing.T) {
	for _, calls := range []int{0, 1} {
		near, far := net.Pipe()
		ending, served := make(chan struct{}), make(chan error, 1)
		go func() { served <- remote.Serve(t.Context(), far, doubleOf{}, remote.Options{Ending: ending}) }()
		c := &connection{client: remote.NewClient(near), idle: make(chan struct{})}
		c.watching.Go(c.watch)
		for range calls {
			if !c.use() {
				t.Error("it takes no call")
			}
		}
		close(ending)
		lsptest.Eventually(t, patience, func() bool {
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.leaving
		}, "it is left")
		for range calls {
			select {
			case <-c.client.Done():
				t.Error("it has ended before its call")
			default:
			}
			c.done()
		}
		c.watching.Wait()
		<-c.client.Done()
		must(t, <-served)
	}
}

// Where the socket of a place is none, or is gone, a client cannot be connected.
func TestGreetingNobody(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	p, o := s.place(), s.options()
	if c, other, err := p.greet(t.Context(), &o, ""); c != nil || other != "" || !isNobody(err) {
		t.Errorf("nothing is there: %v, %q, %v", c, other, err)
	}
	must(t, os.WriteFile(p.socket, nil, 0o600))
	c, other, err := p.greet(t.Context(), &o, "")
	var refused *RefusedError
	if c != nil || other != "" || !errors.As(err, &refused) || isNobody(err) || !strings.HasSuffix(err.Error(), " is not a socket") {
		t.Errorf("a file: %v, %q, %v", c, other, err)
	}
}
