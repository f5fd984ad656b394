package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/guard"
)

// watching is when folders are watched, and how; tests set other values.
type watching struct {
	// folders bounds the folders watched, and what a watcher keeps in mind.
	folders int
	// patience bounds the wait of a fence; after misses in a row, one after the other, nobody watches for a
	// rest.
	patience time.Duration
	misses   int
	rest     time.Duration
	// distrust says why changes below root are not all heard of, or "".
	distrust func(root string) string
	add      func(x *fsnotify.Watcher, dir string) error
}

var watchingWell = watching{
	folders: 50_000, patience: 200 * time.Millisecond, misses: 3, rest: 30 * time.Second,
	distrust: distrust, add: (*fsnotify.Watcher).Add,
}

// A watcher hears that something changed in the folders it watches, and keeps in
// mind where to look. It is safe for concurrent use, but for add and remove, which
// are the owner's alone; close ends it.
type watcher struct {
	conditions watching
	matters    func(name string) bool
	events     *fsnotify.Watcher
	dir        string        // private and watched: fences make their markers here
	done       chan struct{} // closed when listen has ended
	// missed counts the late fences that were held against it.
	missed atomic.Uint64
	// watched is not guarded by mu: fsnotify may need what listen, which waits for
	// mu, is to receive before it adds or removes.
	watched map[string]bool

	mu       sync.Mutex
	news     news
	stirred  chan struct{} // closed by the first thing heard since the news were taken; nil before anybody cares
	moved    moved
	failed   error              // why it no longer hears
	markers  int                // made so far: the name of one
	awaiting map[string]*marker // of fences, by path
	idle     []*marker
}

// A marker is a file that a fence writes to. It belongs to that fence until the
// write was heard of, also if nobody waits for that any more: so what is heard of
// a marker is always of its present fence.
type marker struct {
	file  *os.File
	heard chan struct{} // closed then
}

// news is where the disk may differ from the picture.
type news struct {
	// all says that there is no knowing where.
	all bool
	// folders have other entries or files than before.
	folders map[string]bool
	// names came, went or got other rights; each may be a folder, and then all
	// below it may be another.
	names map[string]bool
}

// moved are the names that came, went or got other rights since the files were listed.
type moved struct {
	// all says that there is no knowing which.
	all   bool
	names map[string]bool
}

// below reports whether a folder above path is among the names.
func (n news) below(path string) bool {
	for parent := filepath.Dir(path); parent != path; path, parent = parent, filepath.Dir(parent) {
		if n.names[parent] {
			return true
		}
	}
	return false
}

// newWatcher returns a watcher that watches nothing yet, and to which therefore
// all is news.
func newWatcher(conditions watching, matters func(name string) bool) (*watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	dir, err := privateFolder()
	if err == nil {
		err = events.Add(dir)
	}
	if err != nil {
		_ = events.Close()
		_ = os.RemoveAll(dir) // which may be ""
		return nil, err
	}
	x := &watcher{
		conditions: conditions, matters: matters, events: events, dir: dir, done: make(chan struct{}),
		watched: make(map[string]bool), awaiting: make(map[string]*marker), news: news{all: true}, moved: moved{all: true},
	}
	go x.listen()
	return x, nil
}

// privateFolder makes a folder for markers, absolute.
func privateFolder() (string, error) {
	dir, err := os.MkdirTemp("", "lspine-look-")
	if err != nil {
		return "", err
	}
	return filepath.Abs(dir)
}

// close ends the watcher, waits for its goroutine and removes its folder.
func (x *watcher) close() {
	_ = x.events.Close()
	<-x.done
	_ = os.RemoveAll(x.dir) // no marker is made after that
	x.mu.Lock()
	defer x.mu.Unlock()
	x.dropLocked()
	for _, m := range x.idle {
		_ = m.file.Close()
	}
	x.idle = nil
}

// dropLocked ends the fences, and the use of their markers.
func (x *watcher) dropLocked() {
	for path, m := range x.awaiting {
		delete(x.awaiting, path)
		close(m.heard)
		_ = m.file.Close()
	}
}

// add watches a folder. That it is not there, or may not be read, is no error:
// the folder above tells when that changes.
func (x *watcher) add(dir string) error {
	x.mu.Lock()
	failed := x.failed
	x.mu.Unlock()
	if failed != nil {
		return failed
	}
	if len(x.watched) >= x.conditions.folders && !x.watched[dir] {
		return fmt.Errorf("there are more than %d folders", x.conditions.folders)
	}
	err := x.conditions.add(x.events, dir)
	switch {
	case err == nil:
		x.watched[dir] = true
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		return nil
	}
	return err
}

// remove ends the watch of a folder, if there is one.
func (x *watcher) remove(dir string) {
	if x.watched[dir] && dir != x.dir {
		delete(x.watched, dir)
		_ = x.events.Remove(dir) // it may have ended by itself
	}
}

// mark makes a folder news.
func (x *watcher) mark(dir string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.markLocked(dir, "")
}

// markLocked makes a folder news, and a name in it unless it is "".
func (x *watcher) markLocked(dir, name string) {
	x.moveLocked(name)
	n := &x.news
	if n.all {
		return
	}
	if len(n.folders)+len(n.names) >= x.conditions.folders {
		*n = news{all: true}
		return
	}
	if n.folders == nil {
		n.folders, n.names = make(map[string]bool), make(map[string]bool)
	}
	n.folders[dir] = true
	if name != "" {
		n.names[name] = true
	}
}

// moveLocked notes that a name came or went, unless it is "".
func (x *watcher) moveLocked(name string) {
	switch {
	case name == "" || x.moved.all:
	case decidesFiles(filepath.Base(name)) || len(x.moved.names) >= x.conditions.folders:
		x.moved = moved{all: true}
	default:
		if x.moved.names == nil {
			x.moved.names = make(map[string]bool)
		}
		x.moved.names[name] = true
	}
}

// takeMoved returns the names that came or went since the last call.
func (x *watcher) takeMoved() moved {
	x.mu.Lock()
	defer x.mu.Unlock()
	m := x.moved
	x.moved = moved{}
	return m
}

// unknownFolders reports whether there may be folders that are not watched yet.
func (x *watcher) unknownFolders() bool {
	n := x.pending()
	for name := range n.names {
		if info, err := os.Lstat(name); err == nil && info.IsDir() {
			return true
		}
	}
	return n.all
}

// pending returns a copy of the news.
func (x *watcher) pending() news {
	x.mu.Lock()
	defer x.mu.Unlock()
	return news{x.news.all, maps.Clone(x.news.folders), maps.Clone(x.news.names)}
}

// isNews reports whether files of a folder may be others than they were.
func (x *watcher) isNews(dir string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.news.all || x.news.folders[dir] || x.news.names[dir] || len(x.news.names) > 0 && x.news.below(dir)
}

// take returns the news since the last call.
func (x *watcher) take() news {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := x.news
	x.news = news{}
	if isClosed(x.stirred) {
		x.stirred = nil
	}
	return n
}

// heard returns a channel that is closed when something was heard since the news were taken.
func (x *watcher) heard() <-chan struct{} {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.stirred == nil {
		x.stirred = make(chan struct{})
	}
	return x.stirred
}

// stirLocked says that something was heard.
func (x *watcher) stirLocked() {
	if x.stirred == nil {
		x.stirred = make(chan struct{})
	}
	if !isClosed(x.stirred) {
		close(x.stirred)
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// fence returns when all that happened before it was called is news. It writes
// to a file in a folder of its own and waits to hear of that: what inotify hears
// of stands in one queue. To make a file each time would cost ten times as much.
func (x *watcher) fence(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	file, heard, err := x.begin()
	if err != nil {
		return err
	}
	if _, err = file.WriteAt([]byte("."), 0); err != nil {
		select {
		case <-heard: // it was dropped
			return nil
		default:
			return err
		}
	}
	timer := time.NewTimer(x.conditions.patience)
	defer timer.Stop()
	select {
	case <-heard:
		return nil
	case <-x.done:
		x.mu.Lock()
		defer x.mu.Unlock()
		return cmp.Or(x.failed, fsnotify.ErrClosed)
	case <-timer.C:
		return errLate
	case <-ctx.Done():
		return ctx.Err()
	}
}

// begin gives a fence its marker.
func (x *watcher) begin() (file *os.File, heard <-chan struct{}, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	m := &marker{}
	if last := len(x.idle) - 1; last >= 0 {
		m, x.idle = x.idle[last], x.idle[:last]
	} else {
		x.markers++
		path := filepath.Join(x.dir, strconv.Itoa(x.markers))
		if m.file, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err != nil {
			return nil, nil, err
		}
	}
	m.heard = make(chan struct{})
	x.awaiting[m.file.Name()] = m
	return m.file, m.heard, nil
}

// errLate is why a fence was given up.
var errLate = errors.New("changes were not heard of in time")

func (x *watcher) listen() {
	defer close(x.done)
	if err := guard.Do(x.hearAll); err != nil {
		x.miss(err)
	}
}

// hearAll hears what there is to hear until the watcher is closed.
func (x *watcher) hearAll() error {
	for {
		select {
		case e, ok := <-x.events.Events:
			if !ok {
				return nil
			}
			x.hear(e)
		case err, ok := <-x.events.Errors:
			if !ok {
				return nil
			}
			x.miss(err)
		}
	}
}

func (x *watcher) hear(e fsnotify.Event) {
	if e.Name == "" {
		return
	}
	dir, name := filepath.Split(e.Name)
	dir = filepath.Clean(dir)
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case dir == x.dir:
		if m := x.awaiting[e.Name]; m != nil && e.Has(fsnotify.Write) {
			delete(x.awaiting, e.Name)
			close(m.heard)
			x.idle = append(x.idle, m)
		}
	case e.Op != fsnotify.Write:
		x.markLocked(dir, e.Name)
		x.stirLocked()
	case name == git.IgnoreFile:
		x.moveLocked(e.Name)
	case x.matters(name):
		if x.markLocked(dir, ""); decidesFiles(name) {
			x.moveLocked(e.Name)
		}
		x.stirLocked()
	}
}

// miss notes that changes went by unheard. No fence needs to wait then, because
// all will be looked at.
func (x *watcher) miss(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.news, x.moved = news{all: true}, moved{all: true}
	x.stirLocked()
	// Invalid is a watch that ended before fsnotify could end it.
	if !errors.Is(err, fsnotify.ErrEventOverflow) && !errors.Is(err, syscall.EINVAL) {
		x.failed = err
	}
	x.dropLocked()
}
