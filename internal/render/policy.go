package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// briefPolicy says in the first line what would happen, and why in the next ones.
func briefPolicy(p *result.Policy) string {
	what := p.Operation
	if p.Path != "" {
		what += " " + p.Path
	}
	happens := map[string]string{"allow": "allowed", "ask": "asked about", "deny": "denied"}[p.Action]
	if p.Fallback != "" {
		happens += ", and " + map[string]string{"allow": "allowed", "deny": "denied"}[p.Fallback] + " where nobody can be asked or nobody answers"
	}
	return writeWith(&p.Head, "action: "+cut(oneLine(p.Action), 20), func(b *strings.Builder) {
		fmt.Fprintf(b, "%s: %s\n", legible.Line(what), happens)
		fmt.Fprintf(b, "by %s\n", legible.Line(p.Why))
		if p.Reason != "" {
			fmt.Fprintf(b, "reason: %s\n", oneLine(p.Reason))
		}
		fmt.Fprintf(b, "class %s, mode %s", legible.Line(p.Class), p.Mode)
		if p.Client != "" {
			fmt.Fprintf(b, ", client %s", legible.Line(p.Client))
		}
		b.WriteString("\n")
	})
}
