package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
)

func sampleImpact(n int) *result.Impact {
	i := &result.Impact{Changed: []string{"a.go"}, Total: n, References: 3 * n, Own: n, Tests: n, Failed: 1, TestFiles: []string{"a_test.go", "b_test.go"}}
	for k := range n {
		i.Symbols = append(i.Symbols, result.ImpactSymbol{
			Name: fmt.Sprintf("F%d", k), Kind: "function", At: fmt.Sprintf("a.go:%d:6", k+1), Risk: "low", Why: "3 users, and tested",
			References: 3, Own: 1, Tests: 1,
			Users:      []result.User{{Name: "G", Path: "b.go", Line: 4, Uses: 3}, {Path: "c.go", Line: 9}},
			TestUsers:  []result.User{{Name: "TestG", Path: "a_test.go", Line: 2}},
			Transitive: []result.User{{Name: "H.Do", Path: "d.go", Line: 7}},
		})
	}
	i.Symbols[0].Risk, i.Symbols[0].Why, i.Symbols[0].Failed = "unknown", "", "gopls: \x1b[31mbroken\nfor ever"
	return i
}

// Impact, tests, context and the administration read as they were meant to,
// character for character, and nothing of them can steer a terminal.
func TestTextsOfImpact(t *testing.T) {
	golden(t, "impact", Brief(sampleImpact(2)))
	golden(t, "tests", Brief((&result.Tests{Files: []result.TestsOf{
		{Path: "a.go", Tests: []result.TestFile{{Path: "a_test.go", Why: "name and references", Functions: []string{"TestA", "TestB"}}, {Path: "b_test.go", Why: "name"}}},
		{Path: "c.go"},
	}})))
	golden(t, "editing_context", Brief((&result.EditingContext{
		Path: "a.go", ETag: "12ab", Imports: []string{"import (", "\t\"b\"", ")"},
		Symbols: []result.Symbol{{Name: "F", Kind: "function", Line: 3, EndLine: 5, Detail: "func()"}},
		Callers: []result.Usage{{Symbol: "F", Others: []result.User{{Name: "G", Path: "b.go", Line: 4}, {Path: "c.go", Line: 1}}, More: 7}},
		Callees: []result.Usage{{Symbol: "F", Others: []result.User{{Name: "B", Path: "b.go", Line: 9}}}},
	})))
	golden(t, "editing_context_same", Brief((&result.EditingContext{Path: "a.go", ETag: "12ab", NotModified: true})))
	golden(t, "documentation", Brief((&result.Documentation{Symbol: "F", Source: "go doc F", Text: "package a\n\nfunc F()\n    F is \x1b[1mF.\n"})))
	golden(t, "folders", Brief((&result.Folders{Root: "/r", Folders: []result.Folder{{Path: "/r", Servers: []string{"gopls", "clangd"}}, {Path: "/s", Servers: []string{"gopls"}, Refused: []string{"clangd takes no further folders"}}}})))
	golden(t, "capabilities", Brief((&result.Capabilities{Servers: []result.ServerCapabilities{{
		ID: "gopls", Root: "/r", Version: "v1\n" + strings.Repeat("x", 100), Operations: []string{"definition", "references"}, Missing: []string{"declaration"}, Methods: []string{"m"}, Raw: json.RawMessage(`{}`),
	}}})))
	golden(t, "servers", Brief((&result.Servers{Action: "detect", Languages: []string{"go"}, Servers: []result.ServerState{
		{ID: "gopls", Root: "/r", State: "active", Files: 12, Version: "v1"},
		{ID: "clangd", Root: "/r", State: "unavailable", Files: 1, Reason: "clangd not found in PATH", Install: []string{"apt install clangd", "brew install llvm"}},
	}})))
	golden(t, "cross_references", Brief((&result.CrossReferences{Symbol: "F", Total: 2, Repositories: []result.RepositoryUses{
		{Root: "/r"}, {Root: "/s", Total: 2, Files: []result.PlaceFile{{Path: "/s/a.go", Count: 2, Places: []result.Place{{Line: 1, Column: 2, Text: "F()"}, {Line: 3, Column: 4, Text: "F(1)"}}}}},
	}})))
}

// The less room there is, the less is told: first what is reached through others,
// then users, then symbols; the counts stay, and what is missing is said.
func TestImpactFits(t *testing.T) {
	full := len(Brief(sampleImpact(40)))
	for _, c := range []struct {
		max                           int
		transitive, tests, users, all bool
	}{
		{full, true, true, true, true},
		{full - 1, false, true, true, true},
		{full * 2 / 3, false, false, true, true},
		{full * 2 / 5, false, false, false, true},
		{full / 10, false, false, false, false},
	} {
		i := sampleImpact(40)
		Fit(i, c.max)
		text := Brief(i)
		if len(text) > c.max {
			t.Errorf("%d bytes of %d", len(text), c.max)
		}
		if strings.Contains(text, "reaches") != c.transitive || strings.Contains(text, "tested by") != c.tests ||
			strings.Contains(text, "used by") != c.users || (len(i.Symbols) == 40) != c.all {
			t.Errorf("%d bytes:\n%s", c.max, text)
		}
		if !strings.HasPrefix(text, "40 symbols, 120 references, 40 in tests, 40 in their own files; of 1 symbol") || (i.Cut == "") != c.transitive {
			t.Errorf("%d bytes: %q, cut %q", c.max, strings.SplitN(text, "\n", 2)[0], i.Cut)
		}
	}
}

// Every reply that can grow is brought below its budget, and says what is gone.
func TestRepliesFit(t *testing.T) {
	tests, context, folders := &result.Tests{}, &result.EditingContext{Path: "a"}, &result.CrossReferences{Symbol: "F"}
	servers, capabilities := &result.Servers{}, &result.Capabilities{}
	for k := range 100 {
		name := fmt.Sprintf("name%d", k)
		users := []result.User{{Name: name, Path: name, Line: 1}}
		tests.Files = append(tests.Files, result.TestsOf{Path: name, Tests: []result.TestFile{{Path: name, Why: "name", Functions: []string{name}}}})
		context.Symbols = append(context.Symbols, result.Symbol{Name: name, Kind: "function", Detail: name})
		context.Callers = append(context.Callers, result.Usage{Symbol: name, Others: users})
		context.Callees = append(context.Callees, result.Usage{Symbol: name, Others: users})
		folders.Repositories = append(folders.Repositories, result.RepositoryUses{Root: "/", Files: []result.PlaceFile{{Path: name, Places: []result.Place{{Line: 1, Column: 1, Text: name}}}}})
		servers.Servers = append(servers.Servers, result.ServerState{ID: name, State: "active", Root: "/r"})
		capabilities.Servers = append(capabilities.Servers, result.ServerCapabilities{ID: name})
	}
	documentation := &result.Documentation{Symbol: "F", Text: strings.Repeat("word ", 1000)}
	for _, reply := range []result.Result{tests, context, documentation, servers, capabilities, folders} {
		const room = 2000
		Fit(reply, room)
		if text := Brief(reply); len(text) > room || !strings.Contains(text, "\ncut: ") {
			t.Errorf("%T: %d bytes: %.300s", reply, len(text), text)
		}
	}
}

// Of references in several repositories first the text of the lines goes, then files; what went is
// said, and how to get it.
func TestCrossReferencesAreCutInSteps(t *testing.T) {
	const room = 400
	many := func(files int, text string) *result.CrossReferences {
		c := &result.CrossReferences{Symbol: "F", Total: files, Repositories: []result.RepositoryUses{{Root: "/r"}}}
		for i := range files {
			c.Repositories[0].Files = append(c.Repositories[0].Files, result.PlaceFile{Path: fmt.Sprintf("file%d", i), Places: []result.Place{{Line: 1, Column: 1, Text: text}}})
		}
		return c
	}
	type outcome struct {
		Files int
		Cut   string
	}
	for name, c := range map[string]struct {
		answer *result.CrossReferences
		want   outcome
	}{
		"it fits":    {many(3, "F()"), outcome{3, ""}},
		"long lines": {many(3, strings.Repeat("F() ", 100)), outcome{3, "the text of the lines; raise max_bytes to get it"}},
		"many files": {many(90, ""), outcome{20, "files with references; ask about fewer roots, or raise max_bytes"}},
	} {
		Fit(c.answer, room)
		if diff := cmp.Diff(c.want, outcome{len(c.answer.Repositories[0].Files), c.answer.Cut}); diff != "" || len(Brief(c.answer)) > room {
			t.Errorf("%s: %d bytes: %s", name, len(Brief(c.answer)), diff)
		}
	}
}

// What a simulation committed is brought below half of the budget, as any edit is.
func TestCommitOfASimulationFits(t *testing.T) {
	const room = 2000
	s := &result.Simulation{Action: "commit", Commit: &result.Edit{Mode: "apply", Applied: true, Verdict: result.NewErrors, Summary: "Committed s1: 1 file written (a)."}}
	f := result.File{Path: "a", Verdict: result.NewErrors}
	for i := range 200 {
		f.Diagnostics = append(f.Diagnostics, result.Diagnostic{Line: uint32(i + 1), Column: 1, Severity: "error", Message: fmt.Sprintf("wrong %d", i), New: true})
	}
	s.Commit.Files = []result.File{f}
	Fit(s, room)
	if text := Brief(s); len(text) > room || !strings.Contains(text, "wrong 0") || len(s.Commit.Files[0].Diagnostics) == 200 {
		t.Errorf("%d bytes, %d findings: %.200s", len(text), len(s.Commit.Files[0].Diagnostics), text)
	}
}
