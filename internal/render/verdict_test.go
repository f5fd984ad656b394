package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/result"
)

// A check ends with one line that states its verdict.
func TestEveryCheckStatesItsVerdict(t *testing.T) {
	fresh, late := result.Answer{Server: "gopls", Freshness: "fresh"}, result.Answer{Server: "gopls", Freshness: "timeout", Reason: "no answer in time"}
	finding := func(what func(*result.Diagnostic)) result.Diagnostic {
		d := result.Diagnostic{Line: 1, Column: 2, Severity: "error", Message: "m"}
		what(&d)
		return d
	}
	unseen := finding(func(d *result.Diagnostic) { d.New = true })
	standing := finding(func(d *result.Diagnostic) { d.Standing = true })
	older := finding(func(*result.Diagnostic) {})
	file := func(baseline string, server result.Answer, list ...result.Diagnostic) result.File {
		return result.File{Path: "a.go", Baseline: baseline, Servers: []result.Answer{server}, Diagnostics: list}
	}
	for name, tt := range map[string]struct {
		check result.Check
		want  string
	}{
		"clean":                 {result.Check{Verdict: "clean", Files: []result.File{file("none", fresh)}}, "no errors (1 file checked)"},
		"clean with dependants": {result.Check{Verdict: "clean", Files: []result.File{file("none", fresh)}, Dependants: result.Dependants{Found: 2, Checked: 2}}, "no errors (1 file and 2 dependants checked)"},
		"errors, no baseline":   {result.Check{Verdict: "new_errors", Files: []result.File{file("none", fresh, unseen)}}, "1 error (1 file checked)"},
		"new errors":            {result.Check{Verdict: "new_errors", Files: []result.File{file("session", fresh, unseen, unseen, older)}}, "2 new errors, 1 older error not listed (1 file checked)"},
		"what remains":          {result.Check{Verdict: "baseline_error", Files: []result.File{file("session", fresh, standing)}}, "no new errors, 1 error remains (1 file checked)"},
		"timed out":             {result.Check{Verdict: "unknown", Incomplete: true, Files: []result.File{file("none", late), file("none", fresh)}}, "not known yet: 1 of 2 files could not be judged completely"},
		"broken and timed out": {
			result.Check{Verdict: "new_errors", Incomplete: true, Files: []result.File{file("none", late), file("none", fresh, unseen)}},
			"1 error; not known yet: 1 of 2 files could not be judged completely",
		},
		"too many dependants": {
			result.Check{Verdict: "unknown", Incomplete: true, Files: []result.File{file("none", fresh)}, Dependants: result.Dependants{Found: 9, Checked: 5, Unchecked: []string{"x.go"}}},
			"not known yet: 4 of 9 files that use what changed were not checked: x.go and 3 more",
		},
		"errors, and only hints asked for": {
			result.Check{Verdict: "new_errors", Files: []result.File{file("none", fresh)}},
			"there are new errors, but of other severities than those asked for (1 file checked)",
		},
		"no server": {
			result.Check{Verdict: "lsp_unavailable", Incomplete: true, Files: []result.File{file("none", result.Answer{Server: "gopls", Freshness: "unavailable"})}},
			"not checked: no server could judge the file",
		},
	} {
		t.Run(name, func(t *testing.T) {
			lines := strings.Split(Brief(&tt.check), "\n")
			if got := lines[len(lines)-1]; got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// Whatever a budget leaves out, the last line counts all of it; what is wrong is left
// out after what is right, and "no errors" is only said of a clean check.
func TestTextNeverClaimsMoreThanTheResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := result.Check{Verdict: "clean"}
		broken := 0
		for i := range rapid.IntRange(1, 60).Draw(t, "files") {
			f := result.File{Path: fmt.Sprintf("pkg/file%d.go", i), Verdict: "clean", Baseline: "none", Servers: []result.Answer{{Server: "gopls", Freshness: "fresh"}}}
			if n := rapid.IntRange(-3, 9).Draw(t, "errors"); n > 0 {
				f.Verdict, f.Diagnostics, c.Verdict = "new_errors", wrong(n), "new_errors"
				broken += n
			}
			c.Files = append(c.Files, f)
		}
		incomplete := rapid.Bool().Draw(t, "incomplete")
		if c.Incomplete = incomplete; incomplete && broken == 0 {
			c.Verdict = "unknown"
		}
		whole := Conclusion(&c)
		budget := rapid.IntRange(300, 6000).Draw(t, "budget")
		Fit(&c, budget)
		text := Brief(&c)
		last := text[strings.LastIndexByte(text, '\n')+1:]
		if last != whole {
			t.Fatalf("the conclusion changed from %q to %q", whole, last)
		}
		if strings.Contains(text, "no errors") != (c.Verdict == "clean") {
			t.Fatalf("verdict %s, incomplete %t: %q", c.Verdict, incomplete, last)
		}
		if len(text) > budget {
			t.Fatalf("%d bytes, budget %d:\n%s", len(text), budget, text)
		}
		if broken > 0 && c.Files[0].Verdict != "new_errors" && c.Cut != "" {
			t.Fatalf("broken files were left out before right ones: %s", c.Cut)
		}
	})
}

// What is counted is the sum of what is counted of each file: an error is called new, or older, only where its file could be
// compared with what was before, whichever other files are in the answer.
func TestErrorsAreCountedFileByFile(t *testing.T) {
	compared := result.File{Path: "a.go", Verdict: "new_errors", Baseline: "head", Diagnostics: wrong(2)}
	alone := result.File{Path: "b.rs", Verdict: "new_errors", Baseline: "none", Diagnostics: wrong(1)}
	older := result.File{Path: "c.go", Verdict: "baseline_error", Baseline: "head", Diagnostics: []result.Diagnostic{{Severity: "error"}}}
	doubtful := result.File{Path: "d.ts", Verdict: "unknown", Baseline: "head", Doubtful: true, Diagnostics: []result.Diagnostic{{Severity: "error"}}}
	for _, c := range []struct {
		files []result.File
		want  string
	}{
		{[]result.File{compared}, "2 new errors (1 file checked)"},
		{[]result.File{alone}, "1 error (1 file checked)"},
		{[]result.File{compared, alone}, "2 new errors, 1 error in 2 files (2 files checked)"},
		{[]result.File{older}, "1 older error (1 file checked)"},
		{[]result.File{doubtful}, "1 error (1 file checked)"},
		{[]result.File{alone, older, doubtful}, "2 errors, 1 older error (3 files checked)"},
		{[]result.File{compared, alone, older, doubtful}, "2 new errors, 2 errors in 2 files, 1 older error (4 files checked)"},
	} {
		for i := range c.files {
			c.files[i].Servers = []result.Answer{{Server: "s", Freshness: "fresh"}}
		}
		if diff := cmp.Diff(c.want, Conclusion(&result.Check{Verdict: "new_errors", CountOlder: true, Files: c.files})); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// An answer that came late and found nothing is said, too: the answer of its own edit
// could not say so. A file that was only published about is not meant.
func TestLateAndRight(t *testing.T) {
	late := []result.File{
		{Path: "a.go", Verdict: "clean", Servers: []result.Answer{{Server: "gopls", Version: 2, Freshness: "fresh"}}},
		{Path: "b.go", Verdict: "new_errors", Diagnostics: wrong(1), Servers: []result.Answer{{Server: "gopls", Version: 1, Freshness: "fresh"}}},
		{Path: "c.go", Verdict: "clean", Servers: []result.Answer{{Server: "gopls", Freshness: "fresh"}}},
	}
	const want = "Edited earlier, answered late: no new errors in a.go\n"
	check := result.Check{Verdict: "clean", Files: []result.File{{Path: "d.go", Verdict: "clean"}}, Late: late}
	e := result.Edit{Applied: true, Summary: "Edited.", Verdict: "clean", Files: []result.File{{Path: "d.go", Verdict: "clean"}}, Late: late}
	for _, text := range []string{Brief(&check) + "\n", Brief(&e) + "\n"} {
		if !strings.Contains(text, want) || !strings.Contains(text, "b.go") || strings.Contains(text, "c.go") {
			t.Errorf("%s", text)
		}
	}
}

// What a reader should know of how the files were judged is told beside the verdict.
func TestNotesAreTold(t *testing.T) {
	c := result.Check{Verdict: "clean", Files: []result.File{{Path: "a", Verdict: "clean", Servers: []result.Answer{{Server: "s", Freshness: "fresh"}}}}, Notes: []string{"judged by\nanother"}}
	if got, want := Brief(&c), "note: judged by\\nanother\nno errors (1 file checked)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Of a file that no server judges a reader is told so, unless its change is judged in other files.
func TestFilesThatNoServerJudges(t *testing.T) {
	for byUsers, want := range map[bool]string{
		false: "Cargo.lock: no server knows this kind of file\nnot known yet: 1 of 1 file could not be judged completely; which files use it",
		true:  "not known yet: which files use it",
	} {
		c := result.Check{Verdict: "unknown", Incomplete: true, Files: []result.File{{Path: "Cargo.lock", ByUsers: byUsers}}, Unknown: []string{"which files use it"}}
		if got := Brief(&c); got != want {
			t.Errorf("by its users %t: %q, want %q", byUsers, got, want)
		}
	}
}
