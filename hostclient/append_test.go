package hostclient

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func finding(file string, line uint32, severity, message, code string) Diagnostic {
	return Diagnostic{File: file, Line: line, Character: 5, Column: 5, Severity: severity, Message: message, Code: code}
}

// The text after an edit is that of the plan, byte for byte: the message first, lines in
// order, escaped once, each once, and other files only of a tool that writes whole files.
//
// Requirement: REQ-DIAG-010, REQ-DIAG-020, REQ-DIAG-030, REQ-DIAG-040, REQ-DIAG-050, REQ-FMT-010, REQ-FMT-020, REQ-FMT-030,
// REQ-FMT-040, REQ-FMT-060, REQ-FMT-065, REQ-FMT-070, REQ-FMT-090, REQ-SCOPE-030, REQ-TIME-020,
// BR-1, BR-2, BR-3, BR-4, BR-12, BR-16, BR-74, BR-76, EC-16, EC-23, EC-24, EC-25.
func TestAppendDiagnostics(t *testing.T) {
	own := []Diagnostic{
		finding("src/foo.ts", 20, "error", "later", ""), finding("src/foo.ts", 12, "error", "Cannot find name &lt;T&gt;", "2304"),
		finding("src/foo.ts", 12, "error", "Cannot find name &lt;T&gt;", "2304"), finding("src/foo.ts", 1, "warning", "unused", ""),
	}
	others := map[string][]Diagnostic{
		"/w/src/zoo.ts": {finding("src/zoo.ts", 1, "error", "z", "")}, "/w/src/bar.ts": {finding("src/bar.ts", 3, "error", "b", "")},
		"/w/src/foo.ts": own, "/w/src/fine.ts": {finding("src/fine.ts", 3, "hint", "b", "")},
	}
	block := "\n\nLSP errors detected in this file, please fix:\n<diagnostics file=\"src/foo.ts\">\n" +
		"ERROR [12:5] Cannot find name &lt;T&gt; (2304)\nERROR [20:5] later\n</diagnostics>"
	elsewhere := "\n\nLSP errors detected in other files:\n<diagnostics file=\"src/bar.ts\">\nERROR [3:5] b\n</diagnostics>\n" +
		"<diagnostics file=\"src/zoo.ts\">\nERROR [1:5] z\n</diagnostics>"
	for name, c := range map[string]struct{ got, want string }{
		"edit":      {AppendDiagnostics("Done.", own, nil, Limits{}), "Done." + block},
		"write":     {AppendDiagnostics("Done.", own, others, Limits{}), "Done." + block + elsewhere},
		"elsewhere": {AppendDiagnostics("Done.", nil, others, Limits{Severities: []string{"hint"}}), "Done.\n\nLSP diagnostics detected in other files:\n<diagnostics file=\"src/fine.ts\">\nHINT [3:5] b\n</diagnostics>"},
		"nothing":   {AppendDiagnostics("Done.", nil, map[string][]Diagnostic{}, Limits{}), "Done."},
		"warnings":  {AppendDiagnostics("Done.", own[3:], nil, Limits{}), "Done."},
		"asked for": {
			AppendDiagnostics("Done.", own[2:], nil, Limits{Severities: []string{"error", "warning"}}),
			"Done.\n\nLSP diagnostics detected in this file, please fix:\n<diagnostics file=\"src/foo.ts\">\nWARNING [1:5] unused\nERROR [12:5] Cannot find name &lt;T&gt; (2304)\n</diagnostics>",
		},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// many are so many errors in a file.
func many(file string, n int) (list []Diagnostic) {
	for i := range n {
		list = append(list, finding(file, uint32(i+1), "error", fmt.Sprint("e", i), ""))
	}
	return list
}

// Of one file 20 lines are shown, of others five files, and of all 50 lines; what is left out
// is counted and counts for nothing.
//
// Requirement: REQ-DIAG-060, REQ-DIAG-070, REQ-FMT-050, REQ-FMT-055, REQ-FMT-066, REQ-FMT-068,
// BR-5, BR-6, BR-7, BR-8, EC-17, EC-18, EC-19.
func TestCaps(t *testing.T) {
	others := make(map[string][]Diagnostic)
	for i := range 10 {
		file := fmt.Sprintf("o%d.ts", i)
		others["/w/"+file] = many(file, 10)
	}
	count := func(text string) (lines, files int) {
		return strings.Count(text, "ERROR ["), strings.Count(text, "<diagnostics ")
	}
	text := AppendDiagnostics("", many("a.ts", 25), others, Limits{})
	if lines, files := count(text); lines != 50 || files != 4 || !strings.Contains(text, "... and 5 more\n</diagnostics>\n\nLSP errors detected in other files:\n<diagnostics file=\"o0.ts\">") {
		t.Errorf("%d lines, %d files:\n%s", lines, files, text)
	}
	small := make(map[string][]Diagnostic)
	for path, list := range others {
		small[path] = list[:1]
	}
	if lines, files := count(AppendDiagnostics("", many("a.ts", 2), small, Limits{})); lines != 7 || files != 6 {
		t.Errorf("%d lines, %d files", lines, files)
	}
	if lines, files := count(AppendDiagnostics("", many("a.ts", 50), others, Limits{PerFile: 50})); lines != 50 || files != 1 {
		t.Errorf("%d lines, %d files", lines, files)
	}
}
