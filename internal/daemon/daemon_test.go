package daemon

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// Fifty clients that call for the first time at the same time start one daemon and one
// language server, and all of them are answered by it.
func TestFiftyFirstCallsStartOneDaemon(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	var all sync.WaitGroup
	pids := make([]int, 50)
	for i := range pids {
		all.Go(func() {
			c, err := Dial(t.Context(), s.options())
			if err != nil {
				t.Error(err)
				return
			}
			defer s.close(c)
			if path, err := s.def(t.Context(), c); path != "lib.toy" || err != nil {
				t.Errorf("definition: %q, %v", path, err)
			}
			pids[i] = c.Daemon()
		})
	}
	all.Wait()
	for _, pid := range pids {
		if pid == 0 || pid != pids[0] {
			t.Fatalf("daemons: %v", pids)
		}
	}
	if n := s.starts(); n != 1 || s.own.Load() != 0 {
		t.Errorf("%d servers were started, and %d engines of their own", n, s.own.Load())
	}
}

// What belongs to the daemon is for the user alone; its record says where it is. When it is
// stopped, its server has ended and nothing is left but the log.
func TestWhatADaemonLeaves(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	c := s.dial()
	s.mustDef(c)
	p := s.place()
	mustBePrivate(t, p)
	list, err := List(t.Context(), s.environ, "")
	if err != nil || len(list) != 1 || list[0].Status == nil {
		t.Fatalf("%+v, %v", list, err)
	}
	f := list[0]
	if r := f.Record; r.PID != c.Daemon() || r.Version != "v1.0.0" || r.Root != s.root || r.Socket != p.socket || r.Ready.Before(r.Started) {
		t.Errorf("record: %+v", r)
	}
	if len(f.Status.Sessions) != 1 || f.Status.Sessions[0].Name != "test" || f.Status.Sessions[0].Total != 1 {
		t.Errorf("sessions: %+v", f.Status.Sessions)
	}
	s.close(c)
	if err := f.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.isGone(f.Record.PID)
	if left := lsptest.Marked(t, s.marker); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	entries, _ := os.ReadDir(p.dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if diff := cmp.Diff([]string{lockFile, logFile}, names); diff != "" {
		t.Error(diff)
	}
}

// Without a client a daemon ends after its time, and with it its server.
//
// Requirement: AGENT-6.
func TestIdleDaemonEnds(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	s.idle = 200 * time.Millisecond
	c := s.dial()
	s.mustDef(c)
	pid := c.Daemon()
	s.close(c)
	s.isGone(pid)
	if _, err := os.Lstat(s.place().socket); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket: %v", err)
	}
	if left := lsptest.Marked(t, s.marker); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// A daemon that is killed in the middle of fifty calls costs none of them its answer: nothing
// hangs, one new daemon serves them all, and the servers of the dead one have ended.
func TestKilledDaemonCostsNoAnswer(t *testing.T) {
	s := newShop(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/definition", lsptest.Delay(300))}})
	s.mustDef(s.dial())
	var clients []*Client
	for range 10 {
		clients = append(clients, s.dial())
	}
	first := clients[0].Daemon()
	var all sync.WaitGroup
	var answered atomic.Int64
	for _, c := range clients {
		for range 5 {
			all.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if path, err := s.def(ctx, c); path != "lib.toy" || err != nil {
					t.Errorf("definition: %q, %v", path, err)
					return
				}
				answered.Add(1)
			})
		}
	}
	asked := func() bool {
		n := 0
		for _, entry := range lsptest.ReadJournal(t, s.journal) {
			if entry.Method == "textDocument/definition" {
				n++
			}
		}
		return n > 5
	}
	lsptest.Eventually(t, 30*time.Second, asked, "calls are at work")
	kill(t, first)
	all.Wait()
	second := clients[0].Daemon()
	for _, c := range clients {
		if pid := c.Daemon(); pid != second || pid == first || pid == 0 {
			t.Errorf("a client is at %d, another at %d, before at %d", pid, second, first)
		}
	}
	if n := s.starts(); answered.Load() != 50 || n != 2 || s.own.Load() != 0 {
		t.Errorf("%d calls are answered, by %d servers, %d engines of their own", answered.Load(), n, s.own.Load())
	}
	s.isGone(first)
	lsptest.Eventually(t, 30*time.Second, func() bool { return len(lsptest.Marked(t, s.marker)) == oneDaemon }, "one daemon and one server run")
}

// A call that writes is not repeated when the daemon dies under it: the error says that it is
// not known whether it was carried out. The next one is answered by another daemon.
func TestLostWriteIsNotRepeated(t *testing.T) {
	s := newShop(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/didChange", lsptest.Hang())}})
	c := s.dial()
	s.mustDef(c)
	if _, err := api.Check.Do(t.Context(), c, api.CheckRequest{Files: []string{"lib.toy"}}); err != nil {
		t.Fatal(err)
	}
	pid := c.Daemon()
	ended := make(chan error, 1)
	go func() {
		before, after := "def helper", "def helper\ndef other"
		_, err := api.EditFiles.Do(t.Context(), c, api.EditRequest{
			Edits:   []api.FileEdit{{File: "lib.toy", OldText: &before, NewText: &after}},
			Writing: api.Writing{Limits: api.Limits{TimeoutMS: 60_000}},
		})
		ended <- err
	}()
	lsptest.Eventually(t, 30*time.Second, func() bool {
		for _, entry := range lsptest.ReadJournal(t, s.journal) {
			if entry.Method == "textDocument/didChange" {
				return true
			}
		}
		return false
	}, "the server is shown the edit")
	kill(t, pid)
	err := <-ended
	var lost *LostError
	if !errors.As(err, &lost) || lost.Operation != api.EditFiles.Name || kindOf(err) != result.Crashed {
		t.Errorf("the call ended with %v", err)
	}
	s.mustDef(c)
	if again := c.Daemon(); again == pid || again == 0 {
		t.Errorf("the next daemon is %d", again)
	}
}

// Where one version follows another, the daemon of the former makes room at once, serves its
// clients until they leave, and then ends. One of a newer version stays, and the older client
// helps itself.
func TestUpgradeWhileInUse(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	old := s.dial()
	s.mustDef(old)
	s.version = "v1.1.0"
	newer := s.dial()
	s.mustDef(newer)
	if newer.Daemon() == old.Daemon() || newer.Daemon() == 0 {
		t.Fatalf("daemons %d and %d", old.Daemon(), newer.Daemon())
	}
	s.mustDef(old)
	pid := old.Daemon()
	list, err := List(t.Context(), s.environ, s.root)
	if err != nil || len(list) != 1 || list[0].Record.PID != newer.Daemon() {
		t.Errorf("%+v, %v", list, err)
	}
	s.close(old)
	s.isGone(pid)
	s.mustDef(newer)

	s.version = "v1.0.0"
	late := s.dial()
	s.mustDef(late)
	if late.Daemon() != 0 || s.own.Load() != 1 {
		t.Errorf("the older client is at %d, engines of their own: %d", late.Daemon(), s.own.Load())
	}
	s.mustDef(newer)
}

// A daemon that is stopped while a call is at work answers it first; its client finds another
// for the next one.
func TestStopAnswersWhatIsAtWork(t *testing.T) {
	s := newShop(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/definition", lsptest.Delay(500))}})
	c := s.dial()
	pid := c.Daemon()
	ended := make(chan error, 1)
	go func() {
		_, err := s.def(t.Context(), c)
		ended <- err
	}()
	lsptest.Eventually(t, 30*time.Second, func() bool { return s.starts() == 1 }, "the call is at work")
	s.terminate(pid)
	if err := <-ended; err != nil {
		t.Errorf("the call ended with %v", err)
	}
	if at := c.Daemon(); at != pid && at != 0 {
		t.Errorf("it was answered by %d", at)
	}
	s.isGone(pid)
	s.mustDef(c)
	if again := c.Daemon(); again == pid || again == 0 {
		t.Errorf("the next daemon is %d", again)
	}
}

// What crosses the socket: progress while a call waits, and its cancellation, which reaches the
// language server. Beside it others are answered.
func TestProgressAndCancellationReachTheServer(t *testing.T) {
	s := newShop(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/definition", lsptest.Hang())}})
	c := s.dial()
	told := make(chan struct{})
	var once sync.Once
	ctx, cancel := context.WithCancel(api.Call{Progress: func(_ context.Context, p api.Progress) {
		if len(p.Servers) == 1 && p.Servers[0].State == "active" {
			once.Do(func() { close(told) })
		}
	}}.In(t.Context()))
	ended := make(chan error, 1)
	go func() {
		_, err := s.def(ctx, c)
		ended <- err
	}()
	<-told
	if status, err := api.Status.Do(t.Context(), c, api.StatusRequest{Scope: "running"}); err != nil || len(status.Servers) != 1 {
		t.Errorf("beside it: %+v, %v", status, err)
	}
	cancel()
	if err := <-ended; kindOf(err) != result.Canceled {
		t.Errorf("the call ended with %v", err)
	}
	lsptest.Eventually(t, 30*time.Second, func() bool {
		for _, entry := range lsptest.ReadJournal(t, s.journal) {
			if entry.Method == "$/cancelRequest" {
				return true
			}
		}
		return false
	}, "the server is told")
}
