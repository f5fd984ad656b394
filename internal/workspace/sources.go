package workspace

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/project"
)

// sources are the files that Sources found, and what they depend on.
type sources struct {
	mu    sync.Mutex
	files []string // sorted
	// watcher heard of all that came and went since; names is the count of the picture.
	watcher *watcher
	names   uint64
	// visited is how many checkouts below the root were listed.
	visited int
	// shared is what the last successful call returned that looked for itself, and number its number among these.
	shared []string
	number uint64
	// unconfirmed says that the watcher did not confirm, the last time, that it had told of all changes.
	unconfirmed atomic.Bool
	// ignoring are the files outside of what is watched that say what git leaves out.
	ignoring map[string]stamp

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
	if x != nil && s.watcher == x && s.names == names && s.visited == visited && w.unmoved(s.files, x.takeMoved()) && same(s.ignoring) {
		return s.files, ctx.Err()
	}
	s.watcher = nil
	var ignoring map[string]stamp
	keeps := x != nil && !x.unknownFolders()
	if keeps {
		x.takeMoved()
		ignoring = stampsOf(w.git.Ignoring(ctx))
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
			is = w.leavesOut(dir)
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
func (w *Workspace) heardOfLocked(ctx context.Context) (*watcher, uint64) {
	if !w.tree.mu.TryLock() { // somebody looks
		if !w.connected.known.Load() { // for the first time, which takes as long as to list all
			w.sources.unconfirmed.Store(true)
			return nil, 0
		}
		w.tree.mu.Lock()
	}
	x, names, whole := w.tree.watcher, w.tree.names, w.tree.known && w.tree.count < maxTree
	w.tree.mu.Unlock()
	heard := x != nil && whole && x.fence(ctx) == nil
	if w.sources.unconfirmed.Store(!heard); !heard {
		return nil, 0
	}
	return x, names
}

// unmoved reports whether a sorted list of files is what it would be without what is heard
// to have come or gone meanwhile.
func (w *Workspace) unmoved(files []string, heard moved) bool {
	if heard.all {
		return false
	}
	for path := range heard.names {
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
	_, known := w.tree.folders[path]
	return known
}

// decidesFiles reports whether what a file of this name says decides which files there are.
func decidesFiles(name string) bool { return name == git.IgnoreFile || project.Decides(name) }

// stampsOf returns the stamps that files have now, by their paths.
func stampsOf(paths []string) map[string]stamp {
	stamps := make(map[string]stamp, len(paths))
	for _, path := range paths {
		stamps[path] = stampNow(path)
	}
	return stamps
}

// stampNow returns the stamp of a file, zero if there is none.
func stampNow(path string) stamp {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return stamp{}
	case info.IsDir():
		return stamp{size: 1} // that it is there; what is in it has stamps of its own
	}
	return stampOf(info)
}

// same reports whether files are as they were, and can be told from what they might be.
func same(stamps map[string]stamp) bool {
	for path, before := range stamps {
		if now := stampNow(path); now != before || !now.modified.IsZero() && time.Since(now.modified) < unsettled(now.modified) {
			return false
		}
	}
	return true
}

// maxChanged bounds the events that are kept in mind.
const maxChanged = 4096

// noteLocked keeps in mind that a file changed. The lock of the picture is held.
func (t *tree) noteLocked(path string) {
	if len(t.changed) == maxChanged {
		t.changed = slices.Clone(t.changed[maxChanged/2:])
		t.before += maxChanged / 2
	}
	t.changed = append(t.changed, path)
}

// Touched returns the files that may be others than when it returned a mark, and the mark
// of now, which is 0 if there is none. What happened before the last Look or Sources
// counts. It is false where that is not known; no mark is 0.
func (w *Workspace) Touched(mark uint64) (paths []string, now uint64, ok bool) {
	if w.sources.unconfirmed.Load() || !w.tree.mu.TryLock() {
		return nil, 0, false
	}
	defer w.tree.mu.Unlock()
	t := &w.tree
	if t.watcher == nil || !t.known || t.count >= maxTree {
		return nil, 0, false
	}
	pending := t.watcher.pending()
	if pending.all {
		return nil, 0, false
	}
	now = 1 + t.before + uint64(len(t.changed))
	if mark == 0 || mark <= t.before || mark > now {
		return nil, now, false
	}
	paths = slices.Clone(t.changed[mark-1-t.before:])
	for dir := range pending.folders {
		for name := range t.folders[dir].files {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	for path := range pending.names {
		if _, folder := t.folders[path]; folder {
			return nil, now, false
		}
		paths = append(paths, path)
	}
	return paths, now, true
}

// Stamp returns size, time and change (see [fspath.Change]) of a file that matters as they are in the picture: what
// happened before the last Look or Sources counts. It is false where the picture does not
// say, or may be another.
func (w *Workspace) Stamp(path string) (size int64, modified time.Time, change uint64, ok bool) {
	if !w.tree.mu.TryLock() {
		return 0, time.Time{}, 0, false
	}
	defer w.tree.mu.Unlock()
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	s, known := w.tree.folders[dir].files[name]
	if x := w.tree.watcher; x == nil || !known || w.sources.unconfirmed.Load() || x.isNews(dir) {
		return 0, time.Time{}, 0, false
	}
	return s.size, s.modified, s.change, true
}
