package protocol

import (
	"bytes"
	"fmt"
	"strings"
)

// LineEnds is what ends a line besides \n and \r\n (LSP, "Position").
const LineEnds = "\r"

// UnusualEnds are the characters that some programs take for the end of a line,
// and others do not: \r without \n, vertical tab, form feed, U+0085, U+2028, U+2029.
const UnusualEnds = "\r\v\f\u0085\u2028\u2029"

// A Counting is how somebody counts positions: the characters of a line in units
// of Encoding, and the lines of a text by \n, \r\n and the characters in Ends,
// where \r is one without \n.
type Counting struct {
	Encoding Encoding
	Ends     string
}

// Ours is how everything above package lsp counts: as LSP does if nothing else is agreed.
var Ours = Counting{UTF16, LineEnds}

// As returns a mapper of the same text whose lines end with \n, \r\n and the
// characters in ends; m itself if those are the same lines.
func (m *Mapper) As(ends string) *Mapper {
	if Disputed(m.content, m.ends, ends) == 0 {
		return m
	}
	return newMapper(m.content, ends)
}

// Restate returns the position in other, counted in to, of what is at p in m,
// counted in from. Both are of the same text.
func (m *Mapper) Restate(p Position, from Encoding, other *Mapper, to Encoding) Position {
	if m == other {
		return m.Convert(p, from, to)
	}
	return other.Position(m.Offset(p, from), to)
}

// Disputed returns a character in a text that ends a line by one set of ends and
// not by the other; 0 if the text has the same lines by both.
func Disputed(text []byte, ends, others string) rune {
	for _, r := range UnusualEnds {
		if strings.ContainsRune(ends, r) != strings.ContainsRune(others, r) && has(text, r) {
			return r
		}
	}
	return 0
}

// EndName returns what to call one of [UnusualEnds].
func EndName(r rune) string {
	switch r {
	case '\r':
		return `a \r without \n`
	case '\v':
		return "a vertical tab"
	case '\f':
		return "a form feed"
	}
	return fmt.Sprintf("%U", r)
}

// has reports whether a text has one of the unusual ends of lines.
func has(text []byte, r rune) bool {
	if r != '\r' {
		return bytes.ContainsRune(text, r)
	}
	return LoneReturn(text)
}
