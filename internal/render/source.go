package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func briefSource(s *result.Source) string {
	return write(&s.Head, func(b *strings.Builder) {
		title := fmt.Sprintf("%s:%d-%d", legible.Line(s.Path), s.Line, s.EndLine)
		if s.Symbol != "" {
			title += fmt.Sprintf(" %s (%s)", legible.Line(s.Symbol), legible.Line(s.Kind))
		}
		fmt.Fprintf(b, "%s\n%s\n", title, codeOf(s))
	})
}

// codeOf returns the lines as they are.
func codeOf(s *result.Source) string { return indented(s.Code, "") }

// fitSource shortens: the last lines go.
func fitSource(s *result.Source, max int) {
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
