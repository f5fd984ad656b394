package api

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An argument that does not fit is named, with what is wrong with it and what would fit.
func TestArgumentsAreExplained(t *testing.T) {
	for raw, want := range map[string]*ArgumentError{
		`["a.go"]`:                       {"arguments", "they are no JSON object", `for example {"file":"src/a.go"}`},
		`{"at":"a.go Load","dept":2}`:    {"dept", "there is no such argument", `did you mean "depth"?`},
		`{"at":"a.go Load","depth":"x"}`: {"depth", "it is a string; an integer is needed", "for example depth: 2"},
		`{"file":"a.go","line":0}`:       {"line", "0 is below 1: lines and columns start there", "for example line: 42"},
	} {
		_, err := decoded(raw, HierarchyRequest{})
		if diff := cmp.Diff(error(want), err); diff != "" {
			t.Errorf("%s (-want +got):\n%s", raw, diff)
		}
	}
}
