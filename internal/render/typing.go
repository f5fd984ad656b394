package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func briefSignatures(s *result.Signatures) string {
	return write(&s.Head, func(b *strings.Builder) {
		if len(s.Signatures) == 0 && s.Cut == "" {
			fmt.Fprintf(b, "%s: no signature\n", legible.Line(s.At))
			return
		}
		for i := range s.Signatures {
			signature := &s.Signatures[i]
			mark := " "
			if i == s.Active && len(s.Signatures) > 1 {
				mark = "*"
			}
			fmt.Fprintf(b, "%s%s", mark, legible.Model(signature.Label))
			if signature.ActiveParameter != "" {
				fmt.Fprintf(b, "  <- %s", legible.Line(signature.ActiveParameter))
			}
			fmt.Fprintln(b)
			if signature.Documentation != "" {
				fmt.Fprintln(b, indented(signature.Documentation, "  "))
			}
		}
	})
}

// fitSignatures shortens: the documentation goes, then signatures from the end.
func fitSignatures(s *result.Signatures, max int) {
	documentation := ""
	fit(max, s,
		func() (had bool) {
			for i := range s.Signatures {
				had = had || s.Signatures[i].Documentation != ""
				s.Signatures[i].Documentation = ""
			}
			if had {
				documentation = "the documentation and "
				s.Cut = "the documentation; raise max_bytes to get it"
			}
			return had
		},
		func() bool {
			n := len(s.Signatures)
			if n == 0 {
				return false
			}
			s.Signatures = s.Signatures[:halve(n)]
			s.Cut = fmt.Sprintf("%sall but the first %d signatures; raise max_bytes to get them", documentation, len(s.Signatures))
			return true
		})
}

func briefCompletions(c *result.Completions) string {
	outcome := ""
	if c.Incomplete {
		outcome = "incomplete: a longer beginning gives others"
	}
	return writeWith(&c.Head, outcome, func(b *strings.Builder) {
		if c.Total == 0 {
			fmt.Fprintf(b, "%s: no completion\n", legible.Line(c.At))
			return
		}
		fmt.Fprintf(b, "%s: %d %s", legible.Line(c.At), c.Total, plural(c.Total, "completion"))
		if outcome != "" {
			fmt.Fprintf(b, ", %s", outcome)
		}
		fmt.Fprintln(b)
		for _, item := range c.Items {
			fmt.Fprintf(b, "%s", legible.Line(item.Label))
			if item.Kind != "" {
				fmt.Fprintf(b, " (%s)", legible.Line(item.Kind))
			}
			if item.Detail != "" {
				fmt.Fprintf(b, " %s", legible.Line(cut(item.Detail, maxSourceLine)))
			}
			if item.Deprecated {
				fmt.Fprint(b, " deprecated")
			}
			fmt.Fprintln(b)
		}
	})
}

// fitCompletions shortens: details go, then items from the end.
func fitCompletions(c *result.Completions, max int) {
	details := ""
	fit(max, c,
		func() (had bool) {
			for i := range c.Items {
				had = had || c.Items[i].Detail != ""
				c.Items[i].Detail = ""
			}
			if had {
				details = "the details and "
				c.Cut = "the details; raise max_bytes to get them"
			}
			return had
		},
		func() bool {
			n := len(c.Items)
			if n == 0 {
				return false
			}
			c.Items = c.Items[:halve(n)]
			c.Cut = fmt.Sprintf("%sall but the first %d of %d; raise max_bytes, or complete a longer beginning", details, len(c.Items), c.Total)
			return true
		})
}

func briefHints(h *result.Hints) string {
	return write(&h.Head, func(b *strings.Builder) {
		fmt.Fprintf(b, "%s: %d inlay %s\n", legible.Line(h.Path), h.Total, plural(h.Total, "hint"))
		for _, hint := range h.Hints {
			fmt.Fprintf(b, "%d:%d %s\n", hint.Line, hint.Column, legible.Line(hint.Label))
		}
	})
}

// fitHints shortens: hints from the end go.
func fitHints(h *result.Hints, max int) {
	fit(max, h, func() bool {
		n := len(h.Hints)
		if n == 0 {
			return false
		}
		h.Hints = h.Hints[:halve(n)]
		h.Cut = fmt.Sprintf("all but the first %d of %d; ask for a smaller range", len(h.Hints), h.Total)
		return true
	})
}

func briefTokens(t *result.Tokens) string {
	return write(&t.Head, func(b *strings.Builder) {
		fmt.Fprintf(b, "%s: %d semantic %s\n", legible.Line(t.Path), t.Total, plural(t.Total, "token"))
		for _, token := range t.Tokens {
			fmt.Fprintf(b, "%d:%d %s %s", token.Line, token.Column, legible.Line(token.Text), legible.Line(token.Type))
			if len(token.Modifiers) > 0 {
				fmt.Fprintf(b, " %s", legible.Line(strings.Join(token.Modifiers, ",")))
			}
			fmt.Fprintln(b)
		}
	})
}

// fitTokens shortens: tokens from the end go.
func fitTokens(t *result.Tokens, max int) {
	fit(max, t, func() bool {
		n := len(t.Tokens)
		if n == 0 {
			return false
		}
		t.Tokens = t.Tokens[:halve(n)]
		t.Cut = fmt.Sprintf("all but the first %d of %d; ask for a smaller range", len(t.Tokens), t.Total)
		return true
	})
}

func briefFolds(f *result.Folds) string {
	return write(&f.Head, func(b *strings.Builder) {
		fmt.Fprintf(b, "%s: %d folding %s\n", legible.Line(f.Path), f.Total, plural(f.Total, "range"))
		for _, fold := range f.Folds {
			fmt.Fprintf(b, "%d-%d", fold.Line, fold.EndLine)
			if fold.Kind != "" {
				fmt.Fprintf(b, " %s", legible.Line(fold.Kind))
			}
			fmt.Fprintln(b)
		}
	})
}

// fitFolds shortens: ranges from the end go.
func fitFolds(f *result.Folds, max int) {
	fit(max, f, func() bool {
		n := len(f.Folds)
		if n == 0 {
			return false
		}
		f.Folds = f.Folds[:halve(n)]
		f.Cut = fmt.Sprintf("all but the first %d of %d; raise max_bytes to get them", len(f.Folds), f.Total)
		return true
	})
}
