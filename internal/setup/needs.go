package setup

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// A Need is a file that a server requires in order to know the project of a source file, such as a
// compilation database. Many servers run without it, but then report false errors.
type Need struct {
	*language.Need
	// elsewhere lists other names or globs under which the file may be found. The server is told
	// the location.
	elsewhere []string
}

// NeedOf returns what a server needs for a file, or nil if it needs nothing.
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

// Met reports whether one of the needed files is in the folder of path or in a parent folder, up to
// root.
func (n *Need) Met(root, path string) bool {
	for dir := filepath.Dir(path); fspath.Below(root, dir); dir = filepath.Dir(dir) {
		for _, m := range slices.Concat(n.Markers, n.elsewhere) {
			if found, _ := fs.Glob(os.DirFS(dir), m); len(found) > 0 {
				return true
			}
		}
		if dir == root {
			break
		}
	}
	return false
}

// Missing says which file is missing from a folder and its parents, and what does not work without
// it.
func (n *Need) Missing(folder string) string {
	return fmt.Sprintf("no %s in or above %s: %s", workspace.AnyOf(n.Markers), folder, n.Lost)
}

// Home returns the folder in which to create the needed file: the outermost one with the build file
// of a known build tool (CMake and make may have one in every subfolder), or else root.
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

// Next returns the command that creates the needed file for a project in folder, "" if none is
// known.
func (n *Need) Next(folder string) string {
	for _, w := range n.Ways {
		if _, err := os.Stat(filepath.Join(folder, w.Beside)); w.Beside == "" || err == nil {
			return strings.ReplaceAll(w.Next, "NAME", Quoted(filepath.Base(folder)))
		}
	}
	return ""
}
