package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/result"
)

// The replies of navigation, n entries of each kind long.

func samplePlaces(n int, text bool) *result.Places {
	p := &result.Places{Symbol: "Config.Load", What: "reference", Total: 2 * n, FileCount: n, Head: result.Head{Next: "source at src/a.go:1:1"}}
	for i := range n {
		f := result.PlaceFile{Path: fmt.Sprintf("src/%c/file%d.go", 'a'+i/3, i), Count: 2, Places: []result.Place{{Line: 3, Column: 7}, {Line: uint32(10 * (i + 1)), Column: 1}}}
		if text {
			f.Places[0].Text, f.Places[1].Text = "return Load(\"é\")", "x := Load(y)\x1b[2J"
		}
		p.Files = append(p.Files, f)
	}
	return p
}

func sampleDefinition(n int) *result.Places {
	p := &result.Places{Symbol: "Load", What: "definition", Total: n, FileCount: n}
	for i := range n {
		p.Files = append(p.Files, result.PlaceFile{Path: fmt.Sprintf("d%d/a.go", i), Count: 1, Places: []result.Place{{Line: 3, Column: 6, Text: "func Load() {", Source: sampleSource(3)}}})
	}
	return p
}

func sampleTree(n int) *result.Symbols {
	o := &result.Symbols{Path: "src/a.go", Total: 3 * n, Head: result.Head{Next: "source"}}
	for i := range n {
		line := uint32(10*i + 1)
		o.Symbols = append(o.Symbols, result.Symbol{
			Name: fmt.Sprintf("Config%d", i), Kind: "struct", Detail: "struct{…}", Line: line, Column: 6, EndLine: line + 8,
			Children: []result.Symbol{{Name: "name", Kind: "field", Detail: "string", Line: line + 1, Column: 2, EndLine: line + 1, Children: []result.Symbol{{Name: "inner", Kind: "field", Line: line + 2, Column: 3}}}},
		})
	}
	return o
}

func sampleFound(n int) *result.Symbols {
	o := &result.Symbols{Query: "load", Total: n + 5, Offset: 5}
	for i := range n {
		s := result.Symbol{Name: fmt.Sprintf("load%d", i), Kind: "function", Path: fmt.Sprintf("src/f%d.go", i), Line: 4, Column: 6, Container: "cfg"}
		if i%2 == 1 {
			s.Container, s.Detail = "", "func load()\nreads it"
		}
		o.Symbols = append(o.Symbols, s)
	}
	return o
}

func sampleSource(n int) *result.Source {
	lines := []string{"func Load() {"}
	for i := range n - 2 {
		lines = append(lines, fmt.Sprintf("\tcall%d() // ü", i))
	}
	return &result.Source{Symbol: "Load", Kind: "function", Path: "src/a.go", Line: 3, EndLine: uint32(2 + n), Code: strings.Join(append(lines, "}"), "\n")}
}

func sampleHierarchy(n int) *result.Hierarchy {
	h := &result.Hierarchy{Symbol: "Load", Direction: "callers", Total: 3 * n}
	for i := range n {
		leaf := result.Node{Name: "main", Path: "cmd/main.go", Line: 9, Column: 6, Repeated: i > 0}
		h.Nodes = append(h.Nodes, result.Node{
			Name: fmt.Sprintf("run%d", i), Kind: "function", Path: "src/run.go", Line: uint32(i + 1), Column: 6, Sites: []string{"4:2", "5:2"}, Concurrent: "go",
			Nodes: []result.Node{{Name: "start", Path: "src/start.go", Line: 3, Column: 6, Sites: []string{"8:1"}, Nodes: []result.Node{leaf}}},
		})
	}
	return h
}

func sampleInspection(n int) *result.Inspection {
	i := &result.Inspection{
		Symbol: "Load", Kind: "function", At: "src/b.go:9:2", Definition: "src/a.go:3:6", Signature: "func Load(path string) error",
		Hover: "```go\nfunc Load()\n```\n" + strings.Repeat("Load reads the file, and more. ", n), Tests: n,
		Source: sampleSource(n + 2), Callers: sampleHierarchy(n), References: samplePlaces(n, true),
	}
	for k := range n {
		i.TestFiles = append(i.TestFiles, fmt.Sprintf("src/t%d_test.go", k))
	}
	return i
}

func sampleSignatures(n int) *result.Signatures {
	s := &result.Signatures{At: "src/a.go:9:7", Active: 1}
	for i := range n {
		s.Signatures = append(s.Signatures, result.Signature{
			Label: fmt.Sprintf("load(path: string, n: %d)", i), Documentation: "Reads it.\nNo more.", Parameters: []string{"path", "n"}, ActiveParameter: "path: string",
		})
	}
	return s
}

func sampleCompletions(n int) *result.Completions {
	c := &result.Completions{At: "src/a.go:9:7", Total: n, Incomplete: true}
	for i := range n {
		c.Items = append(c.Items, result.Completion{Label: fmt.Sprintf("item%d", i), Kind: "method", Detail: "func(int) error", Deprecated: i == 1})
	}
	return c
}

func sampleHints(n int) *result.Hints {
	h := &result.Hints{Path: "src/a.go", Total: n}
	for i := range n {
		h.Hints = append(h.Hints, result.Hint{Line: uint32(i + 1), Column: 7, Label: "path:", Kind: "parameter"})
	}
	return h
}

func sampleTokens(n int) *result.Tokens {
	k := &result.Tokens{Path: "src/a.go", Total: n}
	for i := range n {
		k.Tokens = append(k.Tokens, result.Token{Line: uint32(i + 1), Column: 1, Length: 4, Type: "function", Modifiers: []string{"definition", "async"}[:i%3%2+1], Text: "Load"})
	}
	return k
}

func sampleFolds(n int) *result.Folds {
	f := &result.Folds{Path: "src/a.go", Total: n}
	for i := range n {
		f.Folds = append(f.Folds, result.Fold{Line: uint32(i + 1), EndLine: uint32(i + 4), Kind: []string{"imports", ""}[i%2]})
	}
	return f
}

// cutPlaces is what is left of places in so much room.
func cutPlaces(max int) string {
	p := samplePlaces(12, true)
	Fit(p, max)
	return Brief(p)
}

// The replies of navigation read as they were meant to, character for character.
func TestTextsOfNavigation(t *testing.T) {
	golden(t, "places_lines", Brief(samplePlaces(4, true)))
	golden(t, "places_positions", Brief(samplePlaces(4, false)))
	golden(t, "places_positions_cut", cutPlaces(600))
	golden(t, "places_counts", cutPlaces(380))
	golden(t, "places_files", cutPlaces(260))
	golden(t, "places_one", Brief((&result.Places{Symbol: "Load", What: "definition", Total: 1, FileCount: 1, Files: []result.PlaceFile{{Path: "a.go", Count: 1, Places: []result.Place{{Line: 3, Column: 6, Text: "func Load()"}}}}})))
	golden(t, "places_one_each", Brief((&result.Places{Symbol: "Load", What: "reference", Total: 3, FileCount: 3, Files: []result.PlaceFile{
		{Path: "a/b.go", Count: 1, Places: []result.Place{{Line: 3, Column: 6, Text: "return Load(x)"}}},
		{Path: "a/c.go", Count: 1, Places: []result.Place{{Line: 4, Column: 1, Text: "Load(y)", Kind: "read"}}},
		{Path: "d.go", Count: 1, Places: []result.Place{{Line: 5, Column: 2, Text: "Load(\x1b)"}}},
	}})))
	golden(t, "places_source", Brief(sampleDefinition(2)))
	golden(t, "places_none", Brief((&result.Places{Symbol: "Load", What: "implementation", Head: result.Head{State: []string{"gopls is still loading: Setting up\nworkspace"}, Notes: []string{"column 9 is beside Load; took a.go:1:6"}}})))
	golden(t, "places_highlights", Brief((&result.Places{Symbol: "x", What: "highlight", Total: 2, FileCount: 1, Files: []result.PlaceFile{{Path: "a.go", Count: 2, Places: []result.Place{{Line: 1, Column: 2, Kind: "write"}, {Line: 3, Column: 4, Kind: "read", Text: "f(x)"}}}}})))
	golden(t, "symbols_tree", Brief(sampleTree(2)))
	golden(t, "symbols_found", Brief(sampleFound(3)))
	golden(t, "symbols_none", Brief((&result.Symbols{Query: "nothing"})))
	golden(t, "source_reply", Brief(sampleSource(4)))
	golden(t, "hierarchy", Brief(sampleHierarchy(2)))
	golden(t, "hierarchy_none", Brief((&result.Hierarchy{Symbol: "Load", Direction: "callees"})))
	golden(t, "hierarchy_derived", Brief((&result.Hierarchy{Symbol: "Load", Direction: "callers", Derived: true, Total: 1, Nodes: []result.Node{{Name: "(top level)", Path: "a.py", Line: 1, Column: 1, Sites: []string{"7:1"}}}})))
	golden(t, "inspection", Brief(sampleInspection(2)))
	golden(t, "inspection_bare", Brief((&result.Inspection{Symbol: "x", At: "a.go:1:1", Definition: "a.go:1:1"})))
	golden(t, "signatures", Brief(sampleSignatures(2)))
	golden(t, "signatures_none", Brief((&result.Signatures{At: "a.go:1:1"})))
	golden(t, "completions", Brief(sampleCompletions(3)))
	golden(t, "completions_none", Brief((&result.Completions{At: "a.go:1:1"})))
	golden(t, "hints", Brief(sampleHints(2)))
	golden(t, "tokens", Brief(sampleTokens(2)))
	golden(t, "folds", Brief(sampleFolds(2)))
}

// samples are the replies of navigation.
func samples(n int) map[string]func() result.Result {
	minified := func() result.Result {
		return &result.Source{Path: "a.js", Line: 1, EndLine: 1, Code: strings.Repeat("é;", 60*n)}
	}
	return map[string]func() result.Result{
		"places":      func() result.Result { return samplePlaces(n, true) },
		"positions":   func() result.Result { return samplePlaces(n, false) },
		"definition":  func() result.Result { return sampleDefinition(n) },
		"tree":        func() result.Result { return sampleTree(n) },
		"found":       func() result.Result { return sampleFound(n) },
		"source":      func() result.Result { return sampleSource(n + 2) },
		"minified":    minified,
		"hierarchy":   func() result.Result { return sampleHierarchy(n) },
		"inspection":  func() result.Result { return sampleInspection(n) },
		"signatures":  func() result.Result { return sampleSignatures(n) },
		"completions": func() result.Result { return sampleCompletions(n) },
		"hints":       func() result.Result { return sampleHints(n) },
		"tokens":      func() result.Result { return sampleTokens(n) },
		"folds":       func() result.Result { return sampleFolds(n) },
	}
}

// Whatever the budget, the text of a check keeps it, and says once that something is missing, if it is.
func TestCheckFits(t *testing.T) {
	full := Brief(sampleCheck(2))
	for room := LeastBytes; room <= len(full); room++ {
		reply := sampleCheck(2)
		Fit(reply, room)
		text := Brief(reply)
		want := 1
		if room == len(full) {
			want = 0
		}
		if n := strings.Count(text, "cut: "); len(text) > room || n != want {
			t.Fatalf("with %d of %d bytes, %d are said, and %d times that it was cut:\n%s", room, len(full), len(text), n, text)
		}
	}
}

// Whatever the budget, a reply keeps it, tells that something is missing if and only if it is, and can be told as
// JSON.
func TestNavigationFits(t *testing.T) {
	for name, sample := range samples(6) {
		full := Brief(sample())
		for room := LeastBytes; room <= len(full); room++ {
			if room > 400 && room < len(full)-1 && room%7 != 0 {
				continue // every one would take long
			}
			reply := sample()
			Fit(reply, room)
			text := Brief(reply)
			if len(text) > room {
				t.Errorf("%s: %d bytes of %d:\n%s", name, len(text), room, text)
				break
			}
			if cut := strings.Contains(text, "cut: "); cut != (room < len(full)) {
				t.Errorf("%s: with %d of %d bytes, said to be cut: %t", name, room, len(full), cut)
				break
			}
			if _, err := json.Marshal(reply); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		reply := sample()
		if Fit(reply, 0); Brief(reply) != full {
			t.Errorf("%s: no budget is not the default one", name)
		}
	}
}

// What is missing is named, also after several stages: nobody takes what is left
// for all.
func TestCutNamesWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		reply result.Result
		room  int
		want  string
	}{
		{samplePlaces(12, true), 700, "cut: the text of the lines; raise max_bytes"},
		{samplePlaces(12, true), 380, "cut: the positions: numbers are counts per file; raise max_bytes"},
		{samplePlaces(12, true), 260, "of 12 files, and the positions; raise max_bytes"},
		{sampleDefinition(5), 0, "cut: the sources; ask for one of the places"},
		{sampleTree(9), 0, "cut: details; raise max_bytes"},
		{sampleTree(9), 500, "cut: details and what lies deeper than"},
		{sampleTree(9), 150, "cut: details and all but"},
		{sampleFound(9), 250, "; ask with offset "},
		{sampleSource(20), 200, " of 20 lines; raise max_bytes"},
		{sampleHierarchy(9), 0, "cut: where the calls stand; raise max_bytes"},
		{sampleHierarchy(9), 500, "cut: where the calls stand and what lies deeper than"},
		{sampleHierarchy(9), 200, "cut: where the calls stand and all but"},
		{sampleInspection(30), 1500, "cut: the end of the documentation"},
		{sampleInspection(30), 300, "the references, the callers"},
		{sampleSignatures(9), 0, "cut: the documentation; raise max_bytes"},
		{sampleSignatures(9), 200, "cut: the documentation and all but the first"},
		{sampleCompletions(20), 500, "cut: the details; raise max_bytes"},
		{sampleCompletions(20), 300, "cut: the details and all but the first"},
		{sampleHints(20), 150, " of 20; ask for a smaller range"},
		{sampleTokens(20), 150, " of 20; ask for a smaller range"},
		{sampleFolds(20), 150, " of 20; raise max_bytes"},
	} {
		if c.room == 0 { // one byte too few
			c.room = len(Brief(c.reply)) - 1
		}
		Fit(c.reply, c.room)
		if text := Brief(c.reply); !strings.Contains(text, c.want) || len(text) > c.room {
			t.Errorf("%T in %d bytes, %q is not in:\n%s", c.reply, c.room, c.want, text)
		}
	}
}

// An empty reply has nothing to leave out, and does not say so.
func TestEmptyRepliesAreNotCut(t *testing.T) {
	for _, reply := range []result.Result{
		&result.Places{}, &result.Symbols{Path: "a"}, &result.Symbols{}, &result.Source{}, &result.Hierarchy{}, &result.Inspection{}, &result.Signatures{}, &result.Completions{}, &result.Hints{}, &result.Tokens{}, &result.Folds{},
	} {
		Fit(reply, 1)
		if text := Brief(reply); strings.Contains(text, "cut: ") {
			t.Errorf("%T: %s", reply, text)
		}
	}
}

// References in 44 files cost what was promised: at most 2.2 KB as positions, 11
// KB with their lines.
func TestPriceOfReferences(t *testing.T) {
	p := &result.Places{Symbol: "Config.Load", What: "reference", Total: 146, FileCount: 44}
	for i := range 146 {
		place := result.Place{Line: uint32(30 + 11*i%900), Column: uint32(5 + i%40), Text: "if err := config.Load(ctx, path); err != nil {"}
		if i < 44 {
			p.Files = append(p.Files, result.PlaceFile{Path: fmt.Sprintf("internal/%s/name%d.go", []string{"cli", "engine", "server", "watch"}[i/11], i)})
		}
		f := &p.Files[i%44]
		f.Places, f.Count = append(f.Places, place), f.Count+1
	}
	if n := len(Brief(p)); n > 11_000 {
		t.Errorf("%d bytes with lines", n)
	}
	withoutLines(p)
	if n := len(Brief(p)); n > 2_200 {
		t.Errorf("%d bytes as positions", n)
	}
}

// Nothing that a server says can steer a terminal, or pretend to be a line of
// ours.
func TestNavigationIsDefused(t *testing.T) {
	evil := "a\x1b[2J\u009b\x7f\rb"
	nodes := []result.Node{{Name: evil, Path: evil, Concurrent: evil}}
	for _, reply := range []result.Result{
		&result.Places{Symbol: evil, What: "reference", Total: 2, FileCount: 1, Files: []result.PlaceFile{{Path: evil, Count: 2, Places: []result.Place{{Text: evil}, {Source: &result.Source{Code: evil}}}}}, Head: result.Head{State: []string{evil}, Notes: []string{evil}, Next: evil}},
		&result.Symbols{Path: evil, Total: 1, Symbols: []result.Symbol{{Name: evil, Detail: evil}}},
		&result.Symbols{Query: evil, Total: 1, Symbols: []result.Symbol{{Name: evil, Detail: evil, Path: evil, Container: evil}}},
		&result.Source{Symbol: evil, Path: evil, Code: evil},
		&result.Hierarchy{Symbol: evil, Total: 1, Nodes: nodes},
		&result.Inspection{Symbol: evil, At: evil, Definition: evil + "x", Signature: evil, Hover: "h" + evil, TestFiles: []string{evil}, References: &result.Places{Symbol: evil}},
		&result.Signatures{At: evil, Signatures: []result.Signature{{Label: evil, Documentation: evil, ActiveParameter: evil}}},
		&result.Completions{At: evil, Total: 1, Items: []result.Completion{{Label: evil, Detail: evil}}},
		&result.Hints{Path: evil, Total: 1, Hints: []result.Hint{{Label: evil}}},
		&result.Tokens{Path: evil, Total: 1, Tokens: []result.Token{{Text: evil, Type: evil, Modifiers: []string{evil}}}},
		&result.Folds{Path: evil, Total: 1, Folds: []result.Fold{{Kind: evil}}},
	} {
		for _, r := range Brief(reply) {
			if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
				t.Errorf("%T has the character %U:\n%q", reply, r, Brief(reply))
				break
			}
		}
	}
}

// A text is cut between characters, and to what was asked for, however little.
func TestCutKeepsCharacters(t *testing.T) {
	for max, want := range map[int]string{0: "", 2: "", 3: "…", 4: "…", 5: "é…", 6: "é…", 7: "éé…", 8: "éééé"} {
		if got := cut("éééé", max); got != want {
			t.Errorf("to %d: %q, want %q", max, got, want)
		}
	}
}
