package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// Silence returns a line for each server and file whose silence does not mean
// that all is well: what was asked and why no complete answer came.
func Silence(c *result.Check, path func(string) string) []string {
	var lines []string
	shown := func(name string) string { return legible.Line(path(name)) }
	seen := make(map[string]bool)
	for i := range c.Files {
		f := &c.Files[i]
		if f.Error != nil {
			continue
		}
		if len(f.Servers) == 0 && !f.ByUsers {
			lines = append(lines, fmt.Sprintf("%s: no server knows this kind of file", shown(f.Path)))
		}
		for _, a := range f.Servers {
			for _, note := range a.Notes() {
				if !seen[note] {
					seen[note] = true
					lines = append(lines, "note: "+legible.Line(note))
				}
			}
			if a.Freshness == "fresh" {
				continue
			}
			line := fmt.Sprintf("%s: %s: %s", shown(f.Path), a.Server, why(a))
			// A server that is missing is missing for all files.
			if once := a.Server + a.Reason; a.Freshness == "unavailable" {
				if seen[once] {
					continue
				}
				seen[once] = true
			}
			lines = append(lines, line)
			if a.Hint != "" {
				lines = append(lines, "  "+legible.Line(a.Hint))
			}
		}
	}
	for _, note := range c.Notes {
		lines = append(lines, "note: "+legible.Line(note))
	}
	return lines
}

var outcomes = map[string]string{
	"partial":     "its answer may be incomplete",
	"timeout":     "not checked",
	"indexing":    "not checked yet",
	"unavailable": "not available",
}

func why(a result.Answer) string {
	text := outcomes[a.Freshness]
	if a.Reason != "" {
		text += ": " + defusedLines(a.Reason)
	}
	return text
}

// defusedLines keeps the lines of a reason, which may end with what a server
// wrote to its standard error.
func defusedLines(reason string) string {
	lines := strings.Split(reason, "\n")
	for i := range lines {
		lines[i] = legible.Line(lines[i])
	}
	return strings.Join(lines, "\n")
}
