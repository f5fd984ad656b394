package edit

import (
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/lspine/lspine/internal/protocol"
)

// A LineMap maps lines of an old text to a new one, by a line diff. It is immutable and safe for
// concurrent use.
type LineMap struct {
	// runs are the stretches both texts share, in order.
	runs []run
}

// A run says that count lines from old are the lines from new. Lines are
// 0-based.
type run struct {
	old, new, count int
}

// NewLineMap compares two texts. Differences of a byte order mark do not count.
func NewLineMap(before, after []byte) *LineMap {
	old, text := string(protocol.Text(before)), string(protocol.Text(after))
	m := &LineMap{}
	oldLine, newLine, offset := 0, 0, 0
	keep := func(end int) {
		if n := strings.Count(old[offset:end], "\n"); n > 0 {
			m.runs = append(m.runs, run{oldLine, newLine, n})
			oldLine, newLine = oldLine+n, newLine+n
		}
	}
	var edits []udiff.Edit
	if old != text { // as it is of most files that use what changed
		edits = udiff.Lines(old, text)
	}
	slices.SortStableFunc(edits, func(a, b udiff.Edit) int { return a.Start - b.Start })
	for _, e := range edits {
		keep(e.Start)
		oldLine += strings.Count(old[e.Start:e.End], "\n")
		newLine += strings.Count(e.New, "\n")
		offset = e.End
	}
	keep(len(old))
	// What follows the last line end is a line too, shared if nothing at the
	// end was replaced.
	tail := func(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }
	if tail(old) == tail(text) {
		m.runs = append(m.runs, run{strings.Count(old, "\n"), strings.Count(text, "\n"), 1})
	}
	return m
}

// Line returns the line of the new text that an old line has become, and whether it is still there.
// Lines are 0-based; lines past the end of the old text are not.
func (m *LineMap) Line(old int) (int, bool) {
	i, found := slices.BinarySearchFunc(m.runs, old, func(r run, line int) int {
		switch {
		case line < r.old:
			return 1
		case line >= r.old+r.count:
			return -1
		}
		return 0
	})
	if !found {
		return 0, false
	}
	return m.runs[i].new + old - m.runs[i].old, true
}

// Inserted reports whether a range of the new text has any line that is not from the old one.
func (m *LineMap) Inserted(r protocol.Range) bool {
	for line := int(r.Start.Line); line <= int(r.End.Line); line++ {
		_, found := slices.BinarySearchFunc(m.runs, line, func(r run, line int) int {
			switch {
			case line < r.new:
				return 1
			case line >= r.new+r.count:
				return -1
			}
			return 0
		})
		if !found {
			return true
		}
	}
	return false
}

// Range returns where an old range is now, and whether all its lines are still there next to each
// other.
func (m *LineMap) Range(old protocol.Range) (protocol.Range, bool) {
	start, ok := m.Line(int(old.Start.Line))
	if !ok {
		return protocol.Range{}, false
	}
	shift := start - int(old.Start.Line)
	for line := int(old.Start.Line) + 1; line <= int(old.End.Line); line++ {
		if moved, ok := m.Line(line); !ok || moved-line != shift {
			return protocol.Range{}, false
		}
	}
	old.Start.Line = uint32(start)
	old.End.Line = uint32(int(old.End.Line) + shift)
	return old, true
}
