package assembly

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

const (
	// maxTyped bounds the names declared in view whose types are looked up, the most used first.
	maxTyped = 40
	// maxTypes bounds the declarations that one of them has as its type, such as those of a union.
	maxTypes = 4
)

// typed is what the type of a name leads to, with the record of the question.
type typed struct {
	record result.ContextRecord
	places []symbols.Place
}

// addTypes adds the declarations of the types of what is declared in view: a parameter shows what its
// type is called, but not what that is. Types in view and outside of the workspace are left out. The
// result does not depend on the order of the answers.
func (g *gathering) addTypes(ctx context.Context, l *lookup) {
	asked := slices.Clone(l.inView)
	slices.SortStableFunc(asked, func(x, y *declaration) int { return cmp.Compare(y.count, x.count) })
	asked = asked[:min(len(asked), maxTyped)]
	answers := make([]typed, len(asked))
	g.beside(len(asked), func(i int) { answers[i] = g.typesAt(ctx, asked[i].use) })
	for i, a := range answers {
		for _, place := range a.places[:min(len(a.places), maxTypes)] {
			distance := g.distance(place.Path)
			if distance == elsewhere || g.focus.shows(place) {
				continue
			}
			d := declaredAt(l.declared, place)
			if d == nil {
				d = &declaration{place: place, use: asked[i].use, distance: distance, typed: &answers[i].record}
				l.declared = append(l.declared, d)
			}
			d.count += asked[i].count
		}
	}
}

// typesAt asks what declares the type of a name at its use. There are no places if its type has no
// declaration, as that of a number has none. Some servers call that an error without a code, which is
// no failure.
func (g *gathering) typesAt(ctx context.Context, u *use) (answer typed) {
	t := u.target()
	answer.record, _ = g.put(ctx, symbols.TypeDefinition, symbols.Place{Path: t.Path, Range: protocol.Range{Start: t.At, End: t.At}}, func() (err error) {
		answer.places, err = g.q.Places(ctx, symbols.TypeDefinition, t)
		var refused *jsonrpc.ResponseError
		if errors.As(err, &refused) && refused.Code == 0 {
			return nil
		}
		return err
	})
	return answer
}

// foundBy restates the source of a type as what the answer to a question led to.
func (g *gathering) foundBy(c *candidate, record *result.ContextRecord, declared string) {
	c.item.Record = *record
	c.item.Record.Files = slices.Clone(record.Files)
	g.dependOn(&c.item.Record, declared)
}

// maxAgain bounds the names that are asked about for one item that is no longer up to date.
const maxAgain = 8

// typeDefinitionAgain returns the source of a type, as what a name leads to that stands where one did
// or near it. It returns nil if none of the nearest names is of that type any more.
func (r *revalidation) typeDefinitionAgain(ctx context.Context, path string, text *protocol.Mapper, item *result.ContextItem) *candidate {
	was := protocol.Position{Line: max(1, item.Record.Target.Line) - 1, Character: max(1, item.Record.Target.Column) - 1}
	names := symbols.CodeNames(path, text, symbols.LineRange(text, 0, text.Lines()-1))
	away := func(x, y uint32) uint32 { return max(x, y) - min(x, y) }
	slices.SortStableFunc(names, func(x, y symbols.CodeName) int {
		return cmp.Or(
			cmp.Compare(away(x.At.Line, was.Line), away(y.At.Line, was.Line)),
			cmp.Compare(away(x.At.Character, was.Character), away(y.At.Character, was.Character)),
		)
	})
	asked := make(map[string]bool)
	for _, n := range names {
		if asked[n.Text] || len(asked) == maxAgain {
			continue
		}
		asked[n.Text] = true
		answer := r.typesAt(ctx, &use{n, path, 1})
		for _, place := range answer.places[:min(len(answer.places), maxTypes)] {
			if r.distance(place.Path) == elsewhere {
				continue
			}
			if c := r.excerptOf(ctx, place); c != nil && c.item.Name == item.Name {
				r.foundBy(c, &answer.record, place.Path)
				return c
			}
		}
	}
	return nil
}
