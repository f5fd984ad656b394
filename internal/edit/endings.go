package edit

import (
	"bytes"
	"strings"
	"unicode/utf8"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/lspine/lspine/internal/protocol"
)

// sniffed is how much of a file is searched for a NUL, as git does.
const sniffed = 8000

// textual returns a *BinaryError unless content is UTF-8 text.
func textual(path string, content []byte) error {
	switch {
	case bytes.IndexByte(content[:min(len(content), sniffed)], 0) >= 0:
		return &BinaryError{path, "it has a NUL byte"}
	case !utf8.Valid(content):
		return &BinaryError{path, "it is not valid UTF-8"}
	}
	return nil
}

// splitMark returns the byte order mark of content, or "", and what follows it.
func splitMark(content []byte) (mark, text string) {
	text = string(protocol.Text(content))
	return string(content[:len(content)-len(text)]), text
}

// endingAt returns the line ending that new text at a byte offset is to have:
// that of the line there, or else of the one before it, or \n.
func endingAt(text string, offset int) string {
	end := strings.IndexByte(text[offset:], '\n')
	if end < 0 {
		end = strings.LastIndexByte(text[:offset], '\n')
	} else {
		end += offset
	}
	if end > 0 && text[end-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// withEnding returns text with ending for each \n that has no \r before it.
func withEnding(text, ending string) string {
	if ending == "\n" || !strings.Contains(text, "\n") {
		return text
	}
	var b strings.Builder
	last := byte(0)
	for i := range len(text) {
		if text[i] == '\n' && last != '\r' {
			b.WriteByte('\r')
		}
		last = text[i]
		b.WriteByte(last)
	}
	return b.String()
}

// allCRLF reports whether text has line endings, all of them \r\n.
func allCRLF(text string) bool {
	n := strings.Count(text, "\n")
	return n > 0 && strings.Count(text, "\r\n") == n
}

// A folded text has \n for each \r\n of another, and knows where each of its
// bytes stands there.
type folded struct {
	text string
	cr   []int // offsets in text of the \n that were \r\n, ascending
}

func fold(text string) folded {
	f := folded{text: text}
	if !strings.Contains(text, "\r\n") {
		return f
	}
	var b strings.Builder
	for i := range len(text) {
		if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
			f.cr = append(f.cr, b.Len())
			continue
		}
		b.WriteByte(text[i])
	}
	f.text = b.String()
	return f
}

// unfolded returns the offset in the original of an offset in the folded text.
// A \n that was \r\n begins at its \r.
func (f folded) unfolded(offset int) int {
	low, high := 0, len(f.cr)
	for low < high { // how many \r stand before offset
		if middle := (low + high) / 2; f.cr[middle] < offset {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return offset + low
}

// replacement returns what stands for text[from:to] when it becomes new: lines
// that stay keep their ending, others take that of their surroundings.
func replacement(text string, from, to int, new string) string {
	old := fold(text[from:to])
	if len(old.cr) == 0 || len(old.cr) == strings.Count(old.text, "\n") {
		return withEnding(new, endingAt(text, from))
	}
	var b strings.Builder
	done := 0
	edits := udiff.Lines(old.text, strings.ReplaceAll(new, "\r\n", "\n"))
	udiff.SortEdits(edits)
	for _, e := range edits {
		start := old.unfolded(e.Start)
		b.WriteString(text[from+done : from+start])
		b.WriteString(withEnding(e.New, endingAt(text, from+start)))
		done = old.unfolded(e.End)
	}
	b.WriteString(text[from+done : to])
	return b.String()
}
