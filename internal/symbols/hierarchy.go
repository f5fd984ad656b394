package symbols

import (
	"context"
	"errors"
	"slices"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
)

// A Direction says which hierarchy of a symbol is asked for.
type Direction string

const (
	Callers    Direction = "callers"
	Callees    Direction = "callees"
	Supertypes Direction = "supertypes"
	Subtypes   Direction = "subtypes"
)

// A Node is a symbol in a hierarchy.
type Node struct {
	Name, Kind, Detail string
	// Place is where its name is declared. Sites are where it is called, or named as a type; they
	// are in the file of the caller.
	Place Place
	Sites []Place
	// Children are the next level, if it was asked for. Repeated says that the symbol appears
	// elsewhere in the tree, with its children there.
	Children []*Node
	Repeated bool
}

// A Hierarchy is the answer to a question about callers or types.
type Hierarchy struct {
	Roots []*Node
	// Derived says that the server has no such hierarchy, and this one was put together from
	// references and outlines.
	Derived bool
}

// maxNodes bounds a hierarchy.
const maxNodes = 400

// Hierarchy returns the callers, callees, supertypes or subtypes of a target, depth levels of them
// (at least one). The target is the root, or what is declared if the target is another name for that.
func (q *Inquiry) Hierarchy(ctx context.Context, t Target, direction Direction, depth int) (Hierarchy, error) {
	t, err := q.ownName(ctx, t)
	if err != nil {
		return Hierarchy{}, err
	}
	var beyond []Place
	if direction == Callers || direction == Subtypes {
		if beyond, err = q.usesBeyond(ctx, t); err != nil {
			return Hierarchy{}, err
		}
	}
	h, err := q.reported(ctx, t, direction, max(depth, 1))
	h.nameOnce()
	var unsupported *lsp.UnsupportedError
	if errors.As(err, &unsupported) {
		return q.derived(ctx, t, direction, max(depth, 1))
	}
	if err != nil {
		return h, err
	}
	if len(h.Roots) == 0 {
		return h, q.doubtMeaning(ctx, t)
	}
	if len(beyond) == 0 && (direction == Callers || direction == Subtypes) {
		beyond, err = q.usesDoubted(ctx, t, h.Roots[0].Children)
	}
	if err != nil {
		return h, err
	}
	if len(beyond) > 0 {
		if err := q.addBeyond(ctx, h.Roots[0], direction, beyond); err != nil {
			return h, err
		}
	}
	if direction == Callers || direction == Subtypes {
		err = q.addByOtherNames(ctx, h.Roots[0], t, direction)
	}
	return h, err
}

// addByOtherNames adds to the root of a hierarchy the symbols around uses by another name than that of the target, which an import
// gives it: a server may know only the callers that use its own.
func (q *Inquiry) addByOtherNames(ctx context.Context, root *Node, t Target, direction Direction) error {
	own, isName := q.targetAt(placeAt(t))
	if !isName || len(language.Of(t.Path).Aliases) == 0 {
		return nil
	}
	uses, err := q.Uses(ctx, t, false)
	if err != nil {
		return lsp.UnlessUnsupported(err)
	}
	further := slices.DeleteFunc(uses.Places, func(p Place) bool {
		other, isName := q.targetAt(p)
		return !isName || other.Name == own.Name ||
			slices.ContainsFunc(root.Children, func(n *Node) bool { return hasPlace(n.Sites, p) })
	})
	return q.addAround(ctx, root, direction, further)
}

// addAround adds to a node the symbols around uses of it.
func (q *Inquiry) addAround(ctx context.Context, node *Node, direction Direction, uses []Place) error {
	d := deriving{q: q, direction: direction, seen: make(map[Place]bool)}
	counts := inHeader
	if direction == Callers {
		counts = q.isCall
	}
	if err := d.around(ctx, node, uses, counts); err != nil {
		return err
	}
	q.sortNodes(node.Children)
	return nil
}

// nameOnce leaves each symbol below the roots, and each of its sites, once: servers repeat them where a
// name has several declarations.
func (h *Hierarchy) nameOnce() {
	first := make(map[Place]*Node)
	for _, root := range h.Roots {
		root.Children = slices.DeleteFunc(root.Children, func(n *Node) bool {
			known := first[n.Place]
			if known == nil {
				first[n.Place] = n
				return false
			}
			known.addSites(n.Sites)
			return true
		})
	}
}

// addSites adds those sites that are not known.
func (n *Node) addSites(sites []Place) {
	for _, s := range sites {
		if !slices.Contains(n.Sites, s) {
			n.Sites = append(n.Sites, s)
		}
	}
}

// addBeyond adds to the root of a hierarchy the symbols around uses beyond the project, in files of
// which the server of the target says nothing: it may know only its own project.
func (q *Inquiry) addBeyond(ctx context.Context, root *Node, direction Direction, beyond []Place) error {
	known := make(map[string]bool)
	for _, child := range root.Children {
		known[child.Place.Path] = true
	}
	further := slices.DeleteFunc(slices.Clone(beyond), func(p Place) bool { return known[p.Path] })
	return q.addAround(ctx, root, direction, further)
}

// isCall reports whether the name at a position is followed by arguments.
func (q *Inquiry) isCall(_ *Symbol, o *Outline, at protocol.Position) bool {
	text, err := q.Text(o.Path)
	if err != nil {
		return false
	}
	line := int(at.Line)
	return slices.ContainsFunc(CodeNames(o.Path, text, LineRange(text, line, line)), func(n CodeName) bool { return n.At == at && n.Called })
}

// reported returns the hierarchy that a server itself has. One server gets all requests, as it
// understands only its own items.
func (q *Inquiry) reported(ctx context.Context, t Target, direction Direction, depth int) (Hierarchy, error) {
	method := "textDocument/prepareCallHierarchy"
	if direction == Supertypes || direction == Subtypes {
		method = "textDocument/prepareTypeHierarchy"
	}
	roots, err := ask(ctx, q, t.Path, method, func(ctx context.Context, s Server) ([]*Node, error) {
		w := walk{q: q, server: s, direction: direction, seen: make(map[Place]bool)}
		return w.roots(ctx, t, depth)
	})
	return Hierarchy{Roots: roots}, err
}

// A walk goes through the hierarchy of one server.
type walk struct {
	q         *Inquiry
	server    Server
	direction Direction
	seen      map[Place]bool
	nodes     int
}

func (w *walk) roots(ctx context.Context, t Target, depth int) ([]*Node, error) {
	prepare := w.server.PrepareCallHierarchy
	if w.direction == Supertypes || w.direction == Subtypes {
		prepare = w.server.PrepareTypeHierarchy
	}
	items, err := prepare(ctx, t.Path, t.At)
	if err != nil {
		return nil, err
	}
	var roots []*Node
	for _, item := range items {
		node, ok := w.node(item)
		if !ok {
			continue
		}
		w.seen[node.Place] = true
		if err := w.descend(ctx, node, item, depth); err != nil {
			return nil, err
		}
		roots = append(roots, node)
	}
	return roots, nil
}

func (w *walk) node(item protocol.HierarchyItem) (*Node, bool) {
	path, exists := w.q.pathOf(w.server, item.URI)
	w.nodes++
	return &Node{
		Name: item.Name, Kind: Kind(item.Kind), Detail: item.Detail, Place: Place{path, item.SelectionRange},
	}, exists
}

// descend adds the levels below a node.
func (w *walk) descend(ctx context.Context, node *Node, item protocol.HierarchyItem, depth int) error {
	calls, err := w.next(ctx, item)
	if err != nil {
		return err
	}
	type step struct {
		node *Node
		item protocol.HierarchyItem
	}
	var steps []step
	known := make(map[Place]*Node)
	for _, call := range calls {
		child, ok := w.node(call.Item)
		if !ok {
			continue
		}
		if w.nodes > maxNodes {
			w.q.note("only the first %d symbols of the hierarchy are listed", maxNodes)
			break
		}
		if earlier := known[child.Place]; earlier != nil {
			child = earlier
		} else {
			known[child.Place] = child
			steps = append(steps, step{child, call.Item})
		}
		file := child.Place.Path
		if w.direction == Callees {
			file = node.Place.Path
		}
		sites := make([]Place, len(call.Ranges))
		for i, r := range call.Ranges {
			sites[i] = Place{file, r}
		}
		child.addSites(sites)
	}
	slices.SortStableFunc(steps, func(a, b step) int { return comparePlaces(w.q, a.node.Place, b.node.Place) })
	for _, s := range steps {
		node.Children = append(node.Children, s.node)
	}
	if depth == 1 {
		return nil
	}
	for _, s := range steps {
		if w.seen[s.node.Place] {
			s.node.Repeated = true
			continue
		}
		w.seen[s.node.Place] = true
		if err := w.descend(ctx, s.node, s.item, depth-1); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) next(ctx context.Context, item protocol.HierarchyItem) ([]protocol.Call, error) {
	switch w.direction {
	case Callers:
		return w.server.IncomingCalls(ctx, item)
	case Callees:
		return w.server.OutgoingCalls(ctx, item)
	}
	ask := w.server.Supertypes
	if w.direction == Subtypes {
		ask = w.server.Subtypes
	}
	items, err := ask(ctx, item)
	calls := make([]protocol.Call, len(items))
	for i := range items {
		calls[i].Item = items[i]
	}
	return calls, err
}

func (q *Inquiry) sortNodes(nodes []*Node) {
	slices.SortStableFunc(nodes, func(a, b *Node) int {
		return comparePlaces(q, a.Place, b.Place)
	})
}
