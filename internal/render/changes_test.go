package render

import (
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/result"
)

func someFixes() *result.Fixes {
	f := &result.Fixes{Path: "a.go", Total: 3, Actions: []result.FixAction{
		{Number: 1, Title: "Add import", Kind: "quickfix", Preferred: true, Mends: []string{"6:2 undefined: fmt", "7:2 undefined: fmt"}, Diff: "-a\n+b\n" + strings.Repeat("+long\n", 50)},
		{Number: 2, Title: "Move\x1b[31m it", Kind: "refactor", Command: "toy.move", Problem: "lost\nit"},
		{Number: 3, Title: "Last", Disabled: "not here", Diff: "+c\n"},
	}}
	f.Next = "fixes with apply: 1"
	return f
}

// A list of fixes says of each what it fixes, why not, and what it would change;
// what a server writes cannot reach the terminal as control characters.
func TestFixesAreListed(t *testing.T) {
	f := someFixes()
	f.Actions[0].Diff = "-a\n+b\n"
	const want = `a.go: 3 actions
1. Add import (quickfix, preferred)
   fixes 6:2 undefined: fmt
   fixes 7:2 undefined: fmt
-a
+b
2. Move\x1b[31m it (refactor, a command: toy.move)
   no diff: lost it
3. Last
   cannot be applied: not here
+c
next: fixes with apply: 1`
	if got := Brief(f); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Brief((&result.Fixes{Path: "a.go"})); got != "a.go: no server offers anything here" {
		t.Error(got)
	}
}

// With a small budget diffs go first, from the last on, then all but one diagnostic
// of each, then actions; each time it is said how to get them.
func TestFixesFit(t *testing.T) {
	f := someFixes()
	all := len(Brief(f))
	Fit(f, all)
	if f.Cut != "" {
		t.Errorf("cut: %s", f.Cut)
	}
	Fit(f, all-1)
	if f.Actions[2].Diff != "" || f.Actions[0].Diff == "" && len(Brief(f)) > all-1 || !strings.Contains(f.Cut, "diffs left out") {
		t.Errorf("%s", Brief(f))
	}
	Fit(f, 330)
	if f.Actions[0].Diff != "" || len(f.Actions) != 3 {
		t.Errorf("%s", Brief(f))
	}
	Fit(f, 10)
	if len(f.Actions) != 1 || len(f.Actions[0].Mends) != 1 || !strings.Contains(f.Cut, "all but 1 of the actions") {
		t.Errorf("%s", Brief(f))
	}
}

// What an applied action did is told as an edit, with what its command did after.
func TestAppliedFix(t *testing.T) {
	f := &result.Fixes{Edit: &result.Edit{Summary: "Applied it."}, Then: &result.Edit{Summary: "Edited more."}}
	Fit(f, 0)
	if got := Brief(f); got != "Applied it.\nThen its command:\nEdited more." {
		t.Error(got)
	}
	if got := Brief((&result.Fixes{Summary: "nothing came of it"})); got != "nothing came of it" {
		t.Error(got)
	}
}

// The result of a command is shortened, whole characters, and that is said.
func TestCommandFits(t *testing.T) {
	c := &result.Command{Summary: "toy executed toy.fix.", Result: `"` + strings.Repeat("é", 5000) + `"`, Edit: &result.Edit{Summary: "Edited a.go.", Diff: strings.Repeat("+x\n", 500)}}
	Fit(c, 1000)
	if text := Brief(c); len(text) > 1000 || !strings.Contains(text, "é…") || !strings.Contains(text, "cut: ") || !strings.Contains(text, "Edited a.go.") {
		t.Errorf("%d bytes:\n%s", len(text), text)
	}
	c = &result.Command{Summary: "done", Result: "1"}
	Fit(c, 0)
	if got := Brief(c); got != "done\nresult: 1" {
		t.Error(got)
	}
}

// A prepared rename is one line and the next call.
func TestPreparedRename(t *testing.T) {
	p := &result.PreparedRename{Path: "a.go", Line: 4, Column: 6, EndLine: 4, EndColumn: 10, Placeholder: "Load"}
	p.Notes = []string{strings.Repeat("long ", 100)}
	Fit(p, 100)
	if got := Brief(p); got != "Load can be renamed: a.go:4:6 to 4:10\ncut: notes; raise max_bytes" {
		t.Error(got)
	}
	p = &result.PreparedRename{Placeholder: strings.Repeat("name", 200)}
	if Fit(p, LeastBytes); p.Cut != theRest {
		t.Errorf("without notes it says that was left out: %s", p.Cut)
	}
}
