package protocol

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Reports of a workspace are decoded one by one: what cannot be read, also in part, is left out and counted, as a report
// that lacks findings would be false.
func TestDecodeWorkspaceReports(t *testing.T) {
	three := int32(3)
	where := `"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":1}}`
	found := Diagnostic{Range: Range{Position{1, 0}, Position{1, 1}}, Severity: SeverityError, Message: "m"}
	for name, c := range map[string]struct {
		json    string
		want    []WorkspaceReport
		skipped int
	}{
		"null":     {"null", nil, 0},
		"no items": {"{}", nil, 0},
		"full": {`{"items":[{"kind":"full","uri":"file:///a","version":null,"resultId":"r","items":[{` + where + `,"severity":1,"message":"m"}]},{"kind":"full","uri":"file:///b","version":3,"items":[]}]}`, []WorkspaceReport{
			{URI: "file:///a", Report: Report{ResultID: "r", Items: []Diagnostic{found}}}, {URI: "file:///b", Version: &three, Report: Report{Items: []Diagnostic{}}},
		}, 0},
		"unchanged":      {`{"items":[{"kind":"unchanged","uri":"file:///a","resultId":"r"}]}`, []WorkspaceReport{{URI: "file:///a", Report: Report{Unchanged: true, ResultID: "r"}}}, 0},
		"one unreadable": {`{"items":[7,{"kind":"full","items":[]},{"kind":"full","uri":"file:///a","items":[{"message":7}]},{"kind":"full","uri":"file:///b","items":[]}]}`, []WorkspaceReport{{URI: "file:///b", Report: Report{Items: []Diagnostic{}}}}, 3},
	} {
		got, skipped, err := DecodeWorkspaceReports(json.RawMessage(c.json))
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Diagnostic{}, "Raw")); diff != "" || err != nil || skipped != c.skipped {
			t.Errorf("%s: %d skipped, %v%s", name, skipped, err, diff)
		}
	}
	for _, text := range []string{`[]`, `{"items":{}}`} {
		if got, skipped, err := DecodeWorkspaceReports(json.RawMessage(text)); got != nil || skipped != 0 || err == nil || !strings.HasPrefix(err.Error(), "workspace diagnostic report: ") {
			t.Errorf("%s is taken for a report: %v, %d skipped, %v", text, got, skipped, err)
		}
	}
}

// A partial result is told from the progress of some work.
func TestPartialResult(t *testing.T) {
	if token, value, ok := PartialResult(json.RawMessage(`{"token":"t","value":{"items":[]}}`)); !ok || token != "t" || string(value) != `{"items":[]}` {
		t.Errorf("%s %s %t", token, value, ok)
	}
	for _, raw := range []string{`{"token":"t","value":{"kind":"begin","title":"x"}}`, `{"token":"t"}`, `7`} {
		if _, _, ok := PartialResult(json.RawMessage(raw)); ok {
			t.Errorf("%s is taken for a partial result", raw)
		}
	}
}
