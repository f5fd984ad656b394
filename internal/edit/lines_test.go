package edit

import (
	"fmt"
	"testing"

	"github.com/lspine/lspine/internal/protocol"
)

// Lines move with what is inserted or removed above them, and do not stand
// when they were rewritten.
func TestLineMap(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                string // the new line of each old one, - if it does not stand
	}{
		{"the same", "a\nb\n", "a\nb\n", "0 1 2"},
		{"nothing", "", "", "0"},
		{"from nothing", "", "a\n", "1"},
		{"to nothing", "a\n", "", "- 0"},
		{"inserted above", "a\nb\n", "x\ny\na\nb\n", "2 3 4"},
		{"inserted between", "a\nb\n", "a\nx\nb\n", "0 2 3"},
		{"inserted below", "a\nb\n", "a\nb\nx\n", "0 1 3"},
		{"deleted", "a\nb\nc\n", "a\nc\n", "0 - 1 2"},
		{"changed", "a\nb\nc\n", "a\nB\nc\n", "0 - 2 3"},
		{"all changed", "a\nb\n", "x\ny\n", "- - 2"},
		{"no line end at the end", "a\nb", "x\na\nb", "1 2"},
		{"a line end added at the end", "a\nb", "a\nb\n", "0 -"},
		{"a line end removed at the end", "a\nb\n", "a\nb", "0 - -"},
		{"appended to the last line", "a\nb", "a\nbc", "0 -"},
		{"\\r\\n", "a\r\nb\r\n", "x\r\na\r\nb\r\n", "1 2 3"},
		{"line ends changed", "a\r\nb\r\n", "a\nb\n", "- - 2"},
		{"the mark removed", "\ufeffa\nb\n", "a\nb\n", "0 1 2"},
		{"the mark added", "a\nb\n", "\ufeffx\na\nb\n", "1 2 3"},
	} {
		m := NewLineMap([]byte(c.before), []byte(c.after))
		got := ""
		for i := 0; i < protocol.NewMapper([]byte(c.before)).Lines(); i++ {
			if n, ok := m.Line(i); ok {
				got += fmt.Sprint(" ", n)
			} else {
				got += " -"
			}
		}
		if got != " "+c.want {
			t.Errorf("%s: %q to %q maps to%s, want %s", c.name, c.before, c.after, got, c.want)
		}
	}
}

// A range stands if all its lines stand next to each other; then it keeps its
// columns.
func TestRangesMove(t *testing.T) {
	m := NewLineMap([]byte("a\nb\nc\nd\ne\n"), []byte("new\na\nb\nc\nnew\nd\nE\n"))
	for _, c := range []struct {
		old, want protocol.Range
		stands    bool
	}{
		{place(0, 3, 0, 7), place(1, 3, 1, 7), true},
		{place(0, 3, 2, 1), place(1, 3, 3, 1), true},
		{place(3, 0, 3, 1), place(5, 0, 5, 1), true},
		{place(2, 0, 3, 1), protocol.Range{}, false}, // torn apart
		{place(4, 0, 4, 1), protocol.Range{}, false}, // rewritten
		{place(3, 0, 4, 1), protocol.Range{}, false}, // its end rewritten
		{place(0, 0, 99, 0), protocol.Range{}, false},
		{place(99, 0, 99, 0), protocol.Range{}, false},
		{place(1<<31, 0, 1<<31, 0), protocol.Range{}, false},
	} {
		if got, stands := m.Range(c.old); got != c.want || stands != c.stands {
			t.Errorf("%v is %v, %t; want %v, %t", c.old, got, stands, c.want, c.stands)
		}
	}
}

// A range of the new text is inserted if one of its lines is none of the old ones.
func TestInsertedLines(t *testing.T) {
	m := NewLineMap([]byte("a\nb\nc\n"), []byte("new\na\nB\nc\n"))
	for _, c := range []struct {
		place protocol.Range
		want  bool
	}{
		{place(0, 0, 0, 1), true},
		{place(1, 0, 1, 1), false},
		{place(1, 0, 2, 0), true},
		{place(2, 0, 2, 1), true},
		{place(3, 0, 4, 0), false},
		{place(99, 0, 99, 0), true},
	} {
		if got := m.Inserted(c.place); got != c.want {
			t.Errorf("%v: %t", c.place, got)
		}
	}
}
