package symbols

import (
	"bytes"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/language"
)

func isIdentifier(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.In(r, unicode.Mn, unicode.Mc)
}

// identifierAt returns the identifier that holds, or ends at, a byte offset of
// a line. A number is none.
func identifierAt(line []byte, offset int) (from, to int, ok bool) {
	offset = max(0, min(offset, len(line)))
	for from = offset; from > 0; {
		r, size := utf8.DecodeLastRune(line[:from])
		if !isIdentifier(r) {
			break
		}
		from -= size
	}
	for to = offset; to < len(line); {
		r, size := utf8.DecodeRune(line[to:])
		if !isIdentifier(r) {
			break
		}
		to += size
	}
	first, _ := utf8.DecodeRune(line[from:to])
	return from, to, from < to && !unicode.IsDigit(first)
}

// NameBefore returns the part of an identifier that ends at a byte offset of a line, "" if none
// does.
func NameBefore(line []byte, offset int) string {
	offset = min(offset, len(line))
	from := offset
	for from > 0 {
		r, size := utf8.DecodeLastRune(line[:from])
		if !isIdentifier(r) {
			break
		}
		from -= size
	}
	return string(line[from:offset])
}

// An identifier is a name in a line, by byte offsets.
type identifier struct {
	from, to int
	name     string
}

// identifiersOf returns the identifiers of a line, from left to right.
func identifiersOf(line []byte) []identifier {
	var list []identifier
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		if !isIdentifier(r) {
			i += size
			continue
		}
		from, to, ok := identifierAt(line, i)
		if ok {
			list = append(list, identifier{from, to, string(line[from:to])})
		}
		i = max(to, i+size)
	}
	return list
}

// findIdentifier returns the offset of the identifier with the name at or after
// from, or -1.
func findIdentifier(line []byte, name string, from int) int {
	if name == "" {
		return -1
	}
	for at := from; at <= len(line); {
		i := bytes.Index(line[at:], []byte(name))
		if i < 0 {
			return -1
		}
		at += i
		before, _ := utf8.DecodeLastRune(line[:at])
		after, _ := utf8.DecodeRune(line[at+len(name):])
		first, _ := utf8.DecodeRuneInString(name)
		last, _ := utf8.DecodeLastRuneInString(name)
		joinsBefore := at > 0 && isIdentifier(before) && isIdentifier(first)
		joinsAfter := at+len(name) < len(line) && isIdentifier(after) && isIdentifier(last)
		if !joinsBefore && !joinsAfter {
			return at
		}
		at++
	}
	return -1
}

// columnOffset returns the byte offset of a 0-based UTF-16 column of a line, not
// past its end.
func columnOffset(line []byte, column uint32) int {
	units := uint64(0)
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		if units += uint64(utf16.RuneLen(r)); units > uint64(column) {
			return i
		}
		i += size
	}
	return len(line)
}

// offsetColumn returns the 0-based UTF-16 column of a byte offset of a line.
func offsetColumn(line []byte, offset int) uint32 {
	units := 0
	for i := 0; i < min(offset, len(line)); {
		r, size := utf8.DecodeRune(line[i:])
		if i+size > offset {
			break
		}
		units += utf16.RuneLen(r)
		i += size
	}
	return uint32(units)
}

// keywords introduce declarations, each in some languages; an agent that points at one means what it
// declares. See [isKeyword].
var keywords = map[string]bool{
	"abstract": true, "async": true, "class": true, "const": true, "constexpr": true, "declare": true,
	"def": true, "default": true, "enum": true, "export": true, "extern": true, "final": true,
	"fn": true, "func": true, "function": true, "impl": true, "import": true, "inline": true,
	"interface": true, "let": true, "mod": true, "namespace": true, "override": true, "private": true,
	"protected": true, "pub": true, "public": true, "readonly": true, "return": true, "static": true,
	"struct": true, "template": true, "trait": true, "type": true, "typedef": true, "typename": true,
	"union": true, "unsafe": true, "using": true, "var": true, "virtual": true,
}

// joints stand between names in imports, where a language has them as keywords.
var joints = map[string]bool{"as": true, "from": true, "use": true}

// isKeyword reports whether an identifier of a line introduces a declaration, or joins names in an import, in a language: fn does in Rust, and is a name in Go. A
// word that is only sometimes a keyword is one where the name that it introduces follows.
func isKeyword(in language.Language, line []byte, i identifier) bool {
	known, sometimes := in.Keywords != nil, in.Contextual.Has(i.name)
	if joints[i.name] && in.Aliases != nil && in.Keywords.Has(i.name) {
		return in.Family != language.ScriptFamily || nameFollows(line[i.to:]) // scripts may call something as
	}
	if !keywords[i.name] || known && !sometimes && !in.Keywords.Has(i.name) || i.from > 0 && line[i.from-1] == '.' {
		return false
	}
	if !sometimes {
		return true
	}
	rest := line[i.to:]
	at := len(rest) - len(bytes.TrimLeft(rest, " \t"))
	from, to, follows := identifierAt(rest, at)
	if !follows || at == 0 || from != at {
		return false
	}
	next := string(rest[from:to])
	return keywords[next] || !in.Keywords.Has(next) // and not: type as string
}

// nameFollows reports whether a text begins with blanks and a name.
func nameFollows(text []byte) bool {
	at := len(text) - len(bytes.TrimLeft(text, " \t"))
	from, _, isName := identifierAt(text, at)
	return isName && at > 0 && from == at
}

// IsName reports whether a text is one identifier, as most languages have them: of
// letters, digits, _ and $, and no digit first.
func IsName(text string) bool {
	_, to, ok := identifierAt([]byte(text), 0)
	return ok && to == len(text)
}

// Mentions reports whether a text has an identifier of that name, in code or not.
func Mentions(text []byte, name string) bool { return findIdentifier(text, name, 0) >= 0 }
