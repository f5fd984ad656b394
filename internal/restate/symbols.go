package restate

import (
	"strings"

	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Symbol restates a symbol without its children, under a name.
func Symbol(s *symbols.Symbol, name string) result.Symbol {
	return result.Symbol{
		Name: name, Kind: s.Kind, Detail: s.Detail,
		Line: s.Selection.Start.Line + 1, Column: s.Selection.Start.Character + 1, EndLine: s.Range.End.Line + 1,
	}
}

// Symbols presents symbols to a depth, 0 for all; with a kind, those of it and
// what holds them.
func Symbols(list []*symbols.Symbol, depth int, kind string) []result.Symbol {
	shown := []result.Symbol{}
	for _, s := range list {
		// Among children the own name is enough; a Go method stands for itself.
		r := Symbol(s, s.Name)
		if len(s.Path) > 1 && s.Written != s.Name {
			r.Name = strings.Join(s.Path, ".")
		}
		if depth != 1 {
			r.Children = Symbols(s.Children, max(depth-1, 0), kind)
		}
		if kind == "" || s.Kind == kind || len(r.Children) > 0 {
			shown = append(shown, r)
		}
	}
	if len(shown) == 0 {
		return nil
	}
	return shown
}
