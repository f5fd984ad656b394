package assembly

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

const (
	referencesMethod = "textDocument/references"
	// maxReferred bounds the symbols declared in the focus whose uses are looked up.
	maxReferred = 12
	// maxReferences bounds the lines that one item shows.
	maxReferences = 30
)

// refer asks who uses what the focus declares.
func (g *gathering) refer(ctx context.Context) {
	if !g.include[result.ContextReferences] {
		return
	}
	g.readOutlines(ctx, g.focus.files())
	asked := g.referred(ctx)
	if len(asked) > maxReferred {
		g.note("the focus declares %d symbols: the uses of the first %d are looked up", len(asked), maxReferred)
		asked = asked[:maxReferred]
	}
	found := make([]*candidate, len(asked))
	g.beside(len(asked), func(i int) {
		found[i] = g.referencesOf(ctx, asked[i].file, asked[i].symbol, g.focus.shows)
	})
	g.references = present(found)
}

// A referred is a symbol that the focus declares.
type referred struct {
	file   string // absolute
	symbol *symbols.Symbol
}

// referred returns the functions, methods and types that the focus declares, in its order, each once.
func (g *gathering) referred(ctx context.Context) (list []referred) {
	for i := range g.focus.areas {
		a := &g.focus.areas[i]
		o := g.outline(ctx, a.path)
		if o == nil {
			continue
		}
		for _, s := range o.All() {
			if isOfItsOwn(s.Kind) && a.holds(symbols.Place{Path: a.path, Range: s.Selection}) && !slices.Contains(list, referred{a.path, s}) {
				list = append(list, referred{a.path, s})
			}
		}
	}
	return list
}

// referencesOf asks where a symbol is used, and leaves out what is shown elsewhere. It returns nil if
// that is not known. The answer is that of the server alone: it says so, because other projects may
// use the symbol as well.
func (g *gathering) referencesOf(ctx context.Context, path string, s *symbols.Symbol, shown func(symbols.Place) bool) *candidate {
	declared := symbols.Place{Path: path, Range: s.Selection}
	var places []symbols.Place
	record, ok := g.put(ctx, referencesMethod, declared, func() (err error) {
		places, err = g.q.References(ctx, symbols.Target{Path: path, At: s.Selection.Start, Name: s.Name, Symbol: s}, false)
		return err
	})
	if !ok {
		return nil
	}
	places = slices.DeleteFunc(places, func(p symbols.Place) bool { return shown(p) || p == declared })
	slices.SortStableFunc(places, func(x, y symbols.Place) int { return cmp.Compare(g.distance(x.Path), g.distance(y.Path)) })
	name := strings.Join(s.Path, ".")
	head := fmt.Sprintf("%s:%d %s: %s elsewhere in what %s has loaded", g.names.Relative(path), s.Selection.Start.Line+1, name, usesOf(len(places)), record.Server)
	lines := firstOfLines(places)
	for _, p := range lines {
		g.dependOn(&record, p.Path)
	}
	return &candidate{item: newItem(result.ContextReferences, name, record), texts: referenceTexts(head, g.linesOf(lines))}
}

// usesOf states a number of uses.
func usesOf(n int) string {
	switch n {
	case 0:
		return "no uses"
	case 1:
		return "1 use"
	}
	return fmt.Sprintf("%d uses", n)
}

// firstOfLines returns the first of the places on each line, as many as an item shows.
func firstOfLines(places []symbols.Place) (lines []symbols.Place) {
	for _, p := range places {
		if n := len(lines); n > 0 && lines[n-1].Path == p.Path && lines[n-1].Range.Start.Line == p.Range.Start.Line {
			continue
		}
		if len(lines) == maxReferences {
			break
		}
		lines = append(lines, p)
	}
	return lines
}

// linesOf returns the lines of places, each with where it stands.
func (g *gathering) linesOf(places []symbols.Place) (lines []string) {
	for _, p := range places {
		lines = append(lines, fmt.Sprintf("  %s:%d %s", g.names.Relative(p.Path), p.Range.Start.Line+1, restate.LineOf(g.q, p)))
	}
	return lines
}

// referenceTexts returns the forms of uses: all lines, and fewer and fewer of them, down to their
// number alone.
func referenceTexts(head string, lines []string) []string {
	var texts []string
	for n := len(lines); n > 0; n-- {
		texts = append(texts, head+":\n"+strings.Join(lines[:n], "\n"))
	}
	return forms(append(texts, head)...)
}

// referencesAgain returns the uses of the symbol with a name path. What was in view is not known any
// more: only its own declaration is left out.
func (r *revalidation) referencesAgain(ctx context.Context, path, name string) *candidate {
	o := r.outline(ctx, path)
	text, err := r.q.Text(path)
	if o == nil || err != nil {
		return nil
	}
	for _, s := range o.All() {
		if strings.Join(s.Path, ".") == name {
			first, last := o.Extent(s)
			own := area{path, symbols.LineRange(text, first, last)}
			return r.referencesOf(ctx, path, s, own.holds)
		}
	}
	return nil
}
