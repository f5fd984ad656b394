package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/lspine/lspine/internal/fspath"
)

// A glob is a pattern of paths. What exists counts before what it could match: where there is a file or folder that is
// called like a part of the pattern, such as [slug], that part stands for it alone.
type glob struct {
	// folder is what the pattern begins with and that has no wildcard; absolute, with slashes and links resolved.
	folder string
	// parts are what follows, as it is between slashes.
	parts []string
	// exists caches which paths there are.
	exists map[string]bool
}

// newGlob returns the glob of an absolute path, nil if its pattern is malformed.
func newGlob(pattern string) *glob {
	volume := filepath.VolumeName(pattern)
	parts := divided(filepath.ToSlash(strings.TrimPrefix(pattern, volume)))
	g := &glob{folder: filepath.ToSlash(volume), exists: make(map[string]bool)}
	n := 1 // the first part ends with the slash of the root
	for n < len(parts)-1 && (!isWild(parts[n]) || g.isThere(g.folder+"/"+parts[n])) {
		g.folder += "/" + parts[n]
		n++
	}
	if resolved, err := fspath.Follow(filepath.FromSlash(g.folder + "/")); err == nil { // files are named with links resolved
		g.folder = strings.TrimSuffix(filepath.ToSlash(resolved), "/")
	}
	g.parts = parts[min(n, len(parts)):]
	if !slices.ContainsFunc(g.parts, func(part string) bool { return !doublestar.ValidatePattern(part) }) {
		return g
	}
	return nil
}

// divided returns what is between the slashes of a pattern, except for slashes between braces.
func divided(pattern string) (parts []string) {
	begin, depth := 0, 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth--
		case '/':
			if depth <= 0 {
				parts, begin = append(parts, pattern[begin:i]), i+1
			}
		}
	}
	if depth > 0 { // a brace that is a letter of a name
		return strings.Split(pattern, "/")
	}
	return append(parts, pattern[begin:])
}

// isWild reports whether part of a pattern can stand for other names than itself.
func isWild(part string) bool { return strings.ContainsAny(part, `*?[{\`) }

func (g *glob) isThere(path string) bool {
	there, known := g.exists[path]
	if !known {
		_, err := os.Lstat(filepath.FromSlash(path))
		there = err == nil
		g.exists[path] = there
	}
	return there
}

// matches reports whether the pattern stands for the file at an absolute path with links resolved.
func (g *glob) matches(path string) bool {
	rest, inside := strings.CutPrefix(filepath.ToSlash(path), g.folder+"/")
	return inside && g.match(g.folder, g.parts, strings.Split(rest, "/"))
}

// match reports whether parts stand for the names of a path below a folder.
func (g *glob) match(folder string, parts, names []string) bool {
	switch {
	case len(parts) == 0:
		return len(names) == 0
	case parts[0] == "**":
		return g.match(folder, parts[1:], names) || len(names) > 0 && g.match(folder+"/"+names[0], parts, names[1:])
	case strings.Contains(parts[0], "/"): // between braces
		return doublestar.MatchUnvalidated(strings.Join(parts, "/"), strings.Join(names, "/"))
	}
	return len(names) > 0 && g.matchName(folder, parts[0], names[0]) && g.match(folder+"/"+names[0], parts[1:], names[1:])
}

// matchName reports whether a part stands for a name in a folder.
func (g *glob) matchName(folder, part, name string) bool {
	if part == name {
		return true
	}
	return doublestar.MatchUnvalidated(part, name) && !(isWild(part) && g.isThere(folder+"/"+part))
}
