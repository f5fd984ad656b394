package assembly

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// code is a server of files on disk whose outlines are given. Whatever else it is asked panics.
type code struct {
	symbols.Server
	workspace *workspace.Workspace
	outlines  map[string][]protocol.Symbol
}

func (c *code) Open(context.Context, string, string) (symbols.Server, error) { return c, nil }
func (c *code) Resolve(name string) (string, error)                          { return name, nil }
func (c *code) Relative(path string) string                                  { return c.workspace.Relative(path) }

func (c *code) Text(path string) ([]byte, error) { return c.workspace.Read(path) }

func (c *code) Definition() *registry.Definition { return &registry.Definition{ID: "fake"} }
func (c *code) Works() []lsp.Work                { return nil }
func (c *code) WorksChanged() <-chan struct{}    { return nil }
func (c *code) Begins() map[string]int           { return nil }
func (c *code) Loaded() bool                     { return true }
func (c *code) Losses() int                      { return 0 }

func (c *code) Symbols(_ context.Context, path string) ([]protocol.Symbol, error) {
	list, known := c.outlines[c.Relative(path)]
	if !known {
		return nil, errors.New("it broke")
	}
	return list, nil
}

func (c *code) Beyond(context.Context, string, string, bool) ([]symbols.Beyond, bool) {
	return nil, true
}

func (c *code) Searchable(context.Context, string, string) ([]symbols.Server, []error) {
	return nil, nil
}

// The numbers of LSP's kinds.
const (
	classKind, methodKind, fieldKind, functionKind, variableKind = 5, 6, 8, 12, 13
)

// sym is a symbol on whole lines, named on the first.
func sym(kind int, name string, first, last uint32, children ...protocol.Symbol) protocol.Symbol {
	r := protocol.Range{Start: protocol.Position{Line: first}, End: protocol.Position{Line: last, Character: 200}}
	return protocol.Symbol{Name: name, Kind: kind, Range: r, SelectionRange: protocol.Range{Start: r.Start, End: protocol.Position{Line: first, Character: 1}}, Children: children}
}

// gatheringOf gathers items of the kinds from files, whose outlines are given by name.
func gatheringOf(t *testing.T, archive string, outlines map[string][]protocol.Symbol, kinds ...string) *gathering {
	t.Helper()
	root := lsptest.Workspace(t, archive)
	w, err := workspace.Open(workspace.Options{Root: root, MaxFileBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(context.Background()) })
	include := make(map[string]bool)
	for _, kind := range kinds {
		include[kind] = true
	}
	return newGathering(&Assembler{workspace: w, names: w.Names("")}, symbols.New(&code{workspace: w, outlines: outlines}), include)
}

func (g *gathering) at(name string) string {
	return filepath.Join(g.workspace.Root(), filepath.FromSlash(name))
}

// lines are those that areas begin and end in, counted from 0.
func lines(areas []area) (list []string) {
	for _, a := range areas {
		list = append(list, fmt.Sprintf("%s %d-%d", filepath.Base(a.path), a.in.Start.Line, a.in.End.Line))
	}
	return list
}

// tenLines are twelve short lines.
var tenLines = "-- a.toy --\n" + strings.Repeat("x\n", 12) + "-- b.toy --\nb\n"

// outlined is a class with a method and a field in it, a function beside it, and a variable.
func outlined() map[string][]protocol.Symbol {
	return map[string][]protocol.Symbol{
		"a.toy": {sym(classKind, "C", 1, 7, sym(fieldKind, "n", 2, 2), sym(methodKind, "m", 5, 6)), sym(functionKind, "f", 9, 9), sym(variableKind, "v", 10, 10)},
		"b.toy": {},
	}
}

// A line stands for the innermost declaration around it that is read as a whole, or for itself.
func TestAreaAroundALine(t *testing.T) {
	g := gatheringOf(t, tenLines, outlined())
	text, err := g.q.Text(g.at("a.toy"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range 12 {
		in := g.around(t.Context(), g.at("a.toy"), text, line)
		got = append(got, fmt.Sprintf("%d-%d", in.Start.Line, in.End.Line))
	}
	want := []string{"0-0", "1-7", "1-7", "1-7", "1-7", "5-6", "5-6", "1-7", "8-8", "9-9", "10-10", "11-11"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	missing := gatheringOf(t, tenLines, nil)
	if in := missing.around(t.Context(), missing.at("a.toy"), text, 5); in.Start.Line != 5 || in.End.Line != 5 {
		t.Errorf("of a file of which nothing is known: %+v", in)
	}
}

// A range of a request is the whole file, some lines or what is around one; lines that there are not
// are an error with the argument.
func TestAreasOfARequest(t *testing.T) {
	g := gatheringOf(t, tenLines, outlined())
	for _, c := range []struct {
		in    api.Range
		want  string
		wrong string
	}{
		{api.Range{File: "a.toy"}, "a.toy 0-12", ""},
		{api.Range{File: "a.toy", StartLine: 6}, "a.toy 5-6", ""},
		{api.Range{File: "a.toy", StartLine: 6, EndLine: 6}, "a.toy 5-5", ""},
		{api.Range{File: "a.toy", StartLine: 2, EndLine: 13}, "a.toy 1-12", ""},
		{api.Range{File: "a.toy", StartLine: 13}, "a.toy 12-12", ""},
		{api.Range{File: "a.toy", StartLine: 14}, "", "line 14 is past the end of a.toy, which has 13 lines"},
		{api.Range{File: "a.toy", StartLine: 2, EndLine: 14}, "", "line 14 is past the end of a.toy, which has 13 lines"},
	} {
		a, err := g.area(t.Context(), "ranges", c.in)
		if c.wrong != "" {
			var wrong *api.ArgumentError
			if !errors.As(err, &wrong) || wrong.Argument != "ranges" || wrong.Reason != c.wrong {
				t.Errorf("%+v: %v", c.in, err)
			}
			continue
		}
		if diff := cmp.Diff([]string{c.want}, lines([]area{a})); diff != "" || err != nil {
			t.Errorf("%+v: %v (-want +got):\n%s", c.in, err, diff)
		}
	}
	if _, err := g.area(t.Context(), "ranges", api.Range{File: "none.toy"}); err == nil {
		t.Error("a file that is not there has an area")
	}
}

// Of the hunks of a diff all lines count, each with what is around it, once; what was deleted counts
// where it was.
func TestAreasOfHunks(t *testing.T) {
	for name, c := range map[string]struct {
		hunks []git.Hunk
		want  []string
	}{
		"one line":             {[]git.Hunk{{Start: 9, Count: 1}}, []string{"a.toy 8-8"}},
		"several":              {[]git.Hunk{{Start: 9, Count: 2}}, []string{"a.toy 8-8", "a.toy 9-9"}},
		"into a declaration":   {[]git.Hunk{{Start: 1, Count: 2}}, []string{"a.toy 0-0", "a.toy 1-7"}},
		"over declarations":    {[]git.Hunk{{Start: 6, Count: 4}}, []string{"a.toy 5-6", "a.toy 1-7", "a.toy 8-8"}},
		"twice the same":       {[]git.Hunk{{Start: 2, Count: 1}, {Start: 4, Count: 1}}, []string{"a.toy 1-7"}},
		"deleted":              {[]git.Hunk{{Start: 9}}, []string{"a.toy 8-8"}},
		"deleted at the start": {[]git.Hunk{{Start: 0}}, []string{"a.toy 0-0"}},
		"beyond the end":       {[]git.Hunk{{Start: 20, Count: 5}}, []string{"a.toy 12-12"}},
	} {
		g := gatheringOf(t, tenLines, outlined())
		text, err := g.q.Text(g.at("a.toy"))
		if err != nil {
			t.Fatal(err)
		}
		g.addHunks(t.Context(), &git.FileChange{Path: g.at("a.toy"), Hunks: c.hunks}, text)
		if diff := cmp.Diff(c.want, lines(g.focus.areas)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The source of a declaration is given with its doc comment, once for several names that lead to it,
// and only where it says more than a type; one that ends past the text ends with it.
func TestExcerptsOfDeclarations(t *testing.T) {
	outlines := outlined()
	outlines["b.toy"] = []protocol.Symbol{sym(functionKind, "g", 0, 40)}
	g := gatheringOf(t, tenLines, outlines, result.ContextDefinition)
	declared := func(name string, line uint32, distance int) *declaration {
		return &declaration{place: symbols.Place{Path: g.at(name), Range: protocol.Range{Start: protocol.Position{Line: line}}}, distance: distance}
	}
	all := []*declaration{
		declared("a.toy", 9, sameFile), declared("a.toy", 9, sameFile), declared("a.toy", 2, sameFile), declared("a.toy", 5, sameFolder), declared("a.toy", 1, elsewhere),
		declared("b.toy", 0, sameWorkspace), declared("a.toy", 0, sameFile), declared("none.toy", 0, sameFile),
	}
	g.excerpt(t.Context(), all)
	type excerpt struct {
		Text   string
		Of     *declaration
		Covers bool
		Target result.ContextPlace
	}
	var got []excerpt
	for _, c := range g.definitions {
		got = append(got, excerpt{c.texts[0], c.of, c.covers, c.item.Record.Target})
	}
	want := []excerpt{
		{"a.toy:10-10 f\nx\n", all[0], true, result.ContextPlace{Path: "a.toy", Line: 10, Column: 1, EndLine: 10}},
		{"a.toy:6-7 C.m\nx\nx\n", all[3], true, result.ContextPlace{Path: "a.toy", Line: 6, Column: 1, EndLine: 7}},
		{"b.toy:1-2 g\nb\n", all[5], true, result.ContextPlace{Path: "b.toy", Line: 1, Column: 1, EndLine: 2}},
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(x, y *declaration) bool { return x == y })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	none := gatheringOf(t, tenLines, outlines, result.ContextType)
	if none.excerpt(t.Context(), all); none.definitions != nil {
		t.Errorf("not asked for: %+v", none.definitions)
	}
}

// The declarations that a caller names are given, unless it sees them.
func TestNamedDeclarationsAreGiven(t *testing.T) {
	g := gatheringOf(t, tenLines, outlined())
	place := func(line uint32) symbols.Place {
		return symbols.Place{Path: g.at("a.toy"), Range: protocol.Range{Start: protocol.Position{Line: line}}}
	}
	g.focus.named = []symbols.Place{place(9), place(1), place(0)}
	g.focus.seen = []area{{g.at("a.toy"), protocol.Range{Start: protocol.Position{Line: 1}, End: protocol.Position{Line: 7}}}}
	g.giveNamed(t.Context())
	var got []string
	for _, c := range g.named {
		got = append(got, c.item.Name)
	}
	if diff := cmp.Diff([]string{"f"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Files are summarized that are not in view as a whole, those that the focus uses most first; files of
// others are none.
func TestFilesThatAreSummarized(t *testing.T) {
	g := gatheringOf(t, "-- a.toy --\na\n-- b.toy --\nb\nb\n-- c.toy --\nc\n-- d.toy --\nd\n-- e.toy --\ne\n", nil, result.ContextSummary)
	declared := func(name string, count, distance int) *declaration {
		return &declaration{place: symbols.Place{Path: g.at(name)}, count: count, distance: distance}
	}
	whole := func(name string, last uint32) area {
		return area{g.at(name), protocol.Range{End: protocol.Position{Line: last, Character: 0}}}
	}
	g.focus.areas = []area{{g.at("b.toy"), protocol.Range{End: protocol.Position{Line: 1}}}, whole("c.toy", 1)}
	g.focus.seen = []area{whole("e.toy", 1)}
	all := []*declaration{declared("a.toy", 1, sameFolder), declared("d.toy", 2, sameFolder), declared("d.toy", 1, sameFolder), declared("e.toy", 9, sameFolder), declared("a.toy", 9, elsewhere), declared("c.toy", 9, sameFile)}
	var got []string
	for _, path := range g.summarized(all) {
		got = append(got, filepath.Base(path))
	}
	if diff := cmp.Diff([]string{"d.toy", "a.toy", "b.toy"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var many []*declaration
	for i := range maxSummaries + 3 {
		many = append(many, declared(fmt.Sprintf("z%02d.toy", i), 20-i, sameFolder))
	}
	if got := g.summarized(many); len(got) != maxSummaries || filepath.Base(got[0]) != "z00.toy" {
		t.Errorf("of many files %d are summarized: %q", len(got), got)
	}
	g.include = nil
	if got := g.summarized(all); got != nil {
		t.Errorf("not asked for: %q", got)
	}
}

// How far a file is from the focus: in it, beside it, elsewhere in the workspace, or somebody else's.
func TestDistanceFromTheFocus(t *testing.T) {
	g := gatheringOf(t, "-- sub/a.toy --\na\n", nil)
	g.focus.areas = []area{{path: g.at("sub/a.toy")}}
	got := make(map[string]int)
	for _, name := range []string{"sub/a.toy", "sub/b.toy", "b.toy", "sub/deep/b.toy", "sub/vendor/b.toy", "node_modules/x/b.toy", ".venv/b.toy", "a/site-packages/b.toy", "../out/b.toy", "vendored/b.toy", "./b.toy"} {
		got[name] = g.distance(g.at(name))
	}
	want := map[string]int{
		"sub/a.toy": sameFile, "sub/b.toy": sameFolder, "b.toy": sameWorkspace, "sub/deep/b.toy": sameWorkspace, "sub/vendor/b.toy": elsewhere, "node_modules/x/b.toy": elsewhere,
		".venv/b.toy": elsewhere, "a/site-packages/b.toy": elsewhere, "../out/b.toy": elsewhere, "vendored/b.toy": sameWorkspace, "./b.toy": sameWorkspace,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Findings are known if a server answered freshly and none is missing; else it is noted why they are
// not.
func TestFindingsThatAreKnown(t *testing.T) {
	fresh, late := result.Answer{Server: "one", Freshness: "fresh"}, result.Answer{Server: "two", Freshness: "timeout", Reason: "it is late", Hint: "wait"}
	for name, c := range map[string]struct {
		file   result.File
		server string // of the record
		failed string // in one line; "" if they are known
	}{
		"fresh":                  {result.File{Servers: []result.Answer{fresh}}, "one", ""},
		"the first of two":       {result.File{Servers: []result.Answer{fresh, {Server: "two", Freshness: "fresh"}}}, "one", ""},
		"beside a useless one":   {result.File{Servers: []result.Answer{{Server: "two", Freshness: "unavailable", Dispensable: true}, fresh}}, "one", ""},
		"late":                   {result.File{Servers: []result.Answer{late}}, "", " unavailable: it is late (wait)"},
		"one of two is late":     {result.File{Servers: []result.Answer{fresh, late}}, "", "one unavailable: it is late (wait)"},
		"late, without a reason": {result.File{Servers: []result.Answer{{Server: "two", Freshness: "indexing"}}}, "", " unavailable: indexing ()"},
		"no server":              {result.File{}, "", " unavailable: no server judges this file ()"},
		"only a useless one":     {result.File{Servers: []result.Answer{{Freshness: "unavailable", Dispensable: true}}}, "", " unavailable: no server judges this file ()"},
		"it cannot be read":      {result.File{Error: &result.Error{Kind: result.NotFound, Message: "gone"}, Servers: []result.Answer{fresh}}, "", "one not_found: gone ()"},
	} {
		g := gatheringOf(t, "-- a.toy --\na\n", nil)
		found := g.findingsOf(&c.file, g.at("a.toy"))
		got := ""
		for _, f := range g.failures {
			got += fmt.Sprintf("%s %s: %s (%s)", f.Server, f.Error.Kind, f.Error.Message, f.Error.Hint)
			if f.Query != diagnosticsQuery || f.Target.Path != "a.toy" || f.Count != 1 {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if diff := cmp.Diff(c.failed, got); diff != "" || (found == nil) != (c.failed != "") {
			t.Errorf("%s: %+v (-want +got):\n%s", name, found, diff)
		}
		if found == nil {
			continue
		}
		record := found.item.Record
		if record.Server != c.server || record.Query != diagnosticsQuery || len(record.Files) != 1 || record.Files[0].AtQuery.Hash == "" || found.texts[0] != "a.toy: no errors\n" {
			t.Errorf("%s: %+v, %q", name, record, found.texts)
		}
	}
}

// Failures of one kind are counted together; of more kinds than are listed the last one counts all
// others.
func TestFailuresAreCounted(t *testing.T) {
	g := gatheringOf(t, "-- a.toy --\na\n", nil)
	at := result.ContextPlace{Path: "a.toy"}
	for _, f := range [][3]string{{"s", "m", "x"}, {"s", "m", "x"}, {"s", "n", "x"}, {"r", "m", "x"}, {"s", "m", "y"}, {"s", "m", "x"}} {
		g.fail(f[0], f[1], at, errors.New(f[2]))
	}
	var got []string
	for _, f := range g.failures {
		got = append(got, fmt.Sprintf("%s %s %s %d", f.Server, f.Query, f.Error.Message, f.Count))
	}
	if diff := cmp.Diff([]string{"s m x 3", "s n x 1", "r m x 1", "s m y 1"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i := range maxFailures {
		g.fail("s", fmt.Sprint(i), at, errors.New("x"))
	}
	if last := g.failures[len(g.failures)-1]; len(g.failures) != maxFailures || last.Query != "15" || last.Count != 5 {
		t.Errorf("%d are listed, the last as %+v", len(g.failures), last)
	}
}

// A file is one that a record depends on once, in the state that it had at first.
func TestStatesAreRecordedOnce(t *testing.T) {
	g := gatheringOf(t, "-- a.toy --\na\n-- b.toy --\nb\n", nil)
	var record result.ContextRecord
	for _, name := range []string{"a.toy", "b.toy", "a.toy"} {
		g.dependOn(&record, g.at(name))
		lsptest.WriteFile(t, g.at(name), "changed\n")
	}
	var got []string
	for _, f := range record.Files {
		got = append(got, f.Path)
		if f.AtQuery != f.AtInjection || f.AtQuery.Modified.IsZero() || f.AtQuery != g.state(g.at(f.Path)) {
			t.Errorf("%+v, and then %+v", f, g.state(g.at(f.Path)))
		}
	}
	if diff := cmp.Diff([]string{"a.toy", "b.toy"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if state := g.stateOf("relative.toy"); state != (result.FileState{}) {
		t.Errorf("of a name that is no path: %+v", state)
	}
	outside := filepath.Join(t.TempDir(), "out.toy")
	lsptest.WriteFile(t, outside, "x")
	if state := g.stateOf(outside); state.Hash != "" || state.Modified.IsZero() {
		t.Errorf("of a file outside: %+v", state)
	}
}

// Places are in the order of their files as readers see them, and of their positions.
func TestPlacesAreSorted(t *testing.T) {
	g := gatheringOf(t, "-- a.toy --\na\n", nil)
	place := func(name string, line, character uint32) symbols.Place {
		return symbols.Place{Path: g.at(name), Range: protocol.Range{Start: protocol.Position{Line: line, Character: character}}}
	}
	want := []symbols.Place{place("a.toy", 1, 2), place("a.toy", 1, 3), place("a.toy", 2, 0), place("b.toy", 0, 0), place("b.toy", 0, 0)}
	got := []symbols.Place{want[3], want[2], want[1], want[4], want[0]}
	slices.SortFunc(got, g.comparePlaces)
	if diff := cmp.Diff(want, got); diff != "" || g.comparePlaces(want[3], want[4]) != 0 {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What is to be known before an edit names so many users of a symbol, and how many more there are.
func TestUsersThatAreNamed(t *testing.T) {
	many := make([]result.User, maxOthers+2)
	got := appendUsage(appendUsage(appendUsage(appendUsage(nil, "none", nil), "one", many[:1]), "all", many[:maxOthers]), "many", many)
	want := []result.Usage{{Symbol: "one", Others: many[:1]}, {Symbol: "all", Others: many[:maxOthers]}, {Symbol: "many", Others: many[:maxOthers], More: 2}}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
