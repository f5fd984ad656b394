package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// briefContext gives the texts of the items, and below them where they are from, what is stale, and
// what was not answered.
func briefContext(c *result.Context) string {
	return writeWith(&c.Head, contextOutcome(c), func(b *strings.Builder) {
		for i := range c.Items {
			fmt.Fprintln(b, indented(c.Items[i].Text, ""))
		}
		fmt.Fprintf(b, "items: %d, %d bytes", len(c.Items), c.Bytes)
		if c.BudgetBytes > 0 {
			fmt.Fprintf(b, " of %d", c.BudgetBytes)
		}
		if servers := serversOf(c.Items); len(servers) > 0 {
			fmt.Fprintf(b, ", from %s", legible.Line(strings.Join(servers, ", ")))
		}
		fmt.Fprintln(b)
		if c.Left > 0 {
			fmt.Fprintf(b, "left out: %d %s, for want of room; raise budget_bytes\n", c.Left, plural(c.Left, "item"))
		}
		for i := range c.Items {
			if r := &c.Items[i].Record; r.Stale {
				fmt.Fprintf(b, "stale: %s, asked %s: %s\n", contextPlace(&r.Target), r.QueriedAt.Format("2006-01-02 15:04:05 UTC"), oneLine(r.Reason))
			}
		}
		for i := range c.Failures {
			f := &c.Failures[i]
			fmt.Fprintf(b, "not answered: %s of %s", oneLine(f.Query), contextPlace(&f.Target))
			if f.Count > 1 {
				fmt.Fprintf(b, " and %d more", f.Count-1)
			}
			fmt.Fprintf(b, ": %s\n", oneLine(f.Error.Message))
		}
	})
}

// contextOutcome is what must be said also where there is no room for items.
func contextOutcome(c *result.Context) string {
	stale := 0
	for i := range c.Items {
		if c.Items[i].Record.Stale {
			stale++
		}
	}
	switch {
	case stale > 0:
		return fmt.Sprintf("stale: %d of %d items", stale, len(c.Items))
	case len(c.Failures) > 0:
		return fmt.Sprintf("not answered: %d kinds of questions", len(c.Failures))
	}
	return ""
}

// serversOf are the servers of items with their versions, each once.
func serversOf(items []result.ContextItem) (servers []string) {
	for i := range items {
		name := strings.TrimSpace(items[i].Record.Server + " " + items[i].Record.Version)
		if name != "" && !slices.Contains(servers, name) {
			servers = append(servers, name)
		}
	}
	return servers
}

func contextPlace(p *result.ContextPlace) string {
	at := legible.Line(p.Path)
	if p.Line > 0 {
		at += fmt.Sprintf(":%d:%d", p.Line, p.Column)
	}
	return at
}

// fitContext shortens: failures go, then items from the end.
func fitContext(c *result.Context, max int) {
	fit(max, c,
		func() bool {
			n := len(c.Failures)
			c.Failures = c.Failures[:halve(n)]
			c.Cut = "some of what was not answered; raise max_bytes"
			return n > 1
		},
		func() bool {
			n := len(c.Items)
			if n == 0 {
				return false
			}
			c.Items = c.Items[:halve(n)]
			c.Bytes = 0
			for i := range c.Items {
				c.Bytes += len(c.Items[i].Text)
			}
			c.Cut = fmt.Sprintf("all but the first %d items; raise max_bytes to get them", len(c.Items))
			return true
		})
}
