package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// A Need is what a server reads beside a file to know its project. Without it many
// run all the same, and say what is not so.
type Need struct {
	*language.Need
	// elsewhere are further markers, or globs, of which the server is told.
	elsewhere []string
}

// NeedOf returns what a server needs for a file, nil for nothing.
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

// Met reports whether one of the markers is in or above a file's folder.
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

// Missing says what there is not in or above a folder.
func (n *Need) Missing(folder string) string {
	return fmt.Sprintf("no %s in or above %s: %s", workspace.AnyOf(n.Markers), folder, n.Lost)
}

// Home returns the folder of a file's project: the outermost in which one of the ways can be
// gone, as CMake and make have a file in each folder below it; else the root.
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

// Next is the command for a folder.
func (n *Need) Next(folder string) string {
	for _, w := range n.Ways {
		if _, err := os.Stat(filepath.Join(folder, w.Beside)); w.Beside == "" || err == nil {
			return strings.ReplaceAll(w.Next, "NAME", Quoted(filepath.Base(folder)))
		}
	}
	return ""
}

var plainWord = lazyregexp.New(`^[A-Za-z0-9_@%+=:,./~-]+$`)

// Quoted writes a word of a command as a shell reads it.
func Quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
