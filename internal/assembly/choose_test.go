package assembly

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// Whatever there is and whatever the budget: the texts together have at most that many bytes, as
// many as is said, nothing is there twice, all that is missing is counted or told by a definition,
// and with room for all in full there is all in full.
func TestBudgetIsKeptToTheByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &gathering{}
		declared := []*declaration{}
		for range rapid.IntRange(0, 6).Draw(t, "declarations") {
			declared = append(declared, &declaration{})
		}
		total, all := 0, 0
		some := func(kind string, of []*declaration) (list []*candidate) {
			n := rapid.IntRange(0, 5).Draw(t, kind)
			if of != nil {
				n = min(n, len(of))
			}
			for i := range n {
				c := &candidate{item: result.ContextItem{Kind: kind, Name: fmt.Sprint(i)}, covers: rapid.Bool().Draw(t, "covers")}
				for size := rapid.IntRange(1, 90).Draw(t, "size"); size > 0; size /= 3 {
					c.texts = append(c.texts, strings.Repeat("x", size-1)+"\n")
				}
				if of != nil {
					c.of = of[i]
				}
				total, all = total+len(c.texts[0]), all+1
				list = append(list, c)
			}
			return list
		}
		g.named, g.findings = some("named", nil), some(result.ContextDiagnostics, nil)
		g.types, g.definitions = some(result.ContextType, declared), some(result.ContextDefinition, declared)
		g.signatures, g.summaries, g.hints = some(result.ContextSignature, nil), some(result.ContextSummary, nil), some(result.ContextHints, nil)
		g.references = some(result.ContextReferences, nil)
		told := 0 // types whose definitions tell them
		for i := range g.definitions {
			if g.definitions[i].covers && i < len(g.types) {
				told++
			}
		}
		budget := rapid.OneOf(rapid.IntRange(1, 200), rapid.IntRange(1, 2*total+1)).Draw(t, "budget")
		items, bytes, left := g.choose(budget)
		sum, seen := 0, make(map[string]bool)
		for _, item := range items {
			sum += len(item.Text)
			if key := item.Kind + item.Name; seen[key] || item.Text == "" {
				t.Fatalf("%s is there twice, or empty", key)
			} else {
				seen[key] = true
			}
		}
		if sum > budget || sum != bytes {
			t.Fatalf("%d bytes, said to be %d, of %d", sum, bytes, budget)
		}
		if missing := all - len(items); missing < left || missing > left+told {
			t.Fatalf("%d of %d are missing, %d are told to be", missing, all, left)
		}
		if whole, _, none := g.choose(4 * total); none != 0 || len(whole) != all-told {
			t.Fatalf("with room for all there are %d of %d, %d left out", len(whole), all-told, none)
		}
		if whole, bytes, _ := g.choose(4 * total); bytes > budget {
			return
		} else if items, _, left := g.choose(bytes); len(items) > len(whole) || left > told {
			t.Fatalf("%d are left out of exactly what is needed", left)
		}
	})
}

// Of every type something is said before one is told at length; a definition takes the place of the
// type that it tells.
func TestTypesComeBeforeDefinitions(t *testing.T) {
	first, second := &declaration{}, &declaration{}
	typed := func(name string, of *declaration) *candidate {
		return &candidate{item: result.ContextItem{Kind: result.ContextType, Name: name}, texts: []string{name + " at length\n", name + "\n"}, of: of}
	}
	g := &gathering{
		types:       []*candidate{typed("a", first), typed("b", second)},
		definitions: []*candidate{{item: result.ContextItem{Kind: result.ContextDefinition, Name: "a"}, texts: []string{"a is\nall of this\n"}, of: first, covers: true}},
	}
	texts := func(budget int) (list []string) {
		items, _, _ := g.choose(budget)
		for _, i := range items {
			list = append(list, i.Text)
		}
		return list
	}
	for budget, want := range map[int][]string{
		1: nil, 2: {"a\n"}, 4: {"a\n", "b\n"}, 14: {"a at length\n", "b\n"}, 24: {"b\n", "a is\nall of this\n"}, 19: {"b\n", "a is\nall of this\n"}, 29: {"b at length\n", "a is\nall of this\n"},
	} {
		if diff := cmp.Diff(want, texts(budget)); diff != "" {
			t.Errorf("%d bytes: %s", budget, diff)
		}
	}
}

// Of what a server says of a symbol the code and the first words are kept, in shorter and shorter
// forms; a server that says nothing gives no text.
func TestTextsOfTypes(t *testing.T) {
	const gopls = "```go\nfunc calc.Add(a int, b int) int\n```\n\n---\n\nAdd adds\ntwo numbers.\n\nAnd more.\n\n---\n\n[`calc.Add` on pkg.go.dev](https://pkg.go.dev/m#Add)"
	long := "```ts\n" + strings.Repeat("line of code\n", 30) + "```"
	for _, c := range []struct {
		hover string
		words bool
		want  []string
	}{
		{gopls, true, []string{"a.go:1 Add\nfunc calc.Add(a int, b int) int\nAdd adds two numbers.\n", "a.go:1 Add\nfunc calc.Add(a int, b int) int\n"}},
		{gopls, false, []string{"a.go:1 Add\nfunc calc.Add(a int, b int) int\n"}},
		{"### variable `x`\n\n---\n(module) os", true, []string{"a.go:1 Add\n(module) os\n"}},
		{long, true, []string{
			"a.go:1 Add\n" + strings.Repeat("line of code\n", 30), "a.go:1 Add\n" + strings.Repeat("line of code\n", 18) + "…\n", "a.go:1 Add\n" + strings.Repeat("line of code\n", 9) + "…\n",
		}},
		{"", true, nil},
		{"\n---\n", true, nil},
	} {
		if diff := cmp.Diff(c.want, typeTexts("a.go:1 Add\n", c.hover, c.words)); diff != "" {
			t.Errorf("%.40q: %s", c.hover, diff)
		}
	}
}

// Declarations, files, hints and findings are shortened by whole lines, and say what is left out.
func TestShorterForms(t *testing.T) {
	var lines []string
	var hints []protocol.InlayHint
	for i := range 64 {
		lines = append(lines, fmt.Sprint("line ", i))
		if i < 8 {
			hints = append(hints, protocol.InlayHint{Position: protocol.Position{Line: uint32(i)}, Label: " a: "})
		}
	}
	excerpt := excerptTexts("a.go:1-64 F\n", lines)
	ends := func(texts []string) (list []string) {
		for _, text := range texts {
			all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			list = append(list, fmt.Sprintf("%d lines, %s", len(all), all[len(all)-1]))
		}
		return list
	}
	if diff := cmp.Diff([]string{"62 lines, … 4 more lines", "22 lines, … 44 more lines", "8 lines, … 58 more lines"}, ends(excerpt)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"9 lines,   8:1 a:", "6 lines,   … 4 more", "4 lines,   … 6 more"}, ends(hintTexts("a.go", hints))); diff != "" {
		t.Error(diff)
	}
	found := &result.File{Diagnostics: []result.Diagnostic{{Line: 1, Column: 2, Severity: "error", Code: "E1", Message: "wrong\nin two lines", New: true}, {Line: 3, Column: 4, Severity: "warning", Message: "odd", New: true}}}
	if diff := cmp.Diff([]string{"a.go: 2 findings\n  error 1:2 wrong in two lines (E1)\n  warning 3:4 odd\n", "a.go: 2 findings\n  … 2 more\n"}, findingTexts("a.go", found)); diff != "" {
		t.Error(diff)
	}
	found.Diagnostics[0].New, found.Older = false, 2
	if diff := cmp.Diff([]string{"a.go: 1 finding, and 3 from before\n  warning 3:4 odd\n", "a.go: 1 finding, and 3 from before\n  … 1 more\n"}, findingTexts("a.go", found)); diff != "" {
		t.Error(diff)
	}
	found.Diagnostics[1].New = false
	if diff := cmp.Diff([]string{"a.go: no new errors, and 4 from before\n"}, findingTexts("a.go", found)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a.go: no errors\n"}, findingTexts("a.go", &result.File{})); diff != "" {
		t.Error(diff)
	}
	tree := []result.Symbol{{Name: "T", Kind: "class", Line: 1, Detail: "extends B", Children: []result.Symbol{{Name: "f", Kind: "method", Line: 2}}}}
	var fields []result.Symbol
	for range maxSymbols {
		fields = append(fields, result.Symbol{Name: "x", Kind: "field", Line: 9})
	}
	big := []result.Symbol{{Name: "S", Kind: "struct", Line: 8, Children: fields}, {Name: "F", Kind: "function", Line: 99}}
	if diff := cmp.Diff([]string{"b.go declares\n  struct S:8\n  function F:99\n"}, summaryTexts("b.go", big)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a.go declares\n  class T:1 extends B\n    method f:2\n", "a.go declares\n  class T:1\n    method f:2\n", "a.go declares\n  class T:1\n"}, summaryTexts("a.go", tree)); diff != "" {
		t.Error(diff)
	}
}
