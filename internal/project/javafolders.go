package project

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// javaPackage is the package that the first lines of a Java file name.
var javaPackage = lazyregexp.New(`(?m)^\s*package\s+([\pL_$][\pL\pN_$.]*)\s*;`)

// javaBuilds are the files that say where the packages of a Java project begin.
var javaBuilds = []string{
	language.PomXML, language.BuildGradle, language.BuildGradleKTS, language.SettingsGradle, language.SettingsKTS, language.EclipseProject, language.ClassPath,
}

// maxJavaEntries bounds how many files and folders are looked at to find out where packages begin.
const maxJavaEntries = 20_000

// JavaPlaces returns one Java file of each folder below the given ones in which packages begin, the first by name
// of those that lie where their package does: src/m/Base.java, which is in the package m, for "src". Folders
// with a build file are left out: it says where packages begin.
func JavaPlaces(folders []string) []string {
	places := javaPlaces{of: make(map[string]string), known: make(map[string]bool)}
	for _, folder := range folders {
		seen := 0
		_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if seen++; err != nil {
				return nil // what cannot be read has none
			} else if seen > maxJavaEntries {
				return fs.SkipAll
			}
			if e.IsDir() && (path != folder && (e.Name()[0] == '.' || e.Name() == language.NodeFolder) || isBuiltJava(path)) {
				return fs.SkipDir
			}
			if e.Type().IsRegular() && language.Is(path, language.Java) {
				places.add(path)
			}
			return nil
		})
	}
	places.addUnnamed()
	return slices.Sorted(maps.Values(places.of))
}

// javaPlaces are files by the folder in which their package begins.
type javaPlaces struct {
	of map[string]string
	// known are the folders of these files; unnamed are files that name no package.
	known   map[string]bool
	unnamed []string
}

// add notes where the package of a file begins, unless that of another file in its folder is known.
func (p *javaPlaces) add(path string) {
	dir := filepath.Dir(path)
	if p.known[dir] {
		return
	}
	text, err := fspath.Read(path)
	if err != nil {
		return
	}
	named := javaPackage.FindSubmatch(text)
	if named == nil {
		p.unnamed = append(p.unnamed, path)
		return
	}
	below := string(filepath.Separator) + strings.ReplaceAll(string(named[1]), ".", string(filepath.Separator))
	begin, ok := strings.CutSuffix(dir, below)
	if p.known[dir] = ok; ok && p.of[begin] == "" {
		p.of[begin] = path
	}
}

// addUnnamed notes that packages begin in the folders of files that name none, except where others show
// that the line that names it is missing.
func (p *javaPlaces) addUnnamed() {
	for _, path := range p.unnamed {
		dir := filepath.Dir(path)
		if !p.known[dir] && p.of[dir] == "" && !p.isBelow(dir) {
			p.of[dir] = path
		}
	}
}

// isBelow reports whether packages begin in a folder above another.
func (p *javaPlaces) isBelow(dir string) bool {
	for up := filepath.Dir(dir); up != filepath.Dir(up); up = filepath.Dir(up) {
		if p.of[up] != "" {
			return true
		}
	}
	return false
}

// isBuiltJava reports whether a folder is that of a project with a build.
func isBuiltJava(folder string) bool {
	return slices.ContainsFunc(javaBuilds, func(name string) bool {
		_, err := os.Lstat(filepath.Join(folder, name))
		return err == nil
	})
}
