package simulation

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
)

// An evaluation counts the errors that the edits make and mend, in the files that they change and in
// others; warnings count for neither.
func TestEvaluationCountsErrors(t *testing.T) {
	wrong := func(message string) result.Diagnostic { return result.Diagnostic{Severity: "error", Message: message} }
	warned := result.Diagnostic{Severity: "warning", Message: "odd"}
	files := []result.File{{Path: "a", Diagnostics: []result.Diagnostic{wrong("one"), warned}, Fixed: []result.Diagnostic{wrong("two"), warned}}}
	others := []result.File{{Path: "b", Diagnostics: []result.Diagnostic{wrong("three")}, Fixed: []result.Diagnostic{wrong("four"), wrong("five")}}}
	want := &result.Evaluation{
		Verdict: result.NewErrors, Files: files, Others: others, Unknown: []string{"what"}, NetDelta: -1,
		Introduced: []result.FileFinding{{File: "a", Diagnostic: wrong("one")}, {File: "b", Diagnostic: wrong("three")}},
		Resolved:   []result.FileFinding{{File: "a", Diagnostic: wrong("two")}, {File: "b", Diagnostic: wrong("four")}, {File: "b", Diagnostic: wrong("five")}},
	}
	got := evaluationOf(&result.Edit{Verdict: result.NewErrors, Files: files, Others: others, Unknown: []string{"what"}})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Who names a session that there is not learns which there are: the first of many, and how many more.
func TestHintOfAnUnknownSession(t *testing.T) {
	var twenty []string
	for i := range 20 {
		twenty = append(twenty, fmt.Sprintf("s%d", i))
	}
	all := "sessions are " + strings.Join(twenty, ", ")
	for want, known := range map[string][]string{
		"there are no sessions: simulate with action create makes one": nil, "sessions are s1": {"s1"}, all: twenty, all + " and 1 more": append(slices.Clone(twenty), "s20"),
	} {
		if got := (&UnknownSessionError{Session: "s99", Known: known}).Hint(); got != want {
			t.Errorf("%d sessions: %s", len(known), got)
		}
	}
}

// A step has what no step before it had: each finding as often as it occurs more, whatever its line, but not one of
// another file, server, code or message.
func TestFindingsOfAStep(t *testing.T) {
	at := func(file, server, code, message string, line uint32) result.FileFinding {
		return result.FileFinding{File: file, Diagnostic: result.Diagnostic{Line: line, Server: server, Code: code, Message: message}}
	}
	bad := at("a", "x", "E", "bad", 1)
	list := []result.FileFinding{bad, at("a", "x", "E", "bad", 2), at("a", "x", "E", "bad", 3), at("b", "x", "E", "bad", 1), at("a", "y", "E", "bad", 1), at("a", "x", "F", "bad", 1), at("a", "x", "E", "worse", 1)}
	if diff := cmp.Diff(list[2:], without(list, []result.FileFinding{at("a", "x", "E", "bad", 9), at("a", "x", "E", "bad", 8), at("c", "x", "E", "bad", 1)})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(list, without(list, nil)); diff != "" {
		t.Errorf("with none before (-want +got):\n%s", diff)
	}
	if got := without(list, list); got == nil || len(got) > 0 {
		t.Errorf("with the same before: %+v", got)
	}
}
