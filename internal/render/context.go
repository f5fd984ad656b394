package render

import (
	"fmt"
	"strings"
)

// An EditingContext is what one must know before editing a file.
type EditingContext struct {
	Head
	Path string `json:"path"`
	// ETag names this state; asked for again with it, NotModified is the answer
	// as long as nothing changed.
	ETag        string `json:"etag"`
	NotModified bool   `json:"not_modified,omitempty"`
	// Imports are the lines that bring names from elsewhere.
	Imports []string `json:"imports,omitempty"`
	Symbols []Symbol `json:"symbols,omitempty"`
	// Callers are, by name path of a symbol in the file, its users elsewhere;
	// Callees what the file uses.
	Callers []Usage `json:"callers,omitempty"`
	Callees []Usage `json:"callees,omitempty"`
}

// A Usage is a symbol and those that use it, or that it uses.
type Usage struct {
	Symbol string `json:"symbol"`
	Others []User `json:"others"`
	// More is how many were left out.
	More int `json:"more,omitempty"`
}

// Brief implements [Reply].
func (e *EditingContext) Brief() string {
	return e.write(func(b *strings.Builder) {
		fmt.Fprintf(b, "%s etag %s\n", defused(e.Path), e.ETag)
		if e.NotModified {
			fmt.Fprintln(b, "not modified")
			return
		}
		if len(e.Imports) > 0 {
			fmt.Fprintln(b, "imports:")
			for _, line := range e.Imports {
				fmt.Fprintln(b, indented(line, "  "))
			}
		}
		fmt.Fprintln(b, "symbols:")
		writeSymbols(b, e.Symbols, "  ")
		writeUsages(b, "callers", e.Callers)
		writeUsages(b, "callees", e.Callees)
	})
}

func writeUsages(b *strings.Builder, title string, usages []Usage) {
	if len(usages) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n", title)
	for _, u := range usages {
		fmt.Fprintf(b, "  %s:", defused(u.Symbol))
		for _, o := range u.Others {
			fmt.Fprintf(b, " %s:%d", defused(o.Path), o.Line)
			if o.Name != "" {
				fmt.Fprintf(b, " %s", defused(o.Name))
			}
			fmt.Fprint(b, ";")
		}
		if u.More > 0 {
			fmt.Fprintf(b, " and %d more", u.More)
		}
		fmt.Fprintln(b)
	}
}

// Fit implements [Reply]: callees go, then callers, then details and deeper
// symbols.
func (e *EditingContext) Fit(max int) {
	drop := func(list *[]Usage, what string) func() bool {
		return func() bool {
			had := len(*list) > 0
			*list = nil
			e.Cut = what + "; raise max_bytes, or ask for the hierarchy of one symbol"
			return had
		}
	}
	fit(max, e,
		drop(&e.Callees, "the callees"), drop(&e.Callers, "the callers and callees"),
		func() bool { return stripDetails(e.Symbols) },
		func() bool {
			d := depth(e.Symbols)
			if d > 1 {
				prune(e.Symbols, d-1)
			}
			return d > 1
		},
		func() bool {
			n := len(e.Symbols)
			e.Symbols = e.Symbols[:halve(n)]
			e.Cut = fmt.Sprintf("all but %d outermost symbols; raise max_bytes to get them", len(e.Symbols))
			return n > 0
		})
}

// A Documentation is what the language's own tool, or the server, says of a
// symbol.
type Documentation struct {
	Head
	Symbol   string `json:"symbol"`
	Language string `json:"language,omitempty"`
	// Source is the command that was run, or hover.
	Source    string `json:"source"`
	Signature string `json:"signature,omitempty"`
	Text      string `json:"doc"`
}

// Brief implements [Reply].
func (d *Documentation) Brief() string {
	return d.write(func(b *strings.Builder) {
		fmt.Fprintf(b, "%s (%s)\n%s\n", defused(d.Symbol), defused(d.Source), indented(d.Text, ""))
	})
}

// Fit implements [Reply]: the end goes.
func (d *Documentation) Fit(max int) {
	fit(max, d, func() bool {
		n := len(d.Text)
		d.Text = cut(d.Text, halve(n))
		d.Cut = "the end; raise max_bytes to get it"
		return n > 80
	})
}
