package project

import (
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/lspine/lspine/internal/registry"
)

// Scopes tells which files belong to their projects. It reads each configuration once, so it is
// made anew for each question that must be up to date. It is not safe for concurrent use.
type Scopes struct {
	root     string
	beside   map[string][]string // configurations for scripts, by folder
	scripts  map[string]readConfig
	pyrights map[string]pyrightFile
}

// NewScopes returns a Scopes that has read nothing yet. It looks at no folder above root.
func NewScopes(root string) *Scopes {
	return &Scopes{root: root, beside: make(map[string][]string), scripts: make(map[string]readConfig), pyrights: make(map[string]pyrightFile)}
}

// LeftOut returns the configuration by which a project leaves out a file, "" if the file belongs to
// the project or that is not known. A script that is left out belongs to the project all the same
// if a file that is not left out imports it; that is not looked at here.
func (s *Scopes) LeftOut(scope registry.Scope, path, projectRoot string) (by string) {
	switch scope {
	case registry.TSConfig:
		return s.leftOutByTSConfig(path)
	case registry.Pyright:
		return s.leftOutByPyright(path, projectRoot)
	}
	return ""
}

// holds reports whether an absolute pattern matches a path, or a folder that has it. Only *, ? and
// ** are special.
func holds(pattern, path string) bool {
	pattern = strings.TrimSuffix(literal.Replace(filepath.ToSlash(pattern)), "/")
	path = filepath.ToSlash(path)
	return doublestar.MatchUnvalidated(pattern, path) || doublestar.MatchUnvalidated(pattern+"/**", path)
}

// literal escapes the characters that are special to the matcher and not to these tools.
var literal = strings.NewReplacer("[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`, `\`, `\\`)
