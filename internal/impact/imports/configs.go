package imports

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/jsonc"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// Configures reports whether a file decides how files of the known languages are
// understood: what they import, or how strictly they are judged.
func Configures(path string) bool { return configures(path) != nil }

// configures returns the family that a configuration file is for, nil if it is none.
func configures(path string) *family { return families[language.Configured(path)] }

// A scope is which files a change of configuration concerns.
type scope struct {
	// folders are those of which every file is.
	folders []string
	// packages are the names by which others import a package, and home is where it is.
	packages []string
	home     string
}

// scopeOf returns what a change of a configuration file concerns.
func (g *graph) scopeOf(c Change) scope {
	dir := filepath.Dir(c.Path)
	switch name := filepath.Base(c.Path); {
	case name == language.PackageJSON:
		return packageScope(c, dir)
	case name == language.PyProject && bytes.Equal(pyrightTables(c.Before), pyrightTables(c.After)):
		return scope{}
	case strings.HasSuffix(name, ".json") && sameJSON(c.Before, c.After):
		return scope{}
	case g.family == families[language.ScriptFamily]:
		return scope{folders: g.extending(c.Path)}
	case name == language.CompileCommands && filepath.Base(dir) == "build": // where clangd looks, too
		return scope{folders: []string{filepath.Dir(dir)}}
	}
	return scope{folders: []string{dir}}
}

// packageScope compares two texts of a package.json: what it exports concerns others,
// what it imports the files of the package.
func packageScope(c Change, dir string) scope {
	was, wasReadable := fieldsOf(c.Before)
	is, isReadable := fieldsOf(c.After)
	readable := wasReadable && isReadable
	differ := func(names ...string) bool {
		for _, name := range names {
			if !bytes.Equal(was[name], is[name]) {
				return true
			}
		}
		return false
	}
	var s scope
	if !readable || c.Before == nil || c.After == nil || differ("imports", "type", "workspaces") {
		s.folders = []string{dir}
	}
	if !readable || differ("name", "exports", "main", "module", "types", "typings", "typesVersions", "type") {
		s.home = dir
		for _, raw := range []json.RawMessage{was["name"], is["name"]} {
			var name string
			if json.Unmarshal(raw, &name) == nil {
				s.packages = append(s.packages, name)
			}
		}
	}
	return s
}

// fieldsOf returns the fields of a package.json, none if there is none, and whether it
// can be read.
func fieldsOf(text []byte) (fields map[string]json.RawMessage, readable bool) {
	if text == nil {
		return nil, true
	}
	readable = json.Unmarshal(compact(text), &fields) == nil
	return fields, readable
}

// sameJSON reports whether two texts differ in comments and white space alone.
func sameJSON(a, b []byte) bool {
	was, is := compact(a), compact(b)
	return was != nil && bytes.Equal(was, is)
}

// compact returns a text without comments and white space, nil if it is no JSON.
func compact(text []byte) []byte {
	standard, err := jsonc.Minimize(text)
	if err != nil {
		return nil
	}
	return standard
}

// extending returns the folders of a configuration and of those that extend it, by way
// of others, too.
func (g *graph) extending(path string) []string {
	folders := []string{filepath.Dir(path)}
	known := map[string]bool{path: true}
	for open := []string{path}; len(open) > 0; open = open[1:] {
		name := strings.TrimSuffix(filepath.Base(open[0]), ".json")
		for _, config := range slices.AppendSeq(slices.Clone(g.workspace.configs), maps.Keys(g.workspace.extended().files)) {
			if known[config] || filepath.Base(config) == language.PackageJSON {
				continue
			}
			if text, err := g.tree.Read(config); err == nil && bytes.Contains(text, []byte(name)) {
				known[config] = true
				open = append(open, config)
				folders = append(folders, filepath.Dir(config))
			}
		}
	}
	return folders
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
func (w *workspace) extended() *bases {
	if w.extends != nil {
		return w.extends
	}
	b := &bases{files: make(map[string][]string), names: make(map[string]bool)}
	w.extends = b
	for open := slices.Clone(w.configs); len(open) > 0; open = open[1:] {
		if filepath.Base(open[0]) == language.PackageJSON {
			continue
		}
		for _, name := range w.extendsOf(open[0]) {
			meant, isPath := placesOf(open[0], name)
			if !isPath {
				b.names[stemOf(name)] = true
				meant = slices.DeleteFunc(slices.Clone(w.data), func(path string) bool { return stemOf(path) != stemOf(name) })
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
func (w *workspace) extendsOf(config string) (names []string) {
	text, err := w.tree.Read(config)
	if err != nil {
		return nil
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

// Extending returns, sorted, the configurations that extend a file by its path, or as a file of a package of the workspace. It need not be
// there.
func (s *Search) Extending(path string) (configs []string) {
	if bringing(path) == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.graphLocked(bringing(path)).workspace
	if w == nil {
		return nil
	}
	packages := w.manifests()
	isMeant := func(config, name string) bool {
		places, isPath := placesOf(config, name)
		for manifest, said := range packages {
			if sub, inside := strings.CutPrefix(name, filepath.FromSlash(said.Name)+string(filepath.Separator)); !isPath && inside && said.Name != "" {
				place := filepath.Join(filepath.Dir(manifest), sub)
				places = append(places, place, place+".json")
			}
		}
		return slices.Contains(places, path)
	}
	for _, config := range slices.AppendSeq(slices.Clone(w.configs), maps.Keys(w.extended().files)) {
		names := func(name string) bool { return isMeant(config, name) }
		if filepath.Base(config) != language.PackageJSON && slices.ContainsFunc(w.extendsOf(config), names) {
			configs = append(configs, config)
		}
	}
	slices.Sort(configs)
	return slices.Compact(configs)
}

// Extended reports whether a file that is not named like a configuration is one, because others extend it.
func (s *Search) Extended(path string) bool {
	f := bringing(path)
	if f == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.extendedLocked(f, path)
}

// extendedLocked is Extended for a file that those of a family may bring in. mu is held.
func (s *Search) extendedLocked(f *family, path string) bool {
	g := s.graphLocked(f)
	return g.workspace != nil && g.workspace.extended().has(path)
}

var tomlTable = lazyregexp.New(`(?m)^[ \t]*\[[^\n]*$`)

// pyrightTables returns what a pyproject.toml says to pyright.
func pyrightTables(text []byte) (tables []byte) {
	starts := append(tomlTable.FindAllIndex(text, -1), []int{len(text), len(text)})
	tables = append(tables, text[:starts[0][0]]...)
	for i, at := range starts[:len(starts)-1] {
		if bytes.Contains(text[at[0]:at[1]], []byte("pyright")) {
			tables = append(tables, text[at[0]:starts[i+1][0]]...)
		}
	}
	return bytes.TrimSpace(tables)
}

// configured returns the files that a change of configuration concerns.
func (g *graph) configured(c Change) (concerned []string) {
	s := g.scopeOf(c)
	for _, path := range g.paths {
		inFolder := false
		for _, folder := range s.folders {
			inFolder = inFolder || isUnder(path, folder)
		}
		if inFolder || s.home != "" && g.uses(path, s) {
			concerned = append(concerned, path)
		}
	}
	return concerned
}

// uses reports whether a file imports something of a package by other than a relative
// path.
func (g *graph) uses(path string, s scope) bool {
	for _, ref := range g.files[path].imports {
		if ref.spec == "" {
			continue
		}
		for _, name := range s.packages {
			if ref.spec == name || strings.HasPrefix(ref.spec, name+"/") {
				return true
			}
		}
		for _, meant := range g.meaning(path, ref) {
			if meant.exact && (isUnder(meant.path, s.home) || meant.path == s.home) {
				return true
			}
		}
	}
	return false
}
