package edit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The lines that a change replaces are told by where they were, each place once; what is no text has none.
func TestReplacedLines(t *testing.T) {
	for name, c := range map[string]struct {
		change Change
		want   []Replacement
	}{
		"nothing":              {Change{Before: []byte("a\n"), After: []byte("a\n")}, nil},
		"a line":               {Change{Before: []byte("a\nb\nc\n"), After: []byte("a\nB\nc\n")}, []Replacement{{2, "b\n", "B\n"}}},
		"two places":           {Change{Before: []byte("a\nb\nc\nd\n"), After: []byte("a\nx\ny\nc\n")}, []Replacement{{2, "b\n", "x\ny\n"}, {4, "d\n", ""}}},
		"before the first":     {Change{Before: []byte("a\n"), After: []byte("x\na\n")}, []Replacement{{1, "", "x\n"}}},
		"a created file":       {Change{After: []byte("a\nb"), Created: true}, []Replacement{{1, "", "a\nb"}}},
		"a deleted file":       {Change{Before: []byte("a\nb"), Deleted: true}, []Replacement{{1, "a\nb", ""}}},
		"what is not any text": {Change{Before: []byte("a\x00"), After: []byte("b")}, nil},
	} {
		if diff := cmp.Diff(c.want, c.change.Replaced()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
