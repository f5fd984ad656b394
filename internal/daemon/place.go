package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/gofrs/flock"

	"github.com/lspine/lspine/internal/fspath"
)

// A place is the folder of one daemon.
type place struct {
	dir    string
	socket string
}

// The files of a place.
const (
	lockFile   = "daemon.lock"
	recordFile = "daemon.json"
	socketFile = "daemon.sock"
	logFile    = "daemon.log"
	lifeSuffix = ".life" // suffix of a file per process, locked as long as the process lives
)

// Folder returns the folder of all daemons of the user: in the runtime folder (XDG_RUNTIME_DIR), if
// only the user can write to it, else in the cache folder (%LOCALAPPDATA% on Windows).
func Folder(environ []string) (string, error) {
	if dir := lookup(environ, "XDG_RUNTIME_DIR"); filepath.IsAbs(dir) && ownAlone(dir) == nil {
		return filepath.Join(dir, "lspine"), nil
	}
	cache := lookup(environ, "XDG_CACHE_HOME")
	if local := lookup(environ, "LOCALAPPDATA"); !filepath.IsAbs(cache) && fspath.Here.Drives {
		cache = local
	}
	if home := lookup(environ, "HOME"); !filepath.IsAbs(cache) && filepath.IsAbs(home) {
		cache = filepath.Join(home, ".cache")
		if runtime.GOOS == "darwin" {
			cache = filepath.Join(home, "Library", "Caches")
		}
	}
	if !filepath.IsAbs(cache) {
		return "", errors.New("there is neither a runtime folder nor a home folder to keep it in")
	}
	return filepath.Join(cache, "lspine", "daemon"), nil
}

// placeOf returns the place of a key, and creates its folder.
func placeOf(key Key, environ []string) (place, error) {
	base, err := Folder(environ)
	if err != nil {
		return place{}, err
	}
	if err := os.MkdirAll(filepath.Dir(base), 0o700); err != nil {
		return place{}, err
	}
	p := place{dir: filepath.Join(base, string(key))}
	for _, dir := range []string{base, p.dir} {
		if err := private(dir); err != nil {
			return place{}, err
		}
	}
	p.socket, err = socketPath(p.dir, string(key), environ)
	return p, err
}

// private creates a folder that only the user may enter, or checks that an existing folder is
// private.
func private(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := ownAlone(dir); err != nil {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// A RefusedError says that a file or folder of a daemon is not safe to use.
type RefusedError struct{ Path, Reason string }

func (e *RefusedError) Error() string { return e.Path + " is " + e.Reason }

// lock acquires the lock of a place. It waits until ctx ends.
func (p place) lock(ctx context.Context) (release func(), err error) {
	l := p.flock()
	if free, err := l.TryLock(); err != nil || free {
		return func() { _ = l.Close() }, err
	}
	free, err := l.TryLockContext(ctx, lockEvery)
	if err != nil || !free {
		return nil, errors.Join(errors.New("another process starts or ends it"), err)
	}
	return func() { _ = l.Close() }, nil
}

// lockEvery is the interval of attempts to get a lock that another process holds: a blocking wait
// could not be canceled.
const lockEvery = 5 * time.Millisecond

// tryLock acquires the lock of a place if it is free.
func (p place) tryLock() (release func(), free bool, err error) {
	l := p.flock()
	free, err = l.TryLock()
	if err != nil || !free {
		return nil, false, err
	}
	return func() { _ = l.Close() }, true, nil
}

func (p place) flock() *flock.Flock { return p.flockOf(lockFile) }

func (p place) flockOf(name string) *flock.Flock {
	return flock.New(filepath.Join(p.dir, name), flock.SetPermissions(0o600))
}

// lifeOf returns the lock that a daemon holds for as long as its process lives.
func (p place) lifeOf(pid int) *flock.Flock { return p.flockOf(strconv.Itoa(pid) + lifeSuffix) }

// awaitEnd waits until a daemon and its servers have ended.
func (p place) awaitEnd(ctx context.Context, pid int) error {
	l := p.lifeOf(pid)
	defer l.Close()
	ended := false
	err := insist(func() (err error) {
		ended, err = l.TryLockContext(ctx, lockEvery)
		return err
	})
	if ended {
		return forget(l)
	}
	return err
}

// insist repeats an operation on a file while it fails because another process has the file open.
// On Windows, processes that open a file for a moment get in each other's way.
func insist(step func() error) error {
	for end := time.Now().Add(helloTimeout); ; <-time.After(lockEvery) {
		if err := step(); !isBusy(err) || time.Now().After(end) {
			return err
		}
	}
}

// remove removes a file if it exists.
func remove(path string) error {
	err := insist(func() error { return os.Remove(path) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// forget removes a lock file that we hold, and releases the lock. Windows removes no open file.
func forget(l *flock.Flock) error {
	removed := os.Remove(l.Path())
	err := l.Close()
	if removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		_ = os.Remove(l.Path())
	}
	return err
}

// cleanLives removes the lock files of daemons that were killed.
func (p place) cleanLives() {
	files, _ := filepath.Glob(filepath.Join(p.dir, "*"+lifeSuffix))
	for _, file := range files {
		l := flock.New(file)
		if free, err := l.TryLock(); err == nil && free {
			_ = forget(l)
		}
		_ = l.Close()
	}
}

// clean removes the files of a daemon that has ended. The caller holds the lock, and no daemon is
// listening.
func (p place) clean() error {
	p.cleanLives()
	err := insist(func() error { return ownSocket(p.socket) })
	if err == nil {
		err = remove(p.socket)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return remove(filepath.Join(p.dir, recordFile))
}

// A Record is the content of daemon.json.
type Record struct {
	PID     int    `json:"pid"`
	Version string `json:"version"`
	Root    string `json:"root"`
	// Started is when the process started, Ready when it began to listen.
	Started time.Time `json:"started"`
	Ready   time.Time `json:"ready"`
	Socket  string    `json:"socket"`
}

func (p place) writeRecord(r Record) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(p.dir, recordFile)
	whole := path + ".new"
	if err := os.WriteFile(whole, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return insist(func() error { return os.Rename(whole, path) })
}

func (p place) readRecord() (r Record, err error) {
	text, err := fspath.Read(filepath.Join(p.dir, recordFile))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	return r, err
}
