package mcpserver

import (
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// Diagnostics are grouped under the innermost symbol around each, those of one symbol together and in their order;
// those around which nothing is declared stand alone.
func TestGroupsOfDiagnostics(t *testing.T) {
	at := func(line, column uint32) result.Diagnostic {
		return result.Diagnostic{Line: line, Column: column, Severity: "error", Message: "bad\n at"}
	}
	symbols := []result.Symbol{
		{Name: "C", Kind: "class", Line: 2, Column: 1, EndLine: 9, Children: []result.Symbol{{Name: "m", Kind: "method", Line: 3, Column: 2, EndLine: 5}, {Name: "C.n", Kind: "method", Line: 6, Column: 2, EndLine: 6}}},
		{Name: "a", Kind: "variable", Line: 11, Column: 1},
		{Name: "b", Kind: "variable", Line: 11, Column: 9},
	}
	var g grouped
	g.add(&result.File{Path: "a.ts", Diagnostics: []result.Diagnostic{at(4, 1), at(1, 1), at(3, 1), at(5, 9), at(2, 1), at(6, 3), at(11, 4), at(11, 9), at(9, 1), at(10, 1)}}, symbols)
	g.Notes = []string{"a\nnote"}
	want := grouped{
		Symbols: []symbolDiagnostics{
			{"C.m", "method", "a.ts", 3, 5, []result.Diagnostic{at(4, 1), at(3, 1), at(5, 9)}},
			{"C", "class", "a.ts", 2, 9, []result.Diagnostic{at(2, 1), at(9, 1)}},
			{"C.n", "method", "a.ts", 6, 6, []result.Diagnostic{at(6, 3)}},
			{"a", "variable", "a.ts", 11, 11, []result.Diagnostic{at(11, 4)}},
			{"b", "variable", "a.ts", 11, 11, []result.Diagnostic{at(11, 9)}},
		},
		Ungrouped: []fileDiagnostic{{"a.ts", at(1, 1)}, {"a.ts", at(10, 1)}}, Notes: []string{"a\nnote"},
	}
	if diff := cmp.Diff(want, g); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	const text = "a.ts:3-5 C.m (method)\n  4:1: error: bad at\n  3:1: error: bad at\n  5:9: error: bad at\na.ts:2-9 C (class)\n  2:1: error: bad at\n  9:1: error: bad at\n" +
		"a.ts:6-6 C.n (method)\n  6:3: error: bad at\na.ts:11-11 a (variable)\n  11:4: error: bad at\na.ts:11-11 b (variable)\n  11:9: error: bad at\n" +
		"a.ts:1:1: error: bad at\na.ts:10:1: error: bad at\nnote: a note\n"
	if diff := cmp.Diff(text, g.text()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

// Beside grouped diagnostics it is told what was not checked, and what is wrong elsewhere; where all is fresh,
// nothing is.
func TestRestOfACheck(t *testing.T) {
	fresh := result.File{Path: "a", Verdict: "new_errors", Diagnostics: []result.Diagnostic{{Line: 1, Severity: "error", Message: "bad", New: true}}, Servers: []result.Answer{{Server: "x", Freshness: "fresh"}}}
	late, failed := fresh, fresh
	late.Servers = []result.Answer{{Server: "x", Freshness: "timeout"}}
	failed.Error = &result.Error{Kind: result.NotFound, Message: "gone"}
	for name, c := range map[string]struct {
		check result.Check
		says  bool
	}{
		"all is fresh":        {result.Check{Files: []result.File{fresh}}, false},
		"one is late":         {result.Check{Files: []result.File{fresh, late}}, true},
		"one failed":          {result.Check{Files: []result.File{failed}}, true},
		"others broke":        {result.Check{Files: []result.File{fresh}, Others: []result.File{fresh}}, true},
		"one answered late":   {result.Check{Files: []result.File{fresh}, Late: []result.File{fresh}}, true},
		"something was cut":   {result.Check{Files: []result.File{fresh}, Cut: "more"}, true},
		"nothing was checked": {result.Check{}, false},
	} {
		if got := rest(&c.check); (got != "") != c.says {
			t.Errorf("%s: %q", name, got)
		}
		if len(c.check.Files) > 0 && len(c.check.Files[0].Diagnostics) == 0 {
			t.Errorf("%s: the check lost its diagnostics", name)
		}
	}
}

// Each answer of the llxprt profile has its lines and its data; what is none of its kind is nothing.
func TestFormsOfLLXPRT(t *testing.T) {
	bad := result.Diagnostic{Line: 1, Column: 2, Severity: "error", Message: "bad <T>"}
	type form struct {
		Text       string
		Structured any
	}
	for name, c := range map[string]struct {
		say  sayer
		of   result.Result
		want form
	}{
		"places": {
			places, &result.Places{Files: []result.PlaceFile{{Path: "a", Places: []result.Place{{Line: 1, Column: 2}, {Line: 3, Column: 4}}}, {Path: "b", Places: []result.Place{{Line: 5, Column: 6}}}}},
			form{"a:1:2\na:3:4\nb:5:6\n", navigated{Locations: []navigatedTo{{"a", 1, 2}, {"a", 3, 4}, {"b", 5, 6}}}},
		},
		"hover": {hover, &result.Inspection{Hover: "func f()"}, form{"func f()", hovered{"func f()"}}},
		"symbols": {
			declared, &result.Symbols{Symbols: []result.Symbol{{Name: "C", Kind: "class", Line: 1, Column: 2, EndLine: 9, Children: []result.Symbol{{Name: "m", Kind: "method", Line: 3, Column: 4, EndLine: 5}}}, {Name: "f", Path: "a", Line: 6, Column: 7}}},
			form{"C - 1:2\nm - 3:4\nf - a:6:7\n", listedSymbols{Symbols: []listedSymbol{{"C", "class", "", symbolRange{1, 2, 9}}, {"m", "method", "", symbolRange{3, 4, 5}}, {"f", "", "a", symbolRange{6, 7, 0}}}}},
		},
		"diagnostics": {
			currentDiagnostics, &result.Check{Files: []result.File{{Path: "b", Diagnostics: []result.Diagnostic{bad}}, {Path: "none"}, {Path: "a", Diagnostics: []result.Diagnostic{bad, bad}}}},
			form{"a:1:2 bad &lt;T&gt;\na:1:2 bad &lt;T&gt;\nb:1:2 bad &lt;T&gt;\n", listedDiagnostics{Diagnostics: map[string][]result.Diagnostic{"a": {bad, bad}, "b": {bad}}}},
		},
		"no places":      {places, &result.Check{}, form{"", navigated{Locations: []navigatedTo{}}}},
		"no hover":       {hover, &result.Check{}, form{"", hovered{}}},
		"no symbols":     {declared, &result.Check{}, form{"", listedSymbols{Symbols: []listedSymbol{}}}},
		"no diagnostics": {currentDiagnostics, &result.Places{}, form{"", listedDiagnostics{Diagnostics: map[string][]result.Diagnostic{}}}},
	} {
		text, structured := c.say(c.of)
		if diff := cmp.Diff(c.want, form{text, structured}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A file is named by a whole path or a URI, or below the folder of its caller.
func TestAbsoluteNames(t *testing.T) {
	for name, want := range map[string]bool{lsptest.Rooted("/a.go"): true, "file:///a.go": true, "FILE:x": true, "file:": false, "file": false, "a.go": false, "": false, "filex/a.go": false} {
		if isAbsolute(name) != want {
			t.Errorf("%q is absolute: %t", name, !want)
		}
	}
	dir := t.TempDir()
	lsptest.WriteFile(t, filepath.Join(dir, "a.go"), "")
	for name, want := range map[string]string{"": dir, "gone": dir, "gone/b/c": dir, "a.go": dir} {
		if got := existing(filepath.Join(dir, filepath.FromSlash(name))); got != want {
			t.Errorf("above %q: %s, want %s", name, got, want)
		}
	}
}

// A level has one of eight names, in any case; another one is refused with all of them.
func TestLevels(t *testing.T) {
	var level slog.LevelVar
	s := &Server{opts: Options{Level: &level}}
	for name, want := range map[string]slog.Level{"debug": slog.LevelDebug, "INFO": slog.LevelInfo, "Warning": slog.LevelWarn, "error": slog.LevelError, "emergency": slog.LevelError + 12} {
		if err := s.setLevel(&mcp.CallToolRequest{}, name); err != nil || level.Level() != want {
			t.Errorf("%s: %v, %v", name, level.Level(), err)
		}
	}
	const names = "emergency, alert, critical, error, warning, notice, info, debug"
	if err := s.setLevel(&mcp.CallToolRequest{}, "loud"); err == nil || err.Error() != "level: loud is none; levels are "+names {
		t.Errorf("%v", err)
	}
	if err := (&Server{}).setLevel(&mcp.CallToolRequest{}, "debug"); err != nil {
		t.Errorf("without a log: %v", err)
	}
}
