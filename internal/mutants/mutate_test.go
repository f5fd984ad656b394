package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const original = `package p

var limit = func(n int) bool { return n < 3 }

func (t *T) f(list []int) (int, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := g(); err != nil {
		return 0, false
	}
	_ = list
	for _, x := range list[1:] {
		if x == 0 && t.sure {
			continue
		}
		t.sum += x
		t.note("x" + "y")
	}
	return t.sum + 1, true
}
`

// Each small change is made at each place where it can be, alone; the rest of the file
// stays, and what comes of it parses.
func TestMutate(t *testing.T) {
	mutants, err := mutate("p.go", []byte(original))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range mutants {
		got = append(got, m.String()+" | "+changed(original, string(m.source)))
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", m.source, 0); err != nil {
			t.Errorf("%v: %v", m, err)
		}
	}
	want := []string{
		"p.go:3: declaration: n < 3 with <= | var limit = func(n int) bool { return n <= 3 }",
		"p.go:8: T.f: the error is ignored | if err := g(); (err != nil) && false {",
		"p.go:9: T.f: returns 1 | return 1, false",
		"p.go:9: T.f: returns true | return 0, true",
		"p.go:12: T.f: bound 1 is one more | for _, x := range list[(1)+1:] {",
		"p.go:13: T.f: if x == 0 && t.sure is negated | if !(x == 0 && t.sure) {",
		"p.go:13: T.f: x == 0 && t.sure with || | if x == 0 || t.sure {",
		"p.go:14: T.f: without continue | ",
		"p.go:16: T.f: without t.sum += x | ",
		"p.go:17: T.f: without t.note(\"x\" + \"y\") | ",
		"p.go:19: T.f: returns false | return t.sum + 1, false",
		"p.go:19: T.f: t.sum + 1 with - | return t.sum - 1, true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// changed returns the lines of after that before has not at the same place.
func changed(before, after string) string {
	was := strings.Split(before, "\n")
	var lines []string
	for i, line := range strings.Split(after, "\n") {
		if line != was[i] {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines, " ")
}

// The same seed chooses the same mutants, of all files, and never more than are wanted.
func TestSample(t *testing.T) {
	var all []mutant
	for line := range 100 {
		all = append(all, mutant{file: "a.go", line: line})
	}
	names := func(list []mutant) (names []string) {
		for _, m := range list {
			names = append(names, m.String())
		}
		return names
	}
	if diff := cmp.Diff(names(shuffled(all, 7)), names(shuffled(all, 7))); diff != "" {
		t.Error(diff)
	}
	if cmp.Equal(names(shuffled(all, 7)), names(shuffled(all, 8))) || cmp.Equal(names(shuffled(all, 7)), names(all)) {
		t.Error("the seed does not count")
	}
	if len(shuffled(all, 7)) != len(all) {
		t.Error("some are lost")
	}
}

// Only what a commit touched is mutated: by the hunks of its diff.
func TestTouchedLines(t *testing.T) {
	const diff = `diff --git a/internal/a/a.go b/internal/a/a.go
--- a/internal/a/a.go
+++ b/internal/a/a.go
@@ -3 +3,2 @@ func f() {
+x
+y
@@ -10,2 +12,0 @@ func g() {
diff --git a/internal/b/b.go b/internal/b/b.go
--- a/internal/b/b.go
+++ b/internal/b/b.go
@@ -1 +1 @@
+z
`
	want := map[string]map[int]bool{"internal/a/a.go": {3: true, 4: true}, "internal/b/b.go": {1: true}}
	if diff := cmp.Diff(want, touchedLines(diff)); diff != "" {
		t.Error(diff)
	}
}
