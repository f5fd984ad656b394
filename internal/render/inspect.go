package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func briefInspection(i *result.Inspection) string {
	return write(&i.Head, func(b *strings.Builder) {
		fmt.Fprintf(b, "%s", legible.Line(i.Symbol))
		if i.Kind != "" {
			fmt.Fprintf(b, " (%s)", legible.Line(i.Kind))
		}
		switch {
		case i.Definition == "" || i.Definition == i.At:
			fmt.Fprintf(b, " at %s\n", legible.Line(i.At))
		default:
			fmt.Fprintf(b, " at %s, defined at %s\n", legible.Line(i.At), legible.Line(i.Definition))
		}
		if i.Signature != "" && !strings.Contains(i.Hover, i.Signature) {
			fmt.Fprintln(b, indented(i.Signature, ""))
		}
		switch {
		case i.Hover != "":
			fmt.Fprintln(b, indented(i.Hover, ""))
		case i.Signature == "":
			fmt.Fprintln(b, "the server says nothing about it")
		}
		if i.Source != nil {
			fmt.Fprintf(b, "source:\n%s\n", Brief(i.Source))
		}
		if i.Callers != nil {
			fmt.Fprintf(b, "callers:\n%s\n", Brief(i.Callers))
		}
		if i.References != nil {
			fmt.Fprintf(b, "references:\n%s\n", Brief(i.References))
			fmt.Fprintf(b, "references in tests: %d", i.Tests)
			if len(i.TestFiles) > 0 {
				fmt.Fprintf(b, " (%s)", legible.Line(strings.Join(i.TestFiles, ", ")))
			}
			fmt.Fprintln(b)
		}
	})
}

// fitInspection shortens: every part gets its share, then the documentation gets
// shorter, then whole parts go.
func fitInspection(i *result.Inspection, max int) {
	max = budgetOf(max)
	share := max / 4
	if len(Brief(i)) > max {
		if i.Source != nil {
			Fit(i.Source, share)
		}
		if i.Callers != nil {
			Fit(i.Callers, share)
		}
		if i.References != nil {
			Fit(i.References, share)
		}
	}
	var gone []string
	lose := func(part string, had bool) bool {
		if had && !slices.Contains(gone, part) {
			gone = append(gone, part)
			i.Cut = strings.Join(gone, ", ") + "; raise max_bytes for all of it"
		}
		return had
	}
	fit(max, i,
		func() bool {
			had := len(i.Hover) >= 40
			if had {
				i.Hover = cut(i.Hover, halve(len(i.Hover)))
			}
			return lose("the end of the documentation", had)
		},
		func() bool { had := i.TestFiles != nil; i.TestFiles = nil; return lose("the files of the tests", had) },
		func() bool { had := i.References != nil; i.References = nil; return lose("the references", had) },
		func() bool { had := i.Callers != nil; i.Callers = nil; return lose("the callers", had) },
		func() bool { had := i.Source != nil; i.Source = nil; return lose("the source", had) },
		func() bool {
			had := len(i.Signature) >= 40
			if had {
				i.Signature = cut(i.Signature, halve(len(i.Signature)))
			}
			return lose("the end of the signature", had)
		})
}
