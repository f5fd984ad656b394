package language

import (
	"bytes"
	"slices"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// A Statement is a kind of statement that begins at the start of a line and has a certain word in
// that line.
type Statement struct {
	word []byte
	form *lazyregexp.Regexp
}

// statement returns the kind of statement that a regular expression matches at the start of a line.
// What it matches in that line must contain word.
func statement(word, form string) *Statement {
	return &Statement{[]byte(word), lazyregexp.New(form)}
}

// FindAll returns the statements of this kind in text, in their order, as offsets in bytes of their
// starts and ends. It looks for the word first: to try the regular expression in each line of a
// long file takes milliseconds.
func (s *Statement) FindAll(text []byte) (found [][2]int) {
	end := 0 // of the last statement
	for at := 0; ; at += len(s.word) {
		next := bytes.Index(text[at:], s.word)
		if next < 0 {
			return found
		}
		at += next
		start := bytes.LastIndexByte(text[:at], '\n') + 1
		if start < end {
			continue
		}
		if match := s.form.FindIndex(text[start:]); match != nil {
			end = start + match[1]
			found = append(found, [2]int{start, end})
		}
	}
}

// Holds reports whether a statement of this kind is around an offset of text.
func (s *Statement) Holds(text []byte, at int) bool {
	return slices.ContainsFunc(s.FindAll(text), func(found [2]int) bool { return found[0] <= at && at < found[1] })
}

var (
	alias   = lazyregexp.New(`^(?:\s|\\\r?\n)+as(?:\s|\\\r?\n)+([\p{L}$][\p{L}\p{N}_$]*|_[\p{L}\p{N}_$]+)`)
	aliased = lazyregexp.New(`([\p{L}_$][\p{L}\p{N}_$]*)(?:\s|\\\r?\n)+as(?:\s|\\\r?\n)+$`)
)

// maxAliased bounds the text between two names of which one is given by the other.
const maxAliased = 1000

// AliasBehind returns where the name stands that a text gives to the one between two offsets, by the word as: its offsets; ok is
// false if the text gives none. Whether that is in an import, [Language.Aliases] says.
func AliasBehind(text []byte, _, end int) (from, to int, ok bool) {
	match := alias.FindSubmatchIndex(text[end:min(len(text), end+maxAliased)])
	if match == nil {
		return 0, 0, false
	}
	return end + match[2], end + match[3], true
}

// NameBefore returns where the name stands to which a text gives the one between two offsets, as [AliasBehind] does.
func NameBefore(text []byte, start, _ int) (from, to int, ok bool) {
	first := max(0, start-maxAliased)
	match := aliased.FindSubmatchIndex(text[first:start])
	if match == nil {
		return 0, 0, false
	}
	return first + match[2], first + match[3], true
}
