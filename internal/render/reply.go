package render

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// DefaultBytes is the budget of an answer that names none.
const DefaultBytes = 12_000

// LeastBytes is the smallest budget: one below it counts as this one. Two outcomes of one
// line each, and that the rest was left out, have room in it.
const LeastBytes = 140

// bound makes the text of a result as short as max, whatever the result holds.
func bound(of result.Result, max int) {
	switch r := of.(type) {
	case *result.Check:
		r.Budget, r.Cut = max, cmp.Or(r.Cut, theRest)
	case *result.Status:
		r.Budget, r.Cut = max, cmp.Or(r.Cut, theRest)
	case interface{ Heading() *result.Head }:
		head := r.Heading()
		head.Budget, head.Cut = max, cmp.Or(head.Cut, theRest)
	}
}

// theRest is what was left out where a text was simply cut.
const theRest = "the rest; raise max_bytes"

// write puts the head around the body of a text.
func write(h *result.Head, body func(*strings.Builder)) string { return writeWith(h, "", body) }

// writeWith puts the head around the body of a text. The outcome is what must be said
// also where there is no room for the body.
func writeWith(h *result.Head, outcome string, body func(*strings.Builder)) string {
	var content strings.Builder
	body(&content)
	text := around(h, content.String())
	if h.Budget == 0 || len(text) <= h.Budget {
		return text
	}
	var b strings.Builder
	if len(h.State) > 0 {
		b.WriteString("state: incomplete\n")
	}
	if outcome != "" {
		b.WriteString(outcome + "\n")
	}
	return shortened(b.String(), content.String(), "cut: "+theRest, h.Budget)
}

// shortened returns a beginning, as much of a body as there is room for, and an end.
func shortened(begin, body, end string, max int) string {
	body = cut(strings.TrimRight(body, "\n"), max-len(begin)-len(end)-len("\n"))
	if body != "" {
		body += "\n"
	}
	return begin + body + end
}

// Shortened returns a text of at most max bytes; where something had to be left out, it
// says so, and ends with the outcome. A bound below 1 is none.
func Shortened(text, outcome string, max int) string {
	if max <= 0 || len(text) <= max {
		return text
	}
	return shortened("", text, cut(strings.TrimSpace("cut: "+theRest+"\n"+outcome), max-1), max)
}

// limits say how complete an answer is that may not have all.
var limits = map[result.Completeness]string{
	result.OfLoaded: "all that the server has loaded, which is not all that there is", result.NotKnown: "not known",
	result.Indexed: "all, if the index is right; no server was asked",
}

// nothing says that there is none of something, and, where that is certain, that this is so.
func nothing(h *result.Head, what string) string {
	if h.Completeness == result.Complete {
		return "no " + what + " (complete)"
	}
	return "no " + what
}

// around returns a body with what the head says before and after it.
func around(h *result.Head, body string) string {
	var b strings.Builder
	for _, s := range h.State {
		fmt.Fprintf(&b, "state: %s; the result may be incomplete\n", oneLine(s))
	}
	for _, n := range h.Notes {
		fmt.Fprintf(&b, "note: %s\n", legible.Line(n))
	}
	b.WriteString(body)
	if limit := limits[h.Completeness]; limit != "" {
		fmt.Fprintf(&b, "completeness: %s\n", limit)
	}
	if h.Cut != "" {
		fmt.Fprintf(&b, "cut: %s\n", h.Cut)
	}
	if h.Next != "" {
		fmt.Fprintf(&b, "next: %s\n", legible.Line(h.Next))
	}
	return strings.TrimRight(b.String(), "\n")
}

// fit goes through the stages until the text fits. What then is still too long is
// bound.
func fit(max int, reply result.Result, stages ...func() bool) {
	max = budgetOf(max)
	if len(Brief(reply)) <= max {
		return
	}
	for _, stage := range stages {
		for stage() { // until it has nothing more to leave out
			if len(Brief(reply)) <= max {
				return
			}
		}
	}
	bound(reply, max)
}

// once makes a stage of what can be left out once.
func once(leaveOut func()) func() bool {
	done := false
	return func() bool {
		if done {
			return false
		}
		done = true
		leaveOut()
		return true
	}
}

// budgetOf returns the budget that a request asked for.
func budgetOf(asked int) int {
	if asked <= 0 {
		return DefaultBytes
	}
	return max(asked, LeastBytes)
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
		lines[i] = strings.TrimRight(prefix+legible.Model(strings.TrimRight(line, "\r")), " ")
	}
	return strings.Join(lines, "\n")
}
