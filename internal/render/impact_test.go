package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func sampleImpact(n int) *Impact {
	i := &Impact{Changed: []string{"a.go"}, Total: n, References: 3 * n, Own: n, Tests: n, Failed: 1, TestFiles: []string{"a_test.go", "b_test.go"}}
	for k := range n {
		i.Symbols = append(i.Symbols, ImpactSymbol{
			Name: fmt.Sprintf("F%d", k), Kind: "function", At: fmt.Sprintf("a.go:%d:6", k+1), Risk: "low", Why: "3 users, and tested",
			References: 3, Own: 1, Tests: 1,
			Users:      []User{{Name: "G", Path: "b.go", Line: 4, Uses: 3}, {Path: "c.go", Line: 9}},
			TestUsers:  []User{{Name: "TestG", Path: "a_test.go", Line: 2}},
			Transitive: []User{{Name: "H.Do", Path: "d.go", Line: 7}},
		})
	}
	i.Symbols[0].Risk, i.Symbols[0].Why, i.Symbols[0].Failed = "unknown", "", "gopls: \x1b[31mbroken\nfor ever"
	return i
}

// Impact, tests, context and the administration read as they were meant to,
// character for character, and nothing of them can steer a terminal.
func TestTextsOfImpact(t *testing.T) {
	golden(t, "impact", sampleImpact(2).Brief())
	golden(t, "tests", (&Tests{Files: []TestsOf{
		{Path: "a.go", Tests: []TestFile{{Path: "a_test.go", Why: "name and references", Functions: []string{"TestA", "TestB"}}, {Path: "b_test.go", Why: "name"}}},
		{Path: "c.go"},
	}}).Brief())
	golden(t, "editing_context", (&EditingContext{
		Path: "a.go", ETag: "12ab", Imports: []string{"import (", "\t\"b\"", ")"},
		Symbols: []Symbol{{Name: "F", Kind: "function", Line: 3, EndLine: 5, Detail: "func()"}},
		Callers: []Usage{{Symbol: "F", Others: []User{{Name: "G", Path: "b.go", Line: 4}, {Path: "c.go", Line: 1}}, More: 7}},
		Callees: []Usage{{Symbol: "F", Others: []User{{Name: "B", Path: "b.go", Line: 9}}}},
	}).Brief())
	golden(t, "editing_context_same", (&EditingContext{Path: "a.go", ETag: "12ab", NotModified: true}).Brief())
	golden(t, "documentation", (&Documentation{Symbol: "F", Source: "go doc F", Text: "package a\n\nfunc F()\n    F is \x1b[1mF.\n"}).Brief())
	golden(t, "folders", (&Folders{Root: "/r", Folders: []Folder{{Path: "/r", Servers: []string{"gopls", "clangd"}}, {Path: "/s", Servers: []string{"gopls"}, Refused: []string{"clangd takes no further folders"}}}}).Brief())
	golden(t, "capabilities", (&Capabilities{Servers: []ServerCapabilities{{
		ID: "gopls", Root: "/r", Version: "v1\n" + strings.Repeat("x", 100), Operations: []string{"definition", "references"}, Missing: []string{"declaration"}, Methods: []string{"m"}, Raw: json.RawMessage(`{}`),
	}}}).Brief())
	golden(t, "servers", (&Servers{Action: "detect", Languages: []string{"go"}, Servers: []ServerState{
		{ID: "gopls", Root: "/r", State: "active", Files: 12, Version: "v1"},
		{ID: "clangd", Root: "/r", State: "unavailable", Files: 1, Reason: "clangd not found in PATH", Install: []string{"apt install clangd", "brew install llvm"}},
	}}).Brief())
	golden(t, "cross_references", (&CrossReferences{Symbol: "F", Total: 2, Repositories: []RepositoryUses{
		{Root: "/r"}, {Root: "/s", Total: 2, Files: []PlaceFile{{Path: "/s/a.go", Count: 2, Places: []Place{{Line: 1, Column: 2, Text: "F()"}, {Line: 3, Column: 4, Text: "F(1)"}}}}},
	}}).Brief())
}

// The less room there is, the less is told: first what is reached through others,
// then users, then symbols; the counts stay, and what is missing is said.
func TestImpactFits(t *testing.T) {
	full := len(sampleImpact(40).Brief())
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
		i.Fit(c.max)
		text := i.Brief()
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
	tests, context, folders := &Tests{}, &EditingContext{Path: "a"}, &CrossReferences{Symbol: "F"}
	servers, capabilities := &Servers{}, &Capabilities{}
	for k := range 100 {
		name := fmt.Sprintf("name%d", k)
		users := []User{{Name: name, Path: name, Line: 1}}
		tests.Files = append(tests.Files, TestsOf{Path: name, Tests: []TestFile{{Path: name, Why: "name", Functions: []string{name}}}})
		context.Symbols = append(context.Symbols, Symbol{Name: name, Kind: "function", Detail: name})
		context.Callers = append(context.Callers, Usage{Symbol: name, Others: users})
		context.Callees = append(context.Callees, Usage{Symbol: name, Others: users})
		folders.Repositories = append(folders.Repositories, RepositoryUses{Root: "/", Files: []PlaceFile{{Path: name, Places: []Place{{Line: 1, Column: 1, Text: name}}}}})
		servers.Servers = append(servers.Servers, ServerState{ID: name, State: "active", Root: "/r"})
		capabilities.Servers = append(capabilities.Servers, ServerCapabilities{ID: name})
	}
	documentation := &Documentation{Symbol: "F", Text: strings.Repeat("word ", 1000)}
	for _, reply := range []Reply{tests, context, documentation, servers, capabilities, folders} {
		const room = 2000
		reply.Fit(room)
		if text := reply.Brief(); len(text) > room || !strings.Contains(text, "\ncut: ") {
			t.Errorf("%T: %d bytes: %.300s", reply, len(text), text)
		}
	}
}
