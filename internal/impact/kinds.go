package impact

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

func isType(kind string) bool {
	switch kind {
	case "class", "interface", "struct", "enum":
		return true
	}
	return false
}

func isFunction(kind string) bool {
	switch kind {
	case "function", "method", "constructor", "operator":
		return true
	}
	return false
}

// holdsOthers reports whether symbols of a kind are there for what they hold;
// object is how rust-analyzer calls an impl block.
func holdsOthers(kind string) bool {
	switch kind {
	case "file", "module", "namespace", "package", "object":
		return true
	}
	return false
}

// Declared returns the symbols of a file that others may use: what is at the top
// level, and the types and methods in types and modules; no fields, nothing in
// functions, no constructors, whose uses are those of the type, and no names that
// are only imported or passed on.
func Declared(o *symbols.Outline, text *protocol.Mapper) []*symbols.Symbol {
	return slices.DeleteFunc(descend(nil, o.Symbols, true), func(s *symbols.Symbol) bool {
		return IsImport(string(text.Line(int(s.Selection.Start.Line))))
	})
}

func descend(found, list []*symbols.Symbol, top bool) []*symbols.Symbol {
	for _, s := range list {
		switch {
		case holdsOthers(s.Kind):
			found = descend(found, s.Children, top)
		case isType(s.Kind):
			found = descend(append(found, s), s.Children, false)
		case s.Kind == "constructor":
		case top || isFunction(s.Kind):
			found = append(found, s)
		}
	}
	return found
}

// importing is a line that brings a name from elsewhere, or passes it on.
var importing = lazyregexp.New(`^\s*(import\b|from\s+\S+\s+import\b|(pub(\([^)]*\))?\s+)?use\s|using\s|export\s+(\*|(type\s+)?\{)|#\s*include\b|(const|let|var)\s.*\brequire\()`)

// IsImport reports whether a line brings names from elsewhere.
func IsImport(line string) bool { return importing.MatchString(line) }

func (a *analysis) isImport(p symbols.Place) bool {
	text, err := a.q.Text(p.Path)
	return err == nil && IsImport(string(text.Line(int(p.Range.Start.Line))))
}

// inlineTest reports whether a symbol is a test beside the code, in a module of tests.
func inlineTest(path string, s *symbols.Symbol) bool {
	modules := language.Of(path).TestModules
	return len(modules) > 0 && slices.ContainsFunc(s.Path[:len(s.Path)-1], func(name string) bool { return slices.Contains(modules, name) })
}

func folder(path string) string { return filepath.Dir(path) }

// testName finds the name of a test in that of a user, by the language's rules.
func testName(path, name string) (string, bool) {
	l := language.Of(path)
	if l.TestFunctions == nil {
		return strings.ReplaceAll(name, " callback", ""), name != ""
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if !slices.ContainsFunc(l.TestFunctions, func(prefix string) bool { return strings.HasPrefix(last, prefix) }) {
		return "", false
	}
	if l.ID == language.Go { // whose tests have no names but their own
		return last, true
	}
	return name, true
}
