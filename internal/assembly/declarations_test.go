package assembly

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// In whatever order a server answers, a declaration belongs to the first use of it, is handed out
// once, and counts all its uses; what is in view is none.
func TestDeclarationsDoNotDependOnTheOrderOfAnswers(t *testing.T) {
	const path = "/w/a.ts"
	at := func(line, end uint32) symbols.Place {
		return symbols.Place{Path: path, Range: protocol.Range{Start: protocol.Position{Line: line}, End: protocol.Position{Line: end}}}
	}
	inView := area{path, protocol.Range{Start: protocol.Position{Line: 0}, End: protocol.Position{Line: 1}}}
	type told struct {
		Line     uint32
		Use      string
		Count    int
		Distance int
	}
	answers := [][]symbols.Place{{at(7, 7)}, {at(0, 0)}, {at(5, 5), at(9, 9)}, nil, {at(7, 8)}, {at(5, 6)}, {at(3, 3)}}
	want := []told{{7, "a", 1 + 5, sameFile}, {5, "c", 3 + 6, sameFile}, {3, "g", 7, sameFile}}
	rapid.Check(t, func(t *rapid.T) {
		var uses []*use
		var order []int
		for i := range answers {
			uses = append(uses, &use{symbols.CodeName{Text: string(rune('a' + i))}, path, i + 1})
			order = append(order, i)
		}
		l := newLookup(&gathering{focus: focus{areas: []area{inView}}}, uses)
		var known []*declaration
		for _, i := range rapid.Permutation(order).Draw(t, "order") {
			known = append(known, l.add(i, answers[i])...)
		}
		var got []told
		for _, d := range l.declared {
			got = append(got, told{d.place.Range.Start.Line, d.use.Text, d.count, d.distance})
		}
		if diff := cmp.Diff(want, got); diff != "" || !slices.Equal(known, l.declared) {
			t.Errorf("handed out %v of %v (-want +got):\n%s", known, l.declared, diff)
		}
	})
}

// Answers to the first uses give their declarations at once, while others are still awaited.
func TestDeclarationsAreKnownEarly(t *testing.T) {
	l := newLookup(&gathering{focus: focus{areas: []area{{path: "/w/a.ts"}}}}, []*use{{}, {}, {}})
	var counts []int
	for _, i := range []int{1, 0, 2} {
		counts = append(counts, len(l.add(i, []symbols.Place{{Path: "/w/a.ts", Range: protocol.Range{Start: protocol.Position{Line: uint32(i) + 1}}}})))
	}
	if diff := cmp.Diff([]int{0, 2, 1}, counts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
