package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/result"
)

// wrong makes n new errors, one a line.
func wrong(n int) []result.Diagnostic {
	list := make([]result.Diagnostic, n)
	for i := range list {
		list[i] = result.Diagnostic{Line: uint32(i + 1), Column: 5, Severity: "error", Code: "ts2322", Message: fmt.Sprintf("message %d", i+1), New: true}
	}
	return list
}

// edited is an edit that broke one line here and one elsewhere.
func edited() *result.Edit {
	return &result.Edit{
		Applied: true, Summary: "Edit applied to src/utils.ts (1 replacement).", Verdict: "new_errors",
		Files: []result.File{{
			Path: "src/utils.ts", Verdict: "new_errors", Older: 3, Fixed: wrong(1),
			Diagnostics: []result.Diagnostic{
				{Line: 42, Column: 5, Severity: "error", Code: "ts2322", Message: "Type 'string' is not assignable to type 'number'."},
				{Line: 43, Column: 1, Severity: "error", Message: "Cannot find <T> & \"U\"\nin\r\nthis " + strings.Repeat("long ", 100)},
			},
		}},
		Others: []result.File{{Path: "src/app.ts", Verdict: "new_errors", Diagnostics: []result.Diagnostic{
			{Line: 7, Column: 12, Severity: "error", Code: "ts2339", Message: "Property 'foo' does not exist on type 'Bar'."},
		}}},
		Caps: result.Caps{PerFile: 20, OtherFiles: 5, TotalLines: 50},
	}
}

// The texts after an edit are those of the specification, byte for byte: new errors
// here and elsewhere, escaped, on one line each; what is fixed and old is counted.
func TestTextAfterAnEdit(t *testing.T) {
	golden(t, "edit", Brief(edited()))
	golden(t, "edit_llxprt_edit", LLXPRT(edited(), false))
	golden(t, "edit_llxprt_write", LLXPRT(edited(), true))
}

// Every judged edit ends with a line that states the verdict, so that silence never has
// two meanings; only the llxprt profile keeps its host's rule that nothing new is silence.
func TestEveryEditStatesItsVerdict(t *testing.T) {
	const summary = "Edit applied to a.ts (1 replacement)."
	fresh, late := result.Answer{Server: "typescript", Freshness: "fresh"}, result.Answer{Server: "typescript", Freshness: "timeout", Reason: "no answer in time"}
	absent := result.Answer{Server: "oxlint", Freshness: "unavailable", Reason: "not found", Dispensable: true}
	file := func(verdict string, servers ...result.Answer) []result.File {
		return []result.File{{Path: "a.ts", Verdict: verdict, Servers: servers}}
	}
	for name, tt := range map[string]struct {
		edit result.Edit
		want string // "": nothing was judged
	}{
		"clean": {result.Edit{Verdict: "clean", Files: file("clean", fresh, absent)}, "no new errors."},
		"clean, with dependants": {
			result.Edit{Verdict: "clean", Files: file("clean", fresh), Dependants: result.Dependants{Found: 4, Checked: 4}},
			"no new errors (4 dependants checked).",
		},
		"nobody judges this kind of file": {result.Edit{}, ""},
		"no server is there": {
			result.Edit{Verdict: "lsp_unavailable", Files: file("lsp_unavailable", result.Answer{Server: "typescript", Freshness: "unavailable", Reason: "not found"})},
			"not available: a.ts: typescript: not found.",
		},
		"timed out": {
			result.Edit{Verdict: "unknown", Files: file("unknown", late)},
			"not known yet: a.ts: typescript: no answer in time (late answers come with the next call).",
		},
		"one of two timed out": {
			result.Edit{Verdict: "unknown", Files: file("unknown", fresh, result.Answer{Server: "eslint", Freshness: "timeout", Reason: "no answer in time"}, absent)},
			"not known yet: a.ts: eslint: no answer in time (late answers come with the next call).",
		},
		"the search for users failed": {
			result.Edit{Verdict: "unknown", Files: file("clean", fresh), Unknown: []string{"who uses load is not known"}},
			"not known yet: who uses load is not known.",
		},
		"too many users": {
			result.Edit{Verdict: "unknown", Files: file("clean", fresh), Dependants: result.Dependants{Found: 60, Checked: 50, Unchecked: []string{"b.ts"}}},
			"not known yet: 10 of 60 files that use what changed were not checked: b.ts and 9 more.",
		},
		"not known, and older errors": {
			result.Edit{Verdict: "unknown", Files: []result.File{{Path: "a.ts", Verdict: "unknown", Older: 2, Servers: []result.Answer{late}}}},
			"no new errors, 2 older errors not listed so far; not known yet: a.ts: typescript: no answer in time (late answers come with the next call).",
		},
		"old errors": {
			result.Edit{Verdict: "baseline_error", Files: []result.File{{Path: "a.ts", Older: 1}}},
			"no new errors, 1 older error not listed.",
		},
		"errors of an earlier edit": {
			result.Edit{Verdict: "baseline_error", Files: []result.File{{Path: "a.ts", Standing: 1}}},
			"no new errors, 1 error remains.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := tt.edit
			e.Applied, e.Summary = true, summary
			want := summary
			if tt.want != "" {
				want += "\n\nLSP diagnostics after edit: " + tt.want
			}
			if got := Brief(&e); got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			if got := LLXPRT(&e, true); got != summary {
				t.Errorf("llxprt: %q", got)
			}
		})
	}
}

// Caps bound what is shown, in this order: lines of a file, other files, lines of
// all; what is left out is said, and spends nothing.
func TestCapsAfterAnEdit(t *testing.T) {
	files := func(counts ...int) (list []result.File) {
		for i, n := range counts {
			list = append(list, result.File{Path: fmt.Sprintf("%c.ts", 'a'+i), Diagnostics: wrong(n)})
		}
		return list
	}
	for name, c := range map[string]struct {
		own, others []int
		caps        result.Caps
	}{
		"edit_cap_none":           {[]int{3}, []int{2, 2}, result.Caps{}},
		"edit_cap_per_file":       {[]int{3, 2}, []int{3}, result.Caps{PerFile: 2}},
		"edit_cap_other_files":    {[]int{1}, []int{1, 1, 9}, result.Caps{OtherFiles: 2, TotalLines: 3}},
		"edit_cap_total_in_own":   {[]int{5}, []int{1}, result.Caps{TotalLines: 3}},
		"edit_cap_total_exact":    {[]int{3}, []int{1}, result.Caps{TotalLines: 3}},
		"edit_cap_total_in_other": {[]int{2}, []int{3, 1}, result.Caps{TotalLines: 4}},
		"edit_cap_both":           {[]int{9}, []int{9, 9}, result.Caps{PerFile: 4, OtherFiles: 1, TotalLines: 6}},
	} {
		e := &result.Edit{Applied: true, Summary: "Edited.", Files: files(c.own...), Others: files(c.others...), Caps: c.caps}
		golden(t, name, Brief(e)+"\n----\n"+LLXPRT(e, true)+"\n")
	}
}

// Everything else an edit may have to say: a preview with its diff, dependants that
// were left out, late answers, and errors that are reported again and again.
func TestMoreAfterAnEdit(t *testing.T) {
	e := edited()
	e.Applied, e.Summary, e.Diff = false, "Preview, nothing is written: edit of src/utils.ts (1 replacement).", "--- a/src/utils.ts\n+++ b/src/utils.ts\n@@ -1 +1 @@\n-a\n+b\x1b[2J\n"
	e.Dependants = result.Dependants{Found: 60, Checked: 50, Unchecked: []string{"src/x.ts", "src/y.ts"}}
	e.Late = []result.File{{Path: "src/late.ts", Diagnostics: wrong(1)}}
	e.Escalate, e.Rounds = true, 3
	e.Notes = []string{"kept its doc comment"}
	golden(t, "edit_more", Brief(e))
}

// What does not fit into the budget is left out in stages, and said.
func TestEditFits(t *testing.T) {
	e := edited()
	e.Diff = strings.Repeat("+line\n", 300)
	for range 10 {
		e.Others = append(e.Others, result.File{Path: "o.ts", Diagnostics: wrong(10)})
	}
	e.Caps = result.Caps{}
	Fit(e, 2500)
	got := Brief(e)
	if len(got) > 2500 || strings.Contains(got, "+line") || !strings.Contains(got, "cut: ") || !strings.Contains(got, "ts2322") {
		t.Errorf("%d bytes:\n%s", len(got), got)
	}
	// What cannot be left out in parts is cut, and its outcome is said.
	e = edited()
	e.Summary, e.Diff = strings.Repeat("Edit applied to src/utils.ts (1 replacement). ", 600), strings.Repeat("+line\n", 300)
	for i := range 400 {
		e.Unknown = append(e.Unknown, fmt.Sprintf("who uses symbol%d is not known", i))
	}
	Fit(e, 2000)
	if got := Brief(e); len(got) > 2000 || !strings.HasPrefix(got, "applied, verdict new_errors\n") || !strings.HasSuffix(got, "\ncut: the rest; raise max_bytes") {
		t.Errorf("%d bytes:\n%s", len(got), got)
	}
	unbounded := edited()
	Fit(unbounded, 0)
	if unbounded.Cut != "" || Brief(unbounded) != Brief(edited()) {
		t.Errorf("something was left out without need: %q", unbounded.Cut)
	}
}
