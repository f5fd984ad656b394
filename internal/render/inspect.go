package render

import (
	"fmt"
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

// Fit implements [Reply]: every part gets its share, and the documentation goes
// last.
func (i *Inspection) Fit(max int) {
	if max <= 0 {
		max = DefaultBytes
	}
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
	fit(max, i.Brief, func() bool {
		if len(i.Hover) < 40 {
			return false
		}
		i.Hover = cut(i.Hover, halve(len(i.Hover)))
		i.Cut = "the end of the documentation; raise max_bytes to get it"
		return true
	})
}
