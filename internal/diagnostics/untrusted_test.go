package diagnostics

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
)

// An answer that lacks what only a trusted checkout runs is partial: its errors are not counted, as they may come of that, but for
// those whose codes are sure; warnings stay. Where the project is not loaded for the same reason, trust is the way out. What
// is partial for another reason keeps that.
func TestAnswersWithoutTrust(t *testing.T) {
	trust := Lack{Missing: "judged without builds", Next: "lspine trust"}
	untrusted := Handicap{Lack: trust, Reason: trust.Missing, Untrusted: true, Doubtful: true, Sure: `^syntax`}
	helper := Handicap{Lack: Lack{Missing: "no toycheck", Next: "get toycheck"}, Reason: "not judged: no toycheck"}
	unsure := untrusted
	unsure.Sure = ""
	sound := untrusted
	sound.Doubtful = false
	pom := Lack{Missing: "the project is not loaded: pom", Next: "mvn compile"}
	list := func(items ...protocol.Diagnostic) []protocol.Diagnostic { return items }
	typed, syntax, mixed := coded(4, "type: x"), coded(2, "syntax: a"), coded(7, "a syntax: b")
	warning := with(coded(0, "type: w"), func(d *protocol.Diagnostic) { d.Severity = protocol.SeverityWarning })
	whole, slow := func(*Answer) {}, func(a *Answer) { a.Freshness, a.Reason = Partial, "slow" }
	unloaded := func(a *Answer) {
		a.Freshness, a.unloaded, a.Reason, a.Lack = Partial, pom.Missing, pom.Missing, pom
	}
	type state struct {
		Freshness       Freshness
		Untrusted       bool
		Lack            Lack
		Reason          string
		Excused, Stands string
		Verdict         Verdict
	}
	const not = "judged without builds; not counted, as it may come of that: "
	for name, c := range map[string]struct {
		h     Handicap
		items []protocol.Diagnostic
		is    func(a *Answer)
		want  state
	}{
		"nothing is wrong":      {untrusted, nil, whole, state{Partial, true, trust, "judged without builds", "", "", Unknown}},
		"an error":              {untrusted, list(typed), whole, state{Partial, true, trust, not + "line 5: x", "x", "", Unknown}},
		"one that is sure":      {untrusted, list(syntax), whole, state{Partial, true, trust, "judged without builds", "", "a", NewErrors}},
		"a code that is alike":  {untrusted, list(mixed), whole, state{Partial, true, trust, not + "line 8: b", "b", "", Unknown}},
		"all of them":           {untrusted, list(typed, syntax, mixed, warning), whole, state{Partial, true, trust, not + "line 5: x, and 1 more", "x, b", "a, w", NewErrors}},
		"a warning":             {untrusted, list(warning), whole, state{Partial, true, trust, "judged without builds", "", "w", Unknown}},
		"nothing is sure":       {unsure, list(typed, syntax), whole, state{Partial, true, trust, not + "line 3: a, and 1 more", "a, x", "", Unknown}},
		"errors are sound":      {sound, list(typed), whole, state{Partial, true, trust, "judged without builds", "", "x", NewErrors}},
		"not loaded":            {untrusted, list(typed, syntax), unloaded, state{Partial, true, trust, not + "line 5: x", "x", "a", NewErrors}},
		"not loaded, trusted":   {Handicap{}, list(typed), unloaded, state{Partial, false, pom, pom.Missing, "", "x", NewErrors}},
		"not loaded, a program": {helper, list(typed), unloaded, state{Partial, false, pom, pom.Missing, "", "x", NewErrors}},
		"a program":             {helper, list(typed), whole, state{Partial, false, helper.Lack, helper.Reason, "", "x", NewErrors}},
		"partial":               {untrusted, list(typed), slow, state{Partial, false, Lack{}, "slow", "", "x", NewErrors}},
		"late":                  {untrusted, nil, func(a *Answer) { a.Freshness = Timeout }, state{Timeout, false, Lack{}, "", "", "", Unknown}},
		"trusted":               {Handicap{}, list(typed), whole, state{Fresh, false, Lack{}, "", "", "x", NewErrors}},
	} {
		const text = "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"
		a := answer("s", []protocol.Diagnostic{}, c.items, text)
		c.is(&a)
		(&Setup{Handicap: func(path string) Handicap {
			if path != "/a" {
				t.Errorf("asked of %s", path)
			}
			return c.h
		}}).handicapped("/a", &a)
		r := judge(File{Path: "/a", Content: []byte(text)}, Request{}, []Answer{a}, nobodyTold)
		got := state{a.Freshness, a.Untrusted, a.Lack, a.Reason, namesOf(r.Excused), "", r.Verdict}
		for i, d := range a.Items {
			if got.Stands += d.Message; i+1 < len(a.Items) {
				got.Stands += ", "
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
