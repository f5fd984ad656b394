//go:build unix

package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A call that only reads is made again where the daemon ends during it, but not for ever: then an
// engine of the client's own carries it out, in the session that began with the daemon.
func TestReadIsRepeated(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	var mu sync.Mutex
	var hellos []hello
	var calls, fell []string
	clients := standsIn(t, s.place(), double{
		hello: func(_ net.Conn, h hello) (welcome, error) {
			mu.Lock()
			defer mu.Unlock()
			hellos = append(hellos, h)
			return welcome{Version: "v1.0.0", PID: 7, Began: "abc"}, nil
		},
		call: func(ctx context.Context, conn net.Conn, name string, _ any) error {
			mu.Lock()
			defer mu.Unlock()
			with := api.CallOf(ctx)
			calls = append(calls, fmt.Sprint(name, " in ", with.Dir, ", last: ", with.Last))
			_ = conn.Close()
			return errLostHere
		},
	})
	c := s.dial(func(o *Options) {
		o.Session, o.Dir = "agent", s.root
		o.Fell = func(reason error) { fell = append(fell, reason.Error()) }
	})
	if c.Daemon() != 7 {
		t.Errorf("the daemon is %d", c.Daemon())
	}
	s.mustDef(c)
	first := hello{Version: "v1.0.0", Name: "test", Session: "agent"}
	again := first
	again.Began = "abc"
	call := "definition in " + s.root + ", last: false"
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff([]hello{first, again}, hellos); diff != "" {
		t.Errorf("hellos: %s", diff)
	}
	if diff := cmp.Diff([][]string{{call, call}, {"it ended 2 times during one call"}}, [][]string{calls, fell}); diff != "" {
		t.Error(diff)
	}
	if began := c.own.BeginSession("", ""); c.Daemon() != 0 || s.own.Load() != 1 || began != "abc" {
		t.Errorf("the daemon is %d, there are %d engines of their own; the session began at %q", c.Daemon(), s.own.Load(), began)
	}
	haveLeft(t, clients)
}

// A call that the daemon refuses is answered by that, and one that may have changed files is not
// made again; where no engine of its own may follow, that is said. The next call has another
// connection.
func TestCallsThatEnd(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	var mu sync.Mutex
	var calls []string
	standsIn(t, s.place(), double{
		hello: func(net.Conn, hello) (welcome, error) { return welcome{Version: "v1.0.0", PID: 7}, nil },
		call: func(ctx context.Context, conn net.Conn, name string, _ any) error {
			mu.Lock()
			defer mu.Unlock()
			with := api.CallOf(ctx)
			calls = append(calls, fmt.Sprint(name, " in ", with.Dir, ", last: ", with.Last))
			if name == api.Highlights.Name {
				return errors.New("not now")
			}
			_ = conn.Close()
			return errLostHere
		},
	})
	c := s.dial(func(o *Options) { o.Own, o.Once, o.Dir = nil, true, "/d" })
	_, refused := api.Highlights.Do(api.Call{Dir: "/other"}.In(t.Context()), c, api.HighlightsRequest{})
	_, lost := api.EditFiles.Do(t.Context(), c, api.EditRequest{})
	if c.Daemon() != 0 {
		t.Errorf("it is still connected with %d", c.Daemon())
	}
	_, alone := api.Definition.Do(t.Context(), c, api.DefinitionRequest{})
	text := "mine"
	_, own := api.Open.Do(t.Context(), c, api.OpenRequest{File: "a.toy", Text: &text})
	var got []string
	for _, err := range []error{refused, lost, alone, own} {
		got = append(got, err.Error()+": "+string(kindOf(err))+": "+result.ErrorOf(err).Hint)
	}
	withoutOne := `: unavailable: "daemon": "never" in the configuration, or LSPINE_DAEMON=never, goes on without one`
	if diff := cmp.Diff([]string{
		"not now: failed: ",
		"the daemon ended during edit: whether it was carried out is not known: crashed: look at the files (git diff) before you ask for it again; of one edit all files are written, or none",
		"no daemon: it ended 2 times during one call" + withoutOne,
		"no daemon: the session opened a file with a text that is not on disk" + withoutOne,
	}, got); diff != "" {
		t.Error(diff)
	}
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff([]string{"highlights in /other, last: true", "edit in /d, last: true", "definition in /d, last: true", "definition in /d, last: true"}, calls); diff != "" {
		t.Errorf("calls: %s", diff)
	}
	if !errors.Is(own, errOwnText) || s.own.Load() != 0 {
		t.Errorf("%v; engines of their own: %d", own, s.own.Load())
	}
}

// Whether a call may be made again is decided by its operation and what it asks for; what is not
// known may not.
func TestClassesOfCalls(t *testing.T) {
	text := "mine"
	for _, c := range []struct {
		name  string
		req   any
		class api.Class
		gives bool
	}{
		{api.Definition.Name, api.DefinitionRequest{}, api.Read, false},
		{api.EditFiles.Name, api.EditRequest{}, api.Edit, false},
		{api.Open.Name, api.OpenRequest{File: "a"}, classOf(api.Open.Name, struct{}{}), false},
		{api.Open.Name, api.OpenRequest{File: "a", Text: &text}, classOf(api.Open.Name, struct{}{}), true},
		{api.Open.Name, api.DefinitionRequest{}, classOf(api.Open.Name, struct{}{}), false},
		{api.Definition.Name, api.OpenRequest{File: "a", Text: &text}, api.Read, false},
		{api.Definition.Name, func() {}, api.Admin, false},
		{"unheard", struct{}{}, api.Admin, false},
	} {
		if class, gives := classOf(c.name, c.req), givesText(c.name, c.req); class != c.class || gives != c.gives {
			t.Errorf("%s of %T: %v and %t, want %v and %t", c.name, c.req, class, gives, c.class, c.gives)
		}
	}
}

// An engine of the client's own is made once, with the reason told, and ends with the client; if it
// cannot be made, that is the error, and nothing is told.
func TestEngineOfAClient(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	broken := errors.New("broken")
	var fell []error
	c := &Client{connecting: call.NewLock(whyLooking), opts: Options{Fell: func(reason error) { fell = append(fell, reason) }}}
	var none *UnavailableError
	if err := c.leave(errNoneRuns); !errors.As(err, &none) || none.Cause != errNoneRuns || err.Error() != "no daemon: none runs" {
		t.Errorf("none can be made: %v", err)
	}
	o := s.options()
	o.RunningOnly, o.Own = true, nil
	if client, err := Dial(t.Context(), o); client != nil || err == nil || err.Error() != "no daemon: none runs" {
		t.Errorf("dialed: %v, %v", client, err)
	}
	c.opts.Own = func() (*engine.Engine, error) { return nil, broken }
	if err := c.leave(errNoneRuns); err != broken || len(fell) > 0 || c.own != nil {
		t.Errorf("it is broken: %v; told %v", err, fell)
	}
	c.opts.Own = s.options().Own
	for range 2 {
		if err := c.leave(broken); err != nil {
			t.Error(err)
		}
	}
	caller, conn, err := c.present()
	if own := c.own; own == nil || caller != api.Caller(own) || conn != nil || err != nil || s.own.Load() != 1 || len(fell) != 1 || fell[0] != broken || c.Daemon() != 0 {
		t.Errorf("%v, %v, %v; %d engines, told %v", caller, conn, err, s.own.Load(), fell)
	}
	own := c.own
	s.close(c)
	if _, err := own.AwaitStart(t.Context(), 0); err == nil || t.Context().Err() != nil {
		t.Errorf("its engine goes on: %v", err)
	}
	c = &Client{connecting: call.NewLock(whyLooking), opts: Options{Own: s.options().Own}}
	if err := c.leave(broken); err != nil || c.own == nil {
		t.Errorf("nobody is told: %v", err)
	}
	s.close(c)
}

// Who has an engine of its own or has ended waits for no daemon; who has neither waits as long as
// its context, and takes what another call has found meanwhile.
func TestWaitingForADaemon(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	hellos := make(chan hello, 10)
	standsIn(t, s.place(), double{hello: func(_ net.Conn, h hello) (welcome, error) {
		hellos <- h
		return welcome{Version: "v1.0.0"}, nil
	}})
	newClient := func() *Client { return &Client{connecting: call.NewLock(whyLooking), opts: s.options()} }
	canceled, cancel := context.WithCancel(t.Context())
	cancel()

	c := newClient()
	must(t, c.connecting.Lock(t.Context()))
	if _, _, err := c.caller(canceled); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), whyLooking+": ") {
		t.Errorf("canceled: %v", err)
	}
	type found struct {
		caller api.Caller
		err    error
	}
	later := make(chan found, 1)
	go func() {
		caller, _, err := c.caller(t.Context())
		later <- found{caller, err}
	}()
	lsptest.Eventually(t, patience, c.connecting.Wanted, "it waits")
	must(t, c.makeOwn(errNoneRuns))
	if caller, conn, err := c.caller(canceled); caller != api.Caller(c.own) || conn != nil || err != nil {
		t.Errorf("with its own engine: %v, %v, %v", caller, conn, err)
	}
	c.connecting.Unlock()
	if f := <-later; f.caller != api.Caller(c.own) || f.err != nil {
		t.Errorf("what another found: %+v", f)
	}
	s.close(c)

	c = newClient()
	must(t, c.connecting.Lock(t.Context()))
	go func() {
		caller, _, err := c.caller(t.Context())
		later <- found{caller, err}
	}()
	lsptest.Eventually(t, patience, c.connecting.Wanted, "it waits")
	s.close(c)
	if _, _, err := c.caller(canceled); err != error(errLeft) {
		t.Errorf("when it has ended: %v", err)
	}
	c.connecting.Unlock()
	if f := <-later; f.err != error(errLeft) || f.caller != nil {
		t.Errorf("when it has ended meanwhile: %+v", f)
	}
	for _, err := range []error{c.leave(errNoneRuns), c.makeOwn(errNoneRuns)} {
		if err != error(errLeft) {
			t.Errorf("after its end: %v", err)
		}
	}
	if _, err := s.def(t.Context(), c); kindOf(err) != result.Unavailable || !strings.Contains(err.Error(), "no daemon: the session has ended") {
		t.Errorf("a call after its end: %v", err)
	}
	if len(hellos) > 0 || s.own.Load() != 1 {
		t.Errorf("%d times a daemon was greeted, %d engines were made", len(hellos), s.own.Load())
	}
}

// A client that ends while it is greeted is not connected, and neither is one whose caller leaves
// meanwhile: no engine of its own follows.
func TestClientEndsWhileItConnects(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	c := &Client{connecting: call.NewLock(whyLooking), opts: s.options()}
	ctx, cancel := context.WithCancel(t.Context())
	leaves := func() { s.close(c) }
	clients := standsIn(t, s.place(), double{hello: func(net.Conn, hello) (welcome, error) {
		leaves()
		return welcome{Version: "v1.0.0"}, nil
	}})
	if caller, conn, err := c.caller(ctx); caller != nil || conn != nil || err != error(errLeft) {
		t.Errorf("%v, %v, %v", caller, conn, err)
	}
	haveLeft(t, clients)
	c = &Client{connecting: call.NewLock(whyLooking), opts: s.options()}
	leaves = cancel
	if caller, conn, err := c.caller(ctx); caller != nil || conn != nil || err != context.Canceled {
		t.Errorf("%v, %v, %v", caller, conn, err)
	}
	if _, err := Dial(ctx, s.options()); !errors.Is(err, context.Canceled) || s.own.Load() != 0 {
		t.Errorf("dialed: %v; engines of their own: %d", err, s.own.Load())
	}
	haveLeft(t, clients)
}

// A client that leaves its daemon lets the calls in progress end, and then the connection; when the
// client itself ends, so do all its connections at once.
func TestClientLeavesItsDaemon(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	clients := standsIn(t, s.place(), double{hello: func(net.Conn, hello) (welcome, error) { return welcome{Version: "v1.0.0", PID: 7}, nil }})
	c, other := s.dial(), s.dial()
	conn := c.conn
	if _, used, err := c.present(); used != conn || err != nil {
		t.Fatalf("%v, %v", used, err)
	}
	c.drop(other.conn) // another one, which is none of its own
	if c.conn != conn || c.Daemon() != 7 {
		t.Error("it has forgotten its own connection")
	}
	must(t, c.leave(errOwnText))
	if c.conn != nil || conn.use() {
		t.Error("it still uses the connection")
	}
	select {
	case <-conn.client.Done():
		t.Error("the connection has ended before its call")
	default:
	}
	conn.done()
	<-conn.client.Done()

	third := s.dial()
	left := third.conn
	if !left.use() {
		t.Fatal("it is not connected")
	}
	must(t, third.leave(errOwnText))
	s.close(third)
	<-left.client.Done()
	fourth := s.dial()
	conn = fourth.conn
	conn.leave()
	if caller, used, err := fourth.present(); caller != nil || used != nil || err != nil || fourth.conn != nil {
		t.Errorf("a connection that is left is used: %v, %v, %v", caller, used, err)
	}
	s.close(other)
	if !third.resting.ended || !other.resting.ended || fourth.resting.ended {
		t.Error("who has ended does not rest, and all others do")
	}
	haveLeft(t, clients)
}
