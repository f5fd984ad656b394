package edit

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/protocol"
)

// place makes the range from 0-based line and character to line and character.
func place(line, from, endLine, to uint32) protocol.Range {
	return protocol.Range{
		Start: protocol.Position{Line: line, Character: from}, End: protocol.Position{Line: endLine, Character: to},
	}
}

// Edits all speak of the text as it was, in any order; positions that are not
// there are moved to the nearest that is.
func TestApply(t *testing.T) {
	for _, c := range []struct {
		name, text string
		edits      []TextEdit
		enc        protocol.Encoding
		want       string
	}{
		{"none", "a\n", nil, protocol.UTF16, "a\n"},
		{"into nothing", "", []TextEdit{{place(0, 0, 0, 0), "x"}}, protocol.UTF16, "x"},
		{"a word", "one two", []TextEdit{{place(0, 4, 0, 7), "three"}}, protocol.UTF16, "one three"},
		{"in the order of the text", "a b c", []TextEdit{{place(0, 0, 0, 1), "1"}, {place(0, 4, 0, 5), "333"}}, protocol.UTF16, "1 b 333"},
		{"in any order", "a b c", []TextEdit{{place(0, 4, 0, 5), "333"}, {place(0, 0, 0, 1), "1"}, {place(0, 2, 0, 3), ""}}, protocol.UTF16, "1  333"},
		{"next to each other", "abcd", []TextEdit{{place(0, 2, 0, 4), "Y"}, {place(0, 0, 0, 2), "X"}}, protocol.UTF16, "XY"},
		{"inserts at one place keep their order", "ab", []TextEdit{{place(0, 1, 0, 1), "1"}, {place(0, 1, 0, 1), "2"}, {place(0, 1, 0, 1), "3"}}, protocol.UTF16, "a123b"},
		{"an insert before what it stands at", "ab", []TextEdit{{place(0, 1, 0, 2), "B"}, {place(0, 1, 0, 1), "+"}}, protocol.UTF16, "a+B"},
		{"an insert behind what ends there", "ab", []TextEdit{{place(0, 1, 0, 1), "+"}, {place(0, 0, 0, 1), "A"}}, protocol.UTF16, "A+b"},
		{"over lines", "a\nb\nc\n", []TextEdit{{place(0, 1, 2, 0), ""}}, protocol.UTF16, "ac\n"},
		{"a line end", "a\r\nb\r\n", []TextEdit{{place(0, 1, 1, 0), "\n"}}, protocol.UTF16, "a\nb\r\n"},
		{"the whole text", "a\nb", []TextEdit{{place(0, 0, 9, 9), "new"}}, protocol.UTF16, "new"},
		{"past the end of a line", "a\nb", []TextEdit{{place(0, 99, 0, 99), "!"}}, protocol.UTF16, "a!\nb"},
		{"past the end of the text", "a\nb", []TextEdit{{place(7, 0, 7, 5), "\n"}}, protocol.UTF16, "a\nb\n"},
		{"the end before the start", "abc", []TextEdit{{place(0, 2, 0, 1), "+"}}, protocol.UTF16, "ab+c"},
		{"UTF-16", "😀é x", []TextEdit{{place(0, 4, 0, 5), "y"}}, protocol.UTF16, "😀é y"},
		{"UTF-8", "😀é x", []TextEdit{{place(0, 7, 0, 8), "y"}}, protocol.UTF8, "😀é y"},
		{"UTF-32", "😀é x", []TextEdit{{place(0, 3, 0, 4), "y"}}, protocol.UTF32, "😀é y"},
		{"half a surrogate pair", "😀x", []TextEdit{{place(0, 1, 0, 2), "y"}}, protocol.UTF16, "yx"},
		{"behind the mark", "\ufeffab", []TextEdit{{place(0, 0, 0, 1), "X"}}, protocol.UTF16, "\ufeffXb"},
		{"invalid bytes stay", "\xff a", []TextEdit{{place(0, 2, 0, 3), "b"}}, protocol.UTF16, "\xff b"},
	} {
		before := []byte(c.text)
		got, err := Apply(before, c.edits, c.enc)
		if string(got) != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
		if string(before) != c.text {
			t.Errorf("%s: the content was changed to %q", c.name, before)
		}
	}
}

// However many inserts there are at one place, they keep their order.
func TestManyInsertsAtOnePlace(t *testing.T) {
	var edits []TextEdit
	want := "a"
	for i := range 100 {
		edits = append(edits, TextEdit{place(0, 1, 0, 1), string(rune('!' + i))}, TextEdit{place(0, 0, 0, 0), ""})
		want += string(rune('!' + i))
	}
	if got, err := Apply([]byte("ab"), edits, protocol.UTF16); string(got) != want+"b" || err != nil {
		t.Errorf("%q, %v; want %q", got, err, want+"b")
	}
}

// Edits that touch the same characters are refused, with both places, 1-based.
func TestOverlappingEditsAreRefused(t *testing.T) {
	for _, c := range []struct {
		name          string
		first, second protocol.Range
		says          string
	}{
		{"by one character", place(0, 0, 0, 3), place(0, 2, 0, 4), "ends at 1:4, the next begins at 1:3"},
		{"one inside the other", place(0, 0, 1, 4), place(0, 2, 0, 3), "ends at 2:5, the next begins at 1:3"},
		{"an insert inside", place(0, 0, 0, 3), place(0, 1, 0, 1), "ends at 1:4, the next begins at 1:2"},
		{"the same twice", place(1, 0, 1, 2), place(1, 0, 1, 2), "ends at 2:3, the next begins at 2:1"},
	} {
		for _, edits := range [][]TextEdit{{{c.first, "x"}, {c.second, "y"}}, {{c.second, "y"}, {c.first, "x"}}} {
			got, err := Apply([]byte("abcd\nefgh\n"), edits, protocol.UTF16)
			var overlap *OverlapError
			if got != nil || !errors.As(err, &overlap) || overlap.First != c.first || overlap.Second != c.second || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %q, %v", c.name, got, err)
			}
		}
	}
}

// Any edits that do not overlap give the text in which each stretch was
// replaced, whatever their order.
func TestApplyIsReplacement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune("ab\n\ré😀")), 1, 5, -1), 1, 8).Draw(t, "pieces")
		content := []byte(strings.Join(pieces, ""))
		enc := rapid.SampledFrom([]protocol.Encoding{protocol.UTF8, protocol.UTF16, protocol.UTF32}).Draw(t, "encoding")
		mapper := protocol.NewMapper(content)
		var edits []TextEdit
		var want bytes.Buffer
		offset := 0
		for _, piece := range pieces {
			end := offset + len(piece)
			start, stop := mapper.Position(offset, enc), mapper.Position(end, enc)
			// A boundary inside \r\n cannot be named by a position.
			whole := mapper.Offset(start, enc) == offset && mapper.Offset(stop, enc) == end
			if whole && rapid.Bool().Draw(t, "replaced") {
				text := rapid.SampledFrom([]string{"", "X", "longer\ntext"}).Draw(t, "text")
				edits = append(edits, TextEdit{protocol.Range{Start: start, End: stop}, text})
				want.WriteString(text)
			} else {
				want.WriteString(piece)
			}
			offset = end
		}
		edits = rapid.Permutation(edits).Draw(t, "order")
		got, err := Apply(content, edits, enc)
		if err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("%q with %v is %q, %v; want %q", content, edits, got, err, &want)
		}
	})
}

// For random edits of lines: a line that stands is mapped to the same text, in
// order; only lines that can be found again stand; and everything outside the
// edits does.
func TestLineMapProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"", "a", "b", "\tx := 1", "}", "é😀", "a\rb"})
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
		mark := rapid.SampledFrom([]string{"", "\ufeff"})
		old := rapid.SliceOfN(line, 0, 12).Draw(t, "lines")
		from := rapid.IntRange(0, len(old)).Draw(t, "from")
		to := rapid.IntRange(from, len(old)).Draw(t, "to")
		text := slices.Concat(old[:from], rapid.SliceOfN(line, 0, 4).Draw(t, "replacement"), old[to:])
		before, after := mark.Draw(t, "mark before")+strings.Join(old, end), mark.Draw(t, "mark after")+strings.Join(text, end)
		oldLines, newLines := strings.Split(before, "\n"), strings.Split(after, "\n")
		oldLines[0], newLines[0] = strings.TrimPrefix(oldLines[0], "\ufeff"), strings.TrimPrefix(newLines[0], "\ufeff")

		m := NewLineMap([]byte(before), []byte(after))
		last, stand := -1, 0
		for i := range oldLines {
			n, ok := m.Line(i)
			if !ok {
				continue
			}
			stand++
			if n <= last || n >= len(newLines) {
				t.Fatalf("line %d is %d, after %d, of %d", i, n, last, len(newLines))
			}
			last = n
			// The last line may have got or lost its \r with its line end.
			if newLines[n] != oldLines[i] {
				t.Fatalf("line %d, %q, became %d, %q", i, oldLines[i], n, newLines[n])
			}
		}
		if lost := len(oldLines) - stand; lost > to-from+1 {
			t.Fatalf("%d lines do not stand, but %d were replaced", lost, to-from)
		}
		for _, i := range []int{-1, len(oldLines), len(oldLines) + 5} {
			if n, ok := m.Line(i); ok {
				t.Fatalf("line %d, which was not there, is %d", i, n)
			}
		}
	})
}
