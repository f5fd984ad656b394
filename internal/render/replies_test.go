package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// The replies of navigation, n entries of each kind long.

func samplePlaces(n int, text bool) *Places {
	p := &Places{Symbol: "Config.Load", What: "reference", Total: 2 * n, FileCount: n, Head: Head{Next: "source at src/a.go:1:1"}}
	for i := range n {
		f := PlaceFile{Path: fmt.Sprintf("src/%c/file%d.go", 'a'+i/3, i), Count: 2, Places: []Place{{Line: 3, Column: 7}, {Line: uint32(10 * (i + 1)), Column: 1}}}
		if text {
			f.Places[0].Text, f.Places[1].Text = "return Load(\"é\")", "x := Load(y)\x1b[2J"
		}
		p.Files = append(p.Files, f)
	}
	return p
}

func sampleDefinition(n int) *Places {
	p := &Places{Symbol: "Load", What: "definition", Total: n, FileCount: n}
	for i := range n {
		p.Files = append(p.Files, PlaceFile{Path: fmt.Sprintf("d%d/a.go", i), Count: 1, Places: []Place{{Line: 3, Column: 6, Text: "func Load() {", Source: sampleSource(3)}}})
	}
	return p
}

func sampleTree(n int) *Symbols {
	o := &Symbols{Path: "src/a.go", Total: 3 * n, Head: Head{Next: "source"}}
	for i := range n {
		line := uint32(10*i + 1)
		o.Symbols = append(o.Symbols, Symbol{
			Name: fmt.Sprintf("Config%d", i), Kind: "struct", Detail: "struct{…}", Line: line, Column: 6, EndLine: line + 8,
			Children: []Symbol{{Name: "name", Kind: "field", Detail: "string", Line: line + 1, Column: 2, EndLine: line + 1, Children: []Symbol{{Name: "inner", Kind: "field", Line: line + 2, Column: 3}}}},
		})
	}
	return o
}

func sampleFound(n int) *Symbols {
	o := &Symbols{Query: "load", Total: n + 5, Offset: 5}
	for i := range n {
		s := Symbol{Name: fmt.Sprintf("load%d", i), Kind: "function", Path: fmt.Sprintf("src/f%d.go", i), Line: 4, Column: 6, Container: "cfg"}
		if i%2 == 1 {
			s.Container, s.Detail = "", "func load()\nreads it"
		}
		o.Symbols = append(o.Symbols, s)
	}
	return o
}

func sampleSource(n int) *Source {
	lines := []string{"func Load() {"}
	for i := range n - 2 {
		lines = append(lines, fmt.Sprintf("\tcall%d() // ü", i))
	}
	return &Source{Symbol: "Load", Kind: "function", Path: "src/a.go", Line: 3, EndLine: uint32(2 + n), Code: strings.Join(append(lines, "}"), "\n")}
}

func sampleHierarchy(n int) *Hierarchy {
	h := &Hierarchy{Symbol: "Load", Direction: "callers", Total: 3 * n}
	for i := range n {
		leaf := Node{Name: "main", Path: "cmd/main.go", Line: 9, Column: 6, Repeated: i > 0}
		h.Nodes = append(h.Nodes, Node{
			Name: fmt.Sprintf("run%d", i), Kind: "function", Path: "src/run.go", Line: uint32(i + 1), Column: 6, Sites: []string{"4:2", "5:2"}, Concurrent: "go",
			Nodes: []Node{{Name: "start", Path: "src/start.go", Line: 3, Column: 6, Sites: []string{"8:1"}, Nodes: []Node{leaf}}},
		})
	}
	return h
}

func sampleInspection(n int) *Inspection {
	i := &Inspection{
		Symbol: "Load", Kind: "function", At: "src/b.go:9:2", Definition: "src/a.go:3:6", Signature: "func Load(path string) error",
		Hover: "```go\nfunc Load()\n```\n" + strings.Repeat("Load reads the file, and more. ", n), Tests: n,
		Source: sampleSource(n + 2), Callers: sampleHierarchy(n), References: samplePlaces(n, true),
	}
	for k := range n {
		i.TestFiles = append(i.TestFiles, fmt.Sprintf("src/t%d_test.go", k))
	}
	return i
}

func sampleSignatures(n int) *Signatures {
	s := &Signatures{At: "src/a.go:9:7", Active: 1}
	for i := range n {
		s.Signatures = append(s.Signatures, Signature{
			Label: fmt.Sprintf("load(path: string, n: %d)", i), Documentation: "Reads it.\nNo more.", Parameters: []string{"path", "n"}, ActiveParameter: "path: string",
		})
	}
	return s
}

func sampleCompletions(n int) *Completions {
	c := &Completions{At: "src/a.go:9:7", Total: n, Incomplete: true}
	for i := range n {
		c.Items = append(c.Items, Completion{Label: fmt.Sprintf("item%d", i), Kind: "method", Detail: "func(int) error", Deprecated: i == 1})
	}
	return c
}

func sampleHints(n int) *Hints {
	h := &Hints{Path: "src/a.go", Total: n}
	for i := range n {
		h.Hints = append(h.Hints, Hint{Line: uint32(i + 1), Column: 7, Label: "path:", Kind: "parameter"})
	}
	return h
}

func sampleTokens(n int) *Tokens {
	k := &Tokens{Path: "src/a.go", Total: n}
	for i := range n {
		k.Tokens = append(k.Tokens, Token{Line: uint32(i + 1), Column: 1, Length: 4, Type: "function", Modifiers: []string{"definition", "async"}[:i%3%2+1], Text: "Load"})
	}
	return k
}

func sampleFolds(n int) *Folds {
	f := &Folds{Path: "src/a.go", Total: n}
	for i := range n {
		f.Folds = append(f.Folds, Fold{Line: uint32(i + 1), EndLine: uint32(i + 4), Kind: []string{"imports", ""}[i%2]})
	}
	return f
}

// cutPlaces is what is left of places in so much room.
func cutPlaces(max int) string {
	p := samplePlaces(12, true)
	p.Fit(max)
	return p.Brief()
}

// The replies of navigation read as they were meant to, character for character.
func TestTextsOfNavigation(t *testing.T) {
	golden(t, "places_lines", samplePlaces(4, true).Brief())
	golden(t, "places_positions", samplePlaces(4, false).Brief())
	golden(t, "places_positions_cut", cutPlaces(600))
	golden(t, "places_counts", cutPlaces(380))
	golden(t, "places_files", cutPlaces(260))
	golden(t, "places_one", (&Places{Symbol: "Load", What: "definition", Total: 1, FileCount: 1, Files: []PlaceFile{{Path: "a.go", Count: 1, Places: []Place{{Line: 3, Column: 6, Text: "func Load()"}}}}}).Brief())
	golden(t, "places_one_each", (&Places{Symbol: "Load", What: "reference", Total: 3, FileCount: 3, Files: []PlaceFile{
		{Path: "a/b.go", Count: 1, Places: []Place{{Line: 3, Column: 6, Text: "return Load(x)"}}},
		{Path: "a/c.go", Count: 1, Places: []Place{{Line: 4, Column: 1, Text: "Load(y)", Kind: "read"}}},
		{Path: "d.go", Count: 1, Places: []Place{{Line: 5, Column: 2, Text: "Load(\x1b)"}}},
	}}).Brief())
	golden(t, "places_source", sampleDefinition(2).Brief())
	golden(t, "places_none", (&Places{Symbol: "Load", What: "implementation", Head: Head{State: []string{"gopls is still loading: Setting up\nworkspace"}, Notes: []string{"column 9 is beside Load; took a.go:1:6"}}}).Brief())
	golden(t, "places_highlights", (&Places{Symbol: "x", What: "highlight", Total: 2, FileCount: 1, Files: []PlaceFile{{Path: "a.go", Count: 2, Places: []Place{{Line: 1, Column: 2, Kind: "write"}, {Line: 3, Column: 4, Kind: "read", Text: "f(x)"}}}}}).Brief())
	golden(t, "symbols_tree", sampleTree(2).Brief())
	golden(t, "symbols_found", sampleFound(3).Brief())
	golden(t, "symbols_none", (&Symbols{Query: "nothing"}).Brief())
	golden(t, "source_reply", sampleSource(4).Brief())
	golden(t, "hierarchy", sampleHierarchy(2).Brief())
	golden(t, "hierarchy_none", (&Hierarchy{Symbol: "Load", Direction: "callees"}).Brief())
	golden(t, "hierarchy_derived", (&Hierarchy{Symbol: "Load", Direction: "callers", Derived: true, Total: 1, Nodes: []Node{{Name: "(top level)", Path: "a.py", Line: 1, Column: 1, Sites: []string{"7:1"}}}}).Brief())
	golden(t, "inspection", sampleInspection(2).Brief())
	golden(t, "inspection_bare", (&Inspection{Symbol: "x", At: "a.go:1:1", Definition: "a.go:1:1"}).Brief())
	golden(t, "signatures", sampleSignatures(2).Brief())
	golden(t, "signatures_none", (&Signatures{At: "a.go:1:1"}).Brief())
	golden(t, "completions", sampleCompletions(3).Brief())
	golden(t, "completions_none", (&Completions{At: "a.go:1:1"}).Brief())
	golden(t, "hints", sampleHints(2).Brief())
	golden(t, "tokens", sampleTokens(2).Brief())
	golden(t, "folds", sampleFolds(2).Brief())
}

// samples are the replies of navigation.
func samples(n int) map[string]func() Reply {
	minified := func() Reply {
		return &Source{Path: "a.js", Line: 1, EndLine: 1, Code: strings.Repeat("é;", 60*n)}
	}
	return map[string]func() Reply{
		"places":      func() Reply { return samplePlaces(n, true) },
		"positions":   func() Reply { return samplePlaces(n, false) },
		"definition":  func() Reply { return sampleDefinition(n) },
		"tree":        func() Reply { return sampleTree(n) },
		"found":       func() Reply { return sampleFound(n) },
		"source":      func() Reply { return sampleSource(n + 2) },
		"minified":    minified,
		"hierarchy":   func() Reply { return sampleHierarchy(n) },
		"inspection":  func() Reply { return sampleInspection(n) },
		"signatures":  func() Reply { return sampleSignatures(n) },
		"completions": func() Reply { return sampleCompletions(n) },
		"hints":       func() Reply { return sampleHints(n) },
		"tokens":      func() Reply { return sampleTokens(n) },
		"folds":       func() Reply { return sampleFolds(n) },
	}
}

// Whatever the budget, a reply keeps it, tells that something is missing if and only if it is, and can be told as
// JSON.
func TestNavigationFits(t *testing.T) {
	for name, sample := range samples(6) {
		full := sample().Brief()
		for room := LeastBytes; room <= len(full); room++ {
			if room > 400 && room < len(full)-1 && room%7 != 0 {
				continue // every one would take long
			}
			reply := sample()
			reply.Fit(room)
			text := reply.Brief()
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
		if reply.Fit(0); reply.Brief() != full {
			t.Errorf("%s: no budget is not the default one", name)
		}
	}
}

// What is missing is named, also after several stages: nobody takes what is left
// for all.
func TestCutNamesWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		reply Reply
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
			c.room = len(c.reply.Brief()) - 1
		}
		c.reply.Fit(c.room)
		if text := c.reply.Brief(); !strings.Contains(text, c.want) || len(text) > c.room {
			t.Errorf("%T in %d bytes, %q is not in:\n%s", c.reply, c.room, c.want, text)
		}
	}
}

// An empty reply has nothing to leave out, and does not say so.
func TestEmptyRepliesAreNotCut(t *testing.T) {
	for _, reply := range []Reply{
		&Places{}, &Symbols{Path: "a"}, &Symbols{}, &Source{}, &Hierarchy{}, &Inspection{}, &Signatures{}, &Completions{}, &Hints{}, &Tokens{}, &Folds{},
	} {
		reply.Fit(1)
		if text := reply.Brief(); strings.Contains(text, "cut: ") {
			t.Errorf("%T: %s", reply, text)
		}
	}
}

// References in 44 files cost what was promised: at most 2.2 KB as positions, 11
// KB with their lines.
func TestPriceOfReferences(t *testing.T) {
	p := &Places{Symbol: "Config.Load", What: "reference", Total: 146, FileCount: 44}
	for i := range 146 {
		place := Place{Line: uint32(30 + 11*i%900), Column: uint32(5 + i%40), Text: "if err := config.Load(ctx, path); err != nil {"}
		if i < 44 {
			p.Files = append(p.Files, PlaceFile{Path: fmt.Sprintf("internal/%s/name%d.go", []string{"cli", "engine", "server", "watch"}[i/11], i)})
		}
		f := &p.Files[i%44]
		f.Places, f.Count = append(f.Places, place), f.Count+1
	}
	if n := len(p.Brief()); n > 11_000 {
		t.Errorf("%d bytes with lines", n)
	}
	p.withoutLines()
	if n := len(p.Brief()); n > 2_200 {
		t.Errorf("%d bytes as positions", n)
	}
}

// Nothing that a server says can steer a terminal, or pretend to be a line of
// ours.
func TestNavigationIsDefused(t *testing.T) {
	evil := "a\x1b[2J\u009b\x7f\rb"
	nodes := []Node{{Name: evil, Path: evil, Concurrent: evil}}
	for _, reply := range []Reply{
		&Places{Symbol: evil, What: "reference", Total: 2, FileCount: 1, Files: []PlaceFile{{Path: evil, Count: 2, Places: []Place{{Text: evil}, {Source: &Source{Code: evil}}}}}, Head: Head{State: []string{evil}, Notes: []string{evil}, Next: evil}},
		&Symbols{Path: evil, Total: 1, Symbols: []Symbol{{Name: evil, Detail: evil}}},
		&Symbols{Query: evil, Total: 1, Symbols: []Symbol{{Name: evil, Detail: evil, Path: evil, Container: evil}}},
		&Source{Symbol: evil, Path: evil, Code: evil},
		&Hierarchy{Symbol: evil, Total: 1, Nodes: nodes},
		&Inspection{Symbol: evil, At: evil, Definition: evil + "x", Signature: evil, Hover: "h" + evil, TestFiles: []string{evil}, References: &Places{Symbol: evil}},
		&Signatures{At: evil, Signatures: []Signature{{Label: evil, Documentation: evil, ActiveParameter: evil}}},
		&Completions{At: evil, Total: 1, Items: []Completion{{Label: evil, Detail: evil}}},
		&Hints{Path: evil, Total: 1, Hints: []Hint{{Label: evil}}},
		&Tokens{Path: evil, Total: 1, Tokens: []Token{{Text: evil, Type: evil, Modifiers: []string{evil}}}},
		&Folds{Path: evil, Total: 1, Folds: []Fold{{Kind: evil}}},
	} {
		for _, r := range reply.Brief() {
			if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
				t.Errorf("%T has the character %U:\n%q", reply, r, reply.Brief())
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
