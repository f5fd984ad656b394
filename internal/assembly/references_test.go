package assembly

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// A referrer is a talker that knows the uses of what stands on lines.
type referrer struct {
	*talker
	uses map[uint32][]protocol.Location
}

func (k *referrer) Open(context.Context, string, string) (symbols.Server, error) { return k, nil }

func (k *referrer) References(_ context.Context, _ string, at protocol.Position, _ bool) ([]protocol.Location, error) {
	return k.uses[at.Line], k.err()
}

// referring gathers references from a referrer; all of a.toy is in focus.
func referring(t *testing.T, archive string, k *referrer) *gathering {
	t.Helper()
	g := gatheringOf(t, archive, nil, result.ContextReferences)
	k.talker.code = &code{workspace: g.workspace, outlines: outlined()}
	g.q = symbols.New(k)
	g.focus.areas = []area{{g.at("a.toy"), protocol.Range{End: protocol.Position{Line: 12}}}}
	return g
}

// The uses of types, methods and functions of the focus are told in the order of these: those outside of
// what is in view, the nearest files first, each line once, with how many there are; shorter forms
// leave out the last lines. Each depends on the files that it shows.
func TestUsesOfWhatTheFocusDeclares(t *testing.T) {
	k := &referrer{talker: &talker{}}
	g := referring(t, tenLines+"-- sub/c.toy --\nc\nsub\n-- d.toy --\nd\nd2\n", k)
	again := g.located("d.toy", 1)
	again.Range = protocol.Range{Start: protocol.Position{Line: 1, Character: 1}, End: protocol.Position{Line: 1, Character: 2}}
	k.uses = map[uint32][]protocol.Location{
		1: {g.located("sub/c.toy", 1), g.located("a.toy", 8), g.located("d.toy", 0), g.located("b.toy", 0), g.located("d.toy", 1), again},
		9: {g.located("d.toy", 1)},
	}
	g.refer(t.Context())
	type told struct {
		Name, Query, Server string
		Target              result.ContextPlace
		Files, Texts        []string
	}
	var got []told
	for _, c := range g.references {
		item := told{c.item.Name, c.item.Record.Query, c.item.Record.Server, c.item.Record.Target, nil, c.texts}
		for _, f := range c.item.Record.Files {
			item.Files = append(item.Files, f.Path)
		}
		got = append(got, item)
	}
	const query, head = "textDocument/references", "a.toy:2 C: 5 uses elsewhere in what fake has loaded"
	lines := []string{"\n  b.toy:1 b", "\n  d.toy:1 d", "\n  d.toy:2 d2", "\n  sub/c.toy:2 sub"}
	some := func(n int) string { return head + ":" + strings.Join(lines[:n], "") + "\n" }
	place := func(line uint32) result.ContextPlace {
		return result.ContextPlace{Path: "a.toy", Line: line, Column: 1, EndLine: line}
	}
	want := []told{
		{"C", query, "fake", place(2), []string{"a.toy", "b.toy", "d.toy", "sub/c.toy"}, []string{some(4), some(3), some(2), some(1), head + "\n"}},
		{"C.m", query, "fake", place(6), []string{"a.toy"}, []string{"a.toy:6 C.m: no uses elsewhere in what fake has loaded\n"}},
		{"f", query, "fake", place(10), []string{"a.toy", "d.toy"}, []string{"a.toy:10 f: 1 use elsewhere in what fake has loaded:\n  d.toy:2 d2\n", "a.toy:10 f: 1 use elsewhere in what fake has loaded\n"}},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(g.failures) > 0 {
		t.Errorf("%+v (-want +got):\n%s", g.failures, diff)
	}
	silent := referring(t, tenLines, &referrer{talker: &talker{silent: true}})
	silent.refer(t.Context())
	if len(silent.references) > 0 || len(silent.failures) != 1 || silent.failures[0].Query != query || silent.failures[0].Count != 3 {
		t.Errorf("no answer: %+v, %+v", silent.references, silent.failures)
	}
}

// Uses are looked up only if they are wanted.
func TestUsesThatNobodyWants(t *testing.T) {
	g := referring(t, tenLines, &referrer{talker: &talker{}})
	g.include[result.ContextReferences] = false
	if g.refer(t.Context()); len(g.references) > 0 {
		t.Errorf("%d items", len(g.references))
	}
}

// Of a focus that declares much the uses of the first symbols are told, which is said; of many uses the
// first lines.
func TestBoundsOfUses(t *testing.T) {
	for extra, notes := range map[int][]string{0: nil, 1: {"the focus declares 13 symbols: the uses of the first 12 are looked up"}} {
		k := &referrer{talker: &talker{}}
		g := referring(t, tenLines, k)
		var many []protocol.Symbol
		for i := range maxReferred + extra {
			many = append(many, sym(functionKind, fmt.Sprint("f", i), uint32(i), uint32(i)))
		}
		k.outlines["a.toy"] = many
		g.refer(t.Context())
		if diff := cmp.Diff(notes, g.notes); diff != "" || len(g.references) != maxReferred {
			t.Errorf("%d items (-want +got):\n%s", len(g.references), diff)
		}
	}
	for extra := range 2 {
		k := &referrer{talker: &talker{}}
		g := referring(t, tenLines+"-- many.toy --\n"+strings.Repeat("m\n", 50), k)
		for i := range maxReferences + extra {
			k.uses = map[uint32][]protocol.Location{9: append(k.uses[9], g.located("many.toy", uint32(i)))}
		}
		g.refer(t.Context())
		text := g.references[2].texts[0]
		if lines := strings.Count(text, "many.toy:"); lines != maxReferences || !strings.HasPrefix(text, fmt.Sprintf("a.toy:10 f: %d uses elsewhere", maxReferences+extra)) {
			t.Errorf("%d lines of %d: %s", lines, maxReferences+extra, text)
		}
	}
}

// Uses take only room that no other item needs: how many there are of each symbol first, then as many
// lines as fit.
func TestUsesDisplaceNothing(t *testing.T) {
	typed := &candidate{item: result.ContextItem{Kind: result.ContextType}, texts: []string{"a type at length\n", "a type\n"}}
	referred := func(name string) *candidate {
		return &candidate{item: result.ContextItem{Kind: result.ContextReferences}, texts: referenceTexts(name, []string{"  1", "  2"})}
	}
	g := &gathering{types: []*candidate{typed}, references: []*candidate{referred("f"), referred("g")}}
	for budget, want := range map[int][]string{
		9: {"a type\n", "f\n"}, 17: {"a type at length\n"}, 19: {"a type at length\n", "f\n"}, 21: {"a type at length\n", "f\n", "g\n"},
		27: {"a type at length\n", "f:\n  1\n", "g\n"}, 30: {"a type at length\n", "f:\n  1\n  2\n", "g\n"}, 39: {"a type at length\n", "f:\n  1\n  2\n", "g:\n  1\n  2\n"},
	} {
		items, _, _ := g.choose(budget)
		var got []string
		for _, i := range items {
			got = append(got, i.Text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d bytes (-want +got):\n%s", budget, diff)
		}
	}
}
