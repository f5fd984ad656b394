//go:build unix

package daemon

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/remote"
)

// connects returns a connection to a place that has said nothing yet.
func connects(t *testing.T, p place) *connection {
	t.Helper()
	c, err := p.dial(t.Context())
	must(t, err)
	t.Cleanup(c.end)
	return c
}

// A client is welcomed by its version: where the session began is said to one of the same version that
// makes more than one call. Who asks only for the status is not listed in it.
func TestWelcomes(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	d := s.listens()
	d.serves()
	silent := connects(t, d.place)
	must(t, silent.client.Ask(t.Context(), statusMethod, struct{}{}, nil))
	welcomed := func(h hello) welcome {
		t.Helper()
		var w welcome
		must(t, connects(t, d.place).client.Ask(t.Context(), helloMethod, h, &w))
		return w
	}
	us := os.Getpid()
	for _, c := range []struct {
		h    hello
		want welcome
	}{
		{hello{Version: "v1.0.0", Name: "one", Began: "abc"}, welcome{"v1.0.0", us, "abc"}},
		{hello{Version: "v1.0.0", Name: "once", Began: "abc", Once: true}, welcome{"v1.0.0", us, ""}},
		{hello{Version: "v1.0.1", Name: "other", Began: "abc"}, welcome{"v1.0.0", us, ""}},
		{hello{Version: "v1.0.0", Name: "kept", Began: "abc", Session: "agent"}, welcome{"v1.0.0", us, "abc"}},
		{hello{Version: "v1.0.0", Name: "kept too", Session: "agent"}, welcome{"v1.0.0", us, "abc"}},
		{hello{Version: "v1.0.0", Name: "last"}, welcome{"v1.0.0", us, ""}},
	} {
		if diff := cmp.Diff(c.want, welcomed(c.h)); diff != "" {
			t.Errorf("%+v: %s", c.h, diff)
		}
	}
	d.mu.Lock()
	d.draining = true
	d.mu.Unlock()
	var status Status
	must(t, silent.client.Ask(t.Context(), statusMethod, struct{}{}, &status))
	want := Status{
		Record: Record{PID: us, Version: "v1.0.0", Root: s.root, Socket: d.place.socket}, IdleMS: time.Hour.Milliseconds(), Draining: true,
		Sessions: []Session{{Name: "one"}, {Name: "once"}, {Name: "other"}, {Name: "kept"}, {Name: "kept too"}, {Name: "last"}},
	}
	if diff := cmp.Diff(want, status, cmpopts.IgnoreTypes(time.Time{})); diff != "" {
		t.Error(diff)
	}
	d.mu.Lock()
	d.draining = false
	defer d.mu.Unlock()
	if kept := d.kept; len(kept) != 1 || kept[0].clients != 2 || d.sessions[2].name != "one" {
		t.Errorf("kept are %+v; the second session is of %q", kept, d.sessions[2].name)
	}
}

// What a session began in the engine ends with its client, but for that of a kept session, which the
// next client finds as it was.
func TestEndOfSessions(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	d := s.listens()
	began := func(name string) string { return d.opts.Engine.BeginSession(name, "") }
	attach := func(session string) *session {
		t.Helper()
		one := d.begin()
		params := `{"version":"v1.0.0","name":"n","began":"abc","session":"` + session + `"}`
		if _, err := one.hello(t.Context(), []byte(params)); err != nil {
			t.Fatal(err)
		}
		return one
	}
	first, named := attach(""), attach("agent")
	if got := named.begin("more"); got != "kept agent/more" || named.calls != 1 || named.total != 1 {
		t.Errorf("it is %q; %d calls of %d", got, named.calls, named.total)
	}
	named.done()
	if got := first.begin("more"); got != "1/more" || named.calls != 0 || named.total != 1 {
		t.Errorf("it is %q; %d calls of %d", got, named.calls, named.total)
	}
	if got := []string{began("1/"), began("kept agent/")}; !cmp.Equal(got, []string{"abc", "abc"}) {
		t.Errorf("they began at %q", got)
	}
	d.leave(first)
	d.leave(named)
	if got := []string{began("1/"), began("kept agent/")}; !cmp.Equal(got, []string{"", "abc"}) {
		t.Errorf("after the end they began at %q", got)
	}
	if len(first.named) > 0 || d.kept[0].clients != 0 {
		t.Errorf("the first has %v; %d clients have the other", first.named, d.kept[0].clients)
	}
	again := attach("agent")
	want := &kept{name: "agent", clients: 1, named: map[string]bool{"kept agent/": true, "kept agent/more": true}}
	if diff := cmp.Diff(want, again.kept, cmp.AllowUnexported(kept{})); diff != "" || again.kept != d.kept[0] || len(d.kept) != 1 {
		t.Errorf("kept: %s", diff)
	}
	for i := range maxKept {
		one := d.begin()
		one.keep(string(rune('a' + i)))
		d.leave(one)
	}
	d.leave(again)
	attach("one too many")
	if got := began("kept agent/"); got != "" || len(d.kept) != maxKept {
		t.Errorf("of %d kept sessions the oldest began at %q", len(d.kept), got)
	}
}

// A stopped daemon answers who stops it, and ends; one that makes room serves the clients that it has,
// and lets nobody else in.
func TestStoppedAndDrained(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	d := s.listens()
	d.serves()
	client := s.dial()
	asking := connects(t, d.place)
	must(t, asking.client.Ask(t.Context(), drainMethod, struct{}{}, nil))
	if names := d.files(); !cmp.Equal(names, []string{filepath.Base(d.life.Path())}) || d.isEnding() {
		t.Errorf("its files are %q; it is ending: %t", names, d.isEnding())
	}
	if _, err := d.place.ask(t.Context()); !isNobody(err) {
		t.Errorf("it is still asked: %v", err)
	}
	s.mustDef(client)
	must(t, asking.client.Ask(t.Context(), drainMethod, struct{}{}, nil)) // again, which changes nothing
	s.close(client)
	asking.end()
	must(t, d.hasEnded())
	if said := d.said.String(); strings.Count(said, `msg="makes room" for=another`) != 2 {
		t.Errorf("its log:\n%s", said)
	}
	must(t, forget(d.life))

	next := s.listens()
	next.serves()
	if err := next.place.call(t.Context(), stopMethod, struct{}{}, nil); err != nil && !remote.IsLost(err) { // it may end before its answer is read
		t.Fatal(err)
	}
	must(t, next.hasEnded())
	if said := next.said.String(); strings.Count(said, `msg="stopped by a client"`) != 1 || strings.Contains(said, "told to end") {
		t.Errorf("its log:\n%s", said)
	}
	if names := next.files(); !cmp.Equal(names, []string{lockFile, filepath.Base(next.life.Path())}) && !cmp.Equal(names, []string{filepath.Base(next.life.Path()), lockFile}) {
		t.Errorf("its files are %q", names)
	}
}

// A refusing is a socket that fails to accept clients for a while.
type refusing struct {
	net.Listener
	fails atomic.Int32
}

func (r *refusing) Accept() (net.Conn, error) {
	if r.fails.Add(-1) >= 0 {
		return nil, errors.New("too many open files")
	}
	return r.Listener.Accept()
}

// A daemon survives what its clients do: that one cannot be let in, that one talks nonsense, and that
// there are too many.
func TestRudeClients(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	d := s.listens()
	socket := &refusing{Listener: d.socket}
	socket.fails.Store(2)
	d.socket = socket
	d.serves()
	rude, err := dialSocket(t.Context(), d.place.socket)
	must(t, err)
	if _, err := rude.Write([]byte("Content-Length: nonsense\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := rude.Read(make([]byte, 1)); err == nil {
		t.Error("nonsense is answered")
	}
	must(t, rude.Close())
	s.mustDef(s.dial())
	lsptest.Eventually(t, patience, func() bool { // otherwise the place of the rude one becomes free later
		d.mu.Lock()
		defer d.mu.Unlock()
		return len(d.sessions) == 1
	}, "the rude client has left")
	var many []*session
	for {
		one := d.begin()
		if one == nil {
			break
		}
		many = append(many, one)
	}
	if _, err := d.place.ask(t.Context()); !remote.IsLost(err) {
		t.Errorf("one too many: %v", err)
	}
	for _, one := range many {
		d.leave(one)
	}
	must(t, d.ends())
	said := d.said.String()
	for part, times := range map[string]int{
		`msg="a client could not be let in" error="too many open files"`: 2, `msg="a session failed" session=1 error=`: 1, "level=WARN": 3,
	} {
		if strings.Count(said, part) != times {
			t.Errorf("its log does not have %d times %s:\n%s", times, part, said)
		}
	}
}

// A daemon that cannot write its record does not begin, and leaves no socket; neither does one whose
// identity makes no sense. One that is told to end with a client waits until that has left.
func TestDaemonsThatCannotBegin(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	p := s.place()
	fails := func(what string, change func(o *RunOptions), left ...string) {
		t.Helper()
		o := s.runOptions()
		change(&o)
		if d, err := listen(o); err == nil {
			t.Errorf("%s: it listens at %s", what, d.place.socket)
		}
		must(t, o.close())
		if diff := cmp.Diff(left, p.names(t), cmpopts.EquateEmpty(), cmpopts.SortSlices(strings.Compare)); diff != "" {
			t.Errorf("%s: left: %s", what, diff)
		}
	}
	fails("no root", func(o *RunOptions) { o.Identity.Root = filepath.Join(s.root, "gone") })
	fails("nowhere", func(o *RunOptions) { o.Identity.Environ = nil })
	life := filepath.Base(p.lifeOf(os.Getpid()).Path())
	blocked := filepath.Join(p.dir, recordFile+".new")
	must(t, os.Mkdir(blocked, 0o700))
	fails("no record", func(*RunOptions) {}, filepath.Base(blocked), life)
	must(t, os.Remove(blocked), os.Remove(filepath.Join(p.dir, life)), os.Mkdir(filepath.Join(p.dir, life), 0o700))
	fails("no life", func(*RunOptions) {}, life)
	must(t, os.Remove(filepath.Join(p.dir, life)))

	d := s.listens()
	d.serves()
	c := connects(t, d.place)
	must(t, c.client.Ask(t.Context(), helloMethod, hello{}, nil))
	if !c.use() {
		t.Fatal("it is not connected")
	}
	d.cancel()
	<-c.client.Ending()
	if _, err := s.place().ask(context.Background()); !isNobody(err) {
		t.Errorf("another is let in: %v", err)
	}
	select {
	case err := <-d.served:
		t.Errorf("it has ended before its client: %v", err)
	default:
	}
	c.done()
	must(t, d.hasEnded())
}

// A daemon that no client ever comes to ends after its time, and one whose workspace is gone at once;
// then nothing of it goes on, and its place is free.
func TestDaemonThatNobodyNeeds(t *testing.T) {
	for _, gone := range []bool{false, true} {
		s := newShop(t, lsptest.Script{})
		if s.idle = 50 * time.Millisecond; gone {
			s.idle = time.Hour
		}
		p := s.place()
		d := s.listens()
		d.mu.Lock()
		stays := d.restLocked()
		d.mu.Unlock()
		if gone {
			must(t, os.RemoveAll(s.root))
			d.mu.Lock()
			stays = d.restLocked()
			d.opts.Idle = 50 * time.Millisecond // looks soon, and would stay
			d.needed = time.Now().Add(time.Hour)
			d.mu.Unlock()
		}
		if stays < 0 || stays > s.idle || gone && stays != 0 {
			t.Errorf("gone: %t: it stays for %v", gone, stays)
		}
		d.serves()
		must(t, d.hasEnded())
		if diff := cmp.Diff([]string{lockFile, filepath.Base(d.life.Path())}, d.files(), cmpopts.SortSlices(strings.Compare)); diff != "" {
			t.Errorf("its files: %s", diff)
		}
		isFree(t, p)
		if !d.resting.ended || d.work.Err() == nil || d.idle != nil {
			t.Errorf("it goes on: it rests: %t, works: %v, has a timer: %t", !d.resting.ended, d.work.Err(), d.idle != nil)
		}
		if said := d.said.String(); !strings.Contains(said, "nobody needed it") || strings.Contains(said, "told to end") {
			t.Errorf("its log:\n%s", said)
		}
	}
}
