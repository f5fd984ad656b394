package render

import (
	"fmt"
	"slices"
	"strings"
)

// An Inspection is what is known of a symbol: its type and documentation, its
// signature, where it is defined, and more if it was explored.
type Inspection struct {
	Head
	Symbol string `json:"symbol"`
	Kind   string `json:"kind,omitempty"`
	// At is the place that was asked about, as path:line:column.
	At string `json:"at"`
	// Hover is what the server says, in markdown.
	Hover     string `json:"hover,omitempty"`
	Signature string `json:"signature,omitempty"`
	// Definition is path:line:column.
	Definition string `json:"definition,omitempty"`
	// The rest is for explore.
	Source     *Source    `json:"source,omitempty"`
	Callers    *Hierarchy `json:"callers,omitempty"`
	References *Places    `json:"references,omitempty"`
	// Tests are the references in tests, counted; TestFiles their files.
	Tests     int      `json:"tests,omitempty"`
	TestFiles []string `json:"test_files,omitempty"`
}

// Brief implements [Reply].
func (i *Inspection) Brief() string {
	return i.write(func(b *strings.Builder) {
		fmt.Fprintf(b, "%s", defused(i.Symbol))
		if i.Kind != "" {
			fmt.Fprintf(b, " (%s)", i.Kind)
		}
		switch {
		case i.Definition == "" || i.Definition == i.At:
			fmt.Fprintf(b, " at %s\n", defused(i.At))
		default:
			fmt.Fprintf(b, " at %s, defined at %s\n", defused(i.At), defused(i.Definition))
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
			fmt.Fprintf(b, "source:\n%s\n", i.Source.Brief())
		}
		if i.Callers != nil {
			fmt.Fprintf(b, "callers:\n%s\n", i.Callers.Brief())
		}
		if i.References != nil {
			fmt.Fprintf(b, "references:\n%s\n", i.References.Brief())
			fmt.Fprintf(b, "references in tests: %d", i.Tests)
			if len(i.TestFiles) > 0 {
				fmt.Fprintf(b, " (%s)", defused(strings.Join(i.TestFiles, ", ")))
			}
			fmt.Fprintln(b)
		}
	})
}

// Fit implements [Reply]: every part gets its share, then the documentation gets
// shorter, then whole parts go.
func (i *Inspection) Fit(max int) {
	max = budgetOf(max)
	share := max / 4
	if len(i.Brief()) > max {
		if i.Source != nil {
			i.Source.Fit(share)
		}
		if i.Callers != nil {
			i.Callers.Fit(share)
		}
		if i.References != nil {
			i.References.Fit(share)
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
