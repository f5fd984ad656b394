package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// fitBuild shortens: of the output its end is kept.
func fitBuild(b *result.Build, max int) {
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

func briefBuild(b *result.Build) string {
	outcome := "succeeded"
	if !b.Success {
		outcome = "failed"
	}
	return writeWith(&b.Head, outcome, func(out *strings.Builder) {
		fmt.Fprintf(out, "%s: %s\n", legible.Line(b.Command), outcome)
		if b.Success {
			return
		}
		if len(b.Failed) > 0 {
			fmt.Fprintf(out, "failed: %s\n", legible.Line(strings.Join(b.Failed, ", ")))
		}
		out.WriteString(legible.Model(strings.TrimRight(b.Output, "\n")) + "\n")
	})
}
