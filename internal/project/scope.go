package project

import (
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/lspine/lspine/internal/registry"
)

// Scopes finds out which files belong to their projects. It reads each configuration only once, so
// a question that needs current data needs a new Scopes. It is not safe for concurrent use.
type Scopes struct {
	root     string
	beside   map[string][]string // configurations for scripts, by folder
	scripts  map[string]readConfig
	pyrights map[string]pyrightFile
}

// NewScopes returns a Scopes that has not read anything yet. It looks at no folder above root.
func NewScopes(root string) *Scopes {
	return &Scopes{root: root, beside: make(map[string][]string), scripts: make(map[string]readConfig), pyrights: make(map[string]pyrightFile)}
}

// LeftOut returns the configuration that excludes a file from its project, "" if the file belongs
// to the project or that is unknown. A script that a configuration excludes still belongs to the
// project if an included file imports it; LeftOut does not check that.
func (s *Scopes) LeftOut(scope registry.Scope, path, projectRoot string) (by string) {
	switch scope {
	case registry.TSConfig:
		return s.leftOutByTSConfig(path)
	case registry.Pyright:
		return s.leftOutByPyright(path, projectRoot)
	}
	return ""
}

// holds reports whether an absolute pattern matches a path or one of its parent folders. Only *, ?
// and ** are special.
func holds(pattern, path string) bool {
	pattern = strings.TrimSuffix(literal.Replace(filepath.ToSlash(pattern)), "/")
	path = filepath.ToSlash(path)
	return doublestar.MatchUnvalidated(pattern, path) || doublestar.MatchUnvalidated(pattern+"/**", path)
}

// literal escapes the characters that are special to our matcher but not to the tools that read
// these patterns.
var literal = strings.NewReplacer("[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`, `\`, `\\`)
