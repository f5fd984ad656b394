package protocol

import (
	"math"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const family = "👩‍👩‍👧" // three people and two zero-width joiners

// A place has one offset and one position in each encoding, and either gives
// the other.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		name, text         string
		offset             int
		line               uint32
		utf8, utf16, utf32 uint32
	}{
		{"empty text", "", 0, 0, 0, 0, 0},
		{"ASCII", "abc", 2, 0, 2, 2, 2},
		{"end of text", "abc", 3, 0, 3, 3, 3},
		{"after two bytes", "éx", 2, 0, 2, 1, 1},
		{"after three bytes", "€x", 3, 0, 3, 1, 1},
		{"before an emoji", "a😀b", 1, 0, 1, 1, 1},
		{"after an emoji", "a😀b", 5, 0, 5, 3, 2},
		{"end after an emoji", "a😀b", 6, 0, 6, 4, 3},
		{"after a family", family + "x", 18, 0, 18, 8, 5},
		{"inside a family", family + "x", 7, 0, 7, 3, 2},
		{"after a combining mark", "e\u0301x", 3, 0, 3, 2, 2},
		{"before a combining mark", "e\u0301x", 1, 0, 1, 1, 1},
		{"after a tab", "\tx", 1, 0, 1, 1, 1},
		{"before \\n", "a\nb", 1, 0, 1, 1, 1},
		{"after \\n", "a\nb", 2, 1, 0, 0, 0},
		{"before \\r\\n", "a\r\nb", 1, 0, 1, 1, 1},
		{"after \\r\\n", "a\r\nb", 3, 1, 0, 0, 0},
		{"after a lone \\r", "a\rb", 2, 1, 0, 0, 0},
		{"after \\r at the end", "a\r", 2, 1, 0, 0, 0},
		{"between \\r and \\r\\n", "\r\r\nx", 1, 1, 0, 0, 0},
		{"after \\r\\r\\n", "\r\r\nx", 3, 2, 0, 0, 0},
		{"after \\n\\r", "\n\rx", 2, 2, 0, 0, 0},
		{"the last, empty line", "a\n", 2, 1, 0, 0, 0},
		{"line separators of Unicode end no line", "a\u2028\u0085b", 6, 0, 6, 3, 3},
		{"an ASCII line after another", "é\nab", 4, 1, 1, 1, 1},
		{"another after an ASCII line", "ab\né!", 5, 1, 2, 1, 1},
		{"after the mark", "\ufeffab", 3, 0, 0, 0, 0},
		{"one on after the mark", "\ufeffab", 4, 0, 1, 1, 1},
		{"the line after the mark's", "\ufeffa\nb", 5, 1, 0, 0, 0},
		{"nothing but the mark", "\ufeff", 3, 0, 0, 0, 0},
		{"a mark elsewhere is a character", "a\ufeffb", 4, 0, 4, 2, 2},
		{"a second mark is a character", "\ufeff\ufeffb", 6, 0, 3, 1, 1},
		{"an invalid byte is U+FFFD", "a\xffb", 2, 0, 4, 2, 2},
		{"each byte of half a character", "\xe2\x82x", 2, 0, 6, 2, 2},
		{"a surrogate half as UTF-8", "\xed\xa0\x80x", 3, 0, 9, 3, 3},
		{"NUL", "a\x00b", 2, 0, 2, 2, 2},
	} {
		m := NewMapper([]byte(c.text))
		for enc, character := range map[Encoding]uint32{UTF8: c.utf8, UTF16: c.utf16, UTF32: c.utf32} {
			p := Position{c.line, character}
			if got := m.Position(c.offset, enc); got != p {
				t.Errorf("%s, %s: offset %d is at %v, want %v", c.name, enc, c.offset, got, p)
			}
			if got := m.Offset(p, enc); got != c.offset {
				t.Errorf("%s, %s: %v is offset %d, want %d", c.name, enc, p, got, c.offset)
			}
		}
	}
}

// Positions that no editor would send are moved to the nearest that makes
// sense: the end of the line or text, the beginning of the character.
func TestOddPositions(t *testing.T) {
	const most = math.MaxUint32
	for _, c := range []struct {
		name, text string
		p          Position
		enc        Encoding
		want       int
	}{
		{"past the line", "ab\ncd", Position{0, 99}, UTF16, 2},
		{"past a line with \\r\\n", "ab\r\ncd", Position{0, 3}, UTF16, 2},
		{"past a line with \\r", "ab\rcd", Position{0, 3}, UTF8, 2},
		{"past a line that is not ASCII", "é\nx", Position{0, 99}, UTF8, 2},
		{"past the last line", "ab\ncd", Position{1, 99}, UTF32, 5},
		{"past the text", "ab\ncd", Position{2, 0}, UTF16, 5},
		{"as far as it goes", "ab", Position{most, most}, UTF16, 2},
		{"as far right as it goes", "ab\nc", Position{0, most}, UTF16, 2},
		{"as far right, not ASCII", "é\nc", Position{0, most}, UTF16, 2},
		{"in no text", "", Position{5, 5}, UTF16, 0},
		{"after nothing but a mark", "\ufeff", Position{5, 5}, UTF16, 3},
		{"in a surrogate pair", "a😀b", Position{0, 2}, UTF16, 1},
		{"in the bytes of a character", "a😀b", Position{0, 3}, UTF8, 1},
		{"in the bytes of U+FFFD", "a\xffb", Position{0, 2}, UTF8, 1},
	} {
		if got := NewMapper([]byte(c.text)).Offset(c.p, c.enc); got != c.want {
			t.Errorf("%s: offset %d, want %d", c.name, got, c.want)
		}
	}
}

// So are offsets.
func TestOddOffsets(t *testing.T) {
	for _, c := range []struct {
		name, text string
		offset     int
		want       Position
	}{
		{"negative", "ab", -7, Position{0, 0}},
		{"past the text", "a\nbc", 99, Position{1, 2}},
		{"past no text", "", 3, Position{0, 0}},
		{"in the mark", "\ufeffa", 1, Position{0, 0}},
		{"before the mark", "\ufeffa", 0, Position{0, 0}},
		{"in \\r\\n", "a\r\nb", 2, Position{0, 1}},
		{"in a character", "aé", 2, Position{0, 1}},
		{"in a character after another line", "é\né", 4, Position{1, 0}},
	} {
		if got := NewMapper([]byte(c.text)).Position(c.offset, UTF16); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Convert restates a position in another encoding; what is past the end of the
// text comes back to it.
func TestConvert(t *testing.T) {
	m := NewMapper([]byte("é😀x\nabc"))
	for _, c := range []struct {
		p        Position
		from, to Encoding
		want     Position
	}{
		{Position{0, 3}, UTF16, UTF8, Position{0, 6}},
		{Position{0, 6}, UTF8, UTF32, Position{0, 2}},
		{Position{0, 2}, UTF32, UTF16, Position{0, 3}},
		{Position{0, 2}, UTF16, UTF8, Position{0, 2}},
		{Position{0, 99}, UTF16, UTF8, Position{0, 7}},
		{Position{1, 2}, UTF8, UTF16, Position{1, 2}},
		{Position{1, 2}, UTF16, UTF16, Position{1, 2}},
		{Position{9, 9}, UTF8, UTF16, Position{1, 3}},
		{Position{9, 9}, UTF16, UTF16, Position{1, 3}},
	} {
		if got := m.Convert(c.p, c.from, c.to); got != c.want {
			t.Errorf("%v from %s to %s is %v, want %v", c.p, c.from, c.to, got, c.want)
		}
	}
	got := m.ConvertRange(Range{Position{0, 1}, Position{0, 3}}, UTF16, UTF8)
	if want := (Range{Position{0, 2}, Position{0, 6}}); got != want {
		t.Errorf("the range is %v, want %v", got, want)
	}
}

// Lines are given without their ends, and only those there are.
func TestLines(t *testing.T) {
	m := NewMapper([]byte("\ufeffone\r\n\rtwo\nthree\r\n"))
	want := []string{"one", "", "two", "three", ""}
	if m.Lines() != len(want) {
		t.Fatalf("%d lines, want %d", m.Lines(), len(want))
	}
	for i, line := range want {
		if got := string(m.Line(i)); got != line {
			t.Errorf("line %d is %q, want %q", i, got, line)
		}
	}
	if m.Line(-1) != nil || m.Line(len(want)) != nil {
		t.Error("there is a line that is not there")
	}
}

// Text is what a server sees: without a mark at the beginning, and only there.
func TestTextHasNoMark(t *testing.T) {
	for text, want := range map[string]string{"\ufeffa\ufeff": "a\ufeff", "a": "a", "": "", "\xef\xbba": "\xef\xbba"} {
		if got := string(Text([]byte(text))); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// Advance counts in the units of the encoding, over the ends of lines, and
// stops at the end of the text.
func TestAdvance(t *testing.T) {
	m := NewMapper([]byte("\ufeffab\r\né😀x\n"))
	for _, c := range []struct {
		enc   Encoding
		from  Position
		units uint32
		want  Position
	}{
		{UTF16, Position{0, 0}, 0, Position{0, 0}},
		{UTF16, Position{0, 0}, 2, Position{0, 2}},
		{UTF16, Position{0, 1}, 4, Position{1, 1}},
		{UTF16, Position{1, 0}, 3, Position{1, 3}},
		{UTF16, Position{1, 0}, 2, Position{1, 1}}, // half of a pair
		{UTF8, Position{1, 0}, 6, Position{1, 6}},
		{UTF8, Position{1, 0}, 7, Position{1, 7}},
		{UTF32, Position{1, 0}, 4, Position{2, 0}},
		{UTF32, Position{1, 0}, 4_000_000_000, Position{2, 0}},
		{UTF16, Position{9, 9}, 1, Position{2, 0}},
	} {
		if got := m.Advance(c.from, c.units, c.enc); got != c.want {
			t.Errorf("%d %s units after %v is %v, want %v", c.units, c.enc, c.from, got, c.want)
		}
	}
	for enc, want := range map[Encoding][4]uint32{UTF8: {2, 7, 0, 0}, UTF16: {2, 4, 0, 0}, UTF32: {2, 3, 0, 0}} {
		if got := [4]uint32{m.Width(0, enc), m.Width(1, enc), m.Width(2, enc), m.Width(3, enc)}; got != want {
			t.Errorf("the lines are %v %s units wide, want %v", got, enc, want)
		}
		if got := m.End(enc); got != (Position{2, 0}) {
			t.Errorf("the end in %s is %v", enc, got)
		}
	}
}
