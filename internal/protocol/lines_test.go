package protocol

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Lines are those of a Mapper, whatever ends them.
func TestLinesAreThoseOfAMapper(t *testing.T) {
	pieces := []string{"", "a", "é😀", "\n", "\r\n", "\r", "\n\n", "\ufeff", "\xff", "\t x "}
	rapid.Check(t, func(t *rapid.T) {
		var content []byte
		for _, piece := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces") {
			content = append(content, piece...)
		}
		wanted := rapid.SliceOfN(rapid.Uint32Range(0, 9), 0, 5).Draw(t, "lines")
		slices.Sort(wanted)
		m := NewMapper(content)
		for i, got := range Lines(content, wanted) {
			if want := m.Line(int(wanted[i])); !bytes.Equal(got, want) {
				t.Fatalf("line %d of %q is %q, want %q", wanted[i], content, got, want)
			}
		}
	})
}

// A \\r that is not followed by \\n stands alone, wherever it is in the text.
func TestLoneReturns(t *testing.T) {
	for text, want := range map[string]bool{"": false, "a\nb": false, "a\r\nb\r\n": false, "a\rb": true, "a\r": true, "a\r\r\n": true, "a\r\n\rb": true, "\n\r": true} {
		if got := LoneReturn([]byte(text)); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
