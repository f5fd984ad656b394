package workspace

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// maxTree bounds the files a sweep looks at; in a larger tree only the files
// seen before it was reached are compared.
const maxTree = 500_000

// tree remembers what the disk looked like, so that a sweep can tell what
// changed. Whoever finds a change tells the servers before it lets go of mu: what
// the picture holds, they were told.
type tree struct {
	mu      sync.Mutex
	known   bool
	folders map[string]folder // with every folder there is the one above it
	count   int               // of the files in folders
	// libraries are what the projects read beyond the folders, by the library's folder.
	libraries map[string]library
	// installed are the folders of packages that the picture has met since somebody last looked beyond it.
	installed []string
	// inclusions are what the files of running servers include by name.
	inclusions map[*lsp.Server]*inclusionIndex
	names      uint64 // how many files came or went since the first picture
	// changed are the files of the last events; before them were so many.
	changed []string
	before  uint64
	// watcher is nil before the first Look, and when blind says why there is none.
	watcher *watcher
	blind   string
	late    int         // fences in a row that came too late
	again   time.Time   // when it is tried again after that, if blind
	root    os.FileInfo // the folder that is watched as the root
	// unclaimed is what looks found whose callers had left.
	unclaimed telling
	// sameTime are the paths of files that changed and have the time of modification that they had, of which nobody was told yet.
	sameTime map[string]bool
	// tellings counts how often servers were told of something.
	tellings atomic.Uint64
}

// A folder is one directory as it was last seen. Its entries need to be read
// again only if its own time of modification, or of change, changed.
type folder struct {
	modified time.Time
	change   uint64
	// settled says that modified was old enough, when it was read, for every
	// later change of the entries to make a different time.
	settled bool
	files   map[string]stamp
	folders []string
	// packages are the folders in it that have installed packages: the picture has none of what is in them, see libraries.
	packages []string
}

// A stamp tells whether a file changed. The time is compared with ==, so it
// holds no monotonic reading and is in the local zone.
type stamp struct {
	modified time.Time
	size     int64
	change   uint64 // see fspath.Change
}

// compareLocked notes whether a file that changed looks as it did to who compares only times of modification.
func (t *tree) compareLocked(path string, before, now stamp) {
	if !before.modified.Equal(now.modified) {
		return
	}
	if t.sameTime == nil {
		t.sameTime = make(map[string]bool)
	}
	t.sameTime[path] = true
}

func stampOf(info os.FileInfo) stamp { return stamp{info.ModTime(), info.Size(), fspath.Change(info)} }

// Remember takes the picture that the first Sweep compares with. It must come
// before the first server starts; later calls do nothing. When ctx ends early the error is
// that of ctx, and the picture is being taken.
func (w *Workspace) Remember(ctx context.Context) error {
	if w.connected.known.Load() {
		return nil
	}
	_, err := apart(ctx, w, func(made func(struct{})) {
		w.takePicture()
		made(struct{}{})
	}, func(struct{}) {})
	return err
}

// takePicture takes the first picture of the disk, if there is none.
func (w *Workspace) takePicture() {
	if w.connected.known.Load() {
		return
	}
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	if !w.tree.known {
		w.tree.known = true
		w.tree.folders = make(map[string]folder)
		w.scanLocked(w.root, nil, nil)
		w.connectLocked(always)
	}
}

// Swept says what a sweep found.
type Swept struct {
	// Deleted are the paths that are gone since the last sweep, and those of open
	// documents without a file.
	Deleted []string
	// Changed are the paths of the files that came, went or changed since then.
	Changed []string
	// Told says that some server was told of it, so that what servers said
	// before no longer counts.
	Told bool
}

// Sweep compares the disk with the last picture of it and tells the running
// servers what changed: open documents get the content of their files, changed or
// not, and what changed goes out as didChangeWatchedFiles as far as they
// registered for it. The documents of the paths in except are left alone, and
// that these changed is only remembered: their caller sends the content itself.
// It costs about 2 µs a file; Look finds the same for less. When ctx ends early the error
// is that of ctx, and what is found then is part of the next answer.
func (w *Workspace) Sweep(ctx context.Context, except []string) (Swept, error) {
	return w.told(ctx, func(found func(*telling)) { w.sweep(except, found) })
}

func (w *Workspace) sweep(except []string, found func(*telling)) {
	x := w.fenced()
	w.tree.mu.Lock()
	if !w.tree.known {
		w.tree.mu.Unlock()
		w.takePicture()
		w.tree.mu.Lock()
		defer w.tree.mu.Unlock()
		found(&telling{})
		return
	}
	defer w.tree.mu.Unlock()
	var events []protocol.FileEvent
	w.scanLocked(w.root, &events, nil)
	if x != nil && x == w.tree.watcher {
		w.lookBeyondLocked(x, x.pending(), &events)
	} else {
		w.lookBeyondLocked(nil, news{}, &events)
	}
	found(w.tellLocked(events, except))
}

// told finds out what servers are being told, and waits for those that are slow to hear.
// find calls found under the lock of the picture: if the caller has left, the next one
// to take that lock knows of it.
func (w *Workspace) told(ctx context.Context, find func(found func(*telling))) (Swept, error) {
	t, err := apart(ctx, w, find, w.tree.unclaimed.add)
	if err != nil {
		return Swept{}, err
	}
	return t.wait(ctx)
}

// scanLocked brings the picture of dir and of all below it up to date and adds
// what changed to events, which is nil for the first picture. With a watcher it
// watches each folder before it reads it, whatever the folder's time says.
func (w *Workspace) scanLocked(dir string, events *[]protocol.FileEvent, x *watcher) {
	if x != nil {
		w.watchLocked(x, dir)
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		w.vanishLocked(dir, events)
		return
	}
	if x != nil {
		w.checkDeviceLocked(x, dir, info)
	}
	old, known := w.tree.folders[dir]
	current := old
	if x == nil && known && old.settled && old.modified.Equal(info.ModTime()) && old.change == fspath.Change(info) {
		w.restampLocked(dir, old, events)
	} else {
		current = w.readLocked(dir, info, events)
	}
	for _, name := range current.folders {
		w.scanLocked(filepath.Join(dir, name), events, x)
	}
}

// restampLocked compares the files of a folder whose entries are the same. A
// file that is gone meanwhile is told by the folder's own time, next time.
func (w *Workspace) restampLocked(dir string, f folder, events *[]protocol.FileEvent) {
	if len(f.files) == 0 {
		return
	}
	stampAll(dir, maps.Keys(f.files), func(name string, now stamp) {
		if before := f.files[name]; now != before {
			w.tree.compareLocked(filepath.Join(dir, name), before, now)
			f.files[name] = now
			note(events, filepath.Join(dir, name), protocol.Changed)
		}
	})
}

// readLocked reads the entries of a folder, compares them with the picture and
// returns what it holds now. A folder that cannot be read keeps its old picture,
// and is read again next time.
func (w *Workspace) readLocked(dir string, info os.FileInfo, events *[]protocol.FileEvent) folder {
	old := w.tree.folders[dir]
	entries, err := os.ReadDir(dir)
	if err != nil {
		old.settled = false
		w.tree.folders[dir] = old
		if w.tree.watcher != nil {
			w.tree.watcher.mark(dir)
		}
		return old
	}
	current := folder{
		modified: info.ModTime(), change: fspath.Change(info), settled: time.Since(info.ModTime()) > time.Second,
		files: make(map[string]stamp, len(old.files)),
	}
	w.tree.count -= len(old.files)
	beside := func(name string) bool {
		_, has := slices.BinarySearchFunc(entries, name, func(e os.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
		return has
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			holds := project.Holds(dir, e.Name(), beside)
			switch {
			case w.skipped(path) != "":
			case holds == project.HoldsFiles:
				current.folders = append(current.folders, e.Name())
				continue
			case holds == project.HoldsPackages:
				current.packages = append(current.packages, e.Name())
			}
			if _, was := w.tree.folders[path]; was { // it has become such a folder: its files are not gone
				w.vanishLocked(path, nil)
			}
		case w.matters(e.Name()) && w.tree.count < maxTree:
			info, err := e.Info()
			if err != nil {
				continue
			}
			w.tree.count++
			now := stampOf(info)
			before, existed := old.files[e.Name()]
			current.files[e.Name()] = now
			if !existed {
				note(events, path, protocol.Created)
			} else if now != before {
				w.tree.compareLocked(path, before, now)
				note(events, path, protocol.Changed)
			}
		}
	}
	w.tree.folders[dir] = current
	w.missLocked(dir, old, current, events)
	for _, name := range current.packages {
		if !slices.Contains(old.packages, name) {
			w.tree.installed = append(w.tree.installed, filepath.Join(dir, name))
		}
	}
	return current
}

// missLocked notes what the old picture of a folder held and current does not.
func (w *Workspace) missLocked(dir string, old, current folder, events *[]protocol.FileEvent) {
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
	if w.tree.watcher != nil {
		w.tree.watcher.remove(dir)
	}
	f, known := w.tree.folders[dir]
	if !known {
		return
	}
	delete(w.tree.folders, dir)
	w.tree.count -= len(f.files)
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

// matters reports whether a change of the file can matter to a server.
func (w *Workspace) matters(name string) bool {
	return language.SetsUp(name) || w.index.Matters(name) || w.inclusions.isWanted(name)
}

// maxMet limits the files whose texts are noted when a server starts: it cannot be shown later what was before a change.
const maxMet = 20_000

// spokenBy returns the files of a server's languages that the picture of the disk has; none if there
// is no picture.
func (w *Workspace) spokenBy(d *registry.Definition) []string {
	return w.inPicture(func(path string) bool {
		_, speaks := d.LanguageID(path)
		return speaks
	})
}

// unshown returns the files that the picture of the disk has whose former texts a server cannot be shown, or only for a moment: those that
// it reads on disk, and those of its family of languages that it does not judge, such as the scripts that a component imports.
func (w *Workspace) unshown(d *registry.Definition) []string {
	var families []language.Family
	for _, ending := range d.Endings() {
		families = append(families, language.Of("file"+ending).Family)
	}
	return w.inPicture(func(path string) bool {
		if _, speaks := d.LanguageID(path); speaks {
			return d.Diagnostics.Disk != nil
		}
		family := language.Of(path).Family
		return family != 0 && slices.Contains(families, family)
	})
}

// inPicture returns the files that the picture of the disk has and that are wanted, at most maxMet of them.
func (w *Workspace) inPicture(wanted func(path string) bool) (paths []string) {
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	for dir, f := range w.tree.folders {
		for name := range f.files {
			if path := filepath.Join(dir, name); len(paths) < maxMet && wanted(path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}
