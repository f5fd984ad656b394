package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func briefFixes(f *result.Fixes) string {
	outcome := outcomeOf(f.Edit)
	if f.Edit != nil && f.Then != nil {
		outcome += "\nthen: " + outcomeOf(f.Then)
	}
	return writeWith(&f.Head, outcome, func(b *strings.Builder) {
		switch {
		case f.Edit != nil:
			b.WriteString(Brief(f.Edit) + "\n")
			if f.Then != nil {
				fmt.Fprintf(b, "Then its command:\n%s\n", Brief(f.Then))
			}
			return
		case f.Summary != "":
			fmt.Fprintln(b, legible.Line(f.Summary))
			return
		case f.Total == 0:
			fmt.Fprintf(b, "%s: no server offers anything here\n", legible.Line(f.Path))
			return
		}
		fmt.Fprintf(b, "%s: %d %s\n", legible.Line(f.Path), f.Total, plural(f.Total, "action"))
		for i := range f.Actions {
			writeFixAction(&f.Actions[i], b)
		}
	})
}

func writeFixAction(a *result.FixAction, b *strings.Builder) {
	about := []string{}
	if a.Kind != "" {
		about = append(about, legible.Line(a.Kind))
	}
	if a.Preferred {
		about = append(about, "preferred")
	}
	if a.Command != "" {
		about = append(about, "a command: "+legible.Line(a.Command))
	}
	fmt.Fprintf(b, "%d. %s", a.Number, oneLine(a.Title))
	if len(about) > 0 {
		fmt.Fprintf(b, " (%s)", strings.Join(about, ", "))
	}
	b.WriteByte('\n')
	for _, m := range a.Mends {
		fmt.Fprintf(b, "   fixes %s\n", oneLine(m))
	}
	if a.Disabled != "" {
		fmt.Fprintf(b, "   cannot be applied: %s\n", oneLine(a.Disabled))
	}
	if a.Problem != "" {
		fmt.Fprintf(b, "   no diff: %s\n", oneLine(a.Problem))
	}
	b.WriteString(legible.Model(a.Diff))
}

// fitFixes shortens: diffs go first, those of the last actions before those
// of the first, then what it fixes, then actions.
func fitFixes(f *result.Fixes, limit int) {
	if f.Edit != nil {
		limit = budgetOf(limit)
		fit(limit, f, once(func() {
			if f.Then != nil {
				Fit(f.Then, limit/3)
			}
		}), once(func() { Fit(f.Edit, limit/2) }))
		return
	}
	last := func(cut string, drop func(*result.FixAction) bool) func() bool {
		return func() bool {
			for i := len(f.Actions) - 1; i >= 0; i-- {
				if drop(&f.Actions[i]) {
					f.Cut = cut
					return true
				}
			}
			return false
		}
	}
	fit(limit, f,
		last("diffs left out for the budget; mode preview with apply shows one, max_bytes allows more", func(a *result.FixAction) bool {
			had := a.Diff != ""
			a.Diff = ""
			return had
		}),
		last("diffs and diagnostics left out for the budget; max_bytes allows more", func(a *result.FixAction) bool {
			had := len(a.Mends) > 1
			a.Mends = a.Mends[:min(1, len(a.Mends))]
			return had
		}),
		func() bool {
			n := len(f.Actions)
			if n <= 1 {
				return false
			}
			f.Actions = f.Actions[:halve(n)]
			f.Cut = fmt.Sprintf("all but %d of the actions; name a line, a diagnostic or kinds (only), or raise max_bytes", len(f.Actions))
			return true
		})
}
