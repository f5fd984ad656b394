package assembly

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Of what a server says the code is told from the first words about it: not headings, rules, nor lines
// that are nothing but a link.
func TestCodeAndWordsOfAHover(t *testing.T) {
	type told struct{ Code, Words string }
	for hover, want := range map[string]told{
		"":                                    {},
		"words\nof it":                        {"", "words of it"},
		"words\n\nmore":                       {"", "words"},
		"\n\nwords":                           {"", "words"},
		"---\nwords\n***\nmore":               {"", "words"},
		"# head\nwords":                       {"", "words"},
		"[a](b)\nwords":                       {"", "words"},
		"[a](b) c":                            {"", "[a](b) c"},
		"see [a](b)":                          {"", "see [a](b)"},
		"[a] (b)":                             {"", "[a] (b)"},
		"```x\na\n\n b\n```\nwords":           {"a\n b", "words"},
		"```x\na\n```\nwords\n```y\nb\n```":   {"a\nb", "words"},
		"words\n```x\na\n```\nmore":           {"a", "words more"},
		"words\n\n```x\na\n```\nmore\r\n":     {"a", "words"},
		"```x\n# no head\n[a](b)\n---\n```\n": {"# no head\n[a](b)\n---", ""},
	} {
		code, words := splitHover(hover)
		if diff := cmp.Diff(want, told{code, words}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", hover, diff)
		}
	}
}

// The forms of texts change at their bounds: with as many lines, symbols, hints or findings as are
// shown nothing is left out, with one more that is said.
func TestFormsAtTheirBounds(t *testing.T) {
	numbered := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprint("line ", i))
		}
		return list
	}
	brief := func(texts []string) (list []string) {
		for _, text := range texts {
			all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			list = append(list, fmt.Sprintf("%d, %s", len(all), strings.TrimSpace(all[len(all)-1])))
		}
		return list
	}
	variables := func(n int) (list []result.Symbol) {
		for range n {
			list = append(list, result.Symbol{Name: "f", Kind: "function", Line: 1})
		}
		return list
	}
	fields := func(n int) []result.Symbol {
		var list []result.Symbol
		for range n {
			list = append(list, result.Symbol{Name: "n", Kind: "field", Line: 2})
		}
		return []result.Symbol{{Name: "T", Kind: "class", Line: 1, Children: list}}
	}
	hints := func(n int) (list []protocol.InlayHint) {
		for range n {
			list = append(list, protocol.InlayHint{Label: "a"})
		}
		return list
	}
	findings := func(n int) *result.File {
		f := &result.File{}
		for range n {
			f.Diagnostics = append(f.Diagnostics, result.Diagnostic{Line: 1, Column: 1, Severity: "error", Message: "x", New: true})
		}
		return f
	}
	for name, c := range map[string]struct{ got, want []string }{
		"6 lines":        {excerptTexts("", numbered(6)), []string{"6, line 5"}},
		"7 lines":        {excerptTexts("", numbered(7)), []string{"7, line 6"}},
		"20 lines":       {excerptTexts("", numbered(20)), []string{"20, line 19", "7, … 14 more lines"}},
		"21 lines":       {excerptTexts("", numbered(23)), []string{"23, line 22", "21, … 3 more lines", "7, … 17 more lines"}},
		"60 lines":       {excerptTexts("", numbered(60)), []string{"60, line 59", "21, … 40 more lines", "7, … 54 more lines"}},
		"61 lines":       {excerptTexts("", numbered(61)), []string{"61, … 1 more lines", "21, … 41 more lines", "7, … 55 more lines"}},
		"no symbols":     {summaryTexts("a", nil), nil},
		"20 symbols":     {summaryTexts("a", variables(20)), []string{"21, function f:1"}},
		"21 symbols":     {summaryTexts("a", variables(23)), []string{"24, function f:1", "22, … 3 more"}},
		"60 symbols":     {summaryTexts("a", variables(60)), []string{"61, function f:1", "22, … 40 more"}},
		"61 symbols":     {summaryTexts("a", variables(61)), []string{"62, … 1 more", "22, … 41 more"}},
		"60 with fields": {summaryTexts("a", fields(59)), []string{"61, field n:2", "2, class T:1"}},
		"61 with fields": {summaryTexts("a", fields(60)), []string{"2, class T:1"}},
		"no hints":       {hintTexts("a", nil), nil},
		"one hint":       {hintTexts("a", hints(1)), []string{"2, 1:1 a"}},
		"9 hints":        {hintTexts("a", hints(9)), []string{"10, 1:1 a", "7, … 4 more", "5, … 6 more"}},
		"120 hints":      {hintTexts("a", hints(120)), []string{"121, 1:1 a", "62, … 60 more", "32, … 90 more"}},
		"121 hints":      {hintTexts("a", hints(121)), []string{"121, 1:1 a", "62, … 60 more", "32, … 90 more"}},
		"one finding":    {findingTexts("a", findings(1)), []string{"2, error 1:1 x", "2, … 1 more"}},
		"8 findings":     {findingTexts("a", findings(8)), []string{"9, error 1:1 x", "4, … 6 more", "2, … 8 more"}},
		"9 findings":     {findingTexts("a", findings(10)), []string{"11, error 1:1 x", "10, … 2 more", "4, … 8 more", "2, … 10 more"}},
		"30 findings":    {findingTexts("a", findings(30)), []string{"31, error 1:1 x", "10, … 22 more", "4, … 28 more", "2, … 30 more"}},
		"31 findings":    {findingTexts("a", findings(31)), []string{"32, … 1 more", "10, … 23 more", "4, … 29 more", "2, … 31 more"}},
	} {
		if diff := cmp.Diff(c.want, brief(c.got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A type tells how a name is called only under that name, with its brackets.
func TestTypesThatTellACall(t *testing.T) {
	u := &use{CodeName: symbols.CodeName{Text: "f"}}
	typed := func(name string, texts ...string) *candidate {
		return &candidate{item: result.ContextItem{Name: name}, texts: texts}
	}
	for name, c := range map[string]struct {
		of   *candidate
		want bool
	}{
		"nothing":      {nil, false},
		"no text":      {typed("f"), false},
		"a call":       {typed("f", "func f(a int)"), true},
		"another name": {typed("g", "func f(a int)"), false},
		"no brackets":  {typed("f", "var f int", "f("), false},
	} {
		if got := c.of.tells(u); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	shown, silent := typed("a", "x"), typed("b")
	if diff := cmp.Diff(1, len(present([]*candidate{nil, shown, silent}))); diff != "" {
		t.Errorf("what has a text (-want +got):\n%s", diff)
	}
}

// A signature is left out where the text of another item has it, blanks aside.
func TestSignaturesThatAreTold(t *testing.T) {
	signature := func(texts ...string) *candidate { return &candidate{texts: texts} }
	g := &gathering{
		types: []*candidate{signature("func  f(a\nint)", "f")}, definitions: []*candidate{signature("def g(b) { }")}, named: []*candidate{signature("h(c)")},
	}
	g.describeCalls([]*candidate{signature("all of f", "f(a int)"), signature("g(b)"), nil, signature("h(c)"), signature("k(d)"), signature("f(a)")})
	var got []string
	for _, c := range g.signatures {
		got = append(got, c.texts[0])
	}
	if diff := cmp.Diff([]string{"k(d)", "f(a)"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An item is renewed by the fullest text that is no longer than the one before, or else by the
// beginning of the shortest one, if there is room for that; without an answer it is stale, with the
// reason.
func TestItemsAreRenewed(t *testing.T) {
	record := result.ContextRecord{Query: "q", Target: result.ContextPlace{Path: "new.toy"}}
	of := func(texts ...string) *candidate {
		return &candidate{item: result.ContextItem{Name: "new", Record: record}, texts: texts}
	}
	old := result.ContextRecord{Query: "q", Target: result.ContextPlace{Path: "a.toy"}}
	stale := func(reason string) result.ContextRecord {
		r := old
		r.Stale, r.Reason = true, reason
		return r
	}
	long := strings.Repeat("x", 39)
	for name, c := range map[string]struct {
		text, name string
		by         *candidate
		want       result.ContextItem
	}{
		"as long":              {"12345\n", "f", of("12345\n", "1\n"), result.ContextItem{Name: "new", Text: "12345\n", Record: record}},
		"shorter":              {"1234\n", "f", of("12345\n", "12\n", "1\n"), result.ContextItem{Name: "new", Text: "12\n", Record: record}},
		"too long":             {"1\n", "f", of("12345\n", "123\n"), result.ContextItem{Name: "f", Text: "1\n", Record: stale("it has become longer than its 2 bytes")}},
		"too long by a byte":   {long, "f", of(strings.Repeat("y", 60) + "\n"), result.ContextItem{Name: "f", Text: long, Record: stale("it has become longer than its 39 bytes")}},
		"its beginning":        {long + "x", "f", of(strings.Repeat("z", 90)+"\n", strings.Repeat("y", 60)+"\n"), result.ContextItem{Name: "new", Text: strings.Repeat("y", 36) + "…\n", Record: record}},
		"no answer":            {"1\n", "f", nil, result.ContextItem{Name: "f", Text: "1\n", Record: stale("f is no longer found in a.toy")}},
		"no answer, no name":   {"1\n", "", nil, result.ContextItem{Text: "1\n", Record: stale("it is no longer found in a.toy")}},
		"an answer of nothing": {"1\n", "f", of(), result.ContextItem{Name: "f", Text: "1\n", Record: stale("f is no longer found in a.toy")}},
	} {
		item := result.ContextItem{Name: c.name, Text: c.text, Record: old}
		(&revalidation{gathering: &gathering{}}).renew(&item, c.by)
		if diff := cmp.Diff(c.want, item); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Why an item could not be asked about is the failure of its own question about its file; a type also
// needs its definition.
func TestReasonsOfStaleItems(t *testing.T) {
	failure := func(query, path string) result.ContextFailure {
		return result.ContextFailure{Query: query, Target: result.ContextPlace{Path: path}, Error: result.Error{Message: query + " broke"}}
	}
	for name, c := range map[string]struct {
		kind     string
		failures []result.ContextFailure
		want     string
	}{
		"none":                    {result.ContextType, nil, "f is no longer found in a.toy"},
		"its own":                 {result.ContextType, []result.ContextFailure{failure("other", "a.toy"), failure("q", "a.toy")}, "q broke"},
		"of another file":         {result.ContextType, []result.ContextFailure{failure("q", "b.toy")}, "f is no longer found in a.toy"},
		"its definition":          {result.ContextType, []result.ContextFailure{failure(symbols.Definition, "a.toy")}, symbols.Definition + " broke"},
		"another's definition":    {result.ContextType, []result.ContextFailure{failure(symbols.Definition, "b.toy")}, "f is no longer found in a.toy"},
		"a definition of no type": {result.ContextSignature, []result.ContextFailure{failure(symbols.Definition, "a.toy")}, "f is no longer found in a.toy"},
		"another question of it":  {result.ContextType, []result.ContextFailure{failure("other", "a.toy")}, "f is no longer found in a.toy"},
	} {
		r := &revalidation{gathering: &gathering{failures: c.failures}}
		item := &result.ContextItem{Kind: c.kind, Name: "f", Record: result.ContextRecord{Query: "q", Target: result.ContextPlace{Path: "a.toy"}}}
		if got := r.reasonOf(item); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A file is as it was if its text is, or, where that is not known, if it was not written since. An item
// of files that are as they were is no longer stale.
func TestFilesThatAreAsTheyWere(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		x, y result.FileState
		want bool
	}{
		"the same text":         {result.FileState{Hash: "1", Modified: now}, result.FileState{Hash: "1"}, true},
		"another text":          {result.FileState{Hash: "1", Modified: now}, result.FileState{Hash: "2", Modified: now}, false},
		"no text any more":      {result.FileState{Hash: "1", Modified: now}, result.FileState{Modified: now}, false},
		"a text now":            {result.FileState{Modified: now}, result.FileState{Hash: "1", Modified: now}, false},
		"not written since":     {result.FileState{Modified: now}, result.FileState{Modified: now.UTC()}, true},
		"written since":         {result.FileState{Modified: now}, result.FileState{Modified: now.Add(1)}, false},
		"nothing then, and now": {result.FileState{}, result.FileState{}, true},
	} {
		if got := sameState(c.x, c.y); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	g := gatheringOf(t, "-- a.toy --\na\n-- b.toy --\nb\n", nil)
	was := func(name string) result.ContextFile {
		return result.ContextFile{Path: name, AtQuery: g.stateOf(g.at(name))}
	}
	a, b := was("a.toy"), was("b.toy")
	lsptest.WriteFile(t, g.at("b.toy"), "changed\n")
	r := &revalidation{gathering: g}
	for name, c := range map[string]struct {
		files   []result.ContextFile
		changed bool
	}{"as it was": {[]result.ContextFile{a}, false}, "changed": {[]result.ContextFile{b}, true}, "one of two": {[]result.ContextFile{b, a}, true}} {
		item := &result.ContextItem{Record: result.ContextRecord{Stale: true, Reason: "before", Files: c.files}}
		if got := r.changed(item); got != c.changed || item.Record.Stale != c.changed || (item.Record.Reason == "") == c.changed {
			t.Errorf("%s: changed %t, %+v", name, got, item.Record)
		}
		for _, f := range item.Record.Files {
			if f.AtInjection != g.state(g.at(f.Path)) {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

// A name is looked for where it stood, and the nearest one is taken; of a call only one that is called.
func TestNamesAreFoundAgain(t *testing.T) {
	g := gatheringOf(t, "-- a.go --\nf\n\nf(1)\n\n\nf\ng\n", nil)
	text, err := g.q.Text(g.at("a.go"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		kind, name string
		line       uint32
		want       int // 0 is none
	}{
		"where it was":    {result.ContextType, "f", 6, 6},
		"above":           {result.ContextType, "f", 7, 6},
		"below":           {result.ContextType, "f", 2, 1},
		"the nearest":     {result.ContextType, "f", 4, 3},
		"a call":          {result.ContextSignature, "f", 6, 3},
		"another name":    {result.ContextType, "g", 1, 7},
		"no call":         {result.ContextSignature, "g", 7, 0},
		"a name not here": {result.ContextType, "h", 1, 0},
	} {
		item := &result.ContextItem{Kind: c.kind, Name: c.name, Record: result.ContextRecord{Target: result.ContextPlace{Line: c.line}}}
		got := 0
		if u := (&revalidation{gathering: g}).find(g.at("a.go"), text, item); u != nil {
			got = int(u.At.Line) + 1
		}
		if got != c.want {
			t.Errorf("%s: line %d, want %d", name, got, c.want)
		}
	}
}

// An item that is to be renewed has its kind, its question, its place, a text and files; a file that is
// outside is an error of its own.
func TestItemsToRenew(t *testing.T) {
	g := gatheringOf(t, "-- a.toy --\na\n", nil)
	whole := func() result.ContextItem {
		return result.ContextItem{Kind: result.ContextType, Text: "x", Record: result.ContextRecord{Query: "q", Target: result.ContextPlace{Path: "a.toy"}, Files: []result.ContextFile{{Path: "a.toy"}}}}
	}
	for name, c := range map[string]struct {
		change func(*result.ContextItem)
		wrong  bool
	}{
		"an item":     {func(*result.ContextItem) {}, false},
		"no kind":     {func(i *result.ContextItem) { i.Kind = "colour" }, true},
		"no question": {func(i *result.ContextItem) { i.Record.Query = "" }, true},
		"no place":    {func(i *result.ContextItem) { i.Record.Target.Path = "" }, true},
		"no text":     {func(i *result.ContextItem) { i.Text = "" }, true},
		"no files":    {func(i *result.ContextItem) { i.Record.Files = nil }, true},
		"outside":     {func(i *result.ContextItem) { i.Record.Target.Path = "../a.toy" }, true},
	} {
		item := whole()
		c.change(&item)
		if err := g.checkItems(&api.RevalidateRequest{Items: []result.ContextItem{whole(), item}}); (err != nil) != c.wrong {
			t.Errorf("%s: %v", name, err)
		}
	}
	if g.checkItems(&api.RevalidateRequest{}) == nil || g.checkItems(&api.RevalidateRequest{Items: []result.ContextItem{whole()}, TimeoutMS: -1}) == nil {
		t.Error("nothing, or in less than no time, is renewed")
	}
}
