package workspace

import (
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// Servers watch the files of their languages. What a program includes by a name in its text is of any language, or of none
// (include_str! of Rust, #include of C): those files are in the picture of the disk, too, and when one of them changes, the server
// of the program counts as told of it. What Go embeds is looked at where a Go file is judged.

// Bounds of what is read of the files that may include others.
const (
	maxIncluders = 20_000
	maxSought    = 200_000 // places that are looked at for files that are included
)

// inclusions are what files include by name, as long as these stay as they are.
type inclusions struct {
	mu   sync.Mutex
	read map[string]includer
	// wanted are the base names of included files of which the picture would have none otherwise.
	wanted map[string]bool
}

// An includer is what a file includes in a state.
type includer struct {
	stamp disk.Stamp
	list  []language.Inclusion
}

// Inclusions returns what a file on disk includes by name, of files that are not of its own languages.
func (w *Workspace) Inclusions(path string) []language.Inclusion {
	if pictured, ok := w.Stamp(path); ok {
		return w.inclusionsAt(path, pictured)
	}
	return w.inclusionsAt(path, disk.StampNow(path))
}

// inclusionsAt is Inclusions for a file in a state.
func (w *Workspace) inclusionsAt(path string, at disk.Stamp) []language.Inclusion {
	x := &w.inclusions
	x.mu.Lock()
	known, has := x.read[path]
	x.mu.Unlock()
	if has && known.stamp == at {
		return known.list
	}
	if at == (disk.Stamp{}) || at.Size > w.opts.MaxFileBytes {
		return nil
	}
	text, err := fspath.Read(path)
	if err != nil {
		return nil
	}
	list := language.ForeignInclusions(path, text)
	x.mu.Lock()
	defer x.mu.Unlock()
	if delete(x.read, path); time.Since(at.Modified) < disk.Unsettled(at.Modified) || len(x.read) >= maxIncluders {
		return list
	}
	if x.read == nil {
		x.read = make(map[string]includer)
	}
	x.read[path] = includer{at, list}
	return list
}

// isWanted reports whether a file of this name is included somewhere.
func (x *inclusions) isWanted(name string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.wanted[name]
}

// want notes names of included files, and returns those that were not noted before.
func (x *inclusions) want(names map[string]bool) (added []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for name := range names {
		if !x.wanted[name] {
			added = append(added, name)
		}
	}
	if x.wanted == nil {
		x.wanted = make(map[string]bool)
	}
	maps.Copy(x.wanted, names)
	return added
}

// An inclusionIndex is what the files that a server judges include. The lock of the picture guards it.
type inclusionIndex struct {
	by map[string][]language.Inclusion // by file, of those that include any
	// names are the last parts of the names of what is included.
	names map[string]bool
	// outside are the states of included files that are in no folder of the picture.
	outside map[string]disk.Stamp
	// cut says that not all files were read.
	cut bool
}

// readIncluders reads the files of a server's languages that may include others, so that this is done when it is needed.
func (w *Workspace) readIncluders(d *registry.Definition) {
	if !includes(d) {
		return
	}
	for i, path := range w.spokenBy(d) {
		if i < maxIncluders && language.Includes(path) {
			w.Inclusions(path)
		}
	}
}

// includes reports whether files of a server's languages can include others.
func includes(d *registry.Definition) bool {
	return slices.ContainsFunc(d.Endings(), func(ending string) bool { return language.Includes(ending) && !language.IncludesBelow(ending) })
}

// indexInclusions notes what the files of a server include, before the server reads these.
func (w *Workspace) indexInclusions(s *lsp.Server) {
	d := s.Definition()
	if !includes(d) {
		return
	}
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	if !w.tree.Taken() {
		return
	}
	x := &inclusionIndex{by: make(map[string][]language.Inclusion), names: make(map[string]bool), outside: make(map[string]disk.Stamp)}
	if w.tree.inclusions == nil {
		w.tree.inclusions = make(map[*lsp.Server]*inclusionIndex)
	}
	for other := range w.tree.inclusions {
		select {
		case <-other.Done():
			delete(w.tree.inclusions, other)
		default:
		}
	}
	w.tree.inclusions[s] = x
	var changed []string
	for dir, f := range w.tree.Folders() {
		for name := range f.Files {
			if _, speaks := d.LanguageID(name); !speaks || !language.Includes(name) {
				continue
			}
			if len(changed) == maxIncluders {
				x.cut = true
				break
			}
			changed = append(changed, filepath.Join(dir, name))
		}
	}
	w.reindexLocked(s, x, changed)
}

// reindexLocked brings an index up to date where files of the server changed.
func (w *Workspace) reindexLocked(s *lsp.Server, x *inclusionIndex, changed []string) {
	names := make(map[string]bool)
	sought := make(map[string]bool)
	var included []string
	for _, path := range changed {
		list := w.inclusionsAt(path, w.tree.File(path))
		if delete(x.by, path); len(list) > 0 {
			x.by[path] = list
		}
		for _, i := range list {
			if i.Pattern {
				continue
			}
			name := filepath.Base(filepath.FromSlash(i.Name))
			names[name], x.names[name] = true, true
			included = append(included, i.Places(path, w.root)...)
			if i.Root == language.Anywhere && filepath.Ext(name) != "" {
				sought[filepath.FromSlash(i.Name)] = true
			}
		}
	}
	w.wantLocked(names)
	included = append(included, w.foundLocked(sought)...)
	for _, path := range included {
		if _, pictured := w.tree.Folder(filepath.Dir(path)); !pictured {
			if _, known := x.outside[path]; !known {
				x.outside[path] = disk.StampNow(path)
			}
		}
	}
	s.Includes(included)
	s.Meet(included)
}

// foundLocked returns the files of the picture whose paths end with one of some relative paths.
func (w *Workspace) foundLocked(ends map[string]bool) (paths []string) {
	if len(ends)*w.tree.Len() > maxSought {
		return nil
	}
	for dir := range w.tree.Folders() {
		for end := range ends {
			path := filepath.Join(dir, end)
			if w.tree.Has(path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// wantLocked has files with these names in the picture from now on. Those that are there already do not come later.
func (w *Workspace) wantLocked(names map[string]bool) {
	maps.DeleteFunc(names, func(name string, _ bool) bool { return w.matters(name) })
	added := w.inclusions.want(names)
	if len(added) == 0 || len(added)*w.tree.Len() > maxSought {
		return
	}
	w.tree.AddNamed(added)
}

// includedLocked brings what a server's files include up to date, and returns the events of included files that are in no folder
// of the picture. reread says that one of the included files changed.
func (w *Workspace) includedLocked(s *lsp.Server, events []protocol.FileEvent) (outside []protocol.FileEvent, reread bool) {
	x := w.tree.inclusions[s]
	if x == nil {
		return nil, false
	}
	d := s.Definition()
	var changed []string
	for _, e := range events {
		path, err := e.URI.Path()
		if err != nil {
			continue
		}
		if _, speaks := d.LanguageID(path); speaks && language.Includes(path) {
			changed = append(changed, path)
		}
		reread = reread || !d.Concerns(path) && (x.cut || x.has(path))
	}
	for path, before := range x.outside {
		now := disk.StampNow(path)
		if now == before {
			continue
		}
		kind := protocol.Changed
		switch {
		case now == disk.Stamp{}:
			kind = protocol.Deleted
		case before == disk.Stamp{}:
			kind = protocol.Created
		}
		x.outside[path], reread = now, true
		outside = append(outside, protocol.FileEvent{URI: protocol.URIFromPath(path), Type: kind})
	}
	if len(changed) > 0 {
		w.reindexLocked(s, x, changed)
	}
	return outside, reread
}

// has reports whether one of the files includes another one.
func (x *inclusionIndex) has(path string) bool {
	if !x.names[filepath.Base(path)] {
		return false
	}
	for file, list := range x.by {
		if slices.ContainsFunc(list, func(i language.Inclusion) bool { return !i.Pattern && i.Means(file, path) }) {
			return true
		}
	}
	return false
}
