// Package legible makes text of strangers (names of files, messages of servers, source) safe to
// show: nothing in it is invisible, moves a cursor, begins a line of ours, ends a block of ours, or
// is a command of a CI system. What is changed is spelt out, such as \u202e, and never left out, so
// that two names that differ still look different. Ordinary text stays byte for byte as it is.
//
// Who shows text uses: [Model] and [Line] for what a model or a person reads, [Terminal] for what a
// program prints, [Command] for workflow commands, and [JSON] for documents. docs/design/text.md
// says why each of them changes what it changes.
package legible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns text in which everything that is not seen is spelt out, as Go spells it: control
// characters, other than the ends of lines and tabs; characters that have no width or turn the
// direction of text; line and paragraph separators; tags; and bytes that are not UTF-8.
// It leaves such characters where a script or an emoji is written with them.
func Visible(text string) string { return spelt(text, false, inGo) }

// inGo spells a hidden character.
func inGo(b *strings.Builder, r rune) {
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\t':
		b.WriteString(`\t`)
	case r == '\r':
		b.WriteString(`\r`)
	case r <= 0x7f:
		fmt.Fprintf(b, `\x%02x`, r)
	case r <= 0xffff:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		fmt.Fprintf(b, `\U%08x`, r)
	}
}

// spelt has spell write each character of a text that is hidden, and bytes that are not UTF-8 as
// \xff. Of a text that is to be one line, ends of lines and tabs are hidden, too.
func spelt(text string, oneLine bool, spell func(*strings.Builder, rune)) string {
	first := unusualAt(text, oneLine)
	if first < 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	b.WriteString(text[:first])
	before, _ := utf8.DecodeLastRuneInString(text[:first])
	for i := first; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i-1])
		case (r == '\n' || r == '\t') && !oneLine:
			b.WriteRune(r)
		case hidden(r) && !belongs(r, before, text[i:]):
			spell(&b, r)
		default:
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

// unusualAt returns where the first byte is that is not ASCII that is seen; -1 if there is none:
// nearly all texts have none.
func unusualAt(text string, oneLine bool) int {
	for i := range len(text) {
		if c := text[i]; (c < ' ' || c >= 0x7f) && (oneLine || c != '\n' && c != '\t') {
			return i
		}
	}
	return -1
}

// hidden reports whether nothing is seen of a character, or something other than what it is.
func hidden(r rune) bool {
	switch {
	case r < 0x7f:
		return r < ' '
	case r < 0xa0, r == 0xad:
		return true
	case r < 0x300, r > 0x3164 && r < 0xfe00: // nearly all text is there
		return false
	case r >= 0xe0000 && r <= 0xe0fff, r >= 0xfff0 && r <= 0xfffb:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

const (
	nonJoiner = 0x200c
	joiner    = 0x200d
)

// joined are the scripts whose words are written with joiners and non-joiners.
var joined = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
	unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Mongolian,
}

// belongs reports whether a hidden character belongs to what stands before and after it: it joins
// emoji or letters of a script, or selects how one character looks.
func belongs(r, before rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case r == joiner && (unicode.Is(unicode.So, before) || before == 0xfe0f || unicode.Is(unicode.Sk, before)):
		return unicode.Is(unicode.So, next)
	case r == joiner, r == nonJoiner:
		return unicode.In(before, joined...) && unicode.In(next, joined...)
	case r == 0xfe0e, r == 0xfe0f:
		return unicode.In(before, unicode.S, unicode.P, unicode.N)
	case r >= 0xe0100 && r <= 0xe01ef:
		return unicode.Is(unicode.Han, before)
	}
	return false
}
