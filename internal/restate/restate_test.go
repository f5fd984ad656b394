package restate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// texts is access to files whose text is given, and to no server.
type texts map[string]string

func (t texts) Text(path string) ([]byte, error) {
	text, there := t[path]
	if !there {
		return nil, errors.New("no text")
	}
	return []byte(text), nil
}

func (texts) Open(context.Context, string, string) (symbols.Server, error) {
	return nil, errors.New("no server")
}

func (texts) Beyond(context.Context, string, string, bool) ([]symbols.Beyond, bool) { return nil, true }

func (texts) Searchable(context.Context, string, string) ([]symbols.Server, []error) { return nil, nil }

func (texts) Resolve(name string) (string, error) { return name, nil }
func (texts) Relative(path string) string         { return path }

// open returns the names that a caller in the folder sub uses, and the workspace's folder.
func open(t *testing.T) (workspace.Names, string) {
	t.Helper()
	root := lsptest.Workspace(t, "-- sub/a.toy --\n-- b.toy --\n")
	w, err := workspace.Open(workspace.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) })
	return w.Names(filepath.Join(root, "sub")), root
}

func at(line, column, endLine, endColumn uint32) protocol.Range {
	return protocol.Range{Start: protocol.Position{Line: line, Character: column}, End: protocol.Position{Line: endLine, Character: endColumn}}
}

// A report is restated with positions from 1 and files from the root. Of findings that look the
// same, as many are new as there are new ones, and as many of the others stand; with lines, each
// listed one has its own.
func TestReports(t *testing.T) {
	names, root := open(t)
	twice := diagnostics.Diagnostic{Server: "toy", Diagnostic: protocol.Diagnostic{Range: at(0, 4, 0, 6), Severity: protocol.SeverityError, Code: "E1", Source: "toyc", Message: "twice"}}
	stood := diagnostics.Diagnostic{Server: "toy", Diagnostic: protocol.Diagnostic{Range: at(1, 0, 2, 3), Severity: protocol.SeverityWarning, Message: "stood"}}
	report := diagnostics.FileReport{
		Path: filepath.Join(root, "sub", "a.toy"), Verdict: diagnostics.NewErrors, Baseline: diagnostics.Session,
		Diagnostics: []diagnostics.Diagnostic{twice, twice, stood, stood}, New: []diagnostics.Diagnostic{twice},
		Standing: []diagnostics.Diagnostic{stood}, Fixed: []diagnostics.Diagnostic{stood}, Excused: []diagnostics.Diagnostic{twice},
		Answers: []diagnostics.Answer{{
			Server: "toy", Root: root, Version: 3, Freshness: diagnostics.Unavailable, Reason: "absent", Waited: 1500 * time.Millisecond,
			Err: &api.ArgumentError{Argument: "x", Reason: "y", Advice: "get it"}, Note: "a note", Says: []string{"words"}, Dispensable: true,
		}},
	}
	mapper := protocol.NewMapper([]byte("one two\nthree\n"))
	got := File(names, &report, func(path string) *protocol.Mapper {
		if path != report.Path {
			t.Errorf("lines of %s", path)
		}
		return mapper
	})
	first := result.Diagnostic{
		Line: 1, Column: 5, EndLine: 1, EndColumn: 7, Severity: "error", Code: "E1", Source: "toyc", Message: "twice", Server: "toy",
	}
	second := result.Diagnostic{Line: 2, Column: 1, EndLine: 3, EndColumn: 4, Severity: "warning", Message: "stood", Server: "toy"}
	listed := func(d result.Diagnostic, line string, isNew, standing bool) result.Diagnostic {
		d.SourceLine, d.New, d.Standing = line, isNew, standing
		return d
	}
	want := result.File{
		Path: "sub/a.toy", Verdict: "new_errors", Baseline: "session",
		Diagnostics: []result.Diagnostic{listed(first, "one two", true, false), listed(first, "one two", false, false), listed(second, "three", false, true), listed(second, "three", false, false)},
		Fixed:       []result.Diagnostic{second}, Excused: []result.Diagnostic{first},
		Servers: []result.Answer{{
			Server: "toy", Root: root, Version: 3, Freshness: "unavailable", Reason: "absent", Hint: "get it", WaitedMS: 1500, Dispensable: true,
			Note: "a note", Says: []string{"words"},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// An error about one file keeps its kind, also when it is wrapped, and the way out.
func TestProblems(t *testing.T) {
	for _, c := range []struct {
		err  error
		want result.Error
	}{
		{errors.New("x"), result.Error{Kind: result.Failed, Message: "x"}},
		{fmt.Errorf("x: %w", &workspace.OutsideWorkspaceError{}), result.Error{Kind: result.Outside}},
		{&workspace.NotFoundError{}, result.Error{Kind: result.NotFound}},
		{&workspace.NotDiagnosedError{}, result.Error{Kind: result.NotDiagnosed}},
		{&git.Error{}, result.Error{Kind: result.Git}},
	} {
		c.want.Message, c.want.Hint = c.err.Error(), Hint(c.err)
		if diff := cmp.Diff(&c.want, Problem(c.err)); diff != "" {
			t.Errorf("%T, -want +got:\n%s", c.err, diff)
		}
	}
	advised := &api.ArgumentError{Argument: "x", Reason: "y", Advice: "do z"}
	if got := Hint(fmt.Errorf("x: %w", advised)); got != "do z" {
		t.Errorf("hint %q", got)
	}
}

// Places are grouped by file in their order, counted from 1, named from the caller's folder; with
// lines each has its own, trimmed, and cut where a character ends.
func TestPlaces(t *testing.T) {
	names, root := open(t)
	a, b := filepath.Join(root, "sub", "a.toy"), filepath.Join(root, "b.toy")
	long := "x" + strings.Repeat("é", maxLine)
	q := symbols.New(texts{a: "\tone  \n" + long + "\n", b: "three"})
	places := []symbols.Place{{Path: a, Range: at(0, 1, 0, 4)}, {Path: a, Range: at(1, 0, 1, 1)}, {Path: b, Range: at(0, 0, 0, 5)}}
	want := result.Places{Symbol: "one", What: "references", Total: 3, FileCount: 2, Files: []result.PlaceFile{
		{Path: "a.toy", Count: 2, Places: []result.Place{{Line: 1, Column: 2, Text: "one"}, {Line: 2, Column: 1, Text: long[:maxLine-1] + "…"}}},
		{Path: "../b.toy", Count: 1, Places: []result.Place{{Line: 1, Column: 1, Text: "three"}}},
	}}
	if diff := cmp.Diff(want, Places(names, q, "one", "references", places, true)); diff != "" {
		t.Errorf("with lines, -want +got:\n%s", diff)
	}
	for i := range want.Files {
		for j := range want.Files[i].Places {
			want.Files[i].Places[j].Text = ""
		}
	}
	if diff := cmp.Diff(want, Places(names, q, "one", "references", places, false)); diff != "" {
		t.Errorf("without lines, -want +got:\n%s", diff)
	}
	if got := LineOf(q, places[0]); got != "one" {
		t.Errorf("the line of a place: %q", got)
	}
	if got := shown([]byte(strings.Repeat("x", maxLine))); got != strings.Repeat("x", maxLine) {
		t.Errorf("a line that just fits: %q", got)
	}
	if diff := cmp.Diff(result.Places{Files: []result.PlaceFile{}}, Places(names, q, "", "", nil, true)); diff != "" {
		t.Errorf("no place, -want +got:\n%s", diff)
	}
}

// A declaration is restated with its first and last line, counted from 1.
func TestSources(t *testing.T) {
	names, root := open(t)
	src := symbols.Source{
		Path: filepath.Join(root, "b.toy"), First: 2, Last: 3, Lines: []string{"x", "y"},
		Symbol: &symbols.Symbol{Path: []string{"A", "b"}, Kind: "method"},
	}
	want := &result.Source{Path: "../b.toy", Line: 3, EndLine: 4, Code: "x\ny", Symbol: "A.b", Kind: "method"}
	if diff := cmp.Diff(want, Source(names, src)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	src.Symbol, want.Symbol, want.Kind = nil, "", ""
	if diff := cmp.Diff(want, Source(names, src)); diff != "" {
		t.Errorf("without an outline, -want +got:\n%s", diff)
	}
}

// Symbols are shown to a depth; with a kind, those of it and what holds them. A name that says
// more than its place in the tree is shown whole.
func TestSymbols(t *testing.T) {
	tree := []*symbols.Symbol{
		{
			Name: "A", Written: "A", Path: []string{"A"}, Kind: "class", Detail: "d", Range: at(0, 0, 5, 1), Selection: at(0, 6, 0, 7),
			Children: []*symbols.Symbol{{Name: "m", Written: "m", Path: []string{"A", "m"}, Kind: "method", Range: at(1, 0, 2, 0), Selection: at(1, 2, 1, 3)}},
		},
		{Name: "n", Written: "(*A).n", Path: []string{"A", "n"}, Kind: "method", Range: at(7, 0, 8, 0), Selection: at(7, 5, 7, 6)},
		{Name: "V", Written: "V", Path: []string{"V"}, Kind: "variable", Range: at(9, 0, 9, 1), Selection: at(9, 0, 9, 1)},
	}
	m := result.Symbol{Name: "m", Kind: "method", Line: 2, Column: 3, EndLine: 3}
	class := result.Symbol{Name: "A", Kind: "class", Detail: "d", Line: 1, Column: 7, EndLine: 6, Children: []result.Symbol{m}}
	flat := class
	flat.Children = nil
	n := result.Symbol{Name: "A.n", Kind: "method", Line: 8, Column: 6, EndLine: 9}
	v := result.Symbol{Name: "V", Kind: "variable", Line: 10, Column: 1, EndLine: 10}
	for _, c := range []struct {
		depth int
		kind  string
		want  []result.Symbol
	}{
		{0, "", []result.Symbol{class, n, v}},
		{1, "", []result.Symbol{flat, n, v}},
		{2, "", []result.Symbol{class, n, v}},
		{0, "method", []result.Symbol{class, n}},
		{1, "method", []result.Symbol{n}},
		{0, "enum", nil},
	} {
		if diff := cmp.Diff(c.want, Symbols(tree, c.depth, c.kind)); diff != "" {
			t.Errorf("depth %d, kind %q, -want +got:\n%s", c.depth, c.kind, diff)
		}
	}
}

// An area is all of its file, or what its lines and columns say, from 1 and with its ends; what
// cannot be meant is refused by the name of the argument.
func TestAreas(t *testing.T) {
	names, root := open(t)
	path := filepath.Join(root, "sub", "a.toy")
	q := symbols.New(texts{path: "one\ntwo\nthree"})
	for _, c := range []struct {
		area  api.Area
		want  protocol.Range
		wrong string
	}{
		{area: api.Area{File: "a.toy"}, want: at(0, 0, 2, 5)},
		{area: api.Area{File: "a.toy", StartLine: 2}, want: at(1, 0, 2, 5)},
		{area: api.Area{File: "a.toy", StartLine: 1, StartColumn: 2, EndLine: 2, EndColumn: 3}, want: at(0, 1, 1, 2)},
		{area: api.Area{File: "a.toy", StartLine: 2, StartColumn: 2, EndLine: 2, EndColumn: 2}, want: at(1, 1, 1, 1)},
		{area: api.Area{File: "a.toy", EndLine: 2}, want: at(0, 0, 1, 3)},
		{area: api.Area{File: "a.toy", EndLine: 2, EndColumn: 99}, want: at(0, 0, 1, 3)},
		{area: api.Area{File: "a.toy", StartLine: 3, EndLine: 3}, want: at(2, 0, 2, 5)},
		{area: api.Area{File: "a.toy", EndLine: 9}, want: at(0, 0, 2, 5)},
		{area: api.Area{File: "a.toy", EndLine: 3, EndColumn: 2}, want: at(0, 0, 2, 1)},
		{area: api.Area{File: "a.toy", StartLine: 3}, want: at(2, 0, 2, 5)},
		{area: api.Area{}, wrong: "file"},
		{area: api.Area{File: "a.toy", StartLine: 4}, wrong: "start_line"},
		{area: api.Area{File: "a.toy", StartLine: 3, EndLine: 2}, wrong: "end_line"},
		{area: api.Area{File: "a.toy", StartLine: 2, StartColumn: 3, EndLine: 2, EndColumn: 2}, wrong: "end_line"},
	} {
		got, _, err := Area(names, q, c.area)
		var argument *api.ArgumentError
		if errors.As(err, &argument) != (c.wrong != "") || argument != nil && argument.Argument != c.wrong {
			t.Errorf("%+v: %v", c.area, err)
		}
		if diff := cmp.Diff(c.want, got.Range); c.wrong == "" && diff != "" {
			t.Errorf("%+v, -want +got:\n%s", c.area, diff)
		}
	}
}

// A file with line and column names just that place; a line past
// the end is refused.
func TestTargets(t *testing.T) {
	names, root := open(t)
	path := filepath.Join(root, "sub", "a.toy")
	q := symbols.New(texts{path: "one\ntwo"})
	for _, c := range []struct{ line, column, wantLine, wantColumn uint32 }{{1, 1, 0, 0}, {2, 3, 1, 2}} {
		got, err := Target(t.Context(), names, q, api.Selector{File: "a.toy", Line: api.OneBased(c.line), Column: api.OneBased(c.column)})
		want := symbols.Target{Path: path, At: protocol.Position{Line: c.wantLine, Character: c.wantColumn}}
		if err != nil || !cmp.Equal(want.At, got.At) || got.Path != path {
			t.Errorf("%+v: %+v %v", c, got, err)
		}
	}
	for _, s := range []api.Selector{
		{Line: 1, Column: 1}, {File: path, Line: 1}, {File: path, Column: 1}, {File: path, Line: 1, Column: 1, Symbol: "one"},
	} { // what names no place is looked for, and has a name then
		if got, err := Target(t.Context(), names, q, s); err == nil && got.Name == "" {
			t.Errorf("%+v: %+v", s, got)
		}
	}
	_, err := Target(t.Context(), names, q, api.Selector{File: "a.toy", Line: 3, Column: 1})
	var argument *api.ArgumentError
	if !errors.As(err, &argument) || argument.Argument != "line" {
		t.Errorf("past the end: %v", err)
	}
}

// A file outside the workspace, and one that cannot be read, are errors of their own.
func TestFilesThatNameNothing(t *testing.T) {
	names, _ := open(t)
	q := symbols.New(texts{})
	var outside *workspace.OutsideWorkspaceError
	for file, want := range map[string]bool{"../../a.toy": true, "a.toy": false} {
		_, target := Target(t.Context(), names, q, api.Selector{File: file, Line: 1, Column: 1})
		_, _, area := Area(names, q, api.Area{File: file})
		for _, err := range []error{target, area} {
			if errors.As(err, &outside) != want || !want && (err == nil || !strings.Contains(err.Error(), "no text")) {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// Of symbols within symbols as many levels are shown as are wanted.
func TestDepthOfSymbols(t *testing.T) {
	leaf := &symbols.Symbol{Name: "c", Written: "c", Path: []string{"a", "b", "c"}, Kind: "field"}
	middle := &symbols.Symbol{Name: "b", Written: "b", Path: []string{"a", "b"}, Kind: "class", Children: []*symbols.Symbol{leaf}}
	tree := []*symbols.Symbol{{Name: "a", Written: "a", Path: []string{"a"}, Kind: "class", Children: []*symbols.Symbol{middle}}}
	var levels func(list []result.Symbol) int
	levels = func(list []result.Symbol) int {
		if len(list) == 0 {
			return 0
		}
		return 1 + levels(list[0].Children)
	}
	for depth, want := range map[int]int{0: 3, 1: 1, 2: 2, 3: 3, 4: 3} {
		if got := levels(Symbols(tree, depth, "")); got != want {
			t.Errorf("depth %d: %d levels", depth, got)
		}
	}
}

// A selector is the same in the words of symbols, part by part.
func TestSelectors(t *testing.T) {
	got := Selector(api.Selector{
		At: "a", File: "f", Line: 1, Column: 2, Symbol: "s", Pattern: "p", LineScopeStart: 3, LineScopeEnd: 4, Language: "l",
	})
	want := symbols.Selector{At: "a", File: "f", Line: 1, Column: 2, Symbol: "s", Pattern: "p", ScopeStart: 3, ScopeEnd: 4, Language: "l"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Of a name what stands before a place counts, in UTF-16; links to files are only words.
func TestTexts(t *testing.T) {
	text := protocol.NewMapper([]byte("x\né😀 fmt.Pri\n"))
	for column, want := range map[uint32]string{4: "", 6: "fm", 11: "Pri"} {
		if got := Beginning(text, protocol.Position{Line: 1, Character: column}); got != want {
			t.Errorf("column %d: %q, want %q", column, got, want)
		}
	}
	if got := WithoutFileLinks("see [a b](file:///x/y#L1) and [w](https://e.org)"); got != "see a b and [w](https://e.org)" {
		t.Errorf("%q", got)
	}
}
