package workspace

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
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
		w.goFiles.build = project.NewGoBuild(w.env, w.opts.LookPath)
	}
	return w.goFiles.build.File(path, content)
}

// Toolchain returns the version of Go that the project of a candidate wants, and the one
// there is.
func (w *Workspace) Toolchain(c *Candidate) (t project.GoToolchain, known bool) {
	if c.Definition.Scope != registry.GoBuild || c.Marker == "" {
		return t, false
	}
	path, err := w.opts.LookPath(language.GoCommand)
	if err != nil {
		return t, false
	}
	return project.FindGoToolchain(filepath.Join(c.Root, c.Marker), path), true
}

// goEnvironment keeps the go command from downloading another one because a project says
// so. One that was downloaded before may run, and what the user set counts.
func (w *Workspace) goEnvironment(c *Candidate) []string {
	if c.Definition.Scope != registry.GoBuild || !w.staysLocal(c) {
		return nil
	}
	return []string{"GOTOOLCHAIN=local"}
}

func (w *Workspace) staysLocal(c *Candidate) bool {
	switch project.GoSetting(w.env, "GOTOOLCHAIN") {
	case "local":
		return true
	case "", "auto":
		t, known := w.Toolchain(c)
		return !known || !t.Lacks() && !t.Differs() || !t.Cached(w.env)
	}
	return false
}

// LacksGo says that the go command is older than the project of a candidate needs, so that
// nothing is known of it; "" if it is not.
func (w *Workspace) LacksGo(c *Candidate) string {
	t, known := w.Toolchain(c)
	if !known || !t.Lacks() || !w.staysLocal(c) {
		return ""
	}
	return fmt.Sprintf("%s needs %s, and %s is installed: no other is downloaded without being asked; run go version in %s", c.Marker, t.Needs, t.Has, w.Relative(c.Root))
}

// PrefersGo says that the project of a candidate prefers a newer go command than the one
// that judges; "" if it does not.
func (w *Workspace) PrefersGo(c *Candidate) string {
	t, known := w.Toolchain(c)
	if !known || !t.Differs() || t.Lacks() || !w.staysLocal(c) {
		return ""
	}
	return fmt.Sprintf("%s judges with %s; %s prefers %s, which is not downloaded without being asked", c.Definition.ID, t.Has, c.Marker, t.Prefers)
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
