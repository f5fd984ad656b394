package render

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Reply is a result that a model reads as text.
type Reply interface {
	// Fit leaves out, in stages, what does not fit into max bytes of text, and
	// says so in the result itself.
	Fit(max int)
	// Brief returns the text.
	Brief() string
}

// DefaultBytes is the budget of an answer that names none.
const DefaultBytes = 12_000

// A Head is what every answer may say beside its content.
type Head struct {
	// State says which server was not ready: the answer may be incomplete.
	State []string `json:"state,omitempty" jsonschema:"servers that were not ready: the answer may be incomplete"`
	// Notes say how the request was understood where it was not exact.
	Notes []string `json:"notes,omitempty" jsonschema:"how the request was understood"`
	// Cut says what was left out for the budget, and how to get it.
	Cut string `json:"cut,omitempty" jsonschema:"what was left out and how to get it"`
	// Next is the call that usually follows.
	Next string `json:"next,omitempty" jsonschema:"the call that usually follows"`
}

// Heading returns the head of the answer that it is part of.
func (h *Head) Heading() *Head { return h }

// write puts the head around the body of a text.
func (h *Head) write(body func(*strings.Builder)) string {
	var b strings.Builder
	for _, s := range h.State {
		fmt.Fprintf(&b, "state: %s; the result may be incomplete\n", oneLine(s))
	}
	for _, n := range h.Notes {
		fmt.Fprintf(&b, "note: %s\n", defused(n))
	}
	body(&b)
	if h.Cut != "" {
		fmt.Fprintf(&b, "cut: %s\n", h.Cut)
	}
	if h.Next != "" {
		fmt.Fprintf(&b, "next: %s\n", defused(h.Next))
	}
	return strings.TrimRight(b.String(), "\n")
}

// fit goes through the stages until the text fits.
func fit(max int, text func() string, stages ...func() bool) {
	max = orDefault(max)
	if len(text()) <= max {
		return
	}
	for _, stage := range stages {
		for stage() { // until it has nothing more to leave out
			if len(text()) <= max {
				return
			}
		}
	}
}

// orDefault returns the budget that a request asked for.
func orDefault(max int) int {
	if max <= 0 {
		return DefaultBytes
	}
	return max
}

// halve returns how many of n to keep so that the rest is worth leaving out.
func halve(n int) int { return n * 3 / 4 }

// cut returns text with at most max bytes, whole characters, and "…" where it
// was cut.
func cut(text string, max int) string {
	if len(text) <= max {
		return text
	}
	if max < len("…") {
		return ""
	}
	max -= len("…")
	for max > 0 && !utf8.RuneStart(text[max]) {
		max--
	}
	return text[:max] + "…"
}

// indented returns the lines of a text with a prefix, terminals kept safe.
func indented(text, prefix string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(prefix+printable(strings.TrimRight(line, "\r")), " ")
	}
	return strings.Join(lines, "\n")
}
