package navigation

import (
	"context"
	"fmt"
	"strconv"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// deepest is the most levels of a hierarchy.
const deepest = 10

// Hierarchy returns the callers, callees, supertypes or subtypes of the selected symbol, as a tree.
func (n *Navigator) Hierarchy(ctx context.Context, req api.HierarchyRequest) (result.Hierarchy, error) {
	direction, err := directionNamed(req)
	if err != nil {
		return result.Hierarchy{}, err
	}
	return overlay.Ask(ctx, n.view, req.Limits, headOfHierarchy, func(ctx context.Context, q *symbols.Inquiry) (result.Hierarchy, error) {
		t, err := q.Resolve(ctx, restate.Selector(req.Selector))
		if err != nil {
			return result.Hierarchy{}, err
		}
		if req.Depth > deepest {
			q.Note(fmt.Sprintf("depth %d: %d levels are the most", req.Depth, deepest))
		}
		h, err := q.Hierarchy(ctx, t, direction, min(req.Depth, deepest))
		if err != nil {
			return result.Hierarchy{}, err
		}
		return n.hierarchy(q, t.Name, direction, h, req.CrossConcurrent), nil
	})
}

func headOfHierarchy(h *result.Hierarchy) *result.Head { return &h.Head }

func directionNamed(req api.HierarchyRequest) (symbols.Direction, error) {
	if req.Depth < 0 {
		return "", &api.ArgumentError{Argument: "depth", Reason: fmt.Sprintf("%d is not from 1 to %d", req.Depth, deepest), Advice: "for example 2"}
	}
	switch d := symbols.Direction(req.Direction); d {
	case "", "incoming":
		return symbols.Callers, nil
	case "outgoing":
		return symbols.Callees, nil
	case symbols.Callers, symbols.Callees, symbols.Supertypes, symbols.Subtypes:
		return d, nil
	}
	return "", &api.ArgumentError{
		Argument: "direction", Reason: fmt.Sprintf("%q is no direction", req.Direction), Advice: "directions are callers, callees, supertypes and subtypes",
	}
}

func (n *Navigator) hierarchy(q *symbols.Inquiry, name string, direction symbols.Direction, h symbols.Hierarchy, concurrent bool) result.Hierarchy {
	result := result.Hierarchy{Symbol: name, Direction: string(direction), Derived: h.Derived, Nodes: []result.Node{}}
	for _, root := range h.Roots {
		if root.Name != "" {
			result.Symbol = root.Name
		}
		result.Nodes = append(result.Nodes, n.nodes(q, root.Children, concurrent)...)
	}
	result.Total = len(result.Nodes)
	return result
}

func (n *Navigator) nodes(q *symbols.Inquiry, nodes []*symbols.Node, concurrent bool) []result.Node {
	var list []result.Node
	for _, of := range nodes {
		path := n.names.Relative(of.Place.Path)
		node := result.Node{
			Name: of.Name, Kind: of.Kind, Path: path, Test: symbols.IsTest(n.names.FromBase(path)), Repeated: of.Repeated,
			Line: of.Place.Range.Start.Line + 1, Column: of.Place.Range.Start.Character + 1,
			Nodes: n.nodes(q, of.Children, concurrent),
		}
		for _, site := range of.Sites {
			node.Sites = append(node.Sites, lineColumn(site.Range.Start))
			if concurrent && node.Concurrent == "" {
				node.Concurrent = startsBeside(restate.LineOf(q, site))
			}
		}
		list = append(list, node)
	}
	return list
}

// lineColumn formats a position as line:column, both 1-based.
func lineColumn(p protocol.Position) string {
	return strconv.FormatUint(uint64(p.Line)+1, 10) + ":" + strconv.FormatUint(uint64(p.Character)+1, 10)
}

// beside lists the keywords with which languages run a call concurrently with its caller.
var beside = []struct {
	pattern *lazyregexp.Regexp
	words   string
}{
	{lazyregexp.New(`^\s*go\s|\bgo func\b`), "goroutine"},
	{lazyregexp.New(`\.Go\(|errgroup`), "goroutine"},
	{lazyregexp.New(`create_task\(|ensure_future\(|gather\(|TaskGroup|tokio::spawn|task::spawn|Task\.Run\(`), "task"},
	{lazyregexp.New(`[Tt]hread\(|thread::spawn|std::async|pthread_create|\.submit\(|\.execute\(|run_in_executor`), "thread"},
	{lazyregexp.New(`Promise\.|setTimeout\(|setInterval\(|setImmediate\(|queueMicrotask\(|new Worker\(`), "event loop"},
}

// startsBeside returns how a line runs a call concurrently with its caller, "" if it does not. It
// looks only at the text.
func startsBeside(line string) string {
	for _, b := range beside {
		if b.pattern.MatchString(line) {
			return b.words
		}
	}
	return ""
}
