package roots

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/child"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/project"
)

// Foreign is a folder whose programs do not run, although PATH may have it: the checkout of a workspace that is not
// trusted. npx and direnv put folders of a checkout before all others.
type Foreign struct {
	// folder is the checkout, with links resolved; "" for none.
	folder string

	mu sync.Mutex
	// path is the PATH that folders were last made of: those that do not lie in the checkout.
	path    string
	folders []string
}

// ForeignIn returns what is foreign in a workspace: nothing in one that is trusted.
func ForeignIn(root string, trusted bool) *Foreign {
	if trusted {
		return &Foreign{}
	}
	return foreignTo(root)
}

// foreignTo returns what is foreign in an untrusted workspace. Where the user's own folder is in a checkout, its programs
// are the user's.
func foreignTo(root string) *Foreign {
	folder, err := fspath.Real(fspath.FindRoot(root))
	if err != nil {
		return &Foreign{}
	}
	if home, err := os.UserHomeDir(); err == nil {
		if home, err = fspath.Real(home); err == nil && fspath.Below(folder, home) {
			return &Foreign{}
		}
	}
	return &Foreign{folder: folder}
}

// has reports whether a program or a folder of PATH lies in the checkout, by itself or as what a link leads to. What is not
// absolute is looked for where a program happens to run, which is in the checkout.
func (f *Foreign) has(path string) bool {
	if f.folder == "" {
		return false
	}
	if !filepath.IsAbs(path) || fspath.Below(f.folder, path) {
		return true
	}
	real, err := fspath.Program(path)
	return err == nil && fspath.Below(f.folder, real)
}

// LookPath is [exec.LookPath] without what is foreign. A name with a folder says where the program is.
func (f *Foreign) LookPath(name string) (string, error) {
	if f.folder == "" || strings.ContainsAny(name, `/\`) {
		return exec.LookPath(name)
	}
	for _, dir := range f.others() {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil && !f.has(path) {
			return path, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}

// others returns the folders of PATH that are not foreign.
func (f *Foreign) others() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if path := os.Getenv("PATH"); f.folders == nil || f.path != path {
		f.path = path
		f.folders = slices.DeleteFunc(filepath.SplitList(path), f.has)
	}
	return f.folders
}

// without returns an environment in which PATH has no folder of the checkout, and git runs nothing of it.
func (f *Foreign) without(environ []string) []string {
	return child.Harmless(fspath.Here.Mapped(environ, "PATH", func(path string) string {
		return strings.Join(slices.DeleteFunc(filepath.SplitList(path), f.has), string(filepath.ListSeparator))
	}))
}

// HideProgramsOf returns an environment in which PATH has no folder of an untrusted checkout, and has this process find none
// of its programs either: for a command that runs programs and does nothing else.
func HideProgramsOf(root string, environ []string) ([]string, error) {
	environ = foreignTo(root).without(environ)
	environ = append(environ, project.OwnRust(environ)...)
	return environ, os.Setenv("PATH", fspath.Here.Variable(environ, "PATH"))
}

// skips returns where a program lies that is not run because it is foreign, "" if it lies nowhere there.
func (f *Foreign) skips(name string) string {
	if f == nil || f.folder == "" {
		return ""
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil && f.has(path) {
			return path
		}
	}
	return ""
}

// liesHere says why a program does not run although PATH has it.
func liesHere(path string) string { return path + " lies in this checkout, which is not trusted" }
