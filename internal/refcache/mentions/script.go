package mentions

import "bytes"

// ofScript returns the comments of a text in TypeScript in which no tool looks for names, nil if it cannot be told for sure what is a
// comment.
func ofScript(text []byte) []span {
	if bytes.Contains(text, []byte("\\u")) { // a name may be spelled otherwise
		return nil
	}
	s := script{text: text}
	if !s.code(false) {
		return nil
	}
	return s.found
}

// A script is a scan of a text.
type script struct {
	text  []byte
	at    int
	found []span
	// value says that what was read last ends a value: a slash behind it divides.
	value bool
	// doubt says that a slash behind what was read last may be either.
	doubt bool
}

// code goes through code, in a template up to the brace that ends it. It returns false if it is not sure.
func (s *script) code(inTemplate bool) bool {
	depth := 0
	for s.at < len(s.text) {
		c, rest := s.text[s.at], s.text[s.at:]
		switch {
		case bytes.HasPrefix(rest, []byte("//")):
			s.comment(lineEnd(rest))
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return false
			}
			s.comment(end + 4)
		case c == '/':
			if !s.slash(rest) {
				return false
			}
		case c == '"' || c == '\'':
			if !s.quoted(c) {
				return false
			}
		case c == '`':
			if !s.template() {
				return false
			}
		case c == '{':
			depth++
			s.step(false, false)
		case c == '}':
			if inTemplate && depth == 0 {
				s.at++
				return true
			}
			depth--
			s.step(false, true)
		case c == ')':
			s.step(false, true)
		case c == ']':
			s.step(true, false)
		case isWordByte(c):
			s.word()
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.at++
		case c == '+' || c == '-' || c == '!' || c == '>': // it may end a value
			s.step(false, true)
		default:
			s.step(false, false)
		}
	}
	return !inTemplate
}

func (s *script) step(value, doubt bool) {
	s.at++
	s.value, s.doubt = value, doubt
}

// comment takes a comment of a length. One for documentation that has a tag or a link may name things.
func (s *script) comment(length int) {
	comment := s.text[s.at : s.at+length]
	if !bytes.HasPrefix(comment, []byte("/**")) || !bytes.ContainsAny(comment, "@{") {
		s.found = append(s.found, span{s.at, s.at + length})
	}
	s.at += length
}

func lineEnd(text []byte) int {
	if i := bytes.IndexAny(text, "\r\n\u2028\u2029"); i >= 0 {
		return i
	}
	return len(text)
}

// slash takes a division or a regular expression, false if it is not sure which.
func (s *script) slash(rest []byte) bool {
	line := rest[1:lineEnd(rest)]
	if s.value || s.doubt && !bytes.ContainsAny(line, "/") { // an expression ends in its line
		s.step(false, false)
		return true
	}
	if s.doubt {
		return false
	}
	inClass := false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
		case line[i] == '[':
			inClass = true
		case line[i] == ']':
			inClass = false
		case line[i] == '/' && !inClass:
			s.at += i + 2
			s.value, s.doubt = true, false
			return true
		}
	}
	return false
}

func (s *script) quoted(quote byte) bool {
	for i := s.at + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '\n':
			return false
		case quote:
			s.at = i
			s.step(true, false)
			return true
		}
	}
	return false
}

func (s *script) template() bool {
	for s.at++; s.at < len(s.text); {
		switch {
		case s.text[s.at] == '\\':
			s.at += 2
		case s.text[s.at] == '`':
			s.step(true, false)
			return true
		case bytes.HasPrefix(s.text[s.at:], []byte("${")):
			s.at += 2
			s.value, s.doubt = false, false
			if !s.code(true) {
				return false
			}
		default:
			s.at++
		}
	}
	return false
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c == '#' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// word takes a name, a number or a keyword. Behind a keyword, a slash may be either.
func (s *script) word() {
	from := s.at
	for s.at < len(s.text) && isWordByte(s.text[s.at]) {
		s.at++
	}
	switch string(s.text[from:s.at]) {
	case "return", "typeof", "case", "do", "else", "in", "of", "instanceof", "new", "void", "delete", "throw", "await", "yield", "default", "extends":
		s.value, s.doubt = false, true
	default:
		s.value, s.doubt = true, false
	}
}
