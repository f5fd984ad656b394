package disk

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

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/project"
)

// Conditions are when folders are watched, and how; tests set other values.
type Conditions struct {
	// Folders bounds the folders watched, and what a watcher keeps in mind.
	Folders int
	// Patience bounds the wait of a fence; after Misses in a row, one after the other, nobody watches for a
	// Rest.
	Patience time.Duration
	Misses   int
	Rest     time.Duration
	// Distrust says why changes below root are not all heard of, or "".
	Distrust func(root string) string
	Add      func(x *fsnotify.Watcher, dir string) error
}

// Usual are the conditions outside of tests.
var Usual = Conditions{
	Folders: 50_000, Patience: 200 * time.Millisecond, Misses: 3, Rest: 30 * time.Second,
	Distrust: distrust, Add: (*fsnotify.Watcher).Add,
}

// A Watcher hears that something changed in the folders it watches, and keeps in
// mind where to look. It is safe for concurrent use, but for Add and Remove, which
// are the owner's alone; Close ends it.
type Watcher struct {
	conditions Conditions
	matters    func(name string) bool
	events     *fsnotify.Watcher
	dir        string        // private and watched: fences make their markers here
	done       chan struct{} // closed when listen has ended
	// Missed counts the late fences that were held against it.
	Missed atomic.Uint64
	// watched is not guarded by mu: fsnotify may need what listen, which waits for
	// mu, is to receive before it adds or removes.
	watched map[string]bool

	mu       sync.Mutex
	news     News
	stirred  chan struct{} // closed by the first thing heard since the news were taken; nil before anybody cares
	moved    Moved
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

// News is where the disk may differ from a picture of it.
type News struct {
	// All says that there is no knowing where.
	All bool
	// Folders have other entries or files than before.
	Folders map[string]bool
	// Names came, went or got other rights; each may be a folder, and then all
	// below it may be another.
	Names map[string]bool
}

// Moved are the names that came, went or got other rights since the files were listed.
type Moved struct {
	// All says that there is no knowing which.
	All   bool
	Names map[string]bool
}

// Below reports whether a folder above path is among the names.
func (n News) Below(path string) bool {
	for parent := filepath.Dir(path); parent != path; path, parent = parent, filepath.Dir(parent) {
		if n.Names[parent] {
			return true
		}
	}
	return false
}

// NewWatcher returns a watcher that watches nothing yet, and to which therefore
// all is news.
func NewWatcher(conditions Conditions, matters func(name string) bool) (*Watcher, error) {
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
	x := &Watcher{
		conditions: conditions, matters: matters, events: events, dir: dir, done: make(chan struct{}),
		watched: make(map[string]bool), awaiting: make(map[string]*marker), news: News{All: true}, moved: Moved{All: true},
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

// Close ends the watcher, waits for its goroutine and removes its folder.
func (x *Watcher) Close() {
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
func (x *Watcher) dropLocked() {
	for path, m := range x.awaiting {
		delete(x.awaiting, path)
		close(m.heard)
		_ = m.file.Close()
	}
}

// Add watches a folder. That it is not there, or may not be read, is no error:
// the folder above tells when that changes.
func (x *Watcher) Add(dir string) error {
	x.mu.Lock()
	failed := x.failed
	x.mu.Unlock()
	if failed != nil {
		return failed
	}
	if len(x.watched) >= x.conditions.Folders && !x.watched[dir] {
		return fmt.Errorf("there are more than %d folders", x.conditions.Folders)
	}
	err := x.conditions.Add(x.events, dir)
	switch {
	case err == nil:
		x.watched[dir] = true
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		return nil
	}
	return err
}

// Remove ends the watch of a folder, if there is one.
func (x *Watcher) Remove(dir string) {
	if x.watched[dir] && dir != x.dir {
		delete(x.watched, dir)
		_ = x.events.Remove(dir) // it may have ended by itself
	}
}

// Mark makes a folder news.
func (x *Watcher) Mark(dir string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.markLocked(dir, "")
}

// markLocked makes a folder news, and a name in it unless it is "".
func (x *Watcher) markLocked(dir, name string) {
	x.moveLocked(name)
	n := &x.news
	if n.All {
		return
	}
	if len(n.Folders)+len(n.Names) >= x.conditions.Folders {
		*n = News{All: true}
		return
	}
	if n.Folders == nil {
		n.Folders, n.Names = make(map[string]bool), make(map[string]bool)
	}
	n.Folders[dir] = true
	if name != "" {
		n.Names[name] = true
	}
}

// moveLocked notes that a name came or went, unless it is "".
func (x *Watcher) moveLocked(name string) {
	switch {
	case name == "" || x.moved.All:
	case decidesFiles(filepath.Base(name)) || len(x.moved.Names) >= x.conditions.Folders:
		x.moved = Moved{All: true}
	default:
		if x.moved.Names == nil {
			x.moved.Names = make(map[string]bool)
		}
		x.moved.Names[name] = true
	}
}

// TakeMoved returns the names that came or went since the last call.
func (x *Watcher) TakeMoved() Moved {
	x.mu.Lock()
	defer x.mu.Unlock()
	m := x.moved
	x.moved = Moved{}
	return m
}

// UnknownFolders reports whether there may be folders that are not watched yet.
func (x *Watcher) UnknownFolders() bool {
	n := x.Pending()
	for name := range n.Names {
		if info, err := os.Lstat(name); err == nil && info.IsDir() {
			return true
		}
	}
	return n.All
}

// Pending returns a copy of the news.
func (x *Watcher) Pending() News {
	x.mu.Lock()
	defer x.mu.Unlock()
	return News{x.news.All, maps.Clone(x.news.Folders), maps.Clone(x.news.Names)}
}

// IsNews reports whether files of a folder may be others than they were.
func (x *Watcher) IsNews(dir string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.news.All || x.news.Folders[dir] || x.news.Names[dir] || len(x.news.Names) > 0 && x.news.Below(dir)
}

// Take returns the news since the last call.
func (x *Watcher) Take() News {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := x.news
	x.news = News{}
	if isClosed(x.stirred) {
		x.stirred = nil
	}
	return n
}

// Heard returns a channel that is closed when something was heard since the news were taken.
func (x *Watcher) Heard() <-chan struct{} {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.stirred == nil {
		x.stirred = make(chan struct{})
	}
	return x.stirred
}

// stirLocked says that something was heard.
func (x *Watcher) stirLocked() {
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

// Fence returns when all that happened before it was called is news. It writes
// to a file in a folder of its own and waits to hear of that: what inotify hears
// of stands in one queue. To make a file each time would cost ten times as much.
func (x *Watcher) Fence(ctx context.Context) error {
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
	timer := time.NewTimer(x.conditions.Patience)
	defer timer.Stop()
	select {
	case <-heard:
		return nil
	case <-x.done:
		x.mu.Lock()
		defer x.mu.Unlock()
		return cmp.Or(x.failed, fsnotify.ErrClosed)
	case <-timer.C:
		return ErrLate
	case <-ctx.Done():
		return ctx.Err()
	}
}

// begin gives a fence its marker.
func (x *Watcher) begin() (file *os.File, heard <-chan struct{}, err error) {
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

// ErrLate is why a fence was given up.
var ErrLate = errors.New("changes were not heard of in time")

func (x *Watcher) listen() {
	defer close(x.done)
	if err := guard.Do(x.hearAll); err != nil {
		x.miss(err)
	}
}

// hearAll hears what there is to hear until the watcher is closed.
func (x *Watcher) hearAll() error {
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

func (x *Watcher) hear(e fsnotify.Event) {
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
	case name == fspath.IgnoreFile:
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
func (x *Watcher) miss(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.news, x.moved = News{All: true}, Moved{All: true}
	x.stirLocked()
	// Invalid is a watch that ended before fsnotify could end it.
	if !errors.Is(err, fsnotify.ErrEventOverflow) && !errors.Is(err, syscall.EINVAL) {
		x.failed = err
	}
	x.dropLocked()
}

// Done returns a channel that is closed when the watcher hears nothing any more.
func (x *Watcher) Done() <-chan struct{} { return x.done }

// decidesFiles reports whether what a file of this name says decides which files there are.
func decidesFiles(name string) bool { return name == fspath.IgnoreFile || project.Decides(name) }
