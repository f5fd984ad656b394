package project

import (
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// writtenFilter is the filter that jdtls writes into the .project of an Eclipse project.
var writtenFilter = lazyregexp.New(`<arguments>([^<]*)\|__CREATED_BY_JAVA_LANGUAGE_SERVER__</arguments>`)

// eclipseDepth bounds how deep below a folder jdtls looks for the projects of Eclipse.
const eclipseDepth = 5

// EclipseFilters returns the patterns of names that jdtls may leave out of projects. It writes them into the .project of each project
// that has one, and removes others that it wrote there: they are those that the project has already, or none. Elsewhere it keeps the
// file in a folder of its own, and they are its defaults, without which it reads all packages of npm.
func EclipseFilters(folders []string) []string {
	filters := []string{language.NodeFolder, `\.git`}
	for _, folder := range folders {
		for _, file := range eclipseProjects(folder) {
			text, _ := fspath.Read(file)
			if written := writtenFilter.FindSubmatch(text); written != nil {
				return strings.Split(string(written[1]), "|")
			}
			filters = []string{}
		}
	}
	return filters
}

// eclipseProjects returns the .project files in and below a folder.
func eclipseProjects(folder string) (files []string) {
	_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read has none
		}
		if name := e.Name(); !e.IsDir() {
			if name == language.EclipseProject {
				files = append(files, path)
			}
		} else if path != folder && (name[0] == '.' || name == language.NodeFolder || depthBelow(folder, path) > eclipseDepth) {
			return fs.SkipDir
		}
		return nil
	})
	return files
}

// depthBelow returns how many folders lead from a folder to a path below it.
func depthBelow(folder, path string) int {
	return strings.Count(path[len(folder):], string(filepath.Separator))
}
