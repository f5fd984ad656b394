package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func briefSymbols(o *result.Symbols) string {
	return write(&o.Head, func(b *strings.Builder) {
		if o.Path == "" {
			writeFound(o, b)
			return
		}
		fmt.Fprintf(b, "%s: %d %s\n", legible.Line(o.Path), o.Total, plural(o.Total, "symbol"))
		writeSymbols(b, o.Symbols, "")
	})
}

func writeSymbols(b *strings.Builder, symbols []result.Symbol, indent string) {
	for i := range symbols {
		s := &symbols[i]
		putLine(b, indent, number(s.Line))
		if s.EndLine > s.Line {
			putLine(b, "-", number(s.EndLine))
		}
		putLine(b, " ", legible.Line(s.Kind), " ", legible.Line(s.Name))
		if s.Detail != "" {
			putLine(b, " ", legible.Line(cut(s.Detail, maxSourceLine)))
		}
		putLine(b, "\n")
		writeSymbols(b, s.Children, indent+" ")
	}
}

// fitSymbols shortens: details go, then the deepest levels, then symbols from
// the end.
func fitSymbols(o *result.Symbols, max int) {
	details := ""
	fit(max, o,
		func() bool {
			if !stripDetails(o.Symbols) {
				return false
			}
			details = "details and "
			o.Cut = "details; raise max_bytes to get them"
			return true
		},
		func() bool {
			d := depth(o.Symbols)
			if d <= 1 {
				return false
			}
			prune(o.Symbols, d-1)
			o.Cut = fmt.Sprintf("%swhat lies deeper than %d; raise max_bytes, or ask for the source of one", details, d-1)
			return true
		},
		func() bool {
			if len(o.Symbols) == 0 {
				return false
			}
			o.Symbols = o.Symbols[:halve(len(o.Symbols))]
			if o.Path == "" {
				o.Cut = fmt.Sprintf("%sall but %d; ask with offset %d for the next", details, len(o.Symbols), o.Offset+len(o.Symbols))
				return true
			}
			o.Cut = fmt.Sprintf("%sall but %d of %d symbols; raise max_bytes to get them", details, len(o.Symbols), o.Total)
			return true
		})
}

func stripDetails(symbols []result.Symbol) (had bool) {
	for i := range symbols {
		had = had || symbols[i].Detail != ""
		symbols[i].Detail = ""
		had = stripDetails(symbols[i].Children) || had
	}
	return had
}

func depth(symbols []result.Symbol) int {
	deepest := 0
	for i := range symbols {
		deepest = max(deepest, 1+depth(symbols[i].Children))
	}
	return deepest
}

// prune removes what lies deeper than depth levels.
func prune(symbols []result.Symbol, depth int) {
	for i := range symbols {
		if depth == 1 {
			symbols[i].Children = nil
		} else {
			prune(symbols[i].Children, depth-1)
		}
	}
}

func writeFound(o *result.Symbols, b *strings.Builder) {
	if o.Total == 0 {
		fmt.Fprintf(b, "%s: no symbol\n", legible.Line(o.Query))
		return
	}
	fmt.Fprintf(b, "%s: %d %s", legible.Line(o.Query), o.Total, plural(o.Total, "symbol"))
	if len(o.Symbols) < o.Total {
		fmt.Fprintf(b, ", %d to %d", o.Offset+1, o.Offset+len(o.Symbols))
	}
	fmt.Fprintln(b)
	for i := range o.Symbols {
		s := &o.Symbols[i]
		putLine(b, legible.Line(s.Path), ":", number(s.Line), ":", number(s.Column), " ", legible.Line(s.Kind), " ", legible.Line(s.Name))
		if s.Container != "" {
			putLine(b, " in ", legible.Line(s.Container))
		}
		putLine(b, "\n")
		if s.Detail != "" {
			putLine(b, indented(s.Detail, "  "), "\n")
		}
	}
}
