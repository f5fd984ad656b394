package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// GoProjects say which modules the go command builds together.
type GoProjects struct {
	root string
	// used are the folders of the modules that a go.work lists; apart says that only those are one project, or none if it
	// is nil.
	used  map[string]bool
	apart bool
	// folders has the module of a folder, ignored what the go.mod of a module has the go command leave out.
	folders map[string]string
	ignored map[string][]string
}

// NewGoProjects reads what a go.work at root says, unless the environment says that there is none, or names another one.
func NewGoProjects(root string, environ []string) *GoProjects {
	m := &GoProjects{root: root, folders: make(map[string]string), ignored: make(map[string][]string)}
	if set := GoSetting(environ, "GOWORK"); set != "" {
		m.apart = set == "off"
		return m
	}
	path := filepath.Join(root, language.GoWork)
	text, err := fspath.Read(path)
	if err != nil {
		return m
	}
	work, err := modfile.ParseWork(path, text, nil)
	if err != nil {
		return m
	}
	m.apart, m.used = true, make(map[string]bool)
	for _, use := range work.Use {
		m.used[at(path, use.Path)] = true
	}
	return m
}

// ProjectOf returns the folder that stands for all that is built together with a Go file: that of its module if a go.work says
// nothing of that, else the root. It is not safe for concurrent use.
func (m *GoProjects) ProjectOf(path string) string {
	if !m.apart {
		return m.root
	}
	if of := m.moduleOf(path); of != "" && !m.used[of] {
		return of
	}
	return m.root
}

// moduleOf returns the folder of the module that a file is in, "" if it is in none.
func (m *GoProjects) moduleOf(path string) string {
	folder := filepath.Dir(path)
	of, known := m.folders[folder]
	if !known {
		of = moduleOf(folder)
		m.folders[folder] = of
	}
	return of
}

// LeavesOut reports whether a file is in a folder that the go command leaves out of all packages of the module: by its name, or because
// go.mod says so. Such a file is built only when somebody names it. It is not safe for concurrent use.
func (m *GoProjects) LeavesOut(path string) bool {
	module := m.moduleOf(path)
	if module == "" {
		module = m.root
	}
	relative, err := filepath.Rel(module, path)
	if err != nil {
		return false
	}
	relative = filepath.ToSlash(relative)
	ignored, known := m.ignored[module]
	if !known {
		ignored = ignoredBy(filepath.Join(module, language.GoMod))
		m.ignored[module] = ignored
	}
	return IsLeftOut(relative) || slices.ContainsFunc(ignored, func(folder string) bool {
		if below, ok := strings.CutPrefix(folder, "./"); ok {
			return strings.HasPrefix(relative, below+"/")
		}
		return strings.HasPrefix(relative, folder+"/") || strings.Contains(relative, "/"+folder+"/")
	})
}

// ignoredBy returns the folders that a go.mod has the go command leave out.
func ignoredBy(file string) (folders []string) {
	text, err := fspath.Read(file)
	if err != nil {
		return nil
	}
	mod, err := modfile.Parse(file, text, nil)
	if err != nil {
		return nil
	}
	for _, ignore := range mod.Ignore {
		folders = append(folders, strings.TrimSuffix(ignore.Path, "/"))
	}
	return folders
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
