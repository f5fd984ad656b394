package project

import (
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/lspine/lspine/internal/registry"
)

// Scopes reads what projects say of their files, each configuration once. It is made for
// one moment, and not safe for concurrent use.
type Scopes struct {
	root     string
	beside   map[string][]string // configurations for scripts, by folder
	scripts  map[string]readConfig
	pyrights map[string]pyrightFile
}

// NewScopes returns what has read nothing yet. Nothing above the root is asked.
func NewScopes(root string) *Scopes {
	return &Scopes{root: root, beside: make(map[string][]string), scripts: make(map[string]readConfig), pyrights: make(map[string]pyrightFile)}
}

// LeftOut returns the file by which a project leaves out another one, both absolute; "" if
// it is a part of it, or where that is not known. A script that is left out is a part all
// the same if one that is not imports it.
func (s *Scopes) LeftOut(scope registry.Scope, path, projectRoot string) (by string) {
	switch scope {
	case registry.TSConfig:
		return s.leftOutByTSConfig(path)
	case registry.Pyright:
		return s.leftOutByPyright(path, projectRoot)
	}
	return ""
}

// holds reports whether an absolute pattern is for a path, or for a folder around it. Only
// *, ? and ** mean something in it.
func holds(pattern, path string) bool {
	pattern = strings.TrimSuffix(literal.Replace(filepath.ToSlash(pattern)), "/")
	path = filepath.ToSlash(path)
	return doublestar.MatchUnvalidated(pattern, path) || doublestar.MatchUnvalidated(pattern+"/**", path)
}

// literal takes their meaning from what is a name in the patterns of these tools.
var literal = strings.NewReplacer("[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`, `\`, `\\`)
