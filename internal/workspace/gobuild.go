package workspace

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/project"
)

// goFiles remembers which Go files are built here.
type goFiles struct {
	mu    sync.Mutex
	build *project.GoBuild
	known map[string]builtAt
}

type builtAt struct {
	disk.Stamp
	project.Built
}

// Built says whether a Go file with the given content is part of a build on this machine.
func (w *Workspace) Built(path string, content []byte) project.Built {
	w.goFiles.mu.Lock()
	defer w.goFiles.mu.Unlock()
	return w.builtLocked(path, content)
}

func (w *Workspace) builtLocked(path string, content []byte) project.Built {
	if w.goFiles.build == nil {
		w.goFiles.build = project.NewGoBuild(w.Finder.Environ(), w.opts.LookPath)
	}
	return w.goFiles.build.File(path, content)
}

// maxHead is how much of a file is read to know what it is built for.
const maxHead = 16 << 10

// NotBuilt returns the Go files of the workspace that are not built on this machine,
// without those that the go command leaves out of every build, as the last look at the disk
// found them.
func (w *Workspace) NotBuilt() map[string]project.Built {
	w.takePicture()
	found := make(map[string]project.Built)
	w.goFiles.mu.Lock()
	defer w.goFiles.mu.Unlock()
	if w.goFiles.known == nil {
		w.goFiles.known = make(map[string]builtAt)
	}
	for path, now := range w.stamped(language.Go) {
		known, ok := w.goFiles.known[path]
		if !ok || known.Stamp != now {
			known = builtAt{now, w.builtOnDiskLocked(path)}
			w.goFiles.known[path] = known
		}
		if !known.Here {
			found[path] = known.Built
		}
	}
	return found
}

// GoProjects returns which modules below a root, absolute, the go command builds together.
func (w *Workspace) GoProjects(root string) *project.GoProjects {
	return project.NewGoProjects(root, w.opts.Environ)
}

// builtOnDiskLocked reads what the name does not tell. goFiles.mu is held.
func (w *Workspace) builtOnDiskLocked(path string) project.Built {
	here := project.Built{Here: true}
	for folder := range strings.SplitSeq(w.Relative(filepath.Dir(path)), "/") {
		if folder == "testdata" || strings.HasPrefix(folder, "_") {
			return here
		}
	}
	f, err := fspath.Open(path)
	if err != nil {
		return here
	}
	defer func() { _ = f.Close() }()
	content, err := io.ReadAll(io.LimitReader(f, maxHead))
	conditions := [][]byte{[]byte("go:build"), []byte("+build"), []byte(`"C"`)}
	plain := !slices.ContainsFunc(conditions, func(c []byte) bool { return bytes.Contains(content, c) })
	if err != nil || plain && !strings.Contains(filepath.Base(path), "_") {
		return here
	}
	return w.builtLocked(path, content)
}

// stamped returns the files of a language in the picture of the tree.
func (w *Workspace) stamped(id language.ID) map[string]disk.Stamp {
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	files := make(map[string]disk.Stamp)
	for dir, f := range w.tree.Folders() {
		for name, now := range f.Files {
			if language.Is(name, id) {
				files[filepath.Join(dir, name)] = now
			}
		}
	}
	return files
}
