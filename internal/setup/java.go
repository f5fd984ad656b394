package setup

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// lacksGradle returns a lack if a project is built with Gradle and no Gradle that could load it is
// installed.
func (s *Setup) lacksGradle(d *registry.Definition, path string, names []string) (lack diagnostics.Lack) {
	dirs := upwards(path, s.workspace.Root())
	if lack.Missing = s.workspace.LacksGradle(dirs); lack.Missing == "" {
		return lack
	}
	lack.Missing, lack.Next = "the project is not loaded: "+lack.Missing, s.loading(d, path)
	lack.Names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool { return s.hasPackage(dir, name) })
	})
	return lack
}

var libraryEntry = lazyregexp.New(`<classpathentry[^>]*kind="lib"[^>]*path="([^"]+)"`)

// lacksLibraries returns a lack if the class path of an Eclipse project refers to libraries that do
// not exist.
func (s *Setup) lacksLibraries(path string, names []string) (lack diagnostics.Lack) {
	home, _ := firstWith(upwards(path, s.workspace.Root()), language.ClassPath)
	content, err := fspath.Read(filepath.Join(home, language.ClassPath))
	if home == "" || err != nil {
		return lack
	}
	var absent []string
	for _, entry := range libraryEntry.FindAllSubmatch(content, -1) {
		library := filepath.FromSlash(string(entry[1]))
		if !filepath.IsAbs(library) {
			library = filepath.Join(home, library)
		}
		if !exists(library) {
			absent = append(absent, string(entry[1]))
		}
	}
	if len(absent) > 0 {
		lack = diagnostics.Lack{Missing: ".classpath names libraries that are not there: " + workspace.FirstOf(absent), Names: names}
	}
	return lack
}

// hasPackage reports whether an imported Java package is part of the project itself.
func (s *Setup) hasPackage(root, name string) bool {
	folder := filepath.FromSlash(strings.ReplaceAll(name, ".", "/"))
	for _, source := range []string{"", "src", "src/main/java", "src/test/java"} {
		for dir := filepath.Dir(folder); dir != "."; dir = filepath.Dir(dir) {
			if isFolder(filepath.Join(root, filepath.FromSlash(source), dir)) && strings.Contains(dir, string(filepath.Separator)) {
				return true
			}
		}
	}
	return false
}
