package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func briefEditingContext(e *result.EditingContext) string {
	return write(&e.Head, func(b *strings.Builder) {
		fmt.Fprintf(b, "%s etag %s\n", legible.Line(e.Path), legible.Line(e.ETag))
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

func writeUsages(b *strings.Builder, title string, usages []result.Usage) {
	if len(usages) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n", title)
	for _, u := range usages {
		fmt.Fprintf(b, "  %s:", legible.Line(u.Symbol))
		for _, o := range u.Others {
			fmt.Fprintf(b, " %s:%d", legible.Line(o.Path), o.Line)
			if o.Name != "" {
				fmt.Fprintf(b, " %s", legible.Line(o.Name))
			}
			fmt.Fprint(b, ";")
		}
		if u.More > 0 {
			fmt.Fprintf(b, " and %d more", u.More)
		}
		fmt.Fprintln(b)
	}
}

// fitEditingContext shortens: callees go, then callers, then details and deeper
// symbols.
func fitEditingContext(e *result.EditingContext, max int) {
	var left []string // what is left out
	leave := func(what string, had bool) bool {
		if had && !slices.Contains(left, what) {
			left = append(left, what)
			e.Cut = strings.Join(left, ", ") + "; raise max_bytes, or ask for the hierarchy of one symbol"
		}
		return had
	}
	drop := func(list *[]result.Usage, what string) func() bool {
		return func() bool {
			had := len(*list) > 0
			*list = nil
			return leave(what, had)
		}
	}
	fit(max, e,
		drop(&e.Callees, "the callees"), drop(&e.Callers, "the callers"),
		func() bool { return leave("the details of symbols", stripDetails(e.Symbols)) },
		func() bool {
			d := depth(e.Symbols)
			if d > 1 {
				prune(e.Symbols, d-1)
			}
			return leave("the innermost symbols", d > 1)
		},
		func() bool {
			n := len(e.Symbols)
			e.Symbols = e.Symbols[:halve(n)]
			e.Cut = fmt.Sprintf("all but the names of %d outermost symbols; raise max_bytes to get it", len(e.Symbols))
			return n > 0
		})
}

func briefDocumentation(d *result.Documentation) string {
	return write(&d.Head, func(b *strings.Builder) {
		fmt.Fprintf(b, "%s (%s)\n%s\n", legible.Line(d.Symbol), legible.Line(d.Source), indented(d.Text, ""))
	})
}

// fitDocumentation shortens: the end goes.
func fitDocumentation(d *result.Documentation, max int) {
	fit(max, d, func() bool {
		n := len(d.Text)
		d.Text = cut(d.Text, halve(n))
		d.Cut = "the end; raise max_bytes to get it"
		return n > 80
	})
}
