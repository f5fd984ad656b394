package project

import (
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
)

// IgnoresGoWork reports whether the nearest go.work above a root is about other modules alone: it uses neither the one that the
// root is in, nor one in the root. So it is in a checkout below another one, such as the worktree of an agent, where go.work is not committed.
// The go command refuses to work there; servers load only the modules whose files are open. An environment that names a go.work,
// or says that there is none, decides by itself.
func IgnoresGoWork(root string, environ []string) bool {
	if variable(environ, "GOWORK") != "" {
		return false
	}
	if _, err := os.Lstat(filepath.Join(root, language.GoWork)); err == nil {
		return false
	}
	module := moduleOf(root)
	for dir := filepath.Dir(root); ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, language.GoWork)
		if text, err := fspath.Read(path); err == nil {
			work, err := modfile.ParseWork(path, text, nil)
			if err != nil {
				return false
			}
			for _, use := range work.Use {
				if used := at(path, use.Path); isWithin(root, used) || used == module {
					return false
				}
			}
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// moduleOf returns the folder of the Go module that a folder is in, "" if it is in none.
func moduleOf(folder string) string {
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, language.GoMod)); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

func isWithin(folder, path string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(relative)
}
