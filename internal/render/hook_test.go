package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
)

// Files are named in one line, as the caller shows them, up to ten of them; the rest is counted.
func TestFilesAreNamedInOneLine(t *testing.T) {
	broken := func(n int) (files []result.File) {
		for i := range n {
			files = append(files, result.File{Path: fmt.Sprintf("%c", 'a'+i), Diagnostics: many(i)})
		}
		return files
	}
	const ten = "./a (0), ./b (1), ./c (2), ./d (3), ./e (4), ./f (5), ./g (6), ./h (7), ./i (8), ./j (9)"
	for n, want := range map[int]string{0: "", 1: "./a (0)", 10: ten, 11: ten + ", and 1 more", 13: ten + ", and 3 more"} {
		if diff := cmp.Diff(want, Named(broken(n), func(path string) string { return "./" + path })); diff != "" {
			t.Errorf("%d files (-want +got):\n%s", n, diff)
		}
	}
}

// A hook tells a model what its edit broke, as text it can read: of the files asked about and of those that were
// answered late each new finding, of the others their number. What was wrong before is left out, and where nothing
// is new, or nothing could be checked, nothing is told.
func TestHook(t *testing.T) {
	older := result.Diagnostic{Line: 9, Column: 9, Severity: "error", Message: "old"}
	fresh := result.Diagnostic{Line: 1, Column: 2, Severity: "error", Message: "want <T> & more", New: true}
	file := func(path string, list ...result.Diagnostic) []result.File {
		return []result.File{{Path: path, Baseline: "head", Diagnostics: list}}
	}
	said := func(text ...string) string {
		quoted := strings.ReplaceAll(strings.Join(text, `\n`), `"`, `\"`)
		return `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"` + quoted + `\n"}}`
	}
	var twenty []string
	for i := range 20 {
		twenty = append(twenty, fmt.Sprintf("a.go:%d:1: error: message %[1]d", i+1))
	}
	for name, c := range map[string]struct {
		check *result.Check
		want  string
	}{
		"no check":          {nil, "{}"},
		"nothing is wrong":  {&result.Check{Files: file("a.go"), Others: file("b.go")}, "{}"},
		"nothing is new":    {&result.Check{Files: file("a.go", older), Late: file("l.go", older), Others: file("b.go", older)}, "{}"},
		"what is new":       {&result.Check{Files: file("a.go", older, fresh)}, said("a.go:1:2: error: want <T> & more")},
		"answered late":     {&result.Check{Late: file("l.go", fresh, older)}, said("edited earlier, answered late (1 of 1 shown):", "l.go:1:2: error: want <T> & more")},
		"in other files":    {&result.Check{Files: file("a.go"), Others: append(file("b\n.go", fresh, older, fresh), file("c.go", older)...)}, said("also broken now: b\\\\n.go (2)")},
		"here and there":    {&result.Check{Files: file("a.go", fresh), Others: file("b.go", fresh)}, said("a.go:1:2: error: want <T> & more", "also broken now: b.go (1)")},
		"as many as listed": {&result.Check{Files: file("a.go", many(20)...)}, said(twenty...)},
		"more than listed":  {&result.Check{Files: file("a.go", many(23)...)}, said(append(twenty, "a.go: ... and 3 more")...)},
	} {
		t.Run(name, func(t *testing.T) {
			got := Hook(c.check)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !json.Valid([]byte(got)) {
				t.Errorf("not JSON: %s", got)
			}
		})
	}
}
