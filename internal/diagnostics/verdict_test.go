package diagnostics

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lspine/lspine/internal/protocol"
)

// Over every combination of up to three answers (five freshnesses, missed or not, five
// findings each) a verdict that claims to know everything is given only if every answer
// that is missed is fresh; a new error is always said; and an answer that nobody gave is
// never clean.
func TestVerdictNeverClaimsMoreThanIsKnown(t *testing.T) {
	const text = "one\ntwo\n"
	old, warn := []protocol.Diagnostic{at(0, "old")}, []protocol.Diagnostic{warning(0, "w")}
	none := []protocol.Diagnostic{}
	findings := []Answer{
		answer("s", none, none, text), answer("s", none, []protocol.Diagnostic{at(0, "new")}, text),
		answer("s", old, old, text), answer("s", none, []protocol.Diagnostic{warning(0, "new warning")}, text), answer("s", warn, warn, text),
	}
	var choices []Answer
	for _, freshness := range []Freshness{Fresh, Partial, Timeout, Indexing, Unavailable} {
		for _, dispensable := range []bool{false, true} {
			for i, a := range findings {
				if (freshness == Timeout || freshness == Indexing || freshness == Unavailable) && i > 0 {
					continue // it found nothing
				}
				a.Freshness, a.Dispensable = freshness, dispensable
				choices = append(choices, a)
			}
		}
	}
	check := func(answers ...Answer) {
		for i := range answers {
			answers[i].Server = fmt.Sprint("s", i)
		}
		r := judge(File{Path: "/a", Content: []byte(text)}, Request{}, answers, nobodyTold)
		if want := expectedVerdict(answers); r.Verdict != want {
			t.Fatalf("%s, want %s, of %+v", r.Verdict, want, answers)
		}
	}
	check()
	for _, a := range choices {
		check(a)
		for _, b := range choices {
			check(a, b)
			for _, c := range choices {
				check(a, b, c)
			}
		}
	}
}

// expectedVerdict is the table of the specification, read from the top.
func expectedVerdict(answers []Answer) Verdict {
	is := func(what func(Answer) bool) bool { return slices.ContainsFunc(answers, what) }
	says := func(message string, known bool) bool {
		return is(func(a Answer) bool {
			return slices.ContainsFunc(a.Items, func(d protocol.Diagnostic) bool {
				return d.Message == message && known == slices.ContainsFunc(a.prior.items, func(o protocol.Diagnostic) bool { return o.Message == message })
			})
		})
	}
	switch {
	case says("new", false):
		return NewErrors
	case !is(func(a Answer) bool { return a.Freshness != Unavailable }):
		return LSPUnavailable
	case is(func(a Answer) bool { return a.Freshness != Fresh && !a.Dispensable }):
		return Unknown
	case says("old", true):
		return BaselineError
	case says("new warning", false):
		return WarningsOnly
	}
	return Clean
}

// The verdict of an answer with several parts is that of all of them together, in any
// order: one part that is not known makes it unknown, unless another has a new error.
func TestVerdictOfSeveralParts(t *testing.T) {
	clean, broken := Judgement{Reached: true}, Judgement{Reached: true, NewErrors: true}
	older, warned := Judgement{Reached: true, OldErrors: true}, Judgement{Reached: true, NewWarnings: true}
	late, missing := Judgement{Reached: true, Lacking: true}, Judgement{Lacking: true}
	for _, tt := range []struct {
		parts []Judgement
		want  Verdict
	}{
		{nil, LSPUnavailable},
		{[]Judgement{clean, clean}, Clean},
		{[]Judgement{clean, warned}, WarningsOnly},
		{[]Judgement{warned, older}, BaselineError},
		{[]Judgement{clean, late}, Unknown},
		{[]Judgement{older, late}, Unknown},
		{[]Judgement{late, broken}, NewErrors},
		{[]Judgement{missing, missing}, LSPUnavailable},
		{[]Judgement{missing, clean}, Unknown},
		{[]Judgement{missing, broken}, NewErrors},
	} {
		var forward, backward Judgement
		for i := range tt.parts {
			forward = forward.And(tt.parts[i])
			backward = backward.And(tt.parts[len(tt.parts)-1-i])
		}
		if forward.Verdict() != tt.want || backward.Verdict() != tt.want {
			t.Errorf("%+v: %s and %s, want %s", tt.parts, forward.Verdict(), backward.Verdict(), tt.want)
		}
	}
}
