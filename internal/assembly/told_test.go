package assembly

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// A talker is a server of files on disk that answers the same to each question of a kind; where an
// answer is missing the question fails.
type talker struct {
	*code
	hover      string
	signatures []string
	hints      []string
	at         []protocol.Location // definitions
	silent     bool                // all questions fail
}

func (k *talker) Open(context.Context, string, string) (symbols.Server, error) { return k, nil }

func (k *talker) HoverAt(context.Context, string, protocol.Position) (protocol.Hover, error) {
	return protocol.Hover{Text: k.hover}, k.err()
}

func (k *talker) SignatureHelp(context.Context, string, protocol.Position) (*protocol.SignatureHelp, error) {
	var help protocol.SignatureHelp
	for _, label := range k.signatures {
		help.Signatures = append(help.Signatures, protocol.Signature{Label: label})
	}
	return &help, k.err()
}

func (k *talker) InlayHints(context.Context, string, protocol.Range) (list []protocol.InlayHint, _ error) {
	for _, label := range k.hints {
		list = append(list, protocol.InlayHint{Label: label})
	}
	return list, k.err()
}

func (k *talker) Locations(context.Context, string, string, protocol.Position) ([]protocol.Location, error) {
	return k.at, k.err()
}

func (k *talker) err() error {
	if k.silent {
		return errors.New("it broke")
	}
	return nil
}

// talking gathers items of the kinds from a server that talks.
func talking(t *testing.T, archive string, k *talker, kinds ...string) *gathering {
	t.Helper()
	g := gatheringOf(t, archive, nil, kinds...)
	k.code = &code{workspace: g.workspace, outlines: outlined()}
	g.q = symbols.New(k)
	return g
}

func (g *gathering) located(name string, line uint32) protocol.Location {
	return protocol.Location{URI: protocol.URIFromPath(g.at(name)), Range: protocol.Range{Start: protocol.Position{Line: line}, End: protocol.Position{Line: line}}}
}

const goLines = "-- a.go --\npackage a\n\nvar x = f(1)\n-- b.go --\npackage a\n\nfunc f(n int) {}\n-- vendor/c.go --\npackage c\n\nfunc f() {}\n"

// The type of a declaration is told with the place of that, where it is the workspace's own; of an
// import that a server only names the line itself is told.
func TestTypesOfDeclarations(t *testing.T) {
	type told struct {
		Text, Name string
		Files      []string
		Target     result.ContextPlace
	}
	at := result.ContextPlace{Path: "a.go", Line: 3, Column: 9, EndLine: 3}
	for name, c := range map[string]struct {
		hover    string
		file     string
		distance int
		want     told
	}{
		"its own":               {"```go\nfunc f(n int)\n```\nIt is f.", "b.go", sameFolder, told{"b.go:3 f\nfunc f(n int)\nIt is f.\n", "f", []string{"a.go", "b.go"}, at}},
		"somebody else's":       {"```go\nfunc f(n int)\n```\nIt is f.", "vendor/c.go", elsewhere, told{"func f(n int)\n", "f", []string{"a.go", "vendor/c.go"}, at}},
		"named only":            {"```go\nfunction f\n```", "b.go", sameFolder, told{"b.go:3 f\nfunc f(n int) {}\n", "f", []string{"a.go", "b.go"}, at}},
		"named only, elsewhere": {"```go\nfunction f\n```", "vendor/c.go", elsewhere, told{"function f\n", "f", []string{"a.go", "vendor/c.go"}, at}},
		"in the same file":      {"```go\nfunc f(n int)\n```", "a.go", sameFile, told{"a.go:3 f\nfunc f(n int)\n", "f", []string{"a.go"}, at}},
	} {
		g := talking(t, goLines, &talker{hover: c.hover})
		u := &use{symbols.CodeName{Text: "f", At: protocol.Position{Line: 2, Character: 8}}, g.at("a.go"), 1}
		place := symbols.Place{Path: g.at(c.file), Range: protocol.Range{Start: protocol.Position{Line: 2}}}
		found := g.typeOf(t.Context(), &declaration{place: place, use: u, distance: c.distance})
		if found == nil {
			t.Fatalf("%s: nothing, %+v", name, g.failures)
		}
		record := found.item.Record
		got := told{Text: found.texts[0], Name: found.item.Name, Target: record.Target}
		for _, f := range record.Files {
			got.Files = append(got.Files, f.Path)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || record.Server != "fake" || record.Query != "textDocument/hover" || record.QueriedAt.IsZero() || found.item.Kind != result.ContextType || found.of == nil {
			t.Errorf("%s: %+v (-want +got):\n%s", name, record, diff)
		}
	}
	g := talking(t, goLines, &talker{silent: true})
	if g.typeOf(t.Context(), &declaration{use: &use{symbols.CodeName{Text: "f"}, g.at("a.go"), 1}}) != nil || len(g.failures) != 1 || g.failures[0].Server != "fake" {
		t.Errorf("no answer: %+v", g.failures)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	g = talking(t, goLines, &talker{silent: true})
	if _, ok := g.put(left, "textDocument/hover", symbols.Place{Path: g.at("a.go")}, func() error { return errors.New("it broke") }); ok || len(g.failures) > 0 {
		t.Errorf("nobody waits: %+v", g.failures)
	}
}

// The signature of a call names where it stands; without one there is no item, and a failure is noted.
//
// Requirement: SYN-7.
func TestSignaturesOfCalls(t *testing.T) {
	for name, c := range map[string]struct {
		by     talker
		want   []string
		failed int
	}{
		"told":      {talker{signatures: []string{"f(n int)", "f()"}}, []string{"call of f at a.go:3:9\nf(n int)\nf()\n", "call of f at a.go:3:9\nf(n int)\n"}, 0},
		"none":      {talker{}, nil, 0},
		"no answer": {talker{silent: true, signatures: []string{"f"}}, nil, 1},
	} {
		g := talking(t, goLines, &c.by)
		found := g.signatureOf(t.Context(), &use{symbols.CodeName{Text: "f", At: protocol.Position{Line: 2, Character: 8}, Arguments: protocol.Position{Line: 2, Character: 10}}, g.at("a.go"), 1})
		var got []string
		if found != nil {
			got = found.texts
			if target := found.item.Record.Target; target.Column != 11 || found.item.Name != "f" || found.item.Kind != result.ContextSignature {
				t.Errorf("%s: %+v", name, found.item)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" || len(g.failures) != c.failed {
			t.Errorf("%s: %+v (-want +got):\n%s", name, g.failures, diff)
		}
	}
}

// Hints are asked for where they are wanted, of each area in its order; an area without any has no
// item.
func TestHintsOfTheFocus(t *testing.T) {
	k := &talker{hints: []string{"n:"}}
	g := talking(t, goLines, k, result.ContextHints)
	g.focus.areas = []area{{path: g.at("b.go")}, {path: g.at("a.go")}}
	g.hint(t.Context())
	var got []string
	for _, c := range g.hints {
		got = append(got, c.texts[0])
	}
	if diff := cmp.Diff([]string{"b.go hints\n  1:1 n:\n", "a.go hints\n  1:1 n:\n"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, other := range map[string]*gathering{
		"none": talking(t, goLines, &talker{}, result.ContextHints), "no answer": talking(t, goLines, &talker{silent: true, hints: k.hints}, result.ContextHints), "not wanted": talking(t, goLines, k),
	} {
		other.focus.areas = []area{{path: other.at("b.go")}}
		if other.hint(t.Context()); len(other.hints) > 0 {
			t.Errorf("%s: %+v", name, other.hints)
		}
	}
}

// A name followed by brackets is a call unless it is declared there, or, if nothing is before it, at
// the top of the file within the focus.
func TestCallsOfWhatIsDeclaredHere(t *testing.T) {
	g := gatheringOf(t, tenLines, outlined())
	g.focus.areas = []area{{g.at("a.toy"), protocol.Range{Start: protocol.Position{Line: 4}, End: protocol.Position{Line: 9}}}}
	for name, c := range map[string]struct {
		of   symbols.CodeName
		file string
		want bool
	}{
		"a declaration":              {symbols.CodeName{Text: "f", At: protocol.Position{Line: 9}}, "a.toy", true},
		"a call of it":               {symbols.CodeName{Text: "f", At: protocol.Position{Line: 6, Character: 3}}, "a.toy", true},
		"of another thing":           {symbols.CodeName{Text: "f", Of: "x", At: protocol.Position{Line: 6, Character: 3}}, "a.toy", false},
		"declared out of view":       {symbols.CodeName{Text: "v", At: protocol.Position{Line: 6, Character: 3}}, "a.toy", false},
		"declared in another":        {symbols.CodeName{Text: "m", At: protocol.Position{Line: 8, Character: 3}}, "a.toy", false},
		"of a file that is not told": {symbols.CodeName{Text: "f"}, "c.toy", false},
	} {
		if got := g.declaresHere(t.Context(), &use{c.of, g.at(c.file), 1}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Each name of the focus is looked up once with what is before it, as the first of it or the first
// that is called; of too many names the first are, which is said.
func TestNamesOfTheFocus(t *testing.T) {
	var many strings.Builder
	for i := range maxUses + 2 {
		fmt.Fprintf(&many, "n%d\n", i)
	}
	g := gatheringOf(t, "-- a.toy --\nf\ng.f\nf(1)\nf(2)\ng\n-- b.toy --\nf\n-- many.toy --\n"+many.String(), nil)
	whole := func(name string, last uint32) area {
		return area{g.at(name), protocol.Range{End: protocol.Position{Line: last}}}
	}
	g.focus.areas = []area{whole("a.toy", 5), whole("none.toy", 5), whole("b.toy", 1)}
	var got []string
	for _, u := range g.uses() {
		got = append(got, fmt.Sprintf("%s of %q in %s:%d, %d times, called %t", u.Text, u.Of, filepath.Base(u.path), u.At.Line, u.count, u.Called))
	}
	want := []string{
		`f of "" in a.toy:2, 3 times, called true`, `g of "" in a.toy:1, 2 times, called false`, `f of "g" in a.toy:1, 1 times, called false`, `f of "" in b.toy:0, 1 times, called false`,
	}
	if diff := cmp.Diff(want, got); diff != "" || len(g.notes) > 0 {
		t.Errorf("noted %q (-want +got):\n%s", g.notes, diff)
	}
	for extra, notes := range map[uint32][]string{0: nil, 1: {"the focus has many names: the first 240 are looked up"}} {
		g.focus.areas, g.notes = []area{whole("many.toy", maxUses+extra)}, nil
		if uses := g.uses(); len(uses) != maxUses {
			t.Errorf("%d names are looked up", len(uses))
		}
		if diff := cmp.Diff(notes, g.notes); diff != "" {
			t.Errorf("%d more (-want +got):\n%s", extra, diff)
		}
	}
}

// The focus of a request is what it names, in the order of ranges, files and symbols, each once; what is
// in view is kept apart. A symbol that is not there is an error.
func TestFocusOfARequest(t *testing.T) {
	g := gatheringOf(t, tenLines, outlined())
	req := api.AssembleRequest{
		Files: []string{g.at("b.toy"), g.at("b.toy")}, Ranges: []api.Range{{File: g.at("a.toy"), StartLine: 6}, {File: g.at("a.toy"), StartLine: 7}}, Symbols: []string{g.at("a.toy") + " f", g.at("a.toy") + " f", g.at("a.toy") + " C.m"},
		InView: []api.Range{{File: g.at("a.toy"), StartLine: 11}},
	}
	if err := g.findFocus(t.Context(), &req); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.toy 5-6", "b.toy 0-1", "a.toy 9-9"}, lines(g.focus.areas)); diff != "" {
		t.Errorf("areas (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a.toy 10-10"}, lines(g.focus.seen)); diff != "" {
		t.Errorf("in view (-want +got):\n%s", diff)
	}
	var named []uint32
	for _, p := range g.focus.named {
		named = append(named, p.Range.Start.Line)
	}
	if diff := cmp.Diff([]uint32{9, 5}, named); diff != "" {
		t.Errorf("named (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{g.at("a.toy"), g.at("b.toy")}, g.focus.files()); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	place := func(name string, line uint32) symbols.Place {
		return symbols.Place{Path: g.at(name), Range: protocol.Range{Start: protocol.Position{Line: line}}}
	}
	var shown []bool
	for _, p := range []symbols.Place{place("a.toy", 5), place("a.toy", 10), place("a.toy", 8), place("b.toy", 0), place("c.toy", 5)} {
		shown = append(shown, g.focus.shows(p))
	}
	if diff := cmp.Diff([]bool{true, true, false, true, false}, shown); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
	for argument, wrong := range map[string]api.AssembleRequest{
		"ranges": {Ranges: []api.Range{{File: "a.toy", StartLine: 99}}}, "in_view": {InView: []api.Range{{File: "a.toy", StartLine: 99}}},
	} {
		var of *api.ArgumentError
		if err := g.findFocus(t.Context(), &wrong); !errors.As(err, &of) || of.Argument != argument {
			t.Errorf("%s: %v", argument, err)
		}
	}
	if err := g.findFocus(t.Context(), &api.AssembleRequest{GitRange: "HEAD"}); err == nil {
		t.Error("without git a range of it is found")
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	if err := g.findFocus(left, &api.AssembleRequest{Files: []string{"a.toy"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits: %v", err)
	}
	late, end := context.WithTimeout(t.Context(), 0)
	defer end()
	if err := g.findFocus(late, &api.AssembleRequest{Files: []string{"a.toy"}}); err != nil {
		t.Errorf("the time is over: %v", err)
	}
}

// An item is asked about again by its kind, where its subject stands now; what is gone gets no answer.
func TestItemsAreAskedAboutAgain(t *testing.T) {
	item := func(kind, file, name string, line, end uint32) *result.ContextItem {
		return &result.ContextItem{Kind: kind, Name: name, Record: result.ContextRecord{Target: result.ContextPlace{Path: file, Line: line, EndLine: end}}}
	}
	const archive = goLines + "-- a.toy --\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n-- b.toy --\nb\n"
	for name, c := range map[string]struct {
		item *result.ContextItem
		at   string // where the name is declared
		want string // the beginning of its fullest text
	}{
		"a type":                         {item(result.ContextType, "a.go", "f", 3, 3), "b.go", "b.go:3 f\nfunc f(n int)\n"},
		"a type of somebody else":        {item(result.ContextType, "a.go", "f", 3, 3), "vendor/c.go", "func f(n int)\n"},
		"a type of nothing":              {item(result.ContextType, "a.go", "f", 3, 3), "", ""},
		"a type of a name that is gone":  {item(result.ContextType, "a.go", "g", 3, 3), "b.go", ""},
		"a signature":                    {item(result.ContextSignature, "a.go", "f", 3, 3), "b.go", "call of f at a.go:3:9\nf(n int)\n"},
		"a declaration":                  {item(result.ContextDefinition, "a.toy", "C.m", 1, 1), "", "a.toy:6-7 C.m\nx\nx\n"},
		"a declaration that is gone":     {item(result.ContextDefinition, "a.toy", "m", 1, 1), "", ""},
		"a declaration of no known file": {item(result.ContextDefinition, "a.go", "m", 1, 1), "", ""},
		"a summary":                      {item(result.ContextSummary, "a.toy", "", 0, 0), "", "a.toy declares\n  class C:2\n    field n:3\n    method m:6\n  function f:10\n  variable v:11\n"},
		"a summary of no known file":     {item(result.ContextSummary, "a.go", "", 0, 0), "", ""},
		"hints":                          {item(result.ContextHints, "a.toy", "", 1, 3), "", "a.toy hints\n  1:1 n:\n"},
		"hints of the last line":         {item(result.ContextHints, "a.toy", "", 13, 90), "", "a.toy hints\n  1:1 n:\n"},
		"hints of lines that are gone":   {item(result.ContextHints, "a.toy", "", 14, 90), "", ""},
		"hints of no line":               {item(result.ContextHints, "a.toy", "", 0, 90), "", ""},
		"of a file that is gone":         {item(result.ContextSummary, "none.toy", "", 0, 0), "", ""},
		"of a file outside":              {item(result.ContextSummary, "../a.toy", "", 0, 0), "", ""},
		"of no kind":                     {item("colour", "a.toy", "", 1, 1), "", ""},
	} {
		k := &talker{hover: "```go\nfunc f(n int)\n```", signatures: []string{"f(n int)"}, hints: []string{"n:"}}
		g := talking(t, archive, k)
		if c.at != "" {
			k.at = []protocol.Location{g.located(c.at, 2)}
		}
		got := ""
		if found := (&revalidation{gathering: g}).askAgain(t.Context(), c.item); found != nil {
			got = found.texts[0]
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %+v (-want +got):\n%s", name, g.failures, diff)
		}
	}
	g := talking(t, archive, &talker{silent: true})
	if found := (&revalidation{gathering: g}).askAgain(t.Context(), item(result.ContextType, "a.go", "f", 3, 3)); found != nil || len(g.failures) != 1 || g.failures[0].Query != symbols.Definition {
		t.Errorf("no answer: %+v, %+v", found, g.failures)
	}
}

// Findings are asked for once for all files, without a comparison, and belong to them in their order;
// what is not known of them is noted.
func TestFindingsOfTheFocus(t *testing.T) {
	clean := result.File{Servers: []result.Answer{{Server: "one", Freshness: "fresh"}}}
	broken := errors.New("no check")
	for name, c := range map[string]struct {
		files   []string
		answer  result.Check
		failed  error
		texts   []string
		failing []string
	}{
		"no files":    {},
		"two":         {[]string{"a.toy", "b.toy"}, result.Check{Files: []result.File{clean, clean}}, nil, []string{"a.toy: no errors\n", "b.toy: no errors\n"}, nil},
		"one unknown": {[]string{"a.toy", "b.toy"}, result.Check{Files: []result.File{{}, clean}}, nil, []string{"b.toy: no errors\n"}, []string{"a.toy: no server judges this file"}},
		"one missing": {[]string{"a.toy", "b.toy"}, result.Check{Files: []result.File{clean}}, nil, []string{"a.toy: no errors\n"}, nil},
		"no check":    {[]string{"a.toy"}, result.Check{}, broken, nil, []string{"a.toy: no check"}},
	} {
		g := gatheringOf(t, tenLines, nil)
		var paths []string
		for _, file := range c.files {
			paths = append(paths, g.at(file))
		}
		asked := 0
		g.check = func(_ context.Context, req api.CheckRequest) (result.Check, error) {
			asked++
			if diff := cmp.Diff(api.CheckRequest{Files: paths, Scope: "file", Baseline: api.BaselineNone, MaxBytes: -1}, req); diff != "" {
				t.Errorf("%s: asked otherwise (-want +got):\n%s", name, diff)
			}
			return c.answer, c.failed
		}
		g.diagnose(t.Context(), paths)
		var texts, failing []string
		for _, found := range g.findings {
			texts = append(texts, found.texts[0])
		}
		for _, f := range g.failures {
			failing = append(failing, f.Target.Path+": "+f.Error.Message)
		}
		if diff := cmp.Diff([][]string{c.texts, c.failing}, [][]string{texts, failing}); diff != "" || asked != min(1, len(paths)) {
			t.Errorf("%s: asked %d times (-want +got):\n%s", name, asked, diff)
		}
	}

	g := gatheringOf(t, tenLines, nil)
	g.check = func(context.Context, api.CheckRequest) (result.Check, error) {
		return result.Check{Files: []result.File{clean}}, nil
	}
	r := &revalidation{gathering: g}
	item := &result.ContextItem{Kind: result.ContextDiagnostics, Record: result.ContextRecord{Target: result.ContextPlace{Path: "a.toy"}}}
	if found := r.checkAgain(t.Context(), item); found == nil || found.texts[0] != "a.toy: no errors\n" || r.findings != nil {
		t.Errorf("checked again: %+v, left %+v", found, r.findings)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	if found := r.checkAgain(left, item); found != nil {
		t.Errorf("nobody waits: %+v", found)
	}
	item.Record.Target.Path = "../a.toy"
	if found := r.checkAgain(t.Context(), item); found != nil {
		t.Errorf("outside: %+v", found)
	}
}

// Folders are named below the base of the caller, with links resolved; each has one entry in an answer.
func TestFoldersThatAreNamed(t *testing.T) {
	g := gatheringOf(t, "-- sub/a.toy --\na\n", nil)
	var got []string
	for _, name := range []string{"sub", g.at("sub"), "sub/../sub/", "none/../gone", g.at("gone") + "/"} {
		got = append(got, g.folderNamed(name))
	}
	if diff := cmp.Diff([]string{g.at("sub"), g.at("sub"), g.at("sub"), g.at("gone"), g.at("gone")}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, c := range map[string]struct {
		names []string
		want  []string
		wrong string
	}{
		"folders":   {[]string{"sub", "."}, []string{g.at("sub"), g.workspace.Root()}, ""},
		"none":      {nil, nil, ""},
		"no name":   {[]string{"sub", ""}, nil, `"": no such folder`},
		"not there": {[]string{"gone"}, nil, `"gone": no such folder`},
		"a file":    {[]string{"sub/a.toy"}, nil, "sub/a.toy is not a folder"},
	} {
		paths, err := g.existingFolders("add", c.names)
		var wrong *api.ArgumentError
		if diff := cmp.Diff(c.want, paths); diff != "" || errors.As(err, &wrong) != (c.wrong != "") || wrong != nil && (wrong.Reason != c.wrong || wrong.Argument != "add" || wrong.Advice == "") {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	var answer result.Folders
	for _, path := range []string{"/b", "/a", "/b"} {
		at := folderIn(&answer, path)
		at.Servers = append(at.Servers, "toy")
	}
	if diff := cmp.Diff([]result.Folder{{Path: "/b", Servers: []string{"toy", "toy"}}, {Path: "/a", Servers: []string{"toy"}}}, answer.Folders); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
