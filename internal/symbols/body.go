package symbols

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
)

// Body returns the byte offsets of the body of a function or type: of the text between its braces,
// or of the lines of an indented block. ok is false if there is none, or that cannot be told for
// certain.
func (o *Outline) Body(s *Symbol) (from, to int, ok bool) {
	start := o.text.Offset(s.Selection.Start, protocol.UTF16)
	end := o.text.Offset(s.Range.End, protocol.UTF16)
	content := o.text.Content()
	if start >= end || end > len(content) {
		return 0, 0, false
	}
	l := language.Of(o.Path)
	if l.Indented {
		return blockBody(content, start, end)
	}
	return braceBody(content, start, end, l.Lifetimes)
}

// braceBody finds the brace that the last one of the text closes.
func braceBody(content []byte, start, end int, rust bool) (from, to int, ok bool) {
	text := content[start:end]
	last := bytes.LastIndexByte(text, '}')
	if last < 0 || len(bytes.Trim(text[last+1:], " \t\r\n;,)")) > 0 {
		return 0, 0, false
	}
	var open []int
	for i := 0; i <= last; i++ {
		if n := skipped(text[i:], rust); n > 0 {
			i += n - 1
			continue
		}
		switch text[i] {
		case '{':
			open = append(open, i)
		case '}':
			if len(open) == 0 {
				return 0, 0, false
			}
			if i == last {
				return start + open[len(open)-1] + 1, start + last, len(open) == 1
			}
			open = open[:len(open)-1]
		}
	}
	return 0, 0, false
}

// skipped returns the length of the comment or literal that a text begins with, 0
// for none. One without an end goes to the end.
func skipped(text []byte, rust bool) int {
	closed := func(by string, from int) int {
		if i := bytes.Index(text[from:], []byte(by)); i >= 0 {
			return from + i + len(by)
		}
		return len(text)
	}
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		return closed("\n", 2)
	case bytes.HasPrefix(text, []byte("/*")):
		return closed("*/", 2)
	case text[0] == '"', text[0] == '`':
		return literal(text)
	case text[0] == '\'' && rust:
		return character(text)
	case text[0] == '\'':
		return literal(text)
	}
	return 0
}

// character returns the length of the character literal of Rust that a text begins with, 0 if it is a lifetime: that has
// one quote alone.
func character(text []byte) int {
	if len(text) > 1 && text[1] == '\\' {
		return literal(text)
	}
	_, size := utf8.DecodeRune(text[1:])
	if end := 1 + size; size > 0 && end < len(text) && text[end] == '\'' {
		return end + 1
	}
	return 0
}

// literal returns the length of the literal in the quotes that a text begins with.
func literal(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == text[0]:
			return i + 1
		case text[i] == '\n' && text[0] != '`':
			return i + 1
		}
	}
	return len(text)
}

// blockBody finds the lines after the colon that ends the head of a block.
func blockBody(content []byte, start, end int) (from, to int, ok bool) {
	depth := 0
	for i := start; i < end; i++ {
		switch c := content[i]; {
		case c == '"' || c == '\'':
			i += literal(content[i:end]) - 1
		case c == '#':
			for i+1 < end && content[i+1] != '\n' {
				i++
			}
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ':' && depth == 0:
			rest := content[i+1 : end]
			if n := bytes.IndexByte(rest, '\n'); n >= 0 && blank(rest[:n]) {
				return i + 1 + n + 1, end, true
			}
			return i + 1, end, len(bytes.TrimSpace(rest)) > 0
		}
	}
	return 0, 0, false
}

// blank reports whether a line holds nothing but a comment.
func blank(line []byte) bool {
	rest := strings.TrimSpace(string(line))
	return rest == "" || strings.HasPrefix(rest, "#")
}

// Alone reports whether no other declaration is on the first or last line of s, so that its lines
// are its own.
func (o *Outline) Alone(s *Symbol) bool {
	first, last := int(s.Range.Start.Line), int(s.Range.End.Line)
	for _, other := range o.all {
		if other == s || within(other, s) {
			continue
		}
		from, to := int(other.Range.Start.Line), int(other.Range.End.Line)
		if within(s, other) { // around it
			if from == first || to == last {
				return false
			}
			continue
		}
		if from <= last && to >= first {
			return false
		}
	}
	return true
}

// within reports whether one declaration is a part of another.
func within(s, around *Symbol) bool {
	for _, child := range around.Children {
		if child == s || within(s, child) {
			return true
		}
	}
	return false
}
