package render

import (
	"fmt"
	"strings"
)

// A Command is what came of executing a command of a server.
type Command struct {
	Head
	Server  string `json:"server"`
	Command string `json:"command"`
	Summary string `json:"summary" jsonschema:"what came of it, in one line"`
	// Result is JSON as text, perhaps cut; "" for null.
	Result string `json:"result,omitempty" jsonschema:"what the server answered, as JSON text, perhaps shortened"`
	Edit   *Edit  `json:"edit,omitempty" jsonschema:"what the edits that it asked for did"`
}

// Brief implements [Reply].
func (c *Command) Brief() string {
	return c.writeWith(outcomeOf(c.Edit), func(b *strings.Builder) {
		fmt.Fprintln(b, defused(c.Summary))
		if c.Result != "" {
			fmt.Fprintf(b, "result: %s\n", defused(c.Result))
		}
		if c.Edit != nil {
			b.WriteString(c.Edit.Brief() + "\n")
		}
	})
}

// Fit implements [Reply]: the result is shortened first, then what the edits did.
func (c *Command) Fit(limit int) {
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
			c.Edit.Fit(limit / 2)
		}
	}))
}
