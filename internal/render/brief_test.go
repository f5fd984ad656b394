package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
)

// Of many findings those are kept that a reader must see: new errors, then by severity, each in
// the order of the file; the rest is counted, and what was mended is not listed.
func TestFindingsAreCut(t *testing.T) {
	finding := func(line uint32, severity string, isNew bool) result.Diagnostic {
		return result.Diagnostic{Line: line, Severity: severity, New: isNew}
	}
	list := []result.Diagnostic{
		finding(1, "hint", true), finding(2, "warning", false), finding(3, "error", false), finding(4, "warning", true), finding(5, "error", true), finding(6, "error", true),
	}
	for most, want := range map[int]result.File{
		1: {Diagnostics: []result.Diagnostic{list[4]}, More: 6},
		3: {Diagnostics: []result.Diagnostic{list[4], list[5], list[3]}, More: 4},
		5: {Diagnostics: []result.Diagnostic{list[4], list[5], list[3], list[0], list[2]}, More: 2},
		6: {Diagnostics: list, More: 1},
	} {
		files := []result.File{{Diagnostics: append([]result.Diagnostic{}, list...), More: 1, Fixed: list, Excused: list}}
		cutFindings(files, most)
		if diff := cmp.Diff([]result.File{want}, files); diff != "" {
			t.Errorf("%d: %s", most, diff)
		}
	}
}
