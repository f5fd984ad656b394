package result

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What there is to know beside an answer is told in whole lines, but not what its reason says already.
func TestNotesOfAnAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		answer Answer
		want   []string
	}{
		"nothing":            {Answer{Server: "toy"}, nil},
		"a note":             {Answer{Server: "toy", Note: "only open files"}, []string{"toy: only open files"}},
		"what it says":       {Answer{Server: "toy", Says: []string{"no sdk", "old"}}, []string{"toy says: no sdk", "toy says: old"}},
		"what it said again": {Answer{Server: "toy", Reason: "it failed: no sdk", Says: []string{"no sdk", "old"}, Note: "n"}, []string{"toy: n", "toy says: old"}},
	} {
		if diff := cmp.Diff(c.want, c.answer.Notes()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Why a file is unknown is told of each server that did not answer and is missed; if none is, nobody judges it.
func TestWhyAFileIsUnknown(t *testing.T) {
	for want, f := range map[string]File{
		"no server judges it":                {},
		"it is too large":                    {Error: &Error{Message: "it is too large"}, Servers: []Answer{{Server: "toy", Freshness: "timeout"}}},
		"toy: timeout; other: it is loading": {Servers: []Answer{{Server: "toy", Freshness: "timeout"}, {Server: "fresh", Freshness: "fresh"}, {Server: "other", Freshness: "indexing", Reason: "it is loading"}, {Server: "lint", Freshness: "unavailable", Dispensable: true}}},
	} {
		if got := f.WhyUnknown(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A reason that many files share is told once, also of those that answered late or are others.
func TestReasonsAreToldOnce(t *testing.T) {
	late := func(reason string) File {
		return File{Verdict: Unknown, Servers: []Answer{{Server: "toy", Freshness: "timeout", Reason: reason}}}
	}
	check := &Check{Verdict: Unknown, Files: []File{late("a"), late("b")}, Others: []File{late("a"), late("c")}, Late: []File{late("d")}, Unknown: []string{"who uses it"}}
	InFiveClasses(check)
	if diff := cmp.Diff([]string{LSPUnavailable, "toy: a; toy: b; toy: c; toy: d; who uses it"}, []string{check.Verdict, check.Reason}); diff != "" {
		t.Error(diff)
	}
	commit := &Simulation{Commit: &Edit{Verdict: Unknown, Files: []File{late("a")}, Others: []File{late("b")}, Late: []File{late("c")}}}
	InFiveClasses(commit)
	if diff := cmp.Diff("toy: a; toy: b; toy: c", commit.Commit.Reason); diff != "" {
		t.Error(diff)
	}
	then := &Fixes{Then: &Edit{Verdict: Unknown, Unknown: []string{"u"}}}
	InFiveClasses(then)
	if diff := cmp.Diff(&Fixes{Then: &Edit{Verdict: LSPUnavailable, Reason: "u", Unknown: []string{"u"}}}, then); diff != "" {
		t.Error(diff)
	}
}
