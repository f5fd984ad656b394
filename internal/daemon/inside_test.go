package daemon

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsptest"
)

// runOptions are those of a daemon in the process of the test.
func (s *shop) runOptions() RunOptions {
	s.t.Helper()
	identity := s.identity()
	e, err := engine.New(engine.Options{Root: s.root, Config: identity.Config, Version: s.version, State: s.t.TempDir()})
	if err != nil {
		s.t.Fatal(err)
	}
	return RunOptions{Identity: identity, Engine: e, Idle: s.idle, Version: s.version, Level: slog.LevelInfo}
}

// An inner daemon is one in the process of the test.
type inner struct {
	*server
	t      *testing.T
	said   *bytes.Buffer // its log, to be read when it has ended
	cancel context.CancelFunc
	served chan error
}

// listens returns a daemon in the process of the test that has its place, and serves nobody yet.
func (s *shop) listens(change ...func(*RunOptions)) *inner {
	s.t.Helper()
	o := s.runOptions()
	for _, c := range change {
		c(&o)
	}
	d, err := listen(o)
	if err != nil {
		_ = o.close()
		s.t.Fatal(err)
	}
	i := &inner{server: d, t: s.t, said: &bytes.Buffer{}}
	d.log = slog.New(slog.NewTextHandler(i.said, nil))
	s.t.Cleanup(func() {
		if i.cancel == nil {
			i.serves()
		}
		_ = i.ends()
		_ = forget(d.life)
	})
	return i
}

// serves lets the daemon serve.
func (i *inner) serves() {
	var ctx context.Context
	ctx, i.cancel = context.WithCancel(context.Background())
	i.served = make(chan error, 1)
	go func() { i.served <- i.serve(ctx) }()
}

// ends tells the daemon to end, and waits until it has.
func (i *inner) ends() error {
	i.cancel()
	return i.hasEnded()
}

func (i *inner) hasEnded() error {
	err := <-i.served
	i.served <- err
	return err
}

// files are those of the daemon's place.
func (i *inner) files() []string {
	i.t.Helper()
	entries, err := os.ReadDir(i.place.dir)
	if err != nil {
		i.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// isEnding reports whether the daemon was told to end.
func (i *inner) isEnding() bool {
	select {
	case <-i.ended:
		return true
	default:
		return false
	}
}

// A daemon tells who started it that it is ready, serves clients, lists them with their calls to
// whoever asks, and ends when it is told, with nothing left but the lock of its place.
func TestRunOfADaemon(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	o := s.runOptions()
	ready, starter, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer ready.Close()
	o.Starter = starter
	ctx, end := context.WithCancel(t.Context())
	defer end()
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, o) }()
	if line, err := io.ReadAll(ready); string(line) != "ready\n" || err != nil {
		t.Fatalf("told is %q, %v", line, err)
	}

	first, second := s.dial(), s.dial(func(o *Options) { o.Name = "second" })
	s.mustDef(first)
	s.mustDef(first)
	s.mustDef(second)
	if first.Daemon() != os.Getpid() || s.own.Load() != 0 {
		t.Errorf("the daemon is %d, and there are %d engines of their own", first.Daemon(), s.own.Load())
	}
	status, err := s.place().ask(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := &Status{
		Record:   Record{PID: os.Getpid(), Version: "v1.0.0", Root: s.root, Socket: s.place().socket},
		IdleMS:   time.Hour.Milliseconds(),
		Sessions: []Session{{Name: "test", Total: 2}, {Name: "second", Total: 1}},
	}
	if diff := cmp.Diff(want, status, cmpopts.IgnoreTypes(time.Time{})); diff != "" {
		t.Errorf("status: %s", diff)
	}
	if status.Started.IsZero() || status.Ready.Before(status.Started) || status.Sessions[0].Since.Before(status.Started) {
		t.Errorf("times: %+v", status)
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	entries, _ := filepath.Glob(filepath.Join(s.place().dir, "*"))
	if diff := cmp.Diff([]string{filepath.Join(s.place().dir, lockFile)}, entries); diff != "" {
		t.Errorf("left: %s", diff)
	}
}

// A daemon that is looked for by another key than its own does not begin: who started it is told
// why, and nothing is at its place.
func TestRunOfAnotherKey(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	o := s.runOptions()
	ready, starter, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer ready.Close()
	o.Starter, o.Key = starter, "another"
	const why = "the configuration or the environment changed meanwhile"
	if err := Run(t.Context(), o); err == nil || err.Error() != why {
		t.Errorf("it ends with %v", err)
	}
	if line, err := io.ReadAll(ready); string(line) != "error "+why+"\n" || err != nil {
		t.Errorf("told is %q, %v", line, err)
	}
	if _, err := o.Engine.AwaitStart(t.Context(), 0); err == nil || t.Context().Err() != nil {
		t.Errorf("the engine goes on: %v", err)
	}
	if list, err := List(t.Context(), s.environ, ""); len(list) > 0 || err != nil {
		t.Errorf("%+v, %v", list, err)
	}
}

// A place has one daemon: a second one does not begin, and takes nothing from the first.
func TestOnePlaceHasOneDaemon(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	first := s.listens()
	first.serves()
	before := first.files()
	o := s.runOptions()
	if d, err := listen(o); err == nil {
		t.Errorf("another listens at %s", d.place.socket)
	}
	if err := o.close(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, first.files()); diff != "" {
		t.Errorf("its files: %s", diff)
	}
	s.mustDef(s.dial())
	if err := first.ends(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(first.said.String(), "told to end by the system") {
		t.Errorf("its log: %s", first.said)
	}
}

// A daemon without clients has a timer that ends it; with a client it has none, nor without a
// limit, nor when it is ending. No more clients are let in than it can bear.
func TestClientsOfADaemon(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	d := s.listens()
	armed := func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.rearmLocked(0)
		return d.idle != nil
	}
	got := []bool{armed()}
	first, second := d.begin(), d.begin()
	got = append(got, armed())
	d.leave(second)
	got = append(got, armed())
	d.leave(first)
	got = append(got, armed())
	d.opts.Idle = 0
	got = append(got, armed())
	d.opts.Idle = time.Hour
	if diff := cmp.Diff([]bool{true, false, false, true, false}, got); diff != "" {
		t.Errorf("it has a timer: %s", diff)
	}
	if first.id != 1 || second.id != 2 || len(d.sessions) != 0 {
		t.Errorf("sessions %d and %d; left are %d", first.id, second.id, len(d.sessions))
	}

	var all []*session
	for range maxClients {
		all = append(all, d.begin())
	}
	if slices.Contains(all, nil) || d.begin() != nil {
		t.Errorf("of %d clients %d are let in, and one more", maxClients, len(d.sessions))
	}
	for _, s := range all[1:] {
		d.leave(s)
	}
	d.drain(t.Context(), false)
	if d.begin() != nil || armed() || d.isEnding() {
		t.Error("while it makes room, somebody is let in, or it ends")
	}
	d.leave(all[0])
	if !d.isEnding() {
		t.Error("it stays without clients")
	}
}

// When the last client left is noted for one that said hello; one that only asked how it is does
// not count.
func TestWhatCountsAsAClient(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	d := s.listens()
	long := time.Now().Add(-30 * time.Minute)
	leaves := func(version string) (stays time.Duration) {
		d.needed = long
		one := d.begin()
		one.version = version
		d.leave(one)
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.restLocked().Round(time.Minute)
	}
	if diff := cmp.Diff([]time.Duration{30 * time.Minute, time.Hour}, []time.Duration{leaves(""), leaves("v1.0.0")}); diff != "" {
		t.Error(diff)
	}
	d.needed = time.Now().Add(-2 * time.Hour)
	if rest := d.restLocked(); rest != 0 {
		t.Errorf("after its time it stays %v", rest)
	}
}

// A daemon whose time is over ends, unless a client came meanwhile, or somebody is about to become
// one; its files go with it.
func TestEndOfAnIdleDaemon(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	d := s.listens()
	state := func() [3]bool { // has a timer, is draining, is ending
		d.mu.Lock()
		defer d.mu.Unlock()
		return [3]bool{d.idle != nil, d.draining, d.isEnding()}
	}
	expect := func(name string, want [3]bool) {
		t.Helper()
		if diff := cmp.Diff(want, state()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	d.endIdle()
	expect("before its time", [3]bool{true, false, false})
	one := d.begin()
	d.needed = time.Now().Add(-2 * time.Hour)
	d.endIdle()
	expect("with a client", [3]bool{false, false, false})
	release, err := d.place.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.leave(one) // from here on its timer looks again and again
	d.endIdle()
	expect("while somebody has the lock", [3]bool{true, false, false})
	d.mu.Lock()
	d.idle.Stop()
	d.idle = nil
	d.mu.Unlock()
	d.endIdle()
	expect("it looks again", [3]bool{true, false, false})
	if _, free, err := d.place.tryLock(); free || err != nil {
		t.Errorf("the lock is free, %v", err)
	}
	release()
	<-d.ended
	expect("when its time is over", [3]bool{false, true, true})
	want := []string{lockFile, filepath.Base(d.life.Path())}
	slices.Sort(want)
	if diff := cmp.Diff(want, d.files()); diff != "" {
		t.Errorf("its files: %s", diff)
	}
	release, free, err := d.place.tryLock()
	if !free || err != nil {
		t.Fatalf("the lock is still held, %v", err)
	}
	release()
	if !strings.Contains(d.said.String(), `msg="nobody needed it" for=2h0m0s`) {
		t.Errorf("its log: %s", d.said)
	}
	d.endIdle()
	expect("again", [3]bool{false, true, true})
}

// What another daemon has put at the place meanwhile is not removed.
func TestOnlyOwnFilesAreWithdrawn(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	d := s.listens()
	before, own := d.files(), d.bound
	d.bound, _ = os.Lstat(filepath.Join(d.place.dir, recordFile))
	d.withdraw()
	d.bound = nil
	d.withdraw()
	if diff := cmp.Diff(before, d.files()); diff != "" {
		t.Errorf("withdrawn: %s", diff)
	}
	d.bound = own
	d.withdraw()
	if _, err := os.Lstat(d.place.socket); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket: %v", err)
	}
}

// Sessions outlive their clients up to a number; then the one goes that was used longest ago and
// has no client, with what it began in the engine.
func TestKeptSessionsAreBounded(t *testing.T) {
	d := &server{sessions: make(map[int]*session)}
	attach := func(name string) (*session, []string) {
		s := &session{daemon: d, named: make(map[string]bool)}
		ended := s.keep(name)
		s.useLocked("")
		s.useLocked("more")
		return s, slices.Sorted(maps.Keys(ended))
	}
	connected, _ := attach("connected")
	for i := range maxKept - 1 {
		one, ended := attach(strconv.Itoa(i))
		one.end()
		if ended != nil {
			t.Fatalf("%d sessions are too many: %v", i+2, ended)
		}
	}
	again, ended := attach("0")
	again.end()
	if diff := cmp.Diff([]string(nil), ended); diff != "" || len(d.kept) != maxKept || len(connected.named) != 0 {
		t.Errorf("one that is known: %s; kept are %d", diff, len(d.kept))
	}
	_, ended = attach("new")
	if diff := cmp.Diff([]string{"kept 1/", "kept 1/more"}, ended); diff != "" {
		t.Errorf("one too many: %s", diff)
	}
	var names []string
	for _, k := range d.kept {
		names = append(names, k.name)
	}
	if want := []string{"connected", "2", "3"}; len(names) != maxKept || !slices.Equal(names[:3], want) || !slices.Equal(names[maxKept-2:], []string{"0", "new"}) {
		t.Errorf("kept are %q", names)
	}
	for _, k := range d.kept {
		k.clients = 1
	}
	if _, ended := attach("yet another"); ended != nil || len(d.kept) != maxKept+1 {
		t.Errorf("all have clients: ended are %v, kept %d", ended, len(d.kept))
	}
}
