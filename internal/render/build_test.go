package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
)

// A build that succeeded takes one line; one that failed names the tests that did, and shows what
// the tool said.
func TestTextOfABuild(t *testing.T) {
	for want, b := range map[string]result.Build{
		"go build ./...: succeeded":                       {Command: "go build ./...", Success: true, Output: "warning\n"},
		"go build ./...: failed\na.go:1:1: wrong":         {Command: "go build ./...", Output: "a.go:1:1: wrong\n\n"},
		"go test ./...: failed\nfailed: TestA, TestB\nno": {Command: "go test ./...", Failed: []string{"TestA", "TestB"}, Output: "no"},
	} {
		if diff := cmp.Diff(want, Brief(&b)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Characters of the wide scripts and emoji take two columns, from the first of each to the last,
// marks that combine take none.
func TestColumnsOfCharacters(t *testing.T) {
	ranges := []struct {
		first, last rune
		columns     int
	}{
		{0x300, 0x36f, 0},
		{0x200d, 0x200d, 0},
		{0xfe00, 0xfe0f, 0},
		{0x1100, 0x115f, 2},
		{0x2e80, 0xa4cf, 2},
		{0xac00, 0xd7a3, 2},
		{0xf900, 0xfaff, 2},
		{0xfe30, 0xfe6f, 2},
		{0xff00, 0xff60, 2},
		{0x1f300, 0x1faff, 2},
		{0x20000, 0x3fffd, 2},
	}
	for _, r := range ranges {
		got := []int{cells(r.first - 1), cells(r.first), cells(r.last), cells(r.last + 1)}
		if diff := cmp.Diff([]int{1, r.columns, r.columns, 1}, got); diff != "" {
			t.Errorf("around %x to %x (-want +got):\n%s", r.first, r.last, diff)
		}
	}
}
