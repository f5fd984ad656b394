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
