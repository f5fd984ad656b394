package raw

import (
	"strings"
	"testing"
)

// Applying the computed change to the old text gives the new one.
func TestLineEditTurnsBeforeIntoAfter(t *testing.T) {
	texts := []string{
		"", "\n", "a", "a\n", "a\nb", "a\nb\n", "a\nb\nc\n", "a\nx\nc\n", "b\nc\n", "a\na\na\n", "a\na\n",
		"ab\ncd\nef", "ab\ncX\nef", "é𝄞\nb\n", "é𝄞", "é𝄞x", "a\n\n\nb", "a\n\nb",
	}
	for _, before := range texts {
		for _, after := range texts {
			change := lineEdit(before, after)
			span := change["range"].(object)
			start := offset(before, span["start"].(object))
			end := offset(before, span["end"].(object))
			if got := before[:start] + change["text"].(string) + before[end:]; got != after {
				t.Errorf("%q to %q by %v gives %q", before, after, change, got)
			}
		}
	}
}

// One changed line sends one line.
func TestLineEditIsSmall(t *testing.T) {
	change := lineEdit("a\nb\nc\nd\n", "a\nb\nX\nd\n")
	if change["text"] != "X\n" {
		t.Errorf("sends %q", change["text"])
	}
}

func offset(text string, at object) int {
	i := 0
	for range at["line"].(int) {
		i += strings.IndexByte(text[i:], '\n') + 1
	}
	units := at["character"].(int)
	for _, r := range text[i:] {
		if units == 0 {
			break
		}
		units--
		if r > 0xFFFF {
			units--
		}
		i += len(string(r))
	}
	return i
}
