package workspace

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/project"
)

// crossings are the ways in which files of one language come into others in this workspace. What was found once counts for as long as
// the workspace is open: what servers said at that time may come of it.
type crossings struct {
	// found is nil as long as nobody has looked: then a file may come into others by any.
	found atomic.Pointer[crossed]

	mu sync.Mutex // held while somebody looks
	// brought are what Go files bring in, by path.
	brought map[string]broughtAt
}

// A crossed is what was found. It does not change.
type crossed struct {
	// cgo are the folders of Go packages that import "C"; included are, by their last words, the names with which these include
	// files of C, directly or by way of others. includesAny says that one of them includes a file by a macro.
	cgo         map[string]bool
	included    map[string][]string
	includesAny bool
	// embedded are the patterns of what Go files embed, by folder; packages are the folders that have Go files and C, which without cgo is an
	// error.
	embedded map[string][]string
	packages map[string]bool
	// scripts says that a crate has a build script.
	scripts bool
}

// broughtAt is what a Go file brings in besides Go.
type broughtAt struct {
	disk.Stamp
	preambles, patterns []string
}

// FindCrossings finds out in which ways files of one language come into others, as of the last look at the disk. former are texts that
// files had before and that servers may be shown: what these bring in counts as well. It reports whether something was
// found that was not known before.
func (w *Workspace) FindCrossings(former map[string][]byte) (more bool) {
	w.takePicture()
	files := w.stamped(language.Go)
	c := &w.crossings
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.found.Load()
	now := before.clone()
	brought := make(map[string]broughtAt, len(files))
	native := make(map[string]bool) // folders
	for _, path := range slices.AppendSeq(w.picturedAs(isNative), maps.Keys(former)) {
		native[filepath.Dir(path)] = native[filepath.Dir(path)] || isNative(path)
	}
	for path, at := range files {
		known, ok := c.brought[path]
		if !ok || known.Stamp != at {
			text, err := fspath.Read(path)
			if err != nil {
				continue // nobody can say anything of it
			}
			known = broughtAt{at, project.CgoPreambles(text), project.EmbedPatterns(text)}
		}
		brought[path] = known
		more = now.add(path, known, native[filepath.Dir(path)]) || more
	}
	c.brought = brought
	for path, text := range former {
		if language.Is(path, language.Go) {
			more = now.add(path, broughtAt{disk.Stamp{}, project.CgoPreambles(text), project.EmbedPatterns(text)}, native[filepath.Dir(path)]) || more
		}
	}
	if more = w.follows(now) || more; !now.scripts && w.hasBuildScript() {
		now.scripts, more = true, true
	}
	if before != nil && !more {
		return false
	}
	c.found.Store(now)
	if before == nil {
		return more
	}
	for _, s := range w.running() {
		endings := s.Definition().Endings()
		if slices.ContainsFunc(slices.Concat(language.Endings(language.Go), language.Endings(language.Rust)), func(e string) bool { return slices.Contains(endings, e) }) {
			s.Disturb()
		}
	}
	return true
}

// Crosses reports whether a file may come into others by a crossing.
func (w *Workspace) Crosses(c language.Crossing, path string) bool {
	found := w.crossings.found.Load()
	if found == nil {
		return true
	}
	switch c {
	case language.Cgo:
		return found.readsC(path)
	case language.GoEmbedding:
		return found.embeds(path) || found.packages[filepath.Dir(path)] && isNative(path)
	case language.BuildScripts:
		return found.scripts
	}
	return true
}

func (f *crossed) clone() *crossed {
	if f == nil {
		return &crossed{cgo: make(map[string]bool), included: make(map[string][]string), embedded: make(map[string][]string), packages: make(map[string]bool)}
	}
	return &crossed{maps.Clone(f.cgo), maps.Clone(f.included), f.includesAny, maps.Clone(f.embedded), maps.Clone(f.packages), f.scripts}
}

func isNative(name string) bool { return language.Of(name).Family == language.NativeFamily }

// add adds what a Go file brings in, and whether C is beside it. It reports whether some of that was not there before.
func (f *crossed) add(file string, b broughtAt, besideC bool) (more bool) {
	folder := filepath.Dir(file)
	if besideC {
		more = !f.packages[folder]
		f.packages[folder] = true
	}
	if b.preambles != nil {
		more = more || !f.cgo[folder]
		f.cgo[folder] = true
		more = f.include([]byte(strings.Join(b.preambles, "\n"))) || more
	}
	for _, pattern := range b.patterns {
		if !slices.Contains(f.embedded[folder], pattern) {
			f.embedded[folder], more = append(slices.Clip(f.embedded[folder]), pattern), true
		}
	}
	return more
}

// include adds what a text of C includes.
func (f *crossed) include(text []byte) (more bool) {
	names, named := project.Includes(text)
	if more = !named && !f.includesAny; more {
		f.includesAny = true
	}
	for _, name := range names {
		name = path.Clean("/" + filepath.ToSlash(name)) // without what leads upwards
		if last := path.Base(name); !slices.Contains(f.included[last], name) {
			f.included[last], more = append(slices.Clip(f.included[last]), name), true
		}
	}
	return more
}

// readsC reports whether a Go package may read a file of C.
func (f *crossed) readsC(file string) bool {
	return f.includesAny || f.cgo[filepath.Dir(file)] || slices.ContainsFunc(f.included[filepath.Base(file)], func(name string) bool {
		return strings.HasSuffix(filepath.ToSlash(file), name)
	})
}

// embeds reports whether a Go file may embed a file.
func (f *crossed) embeds(file string) bool {
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		if patterns := f.embedded[folder]; len(patterns) > 0 {
			name, err := filepath.Rel(folder, file)
			if err != nil || slices.ContainsFunc(patterns, func(p string) bool { return project.EmbedMatches(p, filepath.ToSlash(name)) }) {
				return true
			}
		}
		if folder == filepath.Dir(folder) {
			return false
		}
	}
}

// follows adds what is included by the files that Go packages include, and reports whether some of that was not there before.
func (w *Workspace) follows(f *crossed) (more bool) {
	if len(f.cgo) == 0 || f.includesAny {
		return false
	}
	byName := make(map[string][]string)
	for _, file := range w.picturedAs(isNative) {
		byName[filepath.Base(file)] = append(byName[filepath.Base(file)], file)
	}
	read := make(map[string]bool)
	for again := true; again; {
		again = false
		for name := range maps.Clone(f.included) {
			for _, file := range byName[name] {
				if read[file] || !f.readsC(file) {
					continue
				}
				read[file] = true
				if text, err := fspath.Read(file); err == nil && f.include(text) {
					again, more = true, true
				}
			}
		}
	}
	return more
}

var buildScript = lazyregexp.New(`(?m)^[ \t]*build[ \t]*=[ \t]*["'\[]`)

// hasBuildScript reports whether a crate in the picture has a build script.
func (w *Workspace) hasBuildScript() bool {
	for _, file := range w.picturedAs(func(name string) bool { return name == language.CargoTOML || name == "build.rs" }) {
		if filepath.Base(file) != language.CargoTOML {
			return true
		}
		if text, err := fspath.Read(file); err != nil || buildScript.Match(text) {
			return true
		}
	}
	return false
}

// picturedAs returns the files in the picture of the tree that have such a name.
func (w *Workspace) picturedAs(isOne func(name string) bool) (files []string) {
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	for dir, f := range w.tree.Folders() {
		for name := range f.Files {
			if isOne(name) {
				files = append(files, filepath.Join(dir, name))
			}
		}
	}
	return files
}

// FilesWithC returns the Go files of the packages that import "C", as [Workspace.FindCrossings] found them.
func (w *Workspace) FilesWithC() (files []string) {
	found := w.crossings.found.Load()
	if found == nil || len(found.cgo) == 0 {
		return nil
	}
	for path := range w.stamped(language.Go) {
		if found.cgo[filepath.Dir(path)] {
			files = append(files, path)
		}
	}
	slices.Sort(files)
	return files
}
