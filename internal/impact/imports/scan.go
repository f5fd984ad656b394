package imports

import (
	"bytes"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// A source is a text in which comments are blank. In bare the insides of strings are
// blank, too. Both have the length of the text and its line ends.
type source struct {
	code, bare []byte
	strings    []span
	comments   []span // those that are kept
	// broken says that a string or a comment does not end, or brackets do not match.
	broken bool
}

type span struct{ from, to int }

// scan tells the code of a text from the rest.
func scan(text string, l *language.Lexis) source {
	sc := scanner{Lexis: l, text: text, source: source{code: []byte(text), bare: []byte(text)}}
	for sc.at < len(text) {
		sc.next()
	}
	sc.broken = sc.broken || sc.depth != 0
	return sc.source
}

type scanner struct {
	*language.Lexis
	source
	text  string
	at    int
	depth int
	last  int // one beyond the last byte of code
}

func (sc *scanner) next() {
	rest := sc.text[sc.at:]
	switch c := rest[0]; {
	case strings.HasPrefix(rest, sc.Comment):
		n := strings.IndexByte(rest, '\n')
		sc.skipComment(n, n < 0)
	case sc.BlockComments && strings.HasPrefix(rest, "/*"):
		n := strings.Index(rest[2:], "*/")
		sc.broken = sc.broken || n < 0
		sc.skipComment(n+4, n < 0)
	case sc.Triple && (strings.HasPrefix(rest, `"""`) || strings.HasPrefix(rest, "'''")):
		sc.skipString(endOf(rest, 3, rest[:3], true), 3)
	case sc.Raw && c == '"' && sc.at > 0 && sc.text[sc.at-1] == 'R':
		delimiter, _, _ := strings.Cut(rest[1:], "(")
		sc.skipString(endOf(rest, 1, ")"+delimiter+`"`, true), 1)
	case sc.Raw && c == '\'' && sc.endsWord(): // a digit separator, or an apostrophe
		sc.code[sc.at], sc.bare[sc.at] = c, ' '
		sc.at++
	case strings.IndexByte(sc.Quotes, c) >= 0:
		sc.skipString(endOf(rest, 1, rest[:1], false), 1)
	case sc.Templates && c == '`':
		sc.skipString(templateEnd(rest), 1)
	case sc.Regexps && c == '/' && sc.beginsOperand():
		sc.skipString(regexpEnd(rest), 1)
	default:
		switch c {
		case '(', '[', '{':
			sc.depth++
		case ')', ']', '}':
			sc.depth--
			sc.broken = sc.broken || sc.depth < 0
		}
		sc.at++
		if c > ' ' {
			sc.last = sc.at
		}
	}
}

// endsWord reports whether a word ends here that is not L, u, U or u8: those are prefixes of literals.
func (sc *scanner) endsWord() bool {
	from := sc.at
	for from > 0 && isWord(sc.text[from-1]) {
		from--
	}
	switch sc.text[from:sc.at] {
	case "", "L", "u", "U", "u8":
		return false
	}
	return true
}

// skipComment blanks the next n bytes, or all that is left.
func (sc *scanner) skipComment(n int, all bool) {
	if all {
		n = len(sc.text) - sc.at
	}
	blank(sc.bare[sc.at : sc.at+n])
	if sc.Meaning == nil || !sc.Meaning.MatchString(sc.text[sc.at:sc.at+n]) {
		blank(sc.code[sc.at : sc.at+n])
	} else {
		sc.comments = append(sc.comments, span{sc.at, sc.at + n})
	}
	sc.at += n
}

// skipString blanks the insides of the string that is n bytes long, with its quotes.
func (sc *scanner) skipString(n, quote int) {
	if n < 0 {
		sc.broken = true
		n = len(sc.text) - sc.at
	}
	if n > 2*quote {
		blank(sc.bare[sc.at+quote : sc.at+n-quote])
		sc.strings = append(sc.strings, span{sc.at + quote, sc.at + n - quote})
	}
	sc.at += n
	sc.last = sc.at
}

func blank(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}

// endOf returns the length of a string whose insides begin at from: to the end mark,
// or to the end of the line.
func endOf(text string, from int, mark string, lines bool) int {
	for i := from; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], mark):
			return i + len(mark)
		case text[i] == '\\' && !strings.HasPrefix(mark, ")"):
			i++
		case text[i] == '\n' && !lines:
			return i // an apostrophe in the text of an element, or a mistake
		}
	}
	return -1
}

// templateEnd returns the length of a template string, with those inside of it.
func templateEnd(text string) int {
	depth := 0 // of the braces after ${
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case depth == 0 && text[i] == '`':
			return i + 1
		case depth == 0 && strings.HasPrefix(text[i:], "${"):
			depth++
			i++
		case depth > 0 && text[i] == '{':
			depth++
		case depth > 0 && text[i] == '}':
			depth--
		case depth > 0 && (text[i] == '"' || text[i] == '\''):
			if n := endOf(text[i:], 1, text[i:i+1], false); n > 0 {
				i += n - 1
			}
		case depth > 0 && text[i] == '`':
			n := templateEnd(text[i:])
			if n < 0 {
				return -1
			}
			i += n - 1
		}
	}
	return -1
}

// regexpEnd returns the length of a regular expression; 1, the slash alone, if it does
// not end with its line.
func regexpEnd(text string) int {
	class := false
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return i + 1
		}
	}
	return 1
}

var beforeOperand = lazyregexp.New(`(^|[(,=:\[!&|?{};+*%~^>-]|\b(return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield))$`)

// beginsOperand reports whether a value, not an operator, comes next.
func (sc *scanner) beginsOperand() bool {
	return beforeOperand.Match(bytes.TrimRight(sc.bare[max(0, sc.last-16):sc.last], " \t\r\n"))
}

// indent returns how far the line at an offset is indented.
func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
