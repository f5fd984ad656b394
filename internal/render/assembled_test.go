package render

import (
	"testing"
	"time"

	"github.com/lspine/lspine/internal/result"
)

// Context reads as it is given to a model: the texts as they are, and below them where they are from,
// what is stale, what was not answered and what there was no room for.
func TestTextOfContext(t *testing.T) {
	record := result.ContextRecord{Server: "gopls", Version: "v0.20.0", Query: "textDocument/hover", Target: result.ContextPlace{Path: "a.go", Line: 3, Column: 4}}
	stale := record
	stale.Stale, stale.Reason, stale.QueriedAt = true, "G is no longer\nfound in a.go", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	golden(t, "context", Brief(&result.Context{
		Head:  result.Head{Notes: []string{"took F in the text for a symbol"}},
		Items: []result.ContextItem{{Kind: "type", Name: "F", Text: "b.go:1 F\nfunc F()\n", Record: record}, {Kind: "type", Name: "G", Text: "b.go:2 G\n\x1b[31mfunc G()\n", Record: stale}},
		Bytes: 40, BudgetBytes: 60, Left: 1,
		Failures: []result.ContextFailure{{Server: "gopls", Query: "textDocument/hover", Target: record.Target, Count: 3, Error: result.Error{Message: "broken"}}},
	}))
	golden(t, "context_empty", Brief(&result.Context{BudgetBytes: 60}))
}
