package doctor

import (
	"slices"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/registry"
)

// Every operation that depends on a server is in the table by its own name.
func TestNeedsNameOperations(t *testing.T) {
	for _, n := range needs {
		if !slices.ContainsFunc(api.Operations(), func(o api.Operation) bool { return o.Name == n.operation }) {
			t.Errorf("no operation %s", n.operation)
		}
	}
}

// For each strategy there are words that say what is waited for.
func TestEveryStrategyHasWords(t *testing.T) {
	for _, strategy := range registry.Strategies {
		if completeness[strategy] == "" {
			t.Errorf("completeness says nothing of the strategy %s", strategy)
		}
	}
}
