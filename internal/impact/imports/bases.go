package imports

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/jsonc"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/project"
)

// A settings is what configures the files of a family, and what that may extend.
type settings struct {
	tree    Tree
	family  language.Family
	configs []string // tsconfig.json, pyrightconfig.json and the like
	data    []string // files of other names that they may extend
	extends *bases   // nil until somebody asks
}

// settingsOf sorts the paths of a tree.
func settingsOf(tree Tree, f language.Family) *settings {
	s := &settings{tree: tree, family: f}
	for _, path := range tree.Paths() {
		switch {
		case filepath.Base(path) == language.PackageJSON: // which extends nothing
		case language.Configured(path) == f:
			s.configs = append(s.configs, path)
		case language.MayExtend(f, path):
			s.data = append(s.data, path)
		}
	}
	return s
}

// extending returns the folders of a configuration and of those that extend it, by way
// of others, too.
func (s *settings) extending(path string) (folders []string) {
	if s.family == language.ScriptFamily || language.Configured(path) == s.family {
		folders = append(folders, filepath.Dir(path))
	}
	known := map[string]bool{path: true}
	for open := []string{path}; len(open) > 0; open = open[1:] {
		for _, config := range slices.AppendSeq(slices.Clone(s.configs), maps.Keys(s.extended().files)) {
			if !known[config] && s.mayExtend(config, open[0]) {
				known[config] = true
				open = append(open, config)
				if s.family == language.ScriptFamily || language.Configured(config) == s.family {
					folders = append(folders, filepath.Dir(config))
				}
			}
		}
	}
	return folders
}

// mayExtend reports whether a configuration may extend a file: of scripts, one that has the file's name in it may.
func (s *settings) mayExtend(config, path string) bool {
	if s.family != language.ScriptFamily {
		return slices.Contains(s.extended().files[path], config)
	}
	text, err := s.tree.Read(config)
	return err == nil && bytes.Contains(text, []byte(strings.TrimSuffix(filepath.Base(path), ".json")))
}

// extendsNames match what a configuration says that it extends.
var (
	extendsNames = lazyregexp.New(`"extends"\s*:\s*("[^"\n]*"|\[[^\]]*\])`)
	quotedName   = lazyregexp.New(`"([^"\n]+)"`)
)

// A bases is what configurations extend, by way of others, too, whatever its name.
type bases struct {
	// files are files of data, each with those that name it. Those that are named by a path count also if they are not there: they may
	// just have been deleted.
	files map[string][]string
	// names are those of files of packages, without .json: each file of that name counts.
	names map[string]bool
}

// has reports whether configurations extend a file.
func (b *bases) has(path string) bool { return b.files[path] != nil || b.names[stemOf(path)] }

// stemOf returns the name of a configuration as others may write it.
func stemOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".json") }

// extended returns what configurations extend.
func (s *settings) extended() *bases {
	if s.extends != nil {
		return s.extends
	}
	b := &bases{files: make(map[string][]string), names: make(map[string]bool)}
	s.extends = b
	for open := slices.Clone(s.configs); len(open) > 0; open = open[1:] {
		for _, name := range s.extendsOf(open[0]) {
			meant, isPath := placesOf(open[0], name)
			if !isPath {
				b.names[stemOf(name)] = true
				meant = slices.DeleteFunc(slices.Clone(s.data), func(path string) bool { return stemOf(path) != stemOf(name) })
			}
			for _, path := range meant {
				if b.files[path] == nil {
					open = append(open, path)
				}
				b.files[path] = append(b.files[path], open[0])
			}
		}
	}
	return b
}

// extendsOf returns what a configuration says that it extends, as it names it.
func (s *settings) extendsOf(config string) (names []string) {
	text, err := s.tree.Read(config)
	if err != nil {
		return nil
	}
	if s.family == language.PythonFamily {
		if base := project.PyrightBase(config, text); base != "" {
			names = append(names, base)
		}
		return names
	}
	if plain, err := jsonc.Standardize(text); err == nil { // else what can be seen counts
		text = plain
	}
	said := extendsNames.FindSubmatch(text)
	if said == nil {
		return nil
	}
	for _, quoted := range quotedName.FindAllSubmatch(said[1], -1) {
		names = append(names, filepath.FromSlash(string(quoted[1])))
	}
	return names
}

// placesOf returns the files that a configuration may mean by a path that it extends; isPath is false for the name of a package.
func placesOf(config, name string) (places []string, isPath bool) {
	switch {
	case filepath.IsAbs(name):
	case strings.HasPrefix(name, "."):
		name = filepath.Join(filepath.Dir(config), name)
	default:
		return nil, false
	}
	return []string{name, name + ".json"}, true
}

// isMeant reports whether a configuration means a file by the name of what it extends.
func isMeant(config, name, path string, packages map[string]manifest) bool {
	places, isPath := placesOf(config, name)
	for file, said := range packages {
		if sub, inside := strings.CutPrefix(name, filepath.FromSlash(said.Name)+string(filepath.Separator)); !isPath && inside && said.Name != "" {
			place := filepath.Join(filepath.Dir(file), sub)
			places = append(places, place, place+".json")
		}
	}
	return slices.Contains(places, path)
}
