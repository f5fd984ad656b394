package render

import (
	"fmt"
	"strings"
)

// A Build is what a language's own tool said when it built or tested.
type Build struct {
	Head
	Command  string    `json:"command" jsonschema:"what was run"`
	Success  bool      `json:"success"`
	Problems []Finding `json:"problems" jsonschema:"what the output says of places"`
	// Failed are the tests that failed, by name.
	Failed []string `json:"failed,omitempty" jsonschema:"tests that failed, by name"`
	Output string   `json:"output" jsonschema:"what the tool said; the end of it, if it is long"`
}

// A Finding is a place that a tool speaks of. Line and Column are 1-based; Column
// is 0 if the tool names none.
type Finding struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// Fit implements [Reply]: of the output its end is kept.
func (b *Build) Fit(max int) {
	fit(max, b, func() bool {
		const least = 200
		if len(b.Output) <= least {
			return false
		}
		b.Output = lastLines(b.Output, halve(len(b.Output)))
		b.Cut = "only the end of the output is shown; max_bytes allows more"
		return true
	}, func() bool {
		n := len(b.Failed)
		b.Failed = b.Failed[:halve(n)]
		b.Cut = "most of the output, and names of failed tests; max_bytes allows more"
		return n > 0
	})
}

// lastLines returns the lines at the end of a text that are not longer than max,
// at least a part of the last one.
func lastLines(text string, max int) string {
	if len(text) <= max {
		return text
	}
	text = text[len(text)-max:]
	if i := strings.IndexByte(text, '\n'); i >= 0 && i < len(text)-1 {
		text = text[i+1:]
	}
	return strings.ToValidUTF8(text, "")
}

// Brief implements [Reply].
func (b *Build) Brief() string {
	outcome := "succeeded"
	if !b.Success {
		outcome = "failed"
	}
	return b.writeWith(outcome, func(out *strings.Builder) {
		fmt.Fprintf(out, "%s: %s\n", defused(b.Command), outcome)
		if b.Success {
			return
		}
		if len(b.Failed) > 0 {
			fmt.Fprintf(out, "failed: %s\n", defused(strings.Join(b.Failed, ", ")))
		}
		out.WriteString(Printable(strings.TrimRight(b.Output, "\n")) + "\n")
	})
}
