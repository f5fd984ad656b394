package doctor

import (
	"slices"
	"testing"

	"github.com/lspine/lspine/internal/api"
)

// Every operation that depends on a server is in the table by its own name.
func TestNeedsNameOperations(t *testing.T) {
	for _, n := range needs {
		if !slices.ContainsFunc(api.Operations(), func(o api.Operation) bool { return o.Name == n.operation }) {
			t.Errorf("no operation %s", n.operation)
		}
	}
}
