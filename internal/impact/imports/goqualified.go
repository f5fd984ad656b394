package imports

import (
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// goQualified are names of a Go package's functions, variables and constants, which are no methods: another package
// writes them behind the name that it calls the package by, or imports all of it with a dot (Go specification,
// "Qualified identifiers"). What it calls the same without that is another thing.
type goQualified struct {
	names names
	// packages are what the package calls itself: two names if a change renames it.
	packages []string
}

// qualifiedBy returns those of names that a file's declarations declare, and that are qualified in each of them.
// texts are those of the file.
func qualifiedBy(all names, list []declaration, texts ...string) goQualified {
	q := goQualified{names: make(names)}
	for i := range list {
		if list[i].qualified {
			q.names.add(slices.DeleteFunc(slices.Clone(list[i].names), func(name string) bool { return !all[name] })...)
		}
	}
	for i := range list {
		if !list[i].qualified {
			for _, name := range list[i].names {
				delete(q.names, name)
			}
		}
	}
	for _, text := range texts {
		if text == "" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
		if err != nil {
			return goQualified{}
		}
		q.packages = append(q.packages, file.Name.Name)
	}
	return q
}

// written returns the names of a step without those that a Go file of another package does not write as it must to
// mean them.
func (g *graph) written(path, text string, from step) names {
	if len(from.qualified.names) == 0 || filepath.Dir(path) == filepath.Dir(from.path) {
		return from.names
	}
	if !from.qualified.names.mentioned(text) { // most files: their imports need not be read
		return from.names
	}
	qualifiers, ok := g.qualifiers(path, text, from)
	if !ok {
		return from.names
	}
	left := maps.Clone(from.names)
	for name := range from.qualified.names {
		if !writes(text, qualifiers, name) {
			delete(left, name)
		}
	}
	return left
}

// qualifiers returns the names by which a Go file calls the package of a step; ok is false if it may use what is in it
// without any.
func (g *graph) qualifiers(path, text string, from step) (list []string, ok bool) {
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
	if err != nil {
		return nil, false
	}
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil || !g.means(path, reference{path: filepath.FromSlash("/" + name), spec: name}, from.path) {
			continue
		}
		switch {
		case spec.Name == nil:
			list = append(list, from.qualified.packages...)
		case spec.Name.Name == ".":
			return nil, false
		default:
			list = append(list, spec.Name.Name)
		}
	}
	return list, true
}

// between is what may stand on both sides of the dot: white space and comments.
const between = `(?:\s|/\*(?s:.*?)\*/|//[^\n]*\n)*`

// writes reports whether a Go text has a name behind one of these qualifiers.
func writes(text string, qualifiers []string, name string) bool {
	if len(qualifiers) == 0 || !strings.Contains(text, name) {
		return false
	}
	quoted := make([]string, len(qualifiers))
	for i, q := range qualifiers {
		quoted[i] = regexp.QuoteMeta(q)
	}
	pattern := regexp.MustCompile(`(?:` + strings.Join(quoted, "|") + `)` + between + `\.` + between + regexp.QuoteMeta(name))
	for _, at := range pattern.FindAllStringIndex(text, -1) {
		if at[1] == len(text) || !isWord(text[at[1]]) {
			return true
		}
	}
	return false
}
