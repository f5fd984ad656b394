package protocol

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// What ends a line is for whoever counts to say.
func TestLinesAsOthersCountThem(t *testing.T) {
	const text = "a\rb\vc\fd\u0085e\u2028f\u2029g\r\nh\n\r\r\ni"
	for ends, want := range map[string][]string{
		"":             {"a\rb\vc\fd\u0085e\u2028f\u2029g", "h", "\r", "i"},
		LineEnds:       {"a", "b\vc\fd\u0085e\u2028f\u2029g", "h", "", "", "i"},
		"\r\u2028":     {"a", "b\vc\fd\u0085e", "f\u2029g", "h", "", "", "i"},
		"\u2029\v":     {"a\rb", "c\fd\u0085e\u2028f", "g", "h", "\r", "i"},
		UnusualEnds:    {"a", "b", "c", "d", "e", "f", "g", "h", "", "", "i"},
		"\f\u0085\r\r": {"a", "b\vc", "d", "e\u2028f\u2029g", "h", "", "", "i"},
	} {
		m := NewMapper([]byte(text)).As(ends)
		got := make([]string, m.Lines())
		for i := range got {
			got[i] = string(m.Line(i))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", ends, diff)
		}
	}
}

// A place goes to others and comes back, whatever ends a line for them; a text that has none of
// what is disputed is counted by the mapper that there is.
func TestPlacesAsOthersCountThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom(append(strings.Split(UnusualEnds, ""), "\n", "\r\n", "a", "é", "😀"))
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "text"), "")
		end := rapid.SampledFrom(strings.Split(UnusualEnds, ""))
		encoding := rapid.SampledFrom([]Encoding{UTF8, UTF16, UTF32})
		ends, theirs := strings.Join(rapid.SliceOf(end).Draw(t, "ends"), ""), encoding.Draw(t, "encoding")
		ours := NewMapper([]byte(text))
		other := ours.As(ends)
		if same := other == ours; same != (Disputed([]byte(text), ends, LineEnds) == 0) {
			t.Fatalf("the same mapper: %v", same)
		}
		for offset := range text {
			p := ours.Position(offset, UTF16)
			at := ours.Offset(p, UTF16) // offsets within \r\n are moved
			there := ours.Restate(p, UTF16, other, theirs)
			if got := other.Offset(there, theirs); got != at {
				t.Fatalf("%d is at %v, for them at %v, which is %d", at, p, there, got)
			}
			if back := other.Restate(there, theirs, ours, UTF16); back != p {
				t.Fatalf("%v goes to %v and comes back as %v", p, there, back)
			}
		}
	})
}
