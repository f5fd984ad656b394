package render

import (
	"fmt"
	"strings"
)

// A Source is the text of a declaration.
type Source struct {
	Head
	Symbol string `json:"symbol,omitempty"`
	Kind   string `json:"kind,omitempty"`
	Path   string `json:"path"`
	// Line and EndLine are 1-based, both included, of Code; SymbolLine and
	// SymbolEndLine those of the declaration without context.
	Line    uint32 `json:"line" jsonschema:"1-based line of the first line of code"`
	EndLine uint32 `json:"end_line"`
	Code    string `json:"code"`
}

// Brief implements [Reply].
func (s *Source) Brief() string {
	return s.write(func(b *strings.Builder) {
		title := fmt.Sprintf("%s:%d-%d", defused(s.Path), s.Line, s.EndLine)
		if s.Symbol != "" {
			title += fmt.Sprintf(" %s (%s)", defused(s.Symbol), s.Kind)
		}
		fmt.Fprintf(b, "%s\n%s\n", title, s.code())
	})
}

// code returns the lines as they are.
func (s *Source) code() string { return indented(s.Code, "") }

// Fit implements [Reply]: the last lines go.
func (s *Source) Fit(max int) {
	lines := strings.SplitAfter(s.Code, "\n")
	total := len(lines)
	fit(max, s, func() bool {
		if s.Code == "" {
			return false
		}
		if len(lines) <= 1 { // one long line
			s.Code = cut(s.Code, halve(len(s.Code)))
			s.Cut = fmt.Sprintf("all but the beginning of the first of %d %s; raise max_bytes to get the rest", total, plural(total, "line"))
			return len(s.Code) > len("…")
		}
		lines = lines[:halve(len(lines))]
		s.Code = strings.TrimSuffix(strings.Join(lines, ""), "\n")
		s.EndLine = s.Line + uint32(len(lines)) - 1
		s.Cut = fmt.Sprintf("the last %d of %d lines; raise max_bytes to get them", total-len(lines), total)
		return true
	})
}
