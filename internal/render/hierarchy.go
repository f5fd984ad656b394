package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func briefHierarchy(h *result.Hierarchy) string {
	outcome := ""
	if h.Derived {
		outcome = "derived from references"
	}
	return writeWith(&h.Head, outcome, func(b *strings.Builder) {
		if h.Total == 0 {
			fmt.Fprintf(b, "%s: %s\n", legible.Line(h.Symbol), nothing(&h.Head, h.Direction))
			return
		}
		fmt.Fprintf(b, "%s: %d %s", legible.Line(h.Symbol), h.Total, plural(h.Total, strings.TrimSuffix(h.Direction, "s")))
		if h.Derived {
			fmt.Fprint(b, " (derived from references and outlines)")
		}
		fmt.Fprintln(b)
		writeNodes(b, h.Nodes, "")
	})
}

func writeNodes(b *strings.Builder, nodes []result.Node, indent string) {
	for i := range nodes {
		n := &nodes[i]
		putLine(b, indent, legible.Line(n.Path), ":", number(n.Line), ":", number(n.Column), " ", legible.Line(n.Name))
		if len(n.Sites) > 0 {
			putLine(b, " at ", legible.Line(strings.Join(n.Sites, " ")))
		}
		if n.Concurrent != "" {
			putLine(b, " [", legible.Line(n.Concurrent), "]")
		}
		if n.Repeated {
			putLine(b, " (see above)")
		}
		putLine(b, "\n")
		writeNodes(b, n.Nodes, indent+" ")
	}
}

// fitHierarchy shortens: the sites go, then the deepest levels, then symbols
// from the end.
func fitHierarchy(h *result.Hierarchy, max int) {
	sites := ""
	fit(max, h,
		func() bool {
			if !stripSites(h.Nodes) {
				return false
			}
			sites = "where the calls stand and "
			h.Cut = "where the calls stand; raise max_bytes to get it"
			return true
		},
		func() bool {
			d := nodeDepth(h.Nodes)
			if d <= 1 {
				return false
			}
			pruneNodes(h.Nodes, d-1)
			h.Cut = fmt.Sprintf("%swhat lies deeper than %d; raise max_bytes, or ask about one of them", sites, d-1)
			return true
		},
		func() bool {
			if len(h.Nodes) == 0 {
				return false
			}
			h.Nodes = h.Nodes[:halve(len(h.Nodes))]
			h.Cut = fmt.Sprintf("%sall but %d of %d symbols; raise max_bytes to get them", sites, len(h.Nodes), h.Total)
			return true
		})
}

func stripSites(nodes []result.Node) (had bool) {
	for i := range nodes {
		had = had || nodes[i].Sites != nil
		nodes[i].Sites = nil
		had = stripSites(nodes[i].Nodes) || had
	}
	return had
}

func nodeDepth(nodes []result.Node) int {
	deepest := 0
	for i := range nodes {
		deepest = max(deepest, 1+nodeDepth(nodes[i].Nodes))
	}
	return deepest
}

func pruneNodes(nodes []result.Node, depth int) {
	for i := range nodes {
		if depth == 1 {
			nodes[i].Nodes = nil
		} else {
			pruneNodes(nodes[i].Nodes, depth-1)
		}
	}
}
