package render

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Fixes are what servers offer to do about a part of a file or, if one action was
// applied, what that did.
type Fixes struct {
	Head
	Path string `json:"path,omitempty"`
	// Actions are numbered from 1, what mends first.
	Actions []FixAction `json:"actions" jsonschema:"what is offered; empty if one was applied"`
	Total   int         `json:"total" jsonschema:"how many are offered"`
	// Summary is for an action that changed nothing.
	Summary string `json:"summary,omitempty"`
	Edit    *Edit  `json:"edit,omitempty" jsonschema:"what the applied action changed"`
	// Then is what its command changed after its edit.
	Then *Edit `json:"then,omitempty" jsonschema:"what the command of the action changed after that"`
}

// A FixAction is one thing that a server offers to do.
type FixAction struct {
	Number    int    `json:"number" jsonschema:"for apply"`
	Title     string `json:"title"`
	Kind      string `json:"kind,omitempty"`
	Preferred bool   `json:"preferred,omitempty" jsonschema:"the one to take, says the server"`
	Server    string `json:"server"`
	// Mends are diagnostics, as line:column message.
	Mends    []string `json:"mends,omitempty" jsonschema:"the diagnostics that it is for"`
	Disabled string   `json:"disabled,omitempty" jsonschema:"why it cannot be applied"`
	// Command is run when the action is applied; what it changes is not known
	// before.
	Command string `json:"command,omitempty" jsonschema:"it is a command: what it changes is seen when it is applied"`
	// Arguments are those of the command, Edit is a WorkspaceEdit of LSP: both only if
	// they are asked for.
	Arguments []json.RawMessage `json:"arguments,omitempty" jsonschema:"of the command"`
	Edit      json.RawMessage   `json:"edit,omitempty" jsonschema:"a WorkspaceEdit of LSP, 0-based"`
	Diff      string            `json:"diff,omitempty" jsonschema:"what it would change"`
	Problem   string            `json:"problem,omitempty" jsonschema:"why there is no diff"`
}

// Brief implements [Reply].
func (f *Fixes) Brief() string {
	outcome := outcomeOf(f.Edit)
	if f.Edit != nil && f.Then != nil {
		outcome += "\nthen: " + outcomeOf(f.Then)
	}
	return f.writeWith(outcome, func(b *strings.Builder) {
		switch {
		case f.Edit != nil:
			b.WriteString(f.Edit.Brief() + "\n")
			if f.Then != nil {
				fmt.Fprintf(b, "Then its command:\n%s\n", f.Then.Brief())
			}
			return
		case f.Summary != "":
			fmt.Fprintln(b, defused(f.Summary))
			return
		case f.Total == 0:
			fmt.Fprintf(b, "%s: no server offers anything here\n", defused(f.Path))
			return
		}
		fmt.Fprintf(b, "%s: %d %s\n", defused(f.Path), f.Total, plural(f.Total, "action"))
		for i := range f.Actions {
			f.Actions[i].write(b)
		}
	})
}

func (a *FixAction) write(b *strings.Builder) {
	about := []string{}
	if a.Kind != "" {
		about = append(about, defused(a.Kind))
	}
	if a.Preferred {
		about = append(about, "preferred")
	}
	if a.Command != "" {
		about = append(about, "a command: "+defused(a.Command))
	}
	fmt.Fprintf(b, "%d. %s", a.Number, oneLine(a.Title))
	if len(about) > 0 {
		fmt.Fprintf(b, " (%s)", strings.Join(about, ", "))
	}
	b.WriteByte('\n')
	for _, m := range a.Mends {
		fmt.Fprintf(b, "   mends %s\n", oneLine(m))
	}
	if a.Disabled != "" {
		fmt.Fprintf(b, "   cannot be applied: %s\n", oneLine(a.Disabled))
	}
	if a.Problem != "" {
		fmt.Fprintf(b, "   no diff: %s\n", oneLine(a.Problem))
	}
	b.WriteString(Printable(a.Diff))
}

// Fit implements [Reply]: diffs go first, those of the last actions before those
// of the first, then what is mended, then actions.
func (f *Fixes) Fit(limit int) {
	if f.Edit != nil {
		limit = budgetOf(limit)
		fit(limit, f, once(func() {
			if f.Then != nil {
				f.Then.Fit(limit / 3)
			}
		}), once(func() { f.Edit.Fit(limit / 2) }))
		return
	}
	last := func(cut string, drop func(*FixAction) bool) func() bool {
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
		last("diffs left out for the budget; mode preview with apply shows one, max_bytes allows more", func(a *FixAction) bool {
			had := a.Diff != ""
			a.Diff = ""
			return had
		}),
		last("diffs and diagnostics left out for the budget; max_bytes allows more", func(a *FixAction) bool {
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
