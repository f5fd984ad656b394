package workspace

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lspine/lspine/internal/disk"
)

// sources are the files that Sources found, and what they depend on.
type sources struct {
	mu    sync.Mutex
	files []string // sorted
	// watcher heard of all that came and went since; names is the count of the picture.
	watcher *disk.Watcher
	names   uint64
	// visited is how many checkouts below the root were listed.
	visited int
	// shared is what the last successful call returned that looked for itself, and number its number among these.
	shared []string
	number uint64
	// unconfirmed says that the watcher did not confirm, the last time, that it had told of all changes.
	unconfirmed atomic.Bool
	// ignoring are the files outside of what is watched that say what git leaves out.
	ignoring map[string]disk.Stamp

	// begun counts the calls that looked for themselves.
	begun atomic.Uint64
}

// Sources returns, sorted, those of [Workspace.Files] that matter to a server and are not
// left alone. What was listed before counts as long as nobody made, moved or deleted one
// of them, or changed what git ignores, before this was called: that is heard of as a Look
// hears of it, and without a watcher all is listed each time. Calls that wait for another one share what the next
// of them finds. The caller must not change the list.
func (w *Workspace) Sources(ctx context.Context) ([]string, error) {
	s := &w.sources
	before := s.begun.Load()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.number > before { // it began to look after this was called
		return s.shared, ctx.Err()
	}
	number := s.begun.Add(1)
	files, err := w.sourcesLocked(ctx)
	if err == nil {
		s.shared, s.number = files, number
	}
	return files, err
}

// sourcesLocked looks what Sources returns. The lock of the sources is held.
func (w *Workspace) sourcesLocked(ctx context.Context) ([]string, error) {
	s := &w.sources
	x, names := w.heardOfLocked(ctx)
	visited := len(w.visited())
	if x != nil && s.watcher == x && s.names == names && s.visited == visited && w.unmoved(s.files, x.TakeMoved()) && disk.Same(s.ignoring) {
		return s.files, ctx.Err()
	}
	s.watcher = nil
	var ignoring map[string]disk.Stamp
	keeps := x != nil && !x.UnknownFolders()
	if keeps {
		x.TakeMoved()
		ignoring = disk.StampsOf(w.git.Ignoring(ctx))
	}
	all, err := w.Files(ctx)
	if err != nil {
		return nil, err
	}
	leftOut := make(map[string]bool) // by folder
	files := slices.DeleteFunc(all, func(path string) bool {
		if !w.matters(filepath.Base(path)) || w.skipped(path) != "" {
			return true
		}
		dir := filepath.Dir(path)
		is, known := leftOut[dir]
		if !known {
			is = w.tree.LeavesOut(dir)
			leftOut[dir] = is
		}
		return is
	})
	slices.Sort(files)
	if keeps {
		s.files, s.watcher, s.names, s.visited, s.ignoring = files, x, names, visited, ignoring
	}
	return files, ctx.Err()
}

// heardOfLocked returns the watcher, if it has heard of all that happened so far and watches the
// whole picture, and how many names came into the picture or left it. The lock of the sources is held; whoever holds
// that of the picture must not wait for it.
func (w *Workspace) heardOfLocked(ctx context.Context) (*disk.Watcher, uint64) {
	if !w.tree.mu.TryLock() { // somebody looks
		if !w.connected.known.Load() { // for the first time, which takes as long as to list all
			w.sources.unconfirmed.Store(true)
			return nil, 0
		}
		w.tree.mu.Lock()
	}
	x, names, whole := w.tree.Watcher(), w.tree.Names(), w.tree.Whole()
	w.tree.mu.Unlock()
	heard := x != nil && whole && x.Fence(ctx) == nil
	if w.sources.unconfirmed.Store(!heard); !heard {
		return nil, 0
	}
	return x, names
}

// unmoved reports whether a sorted list of files is what it would be without what is heard
// to have come or gone meanwhile.
func (w *Workspace) unmoved(files []string, heard disk.Moved) bool {
	if heard.All {
		return false
	}
	for path := range heard.Names {
		_, listed := slices.BinarySearch(files, path)
		switch info, err := os.Lstat(path); {
		case err == nil && info.IsDir():
			return false
		case err == nil && w.matters(filepath.Base(path)) != listed: // or it is one that git ignores
			return false
		case err != nil && (listed || w.pictures(path)):
			return false
		}
	}
	return true
}

// pictures reports whether the picture has a folder at path, or may have.
func (w *Workspace) pictures(path string) bool {
	if !w.tree.mu.TryLock() {
		return true
	}
	defer w.tree.mu.Unlock()
	_, known := w.tree.Folder(path)
	return known
}

// Touched returns the files that may be others than when it returned a mark, and the mark
// of now, which is 0 if there is none. What happened before the last Look or Sources
// counts. It is false where that is not known; no mark is 0.
func (w *Workspace) Touched(mark uint64) (paths []string, now uint64, ok bool) {
	if w.sources.unconfirmed.Load() || !w.tree.mu.TryLock() {
		return nil, 0, false
	}
	defer w.tree.mu.Unlock()
	return w.tree.Picture.Touched(mark)
}

// Stamp returns the stamp of a file that matters as it is in the picture: what
// happened before the last Look or Sources counts. It is false where the picture does not
// say, or may be another.
func (w *Workspace) Stamp(path string) (s disk.Stamp, ok bool) {
	if w.sources.unconfirmed.Load() || !w.tree.mu.TryLock() {
		return disk.Stamp{}, false
	}
	defer w.tree.mu.Unlock()
	return w.tree.Picture.Stamp(path)
}
