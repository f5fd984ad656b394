package workspace

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/registry"
)

// Programs are programs that were installed for LSPine alone.
type Programs interface {
	// Find returns the path of a program, and the programs on PATH that it runs with; "" if
	// it is not there.
	Find(program string) (path string, runs []string)
	// Hold keeps a program from being removed until release is called. It may be any path.
	Hold(path string) (release func())
}

type noPrograms struct{}

func (noPrograms) Find(string) (string, []string) { return "", nil }

func (noPrograms) Hold(string) func() { return func() {} }

// A place is where a program of a server is.
type place struct {
	path string
	// local says that it is the workspace's own.
	local bool
	// runs are the programs on PATH that it needs to run.
	runs []string
}

// localFolders are where projects keep programs of their own, below the workspace root.
var localFolders = []string{"node_modules/.bin", ".venv/bin", ".venv/Scripts", "vendor/bin"}

// places returns where a program is, the one that comes first before the others: the version
// that the project brings, if it may run; the one on PATH, which is what its owner chose for this
// shell; the one that was installed for us. A path is where it says.
func (w *Workspace) places(program string) (found []place) {
	add := func(p place) {
		path, err := w.opts.LookPath(p.path)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err == nil && !slices.ContainsFunc(found, func(other place) bool { return other.path == path }) {
			p.path = path
			found = append(found, p)
		}
	}
	if strings.ContainsAny(program, `/\`) {
		add(place{path: program})
		return found
	}
	if w.opts.Trusted {
		for _, folder := range localFolders {
			path := filepath.Join(w.root, filepath.FromSlash(folder), program)
			if path, err := exec.LookPath(path); err == nil {
				found = append(found, place{path: path, local: true})
			}
		}
	}
	add(place{path: program})
	if path, runs := w.opts.Installed.Find(program); path != "" {
		found = append(found, place{path: path, runs: runs})
	}
	return found
}

// lacks says which program is missing that one in a place runs with, "" if none is.
func (w *Workspace) lacks(p place) string {
	for _, program := range p.runs {
		if _, err := w.opts.LookPath(program); err != nil {
			return p.path + " needs " + program + ", which is not found in PATH"
		}
	}
	return ""
}

// justInstalled reports whether a program of a server that was not there can be run now.
func (w *Workspace) justInstalled(d *registry.Definition) bool {
	return slices.ContainsFunc(d.Commands, func(c registry.Command) bool {
		path, runs := w.opts.Installed.Find(c.Binary)
		return path != "" && misfit(path, c.Package) == "" && w.lacks(place{path: path, runs: runs}) == ""
	})
}
