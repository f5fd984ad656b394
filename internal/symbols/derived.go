package symbols

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
)

func comparePlaces(q *Inquiry, a, b Place) int {
	return cmp.Or(
		cmp.Compare(q.access.Relative(a.Path), q.access.Relative(b.Path)),
		compare(a.Range.Start, b.Range.Start),
	)
}

// derived puts a hierarchy together for a server that has none: callers from
// references and the symbols around them, callees and types from the names that
// are written in the declaration.
func (q *Inquiry) derived(ctx context.Context, t Target, direction Direction, depth int) (Hierarchy, error) {
	root := &Node{Name: t.Name, Place: Place{t.Path, protocol.Range{Start: t.At, End: t.At}}}
	if places, err := q.Places(ctx, Definition, t); err != nil {
		return Hierarchy{}, err
	} else if len(places) > 0 {
		root.Place = places[0]
	}
	if s, _, err := q.declarationAt(ctx, root.Place); err == nil && s != nil {
		root.Name, root.Kind, root.Place.Range = strings.Join(s.Path, "."), s.Kind, s.Selection
	}
	d := deriving{q: q, direction: direction, seen: map[Place]bool{root.Place: true}}
	return Hierarchy{Roots: []*Node{root}, Derived: true}, d.descend(ctx, root, depth)
}

// topLevel is the kind of what stands outside of every declaration.
const topLevel = "file"

type deriving struct {
	q         *Inquiry
	direction Direction
	seen      map[Place]bool
	nodes     int
}

func (d *deriving) descend(ctx context.Context, node *Node, depth int) error {
	var err error
	switch d.direction {
	case Callers:
		err = d.users(ctx, node, func(*Symbol, *Outline, protocol.Position) bool { return true })
	case Subtypes:
		err = d.users(ctx, node, inHeader)
	default:
		err = d.used(ctx, node)
	}
	if err != nil {
		return err
	}
	d.q.sortNodes(node.Children)
	if depth == 1 {
		return nil
	}
	for _, child := range node.Children {
		if child.Kind == topLevel {
			continue // nothing names it
		}
		if d.seen[child.Place] {
			child.Repeated = true
			continue
		}
		d.seen[child.Place] = true
		if err := d.descend(ctx, child, depth-1); err != nil {
			return err
		}
	}
	return nil
}

// users adds the symbols around the references of a node that count.
func (d *deriving) users(ctx context.Context, node *Node, counts func(*Symbol, *Outline, protocol.Position) bool) error {
	uses, err := d.q.Uses(ctx, Target{Path: node.Place.Path, At: node.Place.Range.Start, Name: node.Name}, false)
	if err != nil {
		return err
	}
	return d.around(ctx, node, uses.Places, counts)
}

// around adds the symbols around the uses of a node that count.
func (d *deriving) around(ctx context.Context, node *Node, uses []Place, counts func(*Symbol, *Outline, protocol.Position) bool) error {
	for _, p := range uses {
		s, o, err := d.enclosing(ctx, p)
		if err != nil {
			return err
		}
		if o == nil || s != nil && s.Selection == p.Range {
			continue
		}
		if s == nil { // at the level of the file
			s = &Symbol{Name: "(top level)", Path: []string{"(top level)"}, Kind: topLevel}
		}
		if counts(s, o, p.Range.Start) {
			d.add(node, s, p.Path, p)
		}
	}
	return nil
}

// add notes a use of, or by, a node.
func (d *deriving) add(node *Node, s *Symbol, path string, site Place) {
	place := Place{path, s.Selection}
	for _, known := range node.Children {
		if known.Place == place {
			known.Sites = append(known.Sites, site)
			return
		}
	}
	if d.nodes++; d.nodes > maxNodes {
		d.q.note("only the first %d symbols of the hierarchy are listed", maxNodes)
		return
	}
	node.Children = append(node.Children, &Node{
		Name: strings.Join(s.Path, "."), Kind: s.Kind, Detail: s.Detail, Place: place, Sites: []Place{site},
	})
}

// enclosing returns the innermost function, method or type around a place; nil
// with an outline if there is none, and no outline if the file has none.
func (d *deriving) enclosing(ctx context.Context, p Place) (*Symbol, *Outline, error) {
	o, err := d.q.Outline(ctx, p.Path)
	if err != nil {
		return nil, nil, onlyEnd(ctx, err)
	}
	var found *Symbol
	for _, s := range o.all {
		if weight(s.Kind) <= 1 && holds(s.Range, p.Range.Start) && (found == nil || contains(found.Range, s.Range)) {
			found = s
		}
	}
	return found, o, nil
}

// onlyEnd drops an error unless the time is over.
func onlyEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return nil
}

// inHeader reports whether a place stands between the name of a type and its
// body.
func inHeader(s *Symbol, o *Outline, p protocol.Position) bool {
	if weight(s.Kind) != 0 || p.Before(s.Selection.End) {
		return false
	}
	h := header(o, s)
	return h.derives(p)
}

// A heading is the part of a declaration from its name to its body.
type heading struct {
	protocol.Range
	// arguments are the parts that name what is given to a type, or may be.
	arguments []protocol.Range
}

// derives reports whether a type that is named at a position is one that the declared type derives from.
func (h *heading) derives(p protocol.Position) bool {
	return holds(h.Range, p) && !slices.ContainsFunc(h.arguments, func(r protocol.Range) bool { return holds(r, p) })
}

// header returns the heading of a declaration: to the first { or, where blocks are indented, the :
// outside brackets. Arguments of types stand in square or angle brackets.
func header(o *Outline, s *Symbol) heading {
	h := heading{Range: protocol.Range{Start: s.Selection.End, End: s.Range.End}}
	indented := language.Of(o.Path).HashComments
	brackets, arguments := 0, 0
	for n := h.Start.Line; n <= min(h.End.Line, h.Start.Line+20); n++ {
		line, from := o.text.Line(int(n)), 0
		if n == h.Start.Line {
			from = columnOffset(line, h.Start.Character)
		}
		for i := from; i < len(line); i++ {
			at := protocol.Position{Line: n, Character: offsetColumn(line, i)}
			switch c := line[i]; {
			case c == '[' || c == '<' && !indented:
				if arguments++; arguments == 1 {
					h.arguments = append(h.arguments, protocol.Range{Start: at, End: h.End})
				}
			case arguments > 0 && (c == ']' || c == '>' && !indented && i > 0 && line[i-1] != '='):
				if arguments--; arguments == 0 {
					h.arguments[len(h.arguments)-1].End = at
				}
			case c == '(':
				brackets++
			case c == ')':
				brackets--
			case arguments == 0 && brackets <= 0 && (c == '{' || c == ':' && indented):
				h.End = at
				return h
			}
		}
	}
	return h
}

// maxNames bounds the names in a declaration that are looked up.
const maxNames = 150

// used adds the symbols that the declaration of a node names: what it calls, or
// the types in its header.
func (d *deriving) used(ctx context.Context, node *Node) error {
	s, o, err := d.q.declarationAt(ctx, node.Place)
	if err != nil || s == nil {
		return onlyEnd(ctx, err)
	}
	h := heading{Range: protocol.Range{Start: s.Selection.End, End: s.Range.End}}
	if d.direction == Supertypes {
		h = header(o, s)
	}
	r := h.Range
	names := 0
	for n := r.Start.Line; n <= r.End.Line; n++ {
		line := o.text.Line(int(n))
		for _, i := range identifiersOf(line) {
			at := protocol.Position{Line: n, Character: offsetColumn(line, i.from)}
			called := strings.HasPrefix(strings.TrimLeft(string(line[i.to:]), " \t"), "(")
			if !h.derives(at) || isKeyword(language.Of(o.Path), line, i) || d.direction == Callees && !called {
				continue
			}
			if names++; names > maxNames {
				d.q.note("only the first %d names in %s were looked up", maxNames, node.Name)
				return nil
			}
			site := Place{o.Path, protocol.Range{Start: at, End: protocol.Position{Line: n, Character: offsetColumn(line, i.to)}}}
			if err := d.look(ctx, node, site, i.name); err != nil {
				return err
			}
		}
	}
	return nil
}

// look adds what the name at a site stands for, if it is of the right kind.
func (d *deriving) look(ctx context.Context, node *Node, site Place, name string) error {
	places, err := d.q.Places(ctx, Definition, Target{Path: site.Path, At: site.Range.Start, Name: name})
	if err != nil || len(places) == 0 {
		return onlyEnd(ctx, err)
	}
	s, _, err := d.q.declarationAt(ctx, places[0])
	if err = onlyEnd(ctx, err); err != nil {
		return err
	}
	wanted := 1
	if d.direction == Supertypes {
		wanted = 0
	}
	switch {
	case s != nil && weight(s.Kind) > wanted, s == nil && d.direction == Supertypes && !protocol.IsVirtual(places[0].Path):
		return nil
	case s == nil: // in a file that cannot be outlined, such as a library's
		s = &Symbol{Name: name, Path: []string{name}, Selection: places[0].Range}
	}
	if place := (Place{places[0].Path, s.Selection}); place != node.Place {
		d.add(node, s, places[0].Path, site)
	}
	return nil
}

// declarationAt returns the symbol whose name stands at a place, or nil; an
// error says that the file has no outline.
func (q *Inquiry) declarationAt(ctx context.Context, p Place) (*Symbol, *Outline, error) {
	o, err := q.Outline(ctx, p.Path)
	if err != nil {
		return nil, nil, err
	}
	if s := o.Declared(p.Range.Start); s != nil {
		return s, o, nil
	}
	return nil, o, nil
}
