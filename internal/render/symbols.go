package render

import (
	"fmt"
	"strings"
)

// Symbols are what a file declares, in its order, or what a search found, best
// first.
type Symbols struct {
	Head
	// Path is the file, or Query what was searched for.
	Path   string `json:"path,omitempty"`
	Query  string `json:"query,omitempty"`
	Total  int    `json:"total" jsonschema:"number of symbols in the file, or found"`
	Offset int    `json:"offset,omitempty"`
	// Symbols of a file have children, those found have a path.
	Symbols []Symbol `json:"symbols"`
}

// A Symbol is a declaration. Lines and columns are 1-based.
type Symbol struct {
	Name   string `json:"name" jsonschema:"name path"`
	Kind   string `json:"kind"`
	Detail string `json:"detail,omitempty"`
	Path   string `json:"path,omitempty"`
	// Line and Column are of the name, EndLine of the whole.
	Line      uint32   `json:"line"`
	Column    uint32   `json:"column"`
	EndLine   uint32   `json:"end_line,omitempty"`
	Container string   `json:"container,omitempty"`
	Children  []Symbol `json:"children,omitempty"`
}

// Brief implements [Reply].
func (o *Symbols) Brief() string {
	return o.write(func(b *strings.Builder) {
		if o.Path == "" {
			o.writeFound(b)
			return
		}
		fmt.Fprintf(b, "%s: %d %s\n", defused(o.Path), o.Total, plural(o.Total, "symbol"))
		writeSymbols(b, o.Symbols, "")
	})
}

func writeSymbols(b *strings.Builder, symbols []Symbol, indent string) {
	for i := range symbols {
		s := &symbols[i]
		put(b, indent, number(s.Line))
		if s.EndLine > s.Line {
			put(b, "-", number(s.EndLine))
		}
		put(b, " ", s.Kind, " ", defused(s.Name))
		if s.Detail != "" {
			put(b, " ", defused(cut(s.Detail, maxSourceLine)))
		}
		put(b, "\n")
		writeSymbols(b, s.Children, indent+" ")
	}
}

// Fit implements [Reply]: details go, then the deepest levels, then symbols from
// the end.
func (o *Symbols) Fit(max int) {
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

func stripDetails(symbols []Symbol) (had bool) {
	for i := range symbols {
		had = had || symbols[i].Detail != ""
		symbols[i].Detail = ""
		had = stripDetails(symbols[i].Children) || had
	}
	return had
}

func depth(symbols []Symbol) int {
	deepest := 0
	for i := range symbols {
		deepest = max(deepest, 1+depth(symbols[i].Children))
	}
	return deepest
}

// prune removes what lies deeper than depth levels.
func prune(symbols []Symbol, depth int) {
	for i := range symbols {
		if depth == 1 {
			symbols[i].Children = nil
		} else {
			prune(symbols[i].Children, depth-1)
		}
	}
}

func (o *Symbols) writeFound(b *strings.Builder) {
	if o.Total == 0 {
		fmt.Fprintf(b, "%s: no symbol\n", defused(o.Query))
		return
	}
	fmt.Fprintf(b, "%s: %d %s", defused(o.Query), o.Total, plural(o.Total, "symbol"))
	if len(o.Symbols) < o.Total {
		fmt.Fprintf(b, ", %d to %d", o.Offset+1, o.Offset+len(o.Symbols))
	}
	fmt.Fprintln(b)
	for i := range o.Symbols {
		s := &o.Symbols[i]
		put(b, defused(s.Path), ":", number(s.Line), ":", number(s.Column), " ", s.Kind, " ", defused(s.Name))
		if s.Container != "" {
			put(b, " in ", defused(s.Container))
		}
		put(b, "\n")
		if s.Detail != "" {
			put(b, indented(s.Detail, "  "), "\n")
		}
	}
}
