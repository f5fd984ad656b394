package workspace

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/protocol"
)

// Look does what Sweep does, for less where nothing changed: then it costs the
// same however many files there are. What anybody wrote, created, moved or
// deleted before it was called, the servers are told when it returns. When ctx
// ends early the error is that of ctx, and what is found then is part of the next answer.
//
// The first call begins to watch the folders of the workspace. Where they cannot
// be watched, every call is a Sweep; Watching says why. Not heard of, and left to
// the next Sweep, is what is written into a file through a memory map or through
// a hard link in a folder outside, and what is mounted over a folder.
func (w *Workspace) Look(ctx context.Context, except []string) (Swept, error) {
	return w.told(ctx, func(found func(*telling)) { w.listen(except, found) })
}

func (w *Workspace) listen(except []string, found func(*telling)) {
	x := w.watch()
	if x == nil {
		w.sweep(except, found)
		return
	}
	missed := x.missed.Load()
	if !w.hear(x, missed, x.fence(w.background), except, found) {
		w.sweep(except, found)
	}
}

// hear looks where x heard of news, and reports whether that is enough. missed is how many fences were held against x
// when the one began whose end is heard.
func (w *Workspace) hear(x *watcher, missed uint64, heard error, except []string, found func(*telling)) bool {
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	if w.background.Err() != nil {
		found(&telling{failures: []error{errClosed}})
		return true
	}
	w.judgeLocked(x, missed, heard)
	if heard != nil || w.tree.watcher != x {
		return false
	}
	var events []protocol.FileEvent
	if w.tree.known {
		w.lookLocked(x, &events)
	} else {
		w.tree.known = true
		w.tree.folders = make(map[string]folder)
		w.lookLocked(x, nil)
		w.connectLocked(always)
	}
	found(w.tellLocked(events, except))
	return true
}

// AwaitChange returns nil when something may have changed on disk since somebody last looked, and the error of ctx
// when that ends first. Where nobody watches folders, and before the first look, it does not hear of anything.
func (w *Workspace) AwaitChange(ctx context.Context) error {
	w.tree.mu.Lock()
	x := w.tree.watcher
	w.tree.mu.Unlock()
	var heard, deaf <-chan struct{}
	if x != nil {
		heard, deaf = x.heard(), x.done
	}
	select {
	case <-heard:
		return nil
	case <-deaf: // what happens now nobody hears
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Watching reports whether the next Look will be cheap, and why not.
func (w *Workspace) Watching() (bool, string) {
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	switch {
	case w.tree.watcher != nil:
		return true, ""
	case w.tree.blind != "":
		return false, w.tree.blind
	}
	return false, "it begins with the first look"
}

// CanWatch reports whether Look may be cheaper than Sweep: folders are watched, or nobody has
// tried yet.
func (w *Workspace) CanWatch() bool {
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	return w.tree.blind == "" || w.triesAgainLocked()
}

// triesAgainLocked reports whether what kept us from watching may be over.
func (w *Workspace) triesAgainLocked() bool {
	return !w.tree.again.IsZero() && !w.opts.Now().Before(w.tree.again)
}

// watch returns the watcher, made if need be, or nil if there is none.
func (w *Workspace) watch() *watcher {
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	if w.tree.blind != "" && w.triesAgainLocked() {
		w.tree.blind, w.tree.late, w.tree.again = "", 0, time.Time{}
	}
	if w.tree.watcher != nil || w.tree.blind != "" {
		return w.tree.watcher
	}
	if w.tree.blind = w.watching.distrust(w.root); w.tree.blind != "" {
		return nil
	}
	x, err := newWatcher(w.watching, w.matters)
	if err != nil {
		w.tree.blind = err.Error()
		return nil
	}
	w.tree.watcher = x
	return x
}

// blindLocked ends the watcher: for good, unless it is said when another one is made.
// Later calls change nothing.
func (w *Workspace) blindLocked(reason string) {
	if w.tree.blind == "" {
		w.tree.blind = reason
	}
	if x := w.tree.watcher; x != nil {
		w.tree.watcher = nil
		x.close()
	}
}

// judgeLocked draws the conclusion from the end of a fence of x. One that comes
// late tells of a busy machine, and so do those that waited beside it; several one after the other tell of a watcher
// that is of no use for a while. missed is how many were held against x when the fence began.
func (w *Workspace) judgeLocked(x *watcher, missed uint64, heard error) {
	switch {
	case w.tree.watcher != x:
	case heard == nil:
		w.tree.late = 0
	case !errors.Is(heard, errLate):
		w.blindLocked(heard.Error())
	case missed == x.missed.Load():
		x.missed.Add(1)
		if w.tree.late++; w.tree.late >= x.conditions.misses {
			w.blindLocked(heard.Error())
			w.tree.again = w.opts.Now().Add(x.conditions.rest)
		}
	}
}

// watchLocked watches a folder. If that fails nobody watches any more.
func (w *Workspace) watchLocked(x *watcher, dir string) {
	if w.tree.watcher != x {
		return
	}
	if err := x.add(dir); err != nil {
		w.blindLocked(w.Relative(dir) + ": " + err.Error())
	}
}

// checkDeviceLocked ends the watcher at a folder of another file system, which
// may be changed by other machines.
func (w *Workspace) checkDeviceLocked(x *watcher, dir string, info os.FileInfo) {
	if w.tree.watcher == x && w.tree.root != nil && device(info) != device(w.tree.root) {
		w.blindLocked(w.Relative(dir) + " is on another file system")
	}
}

// lookLocked brings the picture up to date where there is news.
func (w *Workspace) lookLocked(x *watcher, events *[]protocol.FileEvent) {
	n := x.take()
	heard := n
	// Nobody tells of a move of the folders above the root.
	root, err := os.Lstat(w.root)
	if n.all || err != nil || !os.SameFile(root, w.tree.root) {
		heard.all, n = true, news{names: map[string]bool{w.root: true}}
		w.tree.root = root
		if _, known := w.tree.folders[w.root]; !known {
			w.tree.folders[w.root] = folder{}
		}
	}
	// fsnotify knows folders by name. A watch of a folder that was moved must end
	// before that folder is watched by its other name, or that shares the old one.
	for name := range n.names {
		w.unwatchLocked(x, name)
	}
	for _, dir := range slices.Sorted(maps.Keys(n.folders)) {
		if !n.names[dir] && !n.below(dir) {
			w.rereadLocked(x, dir, n, events)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.names)) {
		if _, known := w.tree.folders[name]; known && !n.below(name) {
			w.scanLocked(name, events, x)
		}
	}
	w.lookBeyondLocked(x, heard, events)
}

// rereadLocked brings the picture of one folder up to date, and of folders that
// are new in it, unless they are news themselves: those only enter the picture.
func (w *Workspace) rereadLocked(x *watcher, dir string, n news, events *[]protocol.FileEvent) {
	if _, known := w.tree.folders[dir]; !known {
		return
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		w.vanishLocked(dir, events)
		return
	}
	for _, name := range w.readLocked(dir, info, events).folders {
		path := filepath.Join(dir, name)
		if _, known := w.tree.folders[path]; known {
			continue
		}
		if n.names[path] {
			w.tree.folders[path] = folder{}
			continue
		}
		w.scanLocked(path, events, x)
	}
}

// unwatchLocked ends the watches of a folder in the picture and of all below it.
func (w *Workspace) unwatchLocked(x *watcher, dir string) {
	f, known := w.tree.folders[dir]
	if !known {
		return
	}
	x.remove(dir)
	for _, name := range f.folders {
		w.unwatchLocked(x, filepath.Join(dir, name))
	}
}
