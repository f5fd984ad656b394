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
	case g.family == families[language.ScriptFamily], g.family == families[language.PythonFamily]:
		return scope{folders: g.settings().extending(c.Path)}
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

// settings returns what configures the files of a graph.
func (g *graph) settings() *settings {
	if g.configs == nil {
		for f := range families {
			if families[f] == g.family {
				g.configs = settingsOf(g.tree, language.Family(f))
			}
		}
	}
	return g.configs
}

// settingsLocked returns, for each family whose configurations may extend a file, what configures its files. mu is held.
func (s *Search) settingsLocked(path string) (all []*settings) {
	for f := range families {
		if f := language.Family(f); language.MayExtend(f, path) {
			if s.settings[f] == nil {
				s.settings[f] = settingsOf(s.tree, f)
			}
			all = append(all, s.settings[f])
		}
	}
	return all
}

// Extending returns, sorted, the configurations that extend a file by its path, or as a file of a package of the workspace. It need not be
// there.
func (s *Search) Extending(path string) (configs []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, said := range s.settingsLocked(path) {
		packages := make(map[string]manifest)
		if said.family == language.ScriptFamily {
			packages = s.graphLocked(families[said.family]).workspace.manifests()
		}
		for _, config := range slices.AppendSeq(slices.Clone(said.configs), maps.Keys(said.extended().files)) {
			if slices.ContainsFunc(said.extendsOf(config), func(name string) bool { return isMeant(config, name, path, packages) }) {
				configs = append(configs, config)
			}
		}
	}
	slices.Sort(configs)
	return slices.Compact(configs)
}

// Extended returns the families of whose configurations some extend a file, which is not named like one of theirs.
func (s *Search) Extended(path string) (by []language.Family) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, said := range s.settingsLocked(path) {
		if language.Configured(path) != said.family && said.extended().has(path) {
			by = append(by, said.family)
		}
	}
	return by
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
