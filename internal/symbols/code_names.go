package symbols

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
)

// A CodeName is an identifier in code, outside of comments and strings.
type CodeName struct {
	Text string
	At   protocol.Position
	// Of is the text that it is selected from, as far as it stands before it in its line: "a" in
	// a.Sum; "" if nothing is. The same name of the same text is the same symbol, nearly always.
	Of string
	// Called says that it is followed by arguments, which begin at Arguments.
	Called    bool
	Arguments protocol.Position
}

// CodeNames returns the identifiers in a range of a file, in its order, without the keywords of
// its language. In a language whose comments and strings are not known some of them are taken for code.
func CodeNames(path string, text *protocol.Mapper, r protocol.Range) []CodeName {
	s := &nameScanner{
		Language: language.Of(path), text: text, content: text.Content(),
		from: text.Offset(r.Start, protocol.UTF16), to: text.Offset(r.End, protocol.UTF16),
	}
	s.scan(0, false)
	return s.found
}

// A nameScanner collects the identifiers between two offsets of a text.
type nameScanner struct {
	language.Language
	text     *protocol.Mapper
	content  []byte
	from, to int
	found    []CodeName
}

// scan goes through code from an offset to the end of the range or, inside of a template, to the
// brace that ends the code, and returns the offset behind it.
func (s *nameScanner) scan(i int, inTemplate bool) int {
	depth := 0
	for i < s.to {
		if n := s.skip(i); n > 0 {
			i += n
			continue
		}
		c := s.content[i]
		r, size := utf8.DecodeRune(s.content[i:])
		switch {
		case c == '`' && s.templates():
			i = s.template(i + 1)
		case inTemplate && c == '{':
			depth++
			i++
		case inTemplate && c == '}':
			if depth == 0 {
				return i + 1
			}
			depth--
			i++
		case isIdentifier(r):
			i = s.name(i)
		default:
			i += size
		}
	}
	return i
}

func (s *nameScanner) templates() bool { return s.Lexis != nil && s.Lexis.Templates }

// skip returns the length of the comment, string or lifetime that begins at an offset, 0 for none.
func (s *nameScanner) skip(i int) int {
	rest := s.content[i:]
	switch c := rest[0]; {
	case c == '#' && s.HashComments:
		return lineLength(rest)
	case s.HashComments && (c == '/' || c == '`'):
		return 0
	case s.HashComments && (bytes.HasPrefix(rest, []byte(`"""`)) || bytes.HasPrefix(rest, []byte("'''"))):
		if end := bytes.Index(rest[3:], rest[:3]); end >= 0 {
			return end + 6
		}
		return len(rest)
	case s.HashComments && (c == '"' || c == '\''):
		return literal(rest)
	case c == '`' && s.templates():
		return 0
	case c == '#' && s.C: // the word of a directive
		n := 1
		for n < len(rest) && (rest[n] == ' ' || rest[n] == '\t' || rest[n] >= 'a' && rest[n] <= 'z') {
			n++
		}
		return n
	case c == '\'' && s.Lifetimes:
		return quoteOfRust(rest)
	}
	return skipped(rest, s.Lifetimes)
}

// quoteOfRust returns the length of the character or the lifetime that a text begins with.
func quoteOfRust(text []byte) int {
	if len(text) > 1 && text[1] == '\\' {
		return literal(text)
	}
	_, size := utf8.DecodeRune(text[1:])
	if end := 1 + size; end < len(text) && text[end] == '\'' {
		return end + 1
	}
	_, to, _ := identifierAt(text[1:], 0)
	return 1 + to
}

func lineLength(text []byte) int {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

// template goes through a string with code in it, from behind its quote.
func (s *nameScanner) template(i int) int {
	for i < s.to {
		switch {
		case s.content[i] == '\\':
			i += 2
		case s.content[i] == '`':
			return i + 1
		case bytes.HasPrefix(s.content[i:], []byte("${")):
			i = s.scan(i+2, true)
		default:
			i++
		}
	}
	return i
}

// name takes the identifier, or the number, that begins at an offset, and returns the offset
// behind it.
func (s *nameScanner) name(start int) int {
	end := start
	for end < len(s.content) {
		r, size := utf8.DecodeRune(s.content[end:])
		if !isIdentifier(r) {
			break
		}
		end += size
	}
	name := string(s.content[start:end])
	first, _ := utf8.DecodeRuneInString(name)
	if unicode.IsDigit(first) || start < s.from || end > s.to {
		return end
	}
	if next := s.content[end:]; len(next) > 0 && len(name) <= 2 && s.prefixes(next) {
		return end + rawString(next)
	}
	of := s.selectedFrom(start)
	if of == "" && s.Keywords.Has(name) {
		return end
	}
	n := CodeName{Text: name, At: s.text.Position(start, protocol.UTF16), Of: of}
	if open := end; open < len(s.content) && s.content[open] == '(' {
		n.Called, n.Arguments = true, s.text.Position(open+1, protocol.UTF16)
	}
	s.found = append(s.found, n)
	return end
}

// prefixes reports whether a short word before this text would be the prefix of a string, as in
// f"" and r#""#.
func (s *nameScanner) prefixes(next []byte) bool {
	switch {
	case s.HashComments:
		return next[0] == '"' || next[0] == '\''
	case s.Lifetimes:
		return next[0] == '"' || next[0] == '#' && rawString(next) > 0
	}
	return false
}

// rawString returns the length of a raw string of Rust, from its first # on; 0 for none.
func rawString(text []byte) int {
	hashes := len(text) - len(bytes.TrimLeft(text, "#"))
	if hashes == 0 || hashes == len(text) || text[hashes] != '"' {
		return 0
	}
	end := append([]byte{'"'}, text[:hashes]...)
	if i := bytes.Index(text[hashes+1:], end); i >= 0 {
		return hashes + 1 + i + len(end)
	}
	return len(text)
}

// maxSelected bounds the text before a name that is looked at, in bytes.
const maxSelected = 60

// selectedFrom returns the expression that the name at an offset is selected from.
func (s *nameScanner) selectedFrom(at int) string {
	lineStart := bytes.LastIndexByte(s.content[:at], '\n') + 1
	before := bytes.TrimRight(s.content[max(lineStart, at-maxSelected):at], " \t")
	for _, sign := range []string{"?.", "::", "->", "."} {
		if sign == "->" && !s.C { // elsewhere a result follows it
			continue
		}
		if rest, selects := bytes.CutSuffix(before, []byte(sign)); selects && !bytes.HasSuffix(rest, []byte(".")) {
			if of := expressionBefore(rest); of != "" {
				return of
			}
			return sign // of what stands in another line
		}
	}
	return ""
}

// expressionBefore returns the names, selections and brackets that a text ends with.
func expressionBefore(text []byte) string {
	from := len(text)
	for from > 0 {
		r, size := utf8.DecodeLastRune(text[:from])
		switch {
		case r == ')' || r == ']':
			open := bracketBefore(text[:from])
			if open < 0 { // it begins before the text
				return string(text)
			}
			from = open
		case isIdentifier(r) || r == '.' || r == ':' || r == '>' || r == '-' || r == '?':
			from -= size
		default:
			return string(text[from:])
		}
	}
	return string(text)
}

// bracketBefore returns the offset of the bracket that the last byte of a text closes, -1 if it
// stands before the text.
func bracketBefore(text []byte) int {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')', ']':
			depth++
		case '(', '[':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
