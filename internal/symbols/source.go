package symbols

import (
	"context"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
)

// A Source is the text of a declaration.
type Source struct {
	// Symbol is nil if the file has no outline; the lines are then those of the place itself.
	Symbol *Symbol
	Path   string
	// First and Last are 0-based lines, both included.
	First, Last int
	Lines       []string
}

// SourceAt returns the declaration that a place names or is in, with its doc comment and
// decorators. In a file without outline it returns the lines of the place.
func (q *Inquiry) SourceAt(ctx context.Context, p Place) (Source, error) {
	text, err := q.Text(p.Path)
	if err != nil {
		return Source{}, err
	}
	src := Source{Path: p.Path, First: int(p.Range.Start.Line), Last: int(p.Range.End.Line)}
	o, err := q.Outline(ctx, p.Path)
	if err == nil {
		if src.Symbol = o.Declared(p.Range.Start); src.Symbol == nil {
			src.Symbol = o.Enclosing(p.Range.Start)
		}
	} else if ctx.Err() != nil {
		return Source{}, err
	}
	if src.Symbol != nil {
		src.First, src.Last = o.Extent(src.Symbol)
	}
	src.Last = min(src.Last, text.Lines()-1)
	for n := src.First; n <= src.Last; n++ {
		src.Lines = append(src.Lines, string(text.Line(n)))
	}
	return src, nil
}

// Extent returns the 0-based lines, both included, that a declaration takes up: with the doc
// comment and decorators above it, which servers leave out, and all of its first and last line.
func (o *Outline) Extent(s *Symbol) (first, last int) {
	first, last = int(s.Range.Start.Line), int(s.Range.End.Line)
	if s.Range.End.Character == 0 && last > first { // up to the begin of the next line
		last--
	}
	hash := language.Of(o.Path).HashComments
	inBlock := false
	for first > 0 {
		line := strings.TrimSpace(string(o.text.Line(first - 1)))
		switch {
		case inBlock:
			inBlock = !strings.Contains(line, "/*")
		case strings.HasPrefix(line, "/*") && strings.Index(line, "*/") == len(line)-len("*/"):
		case strings.HasSuffix(line, "*/") && !hash:
			if !o.closesComment(first - 1) {
				return first, last
			}
			inBlock = true
		case strings.HasPrefix(line, "//") && !hash:
		case strings.HasPrefix(line, "@") || strings.HasPrefix(line, "#["):
		case strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "#!") && hash:
		case strings.HasPrefix(line, "template") && strings.HasSuffix(line, ">"):
		default:
			return first, last
		}
		first--
	}
	return first, last
}

// closesComment reports whether the comment that ends in a line begins with
// nothing before it, and so belongs to what follows.
func (o *Outline) closesComment(line int) bool {
	for n := line; n >= 0; n-- {
		text := strings.TrimSpace(string(o.text.Line(n)))
		if strings.Contains(text, "/*") {
			return strings.HasPrefix(text, "/*") && !strings.Contains(text, "*/")
		}
	}
	return false
}

// LineRange returns the range of whole lines, 0-based, both included.
func LineRange(text *protocol.Mapper, first, last int) protocol.Range {
	last = min(last, text.Lines()-1)
	line := text.Line(last)
	return protocol.Range{
		Start: protocol.Position{Line: uint32(first)},
		End:   protocol.Position{Line: uint32(last), Character: offsetColumn(line, len(line))},
	}
}
