package workspace

import (
	"context"

	"github.com/lspine/lspine/internal/disk"
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
	w.tree.mu.Lock()
	x := w.tree.Watch()
	w.tree.mu.Unlock()
	if x == nil {
		w.sweep(except, found)
		return
	}
	missed := x.Missed.Load()
	if !w.hear(x, missed, x.Fence(w.background), except, found) {
		w.sweep(except, found)
	}
}

// hear looks where x heard of news, and reports whether that is enough. missed is how many fences were held against x
// when the one began whose end is heard.
func (w *Workspace) hear(x *disk.Watcher, missed uint64, heard error, except []string, found func(*telling)) bool {
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	if w.background.Err() != nil {
		found(&telling{failures: []error{errClosed}})
		return true
	}
	w.tree.Judge(x, missed, heard)
	if heard != nil || w.tree.Watcher() != x {
		return false
	}
	events, first := w.tree.Listen()
	if first {
		w.connectLocked(always)
	}
	found(w.tellLocked(events, except))
	return true
}

// AwaitChange returns nil when something may have changed on disk since somebody last looked, and the error of ctx
// when that ends first. Where nobody watches folders, and before the first look, it does not hear of anything.
func (w *Workspace) AwaitChange(ctx context.Context) error {
	w.tree.mu.Lock()
	x := w.tree.Watcher()
	w.tree.mu.Unlock()
	var heard, deaf <-chan struct{}
	if x != nil {
		heard, deaf = x.Heard(), x.Done()
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
	return w.tree.Watching()
}

// CanWatch reports whether Look may be cheaper than Sweep: folders are watched, or nobody has
// tried yet.
func (w *Workspace) CanWatch() bool {
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	return w.tree.CanWatch()
}
