package workspace

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/registry"
)

// A tree is the picture of the disk, and what servers were told of it.
type tree struct {
	// mu is held from when a change is found until the servers were told of it: what the picture holds, they know.
	mu sync.Mutex
	*disk.Picture
	// inclusions are what the files of running servers include by name.
	inclusions map[*lsp.Server]*inclusionIndex
	// unclaimed is what looks found whose callers had left.
	unclaimed telling

	// tellings counts how often servers were told of something.
	tellings atomic.Uint64
}

// newPicture returns a picture of the root that is not taken yet.
func (w *Workspace) newPicture() *disk.Picture {
	return disk.New(disk.Options{
		Root: w.root, Skips: func(path string) bool { return w.skipped(path) != "" }, Matters: w.matters, Now: w.opts.Now,
		ReadsPackages: func() bool {
			return !w.opts.Once && slices.ContainsFunc(w.running(), func(s *lsp.Server) bool { return readsPackages(s.Definition()) })
		},
	})
}

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
	if w.tree.Take() {
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
	defer w.tree.mu.Unlock()
	if w.tree.Take() {
		w.connectLocked(always)
		found(&telling{})
		return
	}
	found(w.tellLocked(w.tree.Compare(x), except))
}

// fenced returns the watcher, if there are libraries and it has heard of all that happened in them so far.
func (w *Workspace) fenced() *disk.Watcher {
	w.tree.mu.Lock()
	x, has := w.tree.Watcher(), w.tree.HasLibraries()
	w.tree.mu.Unlock()
	if x == nil || !has || x.Fence(w.background) != nil {
		return nil
	}
	return x
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

// matters reports whether a change of the file can matter to a server.
func (w *Workspace) matters(name string) bool {
	return language.SetsUp(name) || w.IsOfServers(name) || w.inclusions.isWanted(name)
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
	for dir, f := range w.tree.Folders() {
		for name := range f.Files {
			if path := filepath.Join(dir, name); len(paths) < maxMet && wanted(path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// hasEnding reports whether the picture of the disk has a file with an ending.
func (w *Workspace) hasEnding(ending string) bool {
	w.takePicture()
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	for _, f := range w.tree.Folders() {
		for name := range f.Files {
			if strings.HasSuffix(name, ending) {
				return true
			}
		}
	}
	return false
}
