package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Folders are named once where that is shorter, and every path can be put
// together again from its folder's line and its own.
func TestRunsNameFoldersOnce(t *testing.T) {
	for _, c := range []struct{ paths, want string }{
		{"", ""},
		{"a.go", "a.go"},
		{"a.go b.go", "a.go|b.go"},
		{"x/a.go", "x/a.go"},
		{"x/a.go x/b.go", "x/a.go|x/b.go"}, // a line of its own would not pay
		{"go/analysis/a.go go/analysis/b.go", "go/analysis/ a.go b.go"},
		{"go/analysis/a.go go/analysis/passes/b.go go/analysis/passes/c.go", "go/analysis/ a.go passes/b.go passes/c.go"},
		{"cmd/one/main.go go/packages/a.go go/packages/b.go", "cmd/one/main.go|go/packages/ a.go b.go"},
		{"/usr/include/a.h /usr/include/b.h", "/usr/include/ a.h b.h"},
	} {
		paths := strings.Fields(c.paths)
		var shown []string
		for _, r := range runs(paths) {
			line := r.folder
			for _, p := range paths[r.from:r.to] {
				if r.folder != "" {
					line += " "
				}
				line += strings.TrimPrefix(p, r.folder)
			}
			shown = append(shown, line)
		}
		if got := strings.Join(shown, "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.paths, got, c.want)
		}
	}
}

// Any paths are covered once, in their order, each below a folder that is its
// own, and never in more bytes than one path a line.
func TestRunsCoverAllPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		paths := rapid.SliceOf(rapid.StringMatching(`/?([abc]{1,3}/){0,4}[a-c]{1,4}`)).Draw(t, "paths")
		slices.Sort(paths)
		next, bytes, plain := 0, 0, 0
		for _, r := range runs(paths) {
			if r.from != next || r.to <= r.from {
				t.Fatal(fmt.Sprint("runs ", runs(paths), " of ", paths))
			}
			next = r.to
			if r.folder != "" {
				bytes += len(r.folder) + 1
			}
			for _, p := range paths[r.from:r.to] {
				plain += len(p) + 1
				rest, below := strings.CutPrefix(p, r.folder)
				if bytes += len(rest) + 1; r.folder != "" {
					bytes++
				}
				if !below || rest == "" {
					t.Fatal(p + " is not below " + r.folder)
				}
			}
		}
		if next != len(paths) || bytes > plain {
			t.Fatalf("%d of %d paths, %d bytes, one a line %d", next, len(paths), bytes, plain)
		}
	})
}
