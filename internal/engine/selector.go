package engine

import (
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/symbols"
)

func selectorOf(s api.Selector) symbols.Selector {
	return symbols.Selector{
		At: s.At, File: s.File, Line: int(s.Line), Column: int(s.Column), Symbol: s.Symbol, Pattern: s.Pattern,
		ScopeStart: int(s.LineScopeStart), ScopeEnd: int(s.LineScopeEnd), Language: s.Language,
	}
}
