package language

import (
	"bytes"

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
