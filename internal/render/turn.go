package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func briefTurn(t *result.Turn) string {
	return writeWith(&t.Head, "turn "+cut(oneLine(t.Turn), 20), func(b *strings.Builder) {
		fmt.Fprintf(b, "turn %s begun: %d %s", legible.Line(t.Turn), t.Files, plural(t.Files, "file"))
		if t.Commit != "" {
			fmt.Fprintf(b, " at %s", cut(oneLine(t.Commit), 12))
		}
		fmt.Fprintf(b, ", %d not as committed\n", t.Kept)
	})
}

// briefClosedTurn says in the first line what becomes of the turn, then how each file was judged, what
// is wrong, and what the code around it uses.
func briefClosedTurn(t *result.ClosedTurn) string {
	return writeWith(&t.Head, turnOutcome(t), func(b *strings.Builder) {
		fmt.Fprintln(b, turnOutcome(t))
		for i := range t.Files {
			f := &t.Files[i]
			fmt.Fprintf(b, "%s %s", legible.Line(f.Change), legible.Line(f.Path))
			if f.Class != "" {
				fmt.Fprintf(b, ": %s", legible.Line(f.Class))
			}
			if f.Baseline != "" && f.Baseline != "none" {
				fmt.Fprintf(b, " against %s", f.Baseline)
			}
			if f.Reason != "" {
				fmt.Fprintf(b, " (%s)", oneLine(f.Reason))
			}
			fmt.Fprintln(b)
		}
		if len(t.Files) > 0 {
			fmt.Fprintln(b, briefCheck(&t.Check))
		}
		for i := range t.Items {
			if t.Items[i].Kind != result.ContextDiagnostics { // those are told above
				fmt.Fprintln(b, indented(t.Items[i].Text, ""))
			}
		}
	})
}

// turnOutcome says what becomes of a turn, and what to do.
func turnOutcome(t *result.ClosedTurn) string {
	name, class := "turn "+cut(oneLine(t.Turn), 20), cut(oneLine(t.Class), 20)
	switch t.Outcome {
	case result.TurnSelfCorrect:
		return fmt.Sprintf("%s goes on: %s, round %d of %d; fix them and close it again", name, class, t.Round, t.Limit)
	case result.TurnEscalate:
		return fmt.Sprintf("%s closed: %s after %d rounds; ask the user", name, class, t.Limit)
	}
	return fmt.Sprintf("%s closed: %s", name, class)
}

// fitClosedTurn shortens: items go from the end, then findings, then files.
func fitClosedTurn(t *result.ClosedTurn, max int) {
	fit(max, t,
		func() bool {
			n := len(t.Items)
			t.Items = t.Items[:halve(n)]
			t.Cut = fmt.Sprintf("all but the first %d context items; raise max_bytes to get them", len(t.Items))
			return n > 0
		},
		once(func() {
			fitCheck(&t.Check, budgetOf(max)/2)
			t.Cut = "the context items, and findings; fix those first, or raise max_bytes"
		}),
		func() bool {
			n := len(t.Files)
			t.Files = t.Files[:halve(n)]
			t.Cut = fmt.Sprintf("the context items, and all but %d %s; raise max_bytes to get them", len(t.Files), plural(len(t.Files), "file"))
			return n > 1
		})
}
