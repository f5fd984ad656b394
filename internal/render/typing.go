package render

import (
	"fmt"
	"strings"
)

// Signatures are the ways to write a call.
type Signatures struct {
	Head
	At         string      `json:"at"`
	Signatures []Signature `json:"signatures"`
	// Active is the 0-based index of the one that fits.
	Active int `json:"active"`
}

// A Signature is one way to write a call.
type Signature struct {
	Label         string   `json:"label"`
	Documentation string   `json:"documentation,omitempty"`
	Parameters    []string `json:"parameters,omitempty"`
	// ActiveParameter is the label of the parameter at the place, if any.
	ActiveParameter string `json:"active_parameter,omitempty"`
}

// Brief implements [Reply].
func (s *Signatures) Brief() string {
	return s.write(func(b *strings.Builder) {
		if len(s.Signatures) == 0 && s.Cut == "" {
			fmt.Fprintf(b, "%s: no signature\n", defused(s.At))
			return
		}
		for i := range s.Signatures {
			signature := &s.Signatures[i]
			mark := " "
			if i == s.Active && len(s.Signatures) > 1 {
				mark = "*"
			}
			fmt.Fprintf(b, "%s%s", mark, printable(signature.Label))
			if signature.ActiveParameter != "" {
				fmt.Fprintf(b, "  <- %s", printable(signature.ActiveParameter))
			}
			fmt.Fprintln(b)
			if signature.Documentation != "" {
				fmt.Fprintln(b, indented(signature.Documentation, "  "))
			}
		}
	})
}

// Fit implements [Reply]: the documentation goes, then signatures from the end.
func (s *Signatures) Fit(max int) {
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

// Completions are what may be written at a place.
type Completions struct {
	Head
	At    string       `json:"at"`
	Total int          `json:"total"`
	Items []Completion `json:"items"`
	// Incomplete says that more typing would give others.
	Incomplete bool `json:"incomplete,omitempty"`
}

// A Completion is one thing that may be written.
type Completion struct {
	Label  string `json:"label"`
	Kind   string `json:"kind,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Insert is what would be inserted, if that is not the label.
	Insert     string `json:"insert,omitempty"`
	Deprecated bool   `json:"deprecated,omitempty"`
}

// Brief implements [Reply].
func (c *Completions) Brief() string {
	outcome := ""
	if c.Incomplete {
		outcome = "incomplete: a longer beginning gives others"
	}
	return c.writeWith(outcome, func(b *strings.Builder) {
		if c.Total == 0 {
			fmt.Fprintf(b, "%s: no completion\n", defused(c.At))
			return
		}
		fmt.Fprintf(b, "%s: %d %s", defused(c.At), c.Total, plural(c.Total, "completion"))
		if outcome != "" {
			fmt.Fprintf(b, ", %s", outcome)
		}
		fmt.Fprintln(b)
		for _, item := range c.Items {
			fmt.Fprintf(b, "%s", defused(item.Label))
			if item.Kind != "" {
				fmt.Fprintf(b, " (%s)", item.Kind)
			}
			if item.Detail != "" {
				fmt.Fprintf(b, " %s", defused(cut(item.Detail, maxSourceLine)))
			}
			if item.Deprecated {
				fmt.Fprint(b, " deprecated")
			}
			fmt.Fprintln(b)
		}
	})
}

// Fit implements [Reply]: details go, then items from the end.
func (c *Completions) Fit(max int) {
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

// Hints are the inlay hints of a range: what an editor would show in between.
type Hints struct {
	Head
	Path  string `json:"path"`
	Total int    `json:"total"`
	Hints []Hint `json:"hints"`
}

// A Hint is one inlay hint, at a 1-based position.
type Hint struct {
	Line   uint32 `json:"line"`
	Column uint32 `json:"column"`
	Label  string `json:"label"`
	Kind   string `json:"kind,omitempty" jsonschema:"type or parameter"`
}

// Brief implements [Reply].
func (h *Hints) Brief() string {
	return h.write(func(b *strings.Builder) {
		fmt.Fprintf(b, "%s: %d inlay %s\n", defused(h.Path), h.Total, plural(h.Total, "hint"))
		for _, hint := range h.Hints {
			fmt.Fprintf(b, "%d:%d %s\n", hint.Line, hint.Column, defused(hint.Label))
		}
	})
}

// Fit implements [Reply]: hints from the end go.
func (h *Hints) Fit(max int) {
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

// Tokens are the semantic tokens of a range.
type Tokens struct {
	Head
	Path   string  `json:"path"`
	Total  int     `json:"total"`
	Tokens []Token `json:"tokens"`
}

// A Token is one semantic token, at a 1-based position; Length in UTF-16 code
// units.
type Token struct {
	Line      uint32   `json:"line"`
	Column    uint32   `json:"column"`
	Length    uint32   `json:"length"`
	Type      string   `json:"type"`
	Modifiers []string `json:"modifiers,omitempty"`
	Text      string   `json:"text,omitempty"`
}

// Brief implements [Reply].
func (t *Tokens) Brief() string {
	return t.write(func(b *strings.Builder) {
		fmt.Fprintf(b, "%s: %d semantic %s\n", defused(t.Path), t.Total, plural(t.Total, "token"))
		for _, token := range t.Tokens {
			fmt.Fprintf(b, "%d:%d %s %s", token.Line, token.Column, defused(token.Text), defused(token.Type))
			if len(token.Modifiers) > 0 {
				fmt.Fprintf(b, " %s", defused(strings.Join(token.Modifiers, ",")))
			}
			fmt.Fprintln(b)
		}
	})
}

// Fit implements [Reply]: tokens from the end go.
func (t *Tokens) Fit(max int) {
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

// Folds are the parts of a file that an editor would fold.
type Folds struct {
	Head
	Path  string `json:"path"`
	Total int    `json:"total"`
	Folds []Fold `json:"folds"`
}

// A Fold is a range of 1-based lines, both included.
type Fold struct {
	Line    uint32 `json:"line"`
	EndLine uint32 `json:"end_line"`
	Kind    string `json:"kind,omitempty" jsonschema:"comment, imports or region"`
}

// Brief implements [Reply].
func (f *Folds) Brief() string {
	return f.write(func(b *strings.Builder) {
		fmt.Fprintf(b, "%s: %d folding %s\n", defused(f.Path), f.Total, plural(f.Total, "range"))
		for _, fold := range f.Folds {
			fmt.Fprintf(b, "%d-%d", fold.Line, fold.EndLine)
			if fold.Kind != "" {
				fmt.Fprintf(b, " %s", defused(fold.Kind))
			}
			fmt.Fprintln(b)
		}
	})
}

// Fit implements [Reply]: ranges from the end go.
func (f *Folds) Fit(max int) {
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
