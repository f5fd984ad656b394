package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func briefCommand(c *result.Command) string {
	return writeWith(&c.Head, outcomeOf(c.Edit), func(b *strings.Builder) {
		fmt.Fprintln(b, legible.Line(c.Summary))
		if c.Result != "" {
			fmt.Fprintf(b, "result: %s\n", legible.Line(c.Result))
		}
		if c.Edit != nil {
			b.WriteString(Brief(c.Edit) + "\n")
		}
	})
}

// fitCommand shortens: the result is shortened first, then what the edits did.
func fitCommand(c *result.Command, limit int) {
	limit = budgetOf(limit)
	fit(limit, c, func() bool {
		if len(c.Result) <= limit/4 {
			return false
		}
		c.Result = cut(c.Result, limit/4)
		c.Cut = "the end of the result was left out for the budget; max_bytes allows more"
		return true
	}, once(func() {
		if c.Edit != nil {
			Fit(c.Edit, limit/2)
		}
	}))
}
