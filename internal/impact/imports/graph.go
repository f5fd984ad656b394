package imports

import (
	"cmp"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/language"
)

// A Stamp tells one state of a file from another.
type Stamp struct {
	Size, Modified int64
	Change         uint64
}

// A Tree is the files that may bring in each other. Read and Stamp are called for several files at once.
type Tree struct {
	// Paths returns the files, absolute. It is called only if a change concerns
	// others at all: the list may be dear.
	Paths func() []string
	Read  func(path string) ([]byte, error)
	// Stamp returns the state of a file, or false if what was read before is not to
	// be relied on.
	Stamp func(path string) (Stamp, bool)
	// Ended reports whether nobody waits for the search any more: then no more files are read, and not all are found. It may be nil.
	Ended func() bool
	// Touched returns the files that may be others than when it returned a mark, and the
	// mark of now, or 0; false if it cannot say. It may be nil. It is asked after Paths.
	Touched func(mark uint64) (paths []string, now uint64, ok bool)
}

// A Reader remembers what files bring in as long as they stay as they are. It is
// safe for concurrent use; the zero Reader is ready.
type Reader struct {
	resolver resolver
	// mostFiles bounds the files of a search; 0 is maxFiles.
	mostFiles int

	mu   sync.Mutex
	read map[string]known
	// kept are the graphs of the last searches.
	kept map[*family]*kept
	// divisions are of the texts that were compared last.
	divisions []division
	// divided bounds what known files were divided into: the bytes of their texts.
	divided int
}

type known struct {
	stamp Stamp
	// restless says that the stamp was not to be relied on.
	restless bool
	imports  []reference
	// parsed is what the file declares, nil if nobody asked yet.
	parsed []declaration
}

// Bounds of a search.
const (
	maxFiles   = 500_000 // of one family
	maxBytes   = 2 << 30
	maxDivided = 8 << 20 // kept between searches
)

// A graph says which files bring in which.
type graph struct {
	reader *Reader
	tree   Tree
	family *family
	// importers are the files that bring in something whose path ends with a name.
	importers map[string][]importer
	// under are the files that may bring in any file of a folder.
	under map[string][]importer
	// meanings says what is not imported by a relative path.
	workspace *workspace
	configs   *settings // nil until somebody asks
	meanings  map[request][]reference
	state     resolution // of meanings
	modules   goModules
	paths     []string
	files     map[string]known
	texts     map[string]string
	parsed    map[string][]declaration
	// cut says that not all files were read.
	cut bool
}

type importer struct {
	path string
	reference
}

// graph reads the files of a family, those that may have changed since the last time.
func (r *Reader) graph(tree Tree, f *family) *graph {
	paths := tree.Paths()
	g, mark := r.again(tree, f, paths)
	if g == nil {
		g = r.anew(tree, f, paths)
	}
	r.keep(g, paths, mark)
	return g
}

// anew reads all files of a family.
func (r *Reader) anew(tree Tree, f *family, paths []string) *graph {
	g := &graph{
		reader: r, tree: tree, family: f,
		files: make(map[string]known), texts: make(map[string]string), parsed: make(map[string][]declaration),
	}
	for _, path := range paths {
		if familyOf(path) != f {
			continue
		}
		if len(g.paths) == r.most() {
			g.cut = true
			break
		}
		g.paths = append(g.paths, path)
	}
	files, whole := r.readAll(tree, f, g.paths)
	for i, path := range g.paths {
		g.files[path] = files[i]
	}
	g.cut = g.cut || !whole
	if f == families[language.ScriptFamily] {
		g.workspace = workspaceOf(tree, paths)
	}
	if f == families[language.GoFamily] {
		g.modules = goModulesOf(tree, paths)
	}
	r.linkAll(g)
	return g
}

// most is how many files a search reads at most.
func (r *Reader) most() int { return cmp.Or(r.mostFiles, maxFiles) }

// readAll returns what files bring in, in their order, and whether all of them were read. They are read by as many goroutines as run at once.
func (r *Reader) readAll(tree Tree, f *family, paths []string) (files []known, whole bool) {
	files = make([]known, len(paths))
	var next, size atomic.Int64
	var cut atomic.Bool
	var readers guard.Group
	for range runtime.GOMAXPROCS(0) {
		readers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(paths) {
					return
				}
				if size.Load() > maxBytes || tree.Ended != nil && tree.Ended() {
					cut.Store(true)
					return
				}
				var n int
				files[i], n = r.imports(tree, f, paths[i])
				size.Add(int64(n))
			}
		})
	}
	readers.Wait()
	return files, !cut.Load()
}

// linkAll finds out what the files bring in.
func (r *Reader) linkAll(g *graph) {
	if g.workspace != nil {
		g.meanings, g.state = r.resolver.resolve(g.workspace, g.requests(g.files))
	}
	g.importers, g.under = make(map[string][]importer), make(map[string][]importer)
	for path, file := range g.files {
		for _, ref := range file.imports {
			g.link(path, ref)
		}
	}
}

// requests returns what has to be resolved.
func (g *graph) requests(files map[string]known) map[request]bool {
	all := make(map[request]bool)
	for path, file := range files {
		folder := g.workspace.folderOf(path)
		for _, ref := range file.imports {
			if ref.spec != "" && folder != "" {
				all[request{folder, ref.spec}] = true
			}
		}
	}
	return all
}

// meaning returns what a reference in a file is resolved to.
func (g *graph) meaning(path string, ref reference) []reference {
	list := g.resolved(path, ref)
	if g.workspace == nil {
		return list
	}
	ways := g.workspace.ways()
	list = slices.Clip(list)
	for _, meant := range list {
		list = append(list, ways.others(meant)...)
	}
	return list
}

func (g *graph) resolved(path string, ref reference) []reference {
	if ref.spec != "" && g.modules != nil {
		return g.modules.meaning(ref.spec)
	}
	if ref.spec != "" {
		if list, known := g.meanings[request{g.workspace.folderOf(path), ref.spec}]; known {
			return list
		}
	}
	return []reference{ref}
}

// link adds what a file brings in.
func (g *graph) link(path string, ref reference) {
	whole, spec := ref.whole, ref.spec
	for _, ref := range g.meaning(path, ref) {
		ref.whole, ref.spec = whole, spec
		if ref.under {
			g.under[ref.path] = append(g.under[ref.path], importer{path, ref})
			continue
		}
		key := filepath.Base(ref.path)
		g.importers[key] = append(g.importers[key], importer{path, ref})
	}
}

// imports returns what a file brings in, and how many bytes were read for it.
func (r *Reader) imports(tree Tree, f *family, path string) (known, int) {
	stamp, reliable := tree.Stamp(path)
	r.mu.Lock()
	old, ok := r.read[path]
	r.mu.Unlock()
	if ok && reliable && old.stamp == stamp {
		return old, 0
	}
	text, err := tree.Read(path)
	if err != nil {
		return known{restless: true}, 0 // nobody can say anything of it
	}
	file := known{stamp: stamp, restless: !reliable, imports: f.imports(path, text)}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.read == nil {
		r.read = make(map[string]known)
	}
	if delete(r.read, path); reliable && len(r.read) < r.most() {
		r.read[path] = file
	}
	return file, len(text)
}

// of returns the files that may bring in the file at path, and whether all that it holds
// can be reached through them.
func (g *graph) of(path string) map[string]bool {
	name, folder := g.family.named(path)
	found := make(map[string]bool)
	add := func(i importer) {
		if i.path != path {
			found[i.path] = found[i.path] || i.whole
		}
	}
	for _, target := range []string{name, folder} {
		if target == "" {
			continue
		}
		for _, i := range g.importers[filepath.Base(target)] {
			if i.names(target) {
				add(i)
			}
		}
	}
	for dir := filepath.Dir(path); len(g.under) > 0; dir = filepath.Dir(dir) {
		for _, i := range g.under[dir] {
			// Data that no resolver finds is called what its file is.
			if bringing(path) == nil || strings.HasSuffix("/"+i.spec, "/"+filepath.Base(path)) {
				add(i)
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return found
}

// means reports whether a reference in a file may mean another file.
func (g *graph) means(path string, ref reference, target string) bool {
	name, folder := g.family.named(target)
	return slices.ContainsFunc(g.meaning(path, ref), func(ref reference) bool {
		if ref.under {
			return isUnder(target, ref.path)
		}
		return ref.names(name) || folder != "" && ref.names(folder)
	})
}

// names reports whether a reference may mean a path: one that is not exact names the
// end of it or, in a workspace of several packages, the last word.
func (r reference) names(path string) bool {
	if r.exact {
		return r.path == path
	}
	return strings.HasSuffix(path, r.path) || filepath.Ext(r.path) == "" && filepath.Base(r.path) == filepath.Base(path)
}

// text returns what a file says, "" if it cannot be read.
func (g *graph) text(path string) string {
	text, ok := g.texts[path]
	if !ok {
		content, _ := g.tree.Read(path)
		text = string(content)
		g.texts[path] = text
	}
	return text
}

// declarations divides the text of a file, once.
func (g *graph) declarations(path string) []declaration {
	list, ok := g.parsed[path]
	if !ok {
		file := g.files[path]
		if list = g.reader.declared(path, file.stamp); list == nil {
			text := g.text(path)
			list = g.family.declarations(path, text)
			g.reader.remember(path, file.stamp, list, len(text))
		}
		g.parsed[path] = list
	}
	return list
}

// declared returns what a file declares in a state, nil if that is not known.
func (r *Reader) declared(path string, stamp Stamp) []declaration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if file, ok := r.read[path]; ok && file.stamp == stamp {
		return file.parsed
	}
	return nil
}

// remember keeps what a file declares in a state, if that state is the known one. What
// is kept of all files is bounded by the size of their texts.
func (r *Reader) remember(path string, stamp Stamp, list []declaration, size int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	file, ok := r.read[path]
	if !ok || file.stamp != stamp {
		return
	}
	if r.divided += size; r.divided > maxDivided {
		for other, f := range r.read {
			f.parsed = nil
			r.read[other] = f
		}
		r.divided = size
	}
	file.parsed = list
	r.read[path] = file
}
