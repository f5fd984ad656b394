//go:build unix

package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/lsptest"
)

// names are those of the files of a place.
func (p place) names(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(p.dir)
	must(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// sibling returns a place beside another, with a record unless its root is "".
func (p place) sibling(t *testing.T, name, root string) place {
	t.Helper()
	other := place{dir: filepath.Join(filepath.Dir(p.dir), name)}
	must(t, private(other.dir))
	other.socket = filepath.Join(other.dir, socketFile)
	if root != "" {
		must(t, other.writeRecord(Record{PID: 5, Root: root}))
	}
	return other
}

// The daemons of a user are listed by their roots with what they say of themselves, or with what is
// wrong with them; what is no place of a daemon, or not safe, is left out.
func TestListOfDaemons(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	p := s.place()
	must(t, p.writeRecord(Record{PID: 7, Root: "/m"}))
	status := Status{Record: Record{PID: 7, Version: "v1.0.0", Root: "/m"}, IdleMS: 3, Draining: true, Sessions: []Session{{Name: "one", Calls: 1, Total: 2}}}
	clients := standsIn(t, p, double{others: map[string]func(net.Conn, json.RawMessage) (any, error){
		statusMethod: func(net.Conn, json.RawMessage) (any, error) { return status, nil },
	}})
	base := filepath.Dir(p.dir)
	must(t, os.WriteFile(filepath.Join(base, "a-file"), nil, 0o600))
	must(t, os.WriteFile(filepath.Join(p.sibling(t, "no-json", "").dir, recordFile), []byte("{"), 0o600))
	p.sibling(t, "ended", "")
	must(t, os.Chmod(p.sibling(t, "open", "/x").dir, 0o777))
	dead2, dead1 := p.sibling(t, "dead2", "/z"), p.sibling(t, "dead1", "/z")
	refusing, hasty, strange := p.sibling(t, "refusing", "/a"), p.sibling(t, "hasty", "/b"), p.sibling(t, "strange", "/c")
	standsIn(t, refusing, double{others: map[string]func(net.Conn, json.RawMessage) (any, error){
		statusMethod: func(net.Conn, json.RawMessage) (any, error) { return nil, errors.New("not now") },
	}})
	standsIn(t, hasty, double{others: map[string]func(net.Conn, json.RawMessage) (any, error){
		statusMethod: func(conn net.Conn, _ json.RawMessage) (any, error) { _ = conn.Close(); return nil, errLostHere },
	}})
	must(t, os.WriteFile(strange.socket, nil, 0o600))

	const gone = "it has ended without a word; the next one cleans up"
	found := func(p place, pid int, root string, status *Status, problem string) Found {
		return Found{Dir: p.dir, Record: Record{PID: pid, Root: root}, Status: status, Problem: problem}
	}
	all := []Found{
		found(refusing, 5, "/a", nil, "not now"), found(hasty, 5, "/b", nil, gone), found(strange, 5, "/c", nil, strange.socket+" is not a socket"),
		found(p, 7, "/m", &status, ""), found(dead1, 5, "/z", nil, gone), found(dead2, 5, "/z", nil, gone),
	}
	for root, want := range map[string][]Found{"": all, "/m": all[3:4], "/z": all[4:], "/x": nil} {
		got, err := List(t.Context(), s.environ, root)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Found{})); diff != "" || err != nil {
			t.Errorf("%q: %v: %s", root, err, diff)
		}
		for _, f := range got {
			if f.place.dir != f.Dir || f.place.socket != filepath.Join(f.Dir, socketFile) || f.Log() != filepath.Join(f.Dir, logFile) {
				t.Errorf("%s is at %+v", f.Dir, f.place)
			}
		}
	}
	haveLeft(t, clients)
}

// Where there are no daemons the list is empty; where their folder is none or there is none for them,
// that is an error, as it is for the path of a log.
func TestListWithoutAFolder(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	if list, err := List(t.Context(), s.environ, ""); list != nil || err != nil {
		t.Errorf("none: %+v, %v", list, err)
	}
	base, err := Folder(s.environ)
	must(t, err, os.WriteFile(base, nil, 0o600))
	if list, err := List(t.Context(), s.environ, ""); list != nil || err == nil {
		t.Errorf("a file: %+v, %v", list, err)
	}
	must(t, os.Remove(base))
	const nowhere = "there is neither a runtime folder nor a home folder to keep it in"
	if list, err := List(t.Context(), nil, ""); list != nil || err == nil || err.Error() != nowhere {
		t.Errorf("nowhere: %+v, %v", list, err)
	}
	i := s.identity()
	if log, err := LogOf(&i); log != filepath.Join(s.place().dir, logFile) || err != nil {
		t.Errorf("the log: %q, %v", log, err)
	}
	i.Environ = nil
	if log, err := LogOf(&i); log != "" || err == nil || err.Error() != nowhere {
		t.Errorf("the log, nowhere: %q, %v", log, err)
	}
	i.Root = filepath.Join(s.root, "gone")
	if log, err := LogOf(&i); log != "" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the log of a root that is gone: %q, %v", log, err)
	}
}

// A daemon that is stopped is waited for if it takes the request, even if it ends without an answer;
// what it refuses is the error. The files of a dead one are removed, and the lock is free afterwards.
func TestStoppingDaemons(t *testing.T) {
	const pid = 1 << 30
	stop := func(answer func(conn net.Conn) error) *double {
		return &double{others: map[string]func(net.Conn, json.RawMessage) (any, error){
			stopMethod: func(conn net.Conn, _ json.RawMessage) (any, error) { return struct{}{}, answer(conn) },
		}}
	}
	for name, c := range map[string]struct {
		double *double
		plant  func(p place)
		want   string
		left   []string
	}{
		"it ends":      {stop(func(net.Conn) error { return nil }), nil, "", []string{recordFile, socketFile}},
		"it is hasty":  {stop(func(conn net.Conn) error { _ = conn.Close(); return errLostHere }), nil, "", []string{recordFile, socketFile}},
		"it refuses":   {stop(func(net.Conn) error { return errors.New("not now") }), nil, "not now", []string{recordFile, socketFile}},
		"it is dead":   {nil, nil, "", nil},
		"it is no one": {nil, func(p place) { must(t, os.WriteFile(p.socket, nil, 0o600)) }, "SOCKET is not a socket", []string{recordFile, socketFile}},
		"no record": {
			stop(func(net.Conn) error { return errors.New("it was asked") }), func(p place) { must(t, os.Remove(filepath.Join(p.dir, recordFile))) },
			"open RECORD: no such file or directory",
			[]string{socketFile},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, lsptest.Script{})
			p := s.place()
			must(t, p.writeRecord(Record{PID: pid, Root: s.root}))
			f := Found{Dir: p.dir, place: p}
			if c.plant != nil {
				c.plant(p)
			}
			if c.double != nil {
				clients := standsIn(t, p, *c.double)
				defer haveLeft(t, clients)
			}
			got := ""
			if err := f.Stop(t.Context()); err != nil {
				got = err.Error()
			}
			want := map[string]string{
				"SOCKET is not a socket":                 p.socket + " is not a socket",
				"open RECORD: no such file or directory": "open " + filepath.Join(p.dir, recordFile) + ": no such file or directory",
			}[c.want]
			if want == "" {
				want = c.want
			}
			if got != want {
				t.Errorf("it ends with %q, want %q", got, want)
			}
			left := append([]string{lockFile}, c.left...)
			slices.Sort(left)
			if diff := cmp.Diff(left, p.names(t)); diff != "" {
				t.Errorf("left: %s", diff)
			}
			isFree(t, p)
		})
	}
}

// Who stops a daemon waits for the lock of its place as long as the context, and then until the
// daemon's process has ended, while others may use the place.
func TestStopWaitsForTheEnd(t *testing.T) {
	const pid = 1 << 30
	s := newShop(t, lsptest.Script{})
	p := s.place()
	must(t, p.writeRecord(Record{PID: pid, Root: s.root}))
	asked := make(chan struct{}, 1)
	clients := standsIn(t, p, double{others: map[string]func(net.Conn, json.RawMessage) (any, error){
		stopMethod: func(net.Conn, json.RawMessage) (any, error) { asked <- struct{}{}; return struct{}{}, nil },
	}})
	f := Found{Dir: p.dir, place: p}
	release, err := p.lock(t.Context())
	must(t, err)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Stop(canceled); !errors.Is(err, context.Canceled) || err.Error() != "another process starts or ends it\ncontext canceled" || len(asked) > 0 {
		t.Errorf("the lock is held: %v", err)
	}
	release()
	life := p.lifeOf(pid)
	if free, err := life.TryLock(); !free || err != nil {
		t.Fatalf("%t, %v", free, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- f.Stop(t.Context()) }()
	<-asked
	haveLeft(t, clients)
	lsptest.Eventually(t, patience, func() bool {
		release, free, err := p.tryLock()
		if free {
			release()
		}
		return free && err == nil
	}, "others may use the place")
	select {
	case err := <-ended:
		t.Errorf("it did not wait: %v", err)
	default:
	}
	must(t, life.Unlock(), <-ended, life.Close())
	if diff := cmp.Diff([]string{recordFile, lockFile, socketFile}, p.names(t)); diff != "" || f.Record.PID != pid {
		t.Errorf("of %d are left: %s", f.Record.PID, diff)
	}
}

// A daemon that does nothing any more is ended all the same, with its servers, and nothing of it is left.
func TestStoppingOneThatHangs(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	s.mustDef(s.dial())
	list, err := List(t.Context(), s.environ, s.root)
	must(t, err)
	if len(list) != 1 {
		t.Fatalf("the daemons: %+v", list)
	}
	must(t, syscall.Kill(list[0].Record.PID, syscall.SIGSTOP))
	must(t, list[0].Stop(t.Context()))
	if diff := cmp.Diff([]string{lockFile, logFile}, s.place().names(t)); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	isFree(t, s.place())
	s.mustDef(s.dial()) // by the next one
}
