package workspace

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/protocol"
)

// Names translates between paths and the names by which one caller knows files: paths relative to
// its own folder or, if it prefers that, absolute ones. See [Workspace.Names].
type Names struct {
	workspace *Workspace
	base      string // "" is the root of the workspace
	absolute  bool
}

// Names returns the names for a caller whose relative paths start from base; "" is the root.
func (w *Workspace) Names(base string) Names {
	if real, err := fspath.Real(base); err == nil && base != "" {
		base = real // the system takes ../a from there, whatever link the caller came by
	}
	return Names{workspace: w, base: base}
}

// Absolute returns the same names, except that every file is shown with its absolute path.
func (n Names) Absolute() Names {
	n.absolute = true
	return n
}

// Base returns the folder that relative paths start from.
func (n Names) Base() string { return cmp.Or(n.base, n.workspace.Root()) }

// Resolve returns the absolute path of the file that a caller names, links resolved. It is an
// error if that lies outside the workspace.
func (n Names) Resolve(name string) (string, error) { return n.workspace.Resolve(n.Base(), name) }

// Relative returns a path as the caller is shown it: relative to its folder, with slashes, or
// absolute if it lies outside the workspace or every file is shown so.
func (n Names) Relative(path string) string {
	switch {
	case protocol.IsVirtual(path):
		return protocol.VirtualName(path)
	case n.absolute:
		return path
	}
	return n.FromBase(path)
}

// Relatives applies Relative to each of some paths.
func (n Names) Relatives(paths []string) (shown []string) {
	for _, path := range paths {
		shown = append(shown, n.Relative(path))
	}
	return shown
}

// FromBase returns a path relative to the caller's folder, with slashes, or the absolute path if
// it lies outside the workspace. Rules about names of files are applied to this, however files
// are shown to the caller. A relative path is returned as it is.
func (n Names) FromBase(path string) string {
	if n.base == "" || !n.workspace.Contains(path) {
		return n.workspace.Relative(path)
	}
	shown, err := filepath.Rel(n.base, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(shown)
}

// FromRoot returns a path as it is shown to a caller who is told the root of the workspace as
// well.
func (n Names) FromRoot(path string) string {
	if n.absolute {
		return path
	}
	return n.workspace.Relative(path)
}

// Shown restates paths that are relative to the caller's folder as the caller is shown them.
func (n Names) Shown(paths []string) []string {
	if !n.absolute {
		return paths
	}
	shown := make([]string, len(paths))
	for i, path := range paths {
		shown[i] = path
		if !filepath.IsAbs(path) {
			shown[i] = filepath.Join(n.Base(), filepath.FromSlash(path))
		}
	}
	return shown
}

// At writes a place in a file as path:line:column, counted from 1.
func (n Names) At(path string, at protocol.Position) string {
	return fmt.Sprintf("%s:%d:%d", n.Relative(path), at.Line+1, at.Character+1)
}

// FirstOf lists the first of some names, and how many more there are.
func FirstOf(names []string) string {
	const named = 3
	list := strings.Join(names[:min(len(names), named)], ", ")
	if more := len(names) - named; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// AnyOf lists the first of some alternatives ("a or b or c"), and how many more there are.
func AnyOf(alternatives []string) string {
	const named = 4
	if len(alternatives) <= named+1 {
		return strings.Join(alternatives, " or ")
	}
	return fmt.Sprintf("%s or %d others", strings.Join(alternatives[:named], " or "), len(alternatives)-named)
}
