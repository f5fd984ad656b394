//go:build unix

package daemon

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"
)

// anyPlace is one that no daemon has.
func anyPlace(t *testing.T) place {
	t.Helper()
	base, err := os.MkdirTemp("", "d") // short: it is to hold sockets
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	p, err := placeOf("key", []string{"XDG_CACHE_HOME=" + base})
	must(t, err)
	return p
}

// held is a lock that somebody has.
func held(t *testing.T, l *flock.Flock) *flock.Flock {
	t.Helper()
	if free, err := l.TryLock(); !free || err != nil {
		t.Fatalf("%s: %t, %v", l.Path(), free, err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// A place is made with the folders that it needs, or it is said why it cannot be.
func TestPlacesAreMade(t *testing.T) {
	p := anyPlace(t)
	base := filepath.Dir(p.dir)
	if p.socket != filepath.Join(p.dir, socketFile) || filepath.Base(p.dir) != "key" || filepath.Base(base) != "daemon" {
		t.Errorf("%+v", p)
	}
	cache := filepath.Dir(filepath.Dir(base))
	environ := []string{"XDG_CACHE_HOME=" + cache}
	if again, err := placeOf("key", environ); again != p || err != nil {
		t.Errorf("again: %+v, %v", again, err)
	}
	must(t, os.RemoveAll(base), os.WriteFile(base, nil, 0o600))
	var refused *RefusedError
	if got, err := placeOf("key", environ); got != (place{}) || !errors.As(err, &refused) || *refused != (RefusedError{base, "not a folder"}) {
		t.Errorf("a file in place of the folder: %+v, %v", got, err)
	}
	must(t, os.RemoveAll(filepath.Dir(base)), os.WriteFile(filepath.Dir(base), nil, 0o600))
	var failed *fs.PathError
	if got, err := placeOf("key", environ); got != (place{}) || !errors.As(err, &failed) || failed.Path != filepath.Dir(base) {
		t.Errorf("a file above it: %+v, %v", got, err)
	}
	if got, err := placeOf("key", nil); got != (place{}) || err == nil {
		t.Errorf("nowhere: %+v, %v", got, err)
	}
	if err := private(filepath.Join(base, "deep", "deeper")); err == nil {
		t.Error("a folder is made in one that is not there")
	}
}

// The lock of a place is held by one at a time; who waits for it does so as long as the context, and
// gets it when it is released.
func TestLockOfAPlace(t *testing.T) {
	p := anyPlace(t)
	release, err := p.lock(t.Context())
	must(t, err)
	if _, free, err := p.tryLock(); free || err != nil {
		t.Errorf("held, tried: %t, %v", free, err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if none, err := p.lock(canceled); none != nil || !errors.Is(err, context.Canceled) || err.Error() != "another process starts or ends it\ncontext canceled" {
		t.Errorf("held, canceled: %v", err)
	}
	next := make(chan error, 1)
	go func() {
		release, err := p.lock(t.Context())
		if err == nil {
			release()
		}
		next <- err
	}()
	release()
	must(t, <-next)
	isFree(t, p)
	release, err = p.lock(canceled) // what is free can be had
	must(t, err)
	release()
	isFree(t, p)
	must(t, os.Remove(filepath.Join(p.dir, lockFile)), os.Mkdir(filepath.Join(p.dir, lockFile), 0o700))
	if _, err := p.lock(t.Context()); err == nil {
		t.Error("a folder is locked")
	}
	if release, free, err := p.tryLock(); release != nil || free || err == nil {
		t.Errorf("a folder, tried: %t, %v", free, err)
	}
}

// The end of a daemon is that of its process, whose lock file is removed then; who no longer waits is
// told so, and removes nothing.
func TestAwaitingTheEnd(t *testing.T) {
	p := anyPlace(t)
	if path := p.lifeOf(12).Path(); path != filepath.Join(p.dir, "12.life") {
		t.Errorf("the lock is %s", path)
	}
	must(t, p.awaitEnd(t.Context(), 12))
	if names := p.names(t); len(names) > 0 {
		t.Errorf("left: %q", names)
	}
	life := held(t, p.lifeOf(12))
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.awaitEnd(canceled, 12); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
	if diff := cmp.Diff([]string{"12.life"}, p.names(t)); diff != "" {
		t.Error(diff)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.awaitEnd(t.Context(), 12) }()
	must(t, life.Unlock(), <-ended)
	if names := p.names(t); len(names) > 0 {
		t.Errorf("left: %q", names)
	}
}

// What is left of daemons that have ended is removed, but for the locks of processes that live and of
// what is no daemon's; a socket that is none stays, and the record with it.
func TestCleaningAPlace(t *testing.T) {
	p := anyPlace(t)
	must(t, p.clean())
	held(t, p.lifeOf(2))
	for _, name := range []string{"1.life", "3.life", "4.lives", lockFile, logFile} {
		must(t, os.WriteFile(filepath.Join(p.dir, name), nil, 0o600))
	}
	must(t, p.writeRecord(Record{PID: 1}))
	listener, err := listenSocket(p.socket)
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	must(t, p.clean())
	want := []string{"2.life", "4.lives", lockFile, logFile}
	slices.Sort(want)
	if diff := cmp.Diff(want, p.names(t)); diff != "" {
		t.Errorf("left: %s", diff)
	}
	must(t, p.writeRecord(Record{PID: 1}), p.clean()) // no socket
	if diff := cmp.Diff(want, p.names(t)); diff != "" {
		t.Errorf("left without a socket: %s", diff)
	}
	must(t, p.writeRecord(Record{PID: 1}), os.WriteFile(p.socket, nil, 0o600))
	before := p.names(t)
	var refused *RefusedError
	if err := p.clean(); !errors.As(err, &refused) || *refused != (RefusedError{p.socket, "not a socket"}) {
		t.Errorf("a file in place of the socket: %v", err)
	}
	if diff := cmp.Diff(before, p.names(t)); diff != "" {
		t.Errorf("removed: %s", diff)
	}
	must(t, os.Remove(p.socket), os.Remove(filepath.Join(p.dir, recordFile)), os.MkdirAll(filepath.Join(p.dir, recordFile, "sub"), 0o700))
	if err := p.clean(); err == nil {
		t.Error("a full folder in place of the record is removed")
	}
}

// A lock that is forgotten is free, and its file is gone, whoever removed it.
func TestForgettingALock(t *testing.T) {
	p := anyPlace(t)
	for _, gone := range []bool{false, true} {
		l := held(t, p.lifeOf(9))
		if gone {
			must(t, os.Remove(l.Path()))
		}
		must(t, forget(l))
		if names := p.names(t); len(names) > 0 || l.Locked() {
			t.Errorf("left: %q; locked: %t", names, l.Locked())
		}
	}
}

// What a record says is read as it was written; nothing else is left of its writing, and nobody else
// can read it.
func TestRecords(t *testing.T) {
	p := anyPlace(t)
	if r, err := p.readRecord(); r != (Record{}) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %+v, %v", r, err)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	want := Record{PID: 7, Version: "v1", Root: "/r", Started: at, Ready: at.Add(time.Second), Socket: "/s"}
	must(t, p.writeRecord(Record{PID: 8}), p.writeRecord(want))
	if got, err := p.readRecord(); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	text, err := os.ReadFile(filepath.Join(p.dir, recordFile))
	must(t, err)
	const written = `{
  "pid": 7,
  "version": "v1",
  "root": "/r",
  "started": "2026-01-02T03:04:05Z",
  "ready": "2026-01-02T03:04:06Z",
  "socket": "/s"
}
`
	if diff := cmp.Diff(written, string(text)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{recordFile}, p.names(t)); diff != "" {
		t.Errorf("left: %s", diff)
	}
	must(t, os.WriteFile(filepath.Join(p.dir, recordFile), []byte(`{"pid": "7"}`), 0o600))
	if r, err := p.readRecord(); err == nil {
		t.Errorf("a text in place of a number: %+v", r)
	}
	must(t, os.Mkdir(filepath.Join(p.dir, recordFile+".new"), 0o700))
	if err := p.writeRecord(want); err == nil {
		t.Error("it is written over a folder")
	}
	if text, err := os.ReadFile(filepath.Join(p.dir, recordFile)); string(text) != `{"pid": "7"}` || err != nil {
		t.Errorf("the former one: %s, %v", text, err)
	}
}
