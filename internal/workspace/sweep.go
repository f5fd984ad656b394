package workspace

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// maxTree bounds the files a sweep looks at; in a larger tree only the files
// seen before it was reached are compared.
const maxTree = 100_000

// tree remembers what the disk looked like, so that a sweep can tell what
// changed. No file watcher is needed: a sweep costs about 2 µs a file and runs
// beside the servers' own work.
type tree struct {
	mu      sync.Mutex
	known   bool
	folders map[string]folder
	count   int
}

// A folder is one directory as it was last seen. Its entries need to be read
// again only if its own time of modification changed.
type folder struct {
	modified time.Time
	// settled says that modified was old enough, when it was read, for every
	// later change of the entries to make a different time.
	settled bool
	files   map[string]stamp
	folders []string
}

// A stamp tells whether a file changed. The time is compared with ==, so it
// holds no monotonic reading and is in the local zone.
type stamp struct {
	modified time.Time
	size     int64
}

// Remember takes the picture that the first Sweep compares with. It must come
// before the first server starts; later calls do nothing.
func (w *Workspace) Remember() {
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	if !w.tree.known {
		w.tree.known = true
		w.tree.folders = make(map[string]folder)
		w.scanLocked(w.root, nil)
	}
}

// Swept says what a sweep found.
type Swept struct {
	// Deleted are the paths that are gone since the last sweep, and those of open
	// documents without a file.
	Deleted []string
	// Told says that some server was told of it, so that what servers said
	// before no longer counts.
	Told bool
}

// Sweep compares the disk with the last picture of it and tells the running
// servers what changed: open documents get the content of their files, changed or
// not, and what changed goes out as didChangeWatchedFiles as far as they
// registered for it. The documents of the paths in except are left alone, and
// that these changed is only remembered: their caller sends the content itself.
func (w *Workspace) Sweep(ctx context.Context, except []string) (Swept, error) {
	w.tree.mu.Lock()
	if !w.tree.known {
		w.tree.mu.Unlock()
		w.Remember()
		return Swept{}, nil
	}
	w.tree.count = 0
	var events []protocol.FileEvent
	w.scanLocked(w.root, &events)
	w.tree.mu.Unlock()

	var swept Swept
	kept := events[:0]
	for _, e := range events {
		path, err := e.URI.Path()
		if err != nil {
			continue
		}
		if e.Type == protocol.Deleted {
			swept.Deleted = append(swept.Deleted, path)
		}
		if e.Type != protocol.Changed || !slices.Contains(except, path) {
			kept = append(kept, e)
		}
	}
	var failures []error
	for _, s := range w.running() {
		closed, told, err := w.reconcile(s, except)
		for _, path := range closed {
			if !slices.Contains(swept.Deleted, path) {
				swept.Deleted = append(swept.Deleted, path)
			}
		}
		swept.Told = swept.Told || told
		failures = append(failures, err)
		if len(kept) == 0 {
			continue
		}
		told, err = w.tell(ctx, s, kept)
		swept.Told = swept.Told || told
		failures = append(failures, err)
	}
	return swept, errors.Join(failures...)
}

// scanLocked brings the picture of dir up to date and adds what changed to
// events, which is nil for the first picture.
func (w *Workspace) scanLocked(dir string, events *[]protocol.FileEvent) {
	info, err := os.Lstat(dir)
	if err != nil {
		w.vanishLocked(dir, events)
		return
	}
	old, known := w.tree.folders[dir]
	current := folder{modified: info.ModTime(), settled: time.Since(info.ModTime()) > time.Second}
	if known && old.settled && old.modified.Equal(current.modified) {
		w.restampLocked(dir, old, events)
		current = old
	} else {
		w.readLocked(dir, old, &current, events)
	}
	w.tree.folders[dir] = current
	for _, name := range current.folders {
		w.scanLocked(filepath.Join(dir, name), events)
	}
}

// restampLocked compares the files of a folder whose entries are the same. A
// file that is gone meanwhile is told by the folder's own time, next time.
func (w *Workspace) restampLocked(dir string, f folder, events *[]protocol.FileEvent) {
	if len(f.files) == 0 {
		return
	}
	stampAll(dir, maps.Keys(f.files), func(name string, now stamp) {
		w.tree.count++
		if now != f.files[name] {
			f.files[name] = now
			note(events, filepath.Join(dir, name), protocol.Changed)
		}
	})
}

// readLocked reads the entries of a folder and compares them with old.
func (w *Workspace) readLocked(dir string, old folder, current *folder, events *[]protocol.FileEvent) {
	entries, err := os.ReadDir(dir)
	if err != nil && len(entries) == 0 {
		current.files, current.folders = old.files, old.folders
		return
	}
	current.files = make(map[string]stamp, len(old.files))
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			if w.skipped(path) == "" {
				current.folders = append(current.folders, e.Name())
			}
		case w.matters(e.Name()) && w.tree.count < maxTree:
			info, err := e.Info()
			if err != nil {
				continue
			}
			w.tree.count++
			now := stamp{info.ModTime(), info.Size()}
			before, existed := old.files[e.Name()]
			current.files[e.Name()] = now
			if !existed {
				note(events, path, protocol.Created)
			} else if now != before {
				note(events, path, protocol.Changed)
			}
		}
	}
	for name := range old.files {
		if _, still := current.files[name]; !still {
			note(events, filepath.Join(dir, name), protocol.Deleted)
		}
	}
	for _, name := range old.folders {
		if !slices.Contains(current.folders, name) {
			w.vanishLocked(filepath.Join(dir, name), events)
		}
	}
}

// vanishLocked forgets a folder that is gone, with all below it.
func (w *Workspace) vanishLocked(dir string, events *[]protocol.FileEvent) {
	f, known := w.tree.folders[dir]
	if !known {
		return
	}
	delete(w.tree.folders, dir)
	for name := range f.files {
		note(events, filepath.Join(dir, name), protocol.Deleted)
	}
	for _, name := range f.folders {
		w.vanishLocked(filepath.Join(dir, name), events)
	}
}

func note(events *[]protocol.FileEvent, path string, kind protocol.ChangeType) {
	if events != nil {
		*events = append(*events, protocol.FileEvent{URI: protocol.URIFromPath(path), Type: kind})
	}
}

// projectFiles are endings of files that change what servers say without being
// sources.
var projectFiles = []string{
	".json", ".jsonc", ".toml", ".yaml", ".yml", ".cfg", ".ini", ".mod", ".sum", ".work", ".lock", ".txt", ".cmake", ".clangd",
}

// matters reports whether a change of the file can matter to a server.
func (w *Workspace) matters(name string) bool {
	if slices.Contains(projectFiles, filepath.Ext(name)) {
		return true
	}
	for i := range w.opts.Servers {
		d := &w.opts.Servers[i]
		if _, ok := d.LanguageID(name); ok || slices.Contains(d.Roots, name) {
			return true
		}
	}
	return false
}

// tell tells one server what changed, and reports whether it was told
// anything.
func (w *Workspace) tell(ctx context.Context, s *lsp.Server, events []protocol.FileEvent) (bool, error) {
	var failures []error
	n, err := s.FilesChanged(events)
	failures = append(failures, err)
	told := n > 0
	d := s.Definition()
	if d.Diagnostics.Outside != registry.OutsideWatched && concerns(d, events) {
		told = true
		failures = append(failures, w.outside(ctx, s))
	}
	return told, errors.Join(failures...)
}

// concerns reports whether a server that is not told of files would read one.
func concerns(d *registry.Definition, events []protocol.FileEvent) bool {
	return slices.ContainsFunc(events, func(e protocol.FileEvent) bool {
		path, err := e.URI.Path()
		if err != nil {
			return false
		}
		_, ok := d.LanguageID(path)
		return ok || slices.Contains(d.Roots, filepath.Base(path))
	})
}

// outside makes a server that does not listen to didChangeWatchedFiles see the
// disk. What is asked later comes after it on the wire, so a server that does
// not answer in time is not told to forget it.
func (w *Workspace) outside(ctx context.Context, s *lsp.Server) error {
	s.Disturb()
	reload := s.Definition().Diagnostics.Reload
	if reload == nil {
		return nil
	}
	answered := make(chan error, 1)
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return errClosed
	}
	w.starts.Go(func() {
		_, err := s.Diagnose(w.background, *reload, s.Root())
		answered <- err
	})
	w.mu.Unlock()
	select {
	case err := <-answered:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// refresh brings an open document to its content on disk.
func (w *Workspace) refresh(s *lsp.Server, path string) (changed bool, err error) {
	_, text, open := s.Document(path)
	if !open {
		return false, nil
	}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s.CloseDocument(path)
	}
	if err != nil || bytes.Equal(protocol.Text(content), text) {
		return false, nil
	}
	synced, err := s.Sync(path, content)
	return synced.Changed, err
}
