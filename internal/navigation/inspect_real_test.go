package navigation_test

import (
	"errors"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// Whoever wants a part of an inspection alone gets that alone, and a part that there
// is not is named.
//
// Requirement: AGENT-14.
func TestPartsOfAnInspection(t *testing.T) {
	s := enginetest.OpenReal(t, "-- go.mod --\nmodule m\n\ngo 1.24\n-- a.go --\npackage m\n\n// A is one.\nfunc A() int { return 1 }\n\nvar B = A()\n", "gopls")
	at := api.Selector{At: "a.go:6 A"}
	both := enginetest.Do(t, s, api.Inspect, api.InspectRequest{Selector: at})
	hover := enginetest.Do(t, s, api.Inspect, api.InspectRequest{Selector: at, Parts: []string{"hover"}})
	definition := enginetest.Do(t, s, api.Inspect, api.InspectRequest{Selector: at, Parts: []string{"definition"}})
	if both.Hover == "" || both.Definition != "a.go:4:6" {
		t.Errorf("both: %+v", both)
	}
	if hover.Hover != both.Hover || hover.Definition != "" {
		t.Errorf("hover: %+v", hover)
	}
	if definition.Hover != "" || definition.Definition != both.Definition || definition.Signature != both.Signature {
		t.Errorf("definition: %+v", definition)
	}
	_, err := api.Inspect.Do(t.Context(), s.Engine, api.InspectRequest{Selector: at, Parts: []string{"colour"}})
	var wrong *api.ArgumentError
	if !errors.As(err, &wrong) || wrong.Argument != "parts" || wrong.Advice == "" {
		t.Errorf("%v", err)
	}
}
