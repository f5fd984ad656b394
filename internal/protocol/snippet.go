package protocol

import "strings"

// plainSnippet returns what a snippet (LSP, "Snippet Syntax") inserts if nobody fills
// in its places: placeholders and the first of choices stay, tab stops and variables
// without a default go.
func plainSnippet(snippet string) string {
	text, _ := plainUntil(snippet, "")
	return text
}

// plainUntil reads to the end or to one of the letters that end it, which is left.
func plainUntil(s, ends string) (text, rest string) {
	var b strings.Builder
	for len(s) > 0 {
		switch {
		case s[0] == '\\' && len(s) > 1 && strings.IndexByte(`$}\,|`, s[1]) >= 0:
			b.WriteByte(s[1])
			s = s[2:]
		case strings.IndexByte(ends, s[0]) >= 0:
			return b.String(), s
		case s[0] == '$' && len(s) > 1:
			var value string
			value, s = placeIn(s)
			b.WriteString(value)
		default:
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return b.String(), ""
}

// placeIn returns what stands for a tab stop, placeholder, choice or variable, whose
// dollar begins the text, and what follows it. A dollar that begins none is itself.
func placeIn(s string) (value, rest string) {
	braced := s[1] == '{'
	from := 1
	if braced {
		from = 2
	}
	to := from
	for to < len(s) && (s[to] == '_' || s[to] >= '0' && s[to] <= '9' || s[to]|0x20 >= 'a' && s[to]|0x20 <= 'z') {
		to++
	}
	switch rest = s[to:]; {
	case to == from:
		return "$", s[1:]
	case !braced:
		return "", rest
	case strings.HasPrefix(rest, ":"):
		value, rest = plainUntil(rest[1:], "}")
	case strings.HasPrefix(rest, "|"):
		value, rest = plainUntil(rest[1:], ",|}")
		if i := strings.IndexByte(rest, '}'); i >= 0 {
			rest = rest[i:]
		}
	default: // a transformation, or the end
		if i := strings.IndexByte(rest, '}'); i >= 0 {
			rest = rest[i:]
		}
	}
	return value, strings.TrimPrefix(rest, "}")
}
