package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func briefLenses(l *result.Lenses) string {
	return write(&l.Head, func(b *strings.Builder) {
		if l.Total == 0 {
			fmt.Fprintf(b, "%s: no server offers a code lens\n", legible.Line(l.Path))
			return
		}
		fmt.Fprintf(b, "%s: %d code %s\n", legible.Line(l.Path), l.Total, pluralLens(l.Total))
		for i := range l.Lenses {
			lens := &l.Lenses[i]
			fmt.Fprintf(b, "%d. %d:%d %s", lens.Number, lens.Line, lens.Column, oneLine(lens.Title))
			if lens.Command != "" {
				fmt.Fprintf(b, " (%s)", legible.Line(lens.Command))
			}
			if lens.Problem != "" {
				fmt.Fprintf(b, ": %s", oneLine(lens.Problem))
			}
			b.WriteByte('\n')
		}
	})
}

func pluralLens(n int) string {
	if n == 1 {
		return "lens"
	}
	return "lenses"
}

// fitLenses shortens: lenses go from the end.
func fitLenses(l *result.Lenses, max int) {
	fit(max, l, func() bool {
		if len(l.Lenses) <= 1 {
			return false
		}
		l.Lenses = l.Lenses[:halve(len(l.Lenses))]
		l.Cut = fmt.Sprintf("all but %d code lenses; name a line, or raise max_bytes", len(l.Lenses))
		return true
	})
}

func briefFormatting(f *result.Formatting) string {
	return write(&f.Head, func(b *strings.Builder) {
		if len(f.Edits) == 0 {
			fmt.Fprintf(b, "%s is already formatted.\n", legible.Line(f.Path))
			return
		}
		fmt.Fprintf(b, "%s: %d %s that would format it; nothing was written\n", legible.Line(f.Path), len(f.Edits), plural(len(f.Edits), "edit"))
		for _, e := range f.Edits {
			fmt.Fprintf(b, "%d:%d-%d:%d %s\n", e.StartLine, e.StartColumn, e.EndLine, e.EndColumn, legible.Line(strconv.Quote(e.NewText)))
		}
	})
}
