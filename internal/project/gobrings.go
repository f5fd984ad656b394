package project

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// CgoPreambles returns the comments on a Go file's imports of "C", nil if it has no such import.
func CgoPreambles(text []byte) (list []string) {
	if !bytes.Contains(text, []byte(`"C"`)) {
		return nil
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return []string{string(text)} // any part of it may be C
	}
	for _, d := range parsed.Decls {
		g, isGeneral := d.(*ast.GenDecl)
		if !isGeneral {
			continue
		}
		for _, spec := range g.Specs {
			if i, isImport := spec.(*ast.ImportSpec); isImport && i.Path.Value == `"C"` {
				for _, doc := range []*ast.CommentGroup{g.Doc, i.Doc} {
					if doc != nil {
						for _, line := range doc.List {
							list = append(list, line.Text)
						}
					}
				}
				list = append(list, "") // so that the import itself counts
			}
		}
	}
	return list
}

var includeDirective = lazyregexp.New(`(?m)^[ \t]*(?://|/\*)?[ \t]*#[ \t]*(?:include|include_next|import|embed)[ \t]*(?:["<]([^">\n]+)[">]|[A-Za-z_])`)

// Includes returns what a text of C includes, as it names these files. named is false if it includes something by a macro.
func Includes(text []byte) (names []string, named bool) {
	named = true
	for _, m := range includeDirective.FindAllSubmatch(text, -1) {
		if m[1] == nil {
			named = false
			continue
		}
		names = append(names, string(m[1]))
	}
	return names, named
}

var embedLine = lazyregexp.New(`(?m)^[ \t]*//go:embed[ \t]+(.+)$`)

// EmbedPatterns returns what a Go file says that it embeds.
func EmbedPatterns(text []byte) (patterns []string) {
	if !bytes.Contains(text, []byte("//go:embed")) {
		return nil
	}
	for _, line := range embedLine.FindAllSubmatch(text, -1) {
		for _, pattern := range strings.Fields(string(line[1])) {
			patterns = append(patterns, strings.TrimPrefix(strings.Trim(pattern, "\"`"), "all:"))
		}
	}
	return patterns
}

// EmbedMatches reports whether a pattern embeds a file, which is named with slashes and relative to the folder of the Go file.
func EmbedMatches(pattern, name string) bool {
	for part := name; part != "."; part = path.Dir(part) { // or a folder that contains it
		if ok, err := path.Match(pattern, part); ok && err == nil {
			return true
		}
	}
	return false
}
