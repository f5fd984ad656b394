package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
)

// Decides reports whether files of this name say which others belong to a project.
func Decides(name string) bool {
	switch language.Configured(name) {
	case language.ScriptFamily:
		return name != language.PackageJSON
	case language.PythonFamily:
		return true
	}
	return name == language.GoMod
}

// Never reports whether what is below a folder never belongs to a project, although nothing may say so: packages, caches, and
// what builds write. These folders are often huge. Folders whose names begin with a dot are among them: TypeScript, pyright and
// go take no file below one, unless it is named.
func Never(folder string) bool {
	name := filepath.Base(folder)
	switch name {
	case language.NodeFolder, "bower_components", "jspm_packages", "site-packages", "__pycache__", "target", "dist", "build", "out", "coverage":
		return true
	}
	return strings.HasPrefix(name, ".") || IsEnvironment(folder)
}

// Includes reports whether a project takes a file for a part of it, whatever git thinks of the file: because a tsconfig.json
// includes it, because pyright looks at it, or because it is in a package of a Go module or in the folder of a crate. Projects of
// other languages list no files, or in a way that is not read here: each source counts that is not in a folder of libraries.
// It does not look at the other folders that the file is in, see [Never].
func (s *Scopes) Includes(path string) bool {
	of := language.Of(path)
	switch {
	case of.Family == language.ScriptFamily:
		return s.includesScript(path, !of.Compiled)
	case of.ID == language.Python:
		for _, folder := range upTo(filepath.Dir(path), s.root) {
			if by := s.leftOutByPyright(path, folder); s.pyrights[folder].file != "" {
				return by == ""
			}
		}
		return true // what pyright looks at without a configuration
	case of.ID == language.Go:
		return s.includesGo(path)
	case of.ID == language.Rust:
		return s.isBelow(path, language.CargoTOML)
	}
	return of.ID != "" && !s.isVendored(path)
}

// isBelow reports whether a folder that a file is in has a file of that name.
func (s *Scopes) isBelow(path, name string) bool {
	return slices.ContainsFunc(upTo(filepath.Dir(path), s.root), func(folder string) bool {
		_, err := os.Lstat(filepath.Join(folder, name))
		return err == nil
	})
}

// isVendored reports whether a file is in a folder into which package managers copy libraries.
func (s *Scopes) isVendored(path string) bool {
	return slices.ContainsFunc(upTo(filepath.Dir(path), s.root), func(folder string) bool {
		return folder != s.root && (filepath.Base(folder) == "vendor" || filepath.Base(folder) == "Pods")
	})
}

// includesScript reports whether a tsconfig.json includes a file. plain says that it is JavaScript, which has to be asked for.
func (s *Scopes) includesScript(path string, plain bool) bool {
	var open []string
	for _, folder := range upTo(filepath.Dir(path), s.root) {
		open = append(open, s.configsIn(folder)...)
	}
	for n := 0; n < len(open) && n < maxConfigs; n++ {
		config, readable := s.config(open[n])
		if readable && config.isFor(path) && (!plain || config.scripts != nil && *config.scripts) {
			return true
		}
		for _, reference := range config.references {
			if !slices.Contains(open, reference) {
				open = append(open, reference)
			}
		}
	}
	return false
}

// includesGo reports whether a file is in a package of a module: "go list ./..." lists it.
func (s *Scopes) includesGo(path string) bool {
	for _, folder := range upTo(filepath.Dir(path), s.root) {
		if _, err := os.Lstat(filepath.Join(folder, language.GoMod)); err == nil {
			return true
		}
		if name := filepath.Base(folder); name == "testdata" || name == "vendor" || strings.HasPrefix(name, "_") {
			return false
		}
	}
	return false
}

// ConfigOf returns the tsconfig.json or jsconfig.json by which a server of scripts finds the project
// of a file: the nearest that includes it, by itself or by one that it refers to. It returns the one
// that includes it; "" if there is none.
func (s *Scopes) ConfigOf(path string) string {
	var open []string
	for _, folder := range upTo(filepath.Dir(path), s.root) {
		for _, config := range s.configsIn(folder) {
			if name := filepath.Base(config); name == language.TSConfig || name == language.JSConfig {
				open = append(open, config)
			}
		}
	}
	plain := !language.Of(path).Compiled
	for n := 0; n < len(open) && n < maxConfigs; n++ {
		config, readable := s.config(open[n])
		takes := !plain || filepath.Base(open[n]) == language.JSConfig || config.scripts != nil && *config.scripts
		if readable && takes && config.isFor(path) {
			return open[n]
		}
		for _, reference := range config.references {
			if !slices.Contains(open, reference) {
				open = append(open, reference)
			}
		}
	}
	return ""
}
