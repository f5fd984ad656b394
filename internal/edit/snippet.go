package edit

import "strings"

// plainSnippet returns the text of a snippet (LSP, "Snippet Syntax") as if each
// placeholder were left at its default: ${1:name} is name, ${1|a,b|} is a, $0
// and variables without a default are nothing.
func plainSnippet(snippet string) string {
	var b strings.Builder
	s := snippetReader{rest: snippet}
	s.text(&b, false)
	return b.String()
}

// deepest is how many placeholders may be in each other.
const deepest = 100

// A snippetReader reads a snippet from the left; rest is what is left.
type snippetReader struct {
	rest  string
	depth int
}

// text reads until the end or, inside a placeholder, until its }.
func (s *snippetReader) text(b *strings.Builder, inside bool) {
	for s.rest != "" {
		c := s.rest[0]
		switch {
		case c == '\\' && len(s.rest) > 1 && strings.IndexByte(`$}\`, s.rest[1]) >= 0:
			b.WriteByte(s.rest[1])
			s.rest = s.rest[2:]
		case c == '}' && inside:
			s.rest = s.rest[1:]
			return
		case c == '$' && s.placeholder(b):
		default:
			b.WriteByte(c)
			s.rest = s.rest[1:]
		}
	}
}

// placeholder reads what begins with $; it reads nothing and returns false if
// that is no placeholder.
func (s *snippetReader) placeholder(b *strings.Builder) bool {
	rest, braced := strings.CutPrefix(s.rest[1:], "{")
	n := 0
	for n < len(rest) && (rest[n] == '_' || rest[n] >= '0' && rest[n] <= '9' || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z') {
		n++
	}
	switch {
	case n == 0, s.depth == deepest:
		return false
	case !braced && rest[0] >= '0' && rest[0] <= '9': // $1x is $1 and x
		n = len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	}
	if s.rest = rest[n:]; !braced || s.rest == "" {
		return true
	}
	s.depth++
	defer func() { s.depth-- }()
	kind := s.rest[0]
	s.rest = s.rest[1:]
	switch kind {
	case ':':
		s.text(b, true)
	case '|':
		s.choice(b)
	case '/': // a transformation of a variable, of which there is no value
		s.text(&strings.Builder{}, true)
	}
	return true
}

// choice reads a,b|} and writes a.
func (s *snippetReader) choice(b *strings.Builder) {
	for first := true; s.rest != ""; {
		c := s.rest[0]
		s.rest = s.rest[1:]
		switch {
		case c == '\\' && s.rest != "":
			c, s.rest = s.rest[0], s.rest[1:]
		case c == ',':
			first = false
			continue
		case c == '|':
			s.rest = strings.TrimPrefix(s.rest, "}")
			return
		}
		if first {
			b.WriteByte(c)
		}
	}
}
