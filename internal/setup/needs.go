package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// A Need is a kind of file that a server needs to know the project of a source file, such as a
// compilation database. Many servers run without it, and report errors that are none.
type Need struct {
	*language.Need
	// elsewhere are further names or globs where the file may be; servers are told where it was
	// found.
	elsewhere []string
}

// NeedOf returns what a server needs for a file, nil if it needs nothing.
func NeedOf(d *registry.Definition, path string) *Need {
	id, _ := d.LanguageID(path)
	for i := range language.Needs {
		n := &language.Needs[i]
		reads := func(root string) bool { return slices.Contains(n.Markers, root) }
		if !slices.Contains(n.Languages, language.ID(id)) || !slices.ContainsFunc(d.Roots, reads) {
			continue
		}
		need := &Need{Need: n}
		if slices.Contains(n.Markers, language.CompileCommands) {
			need.elsewhere = registry.CompilationDatabases()
		}
		return need
	}
	return nil
}

// Met reports whether one of the needed files is in the folder of path or in one above it, up to
// root.
func (n *Need) Met(root, path string) bool {
	for dir := filepath.Dir(path); workspace.Below(root, dir); dir = filepath.Dir(dir) {
		for _, m := range slices.Concat(n.Markers, n.elsewhere) {
			if found, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(m))); len(found) > 0 {
				return true
			}
		}
		if dir == root {
			break
		}
	}
	return false
}

// Missing says which file is missing in a folder and those above it, and what is lost by that.
func (n *Need) Missing(folder string) string {
	return fmt.Sprintf("no %s in or above %s: %s", workspace.AnyOf(n.Markers), folder, n.Lost)
}

// Home returns the folder in which the needed file is to be made: the outermost one that has the
// build file of a known build tool, as CMake and make may have one in each folder below; else root.
func (n *Need) Home(root, path string) string {
	dirs := upwards(path, root)
	slices.Reverse(dirs)
	for _, w := range n.Ways {
		if dir, _ := firstWith(dirs, w.Beside); w.Beside != "" && dir != "" {
			return dir
		}
	}
	return root
}

// Next returns the command that makes the needed file for a project in folder, "" if none is known.
func (n *Need) Next(folder string) string {
	for _, w := range n.Ways {
		if _, err := os.Stat(filepath.Join(folder, w.Beside)); w.Beside == "" || err == nil {
			return strings.ReplaceAll(w.Next, "NAME", Quoted(filepath.Base(folder)))
		}
	}
	return ""
}
