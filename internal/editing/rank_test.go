package editing

import (
	"slices"
	"testing"

	"github.com/lspine/lspine/internal/protocol"
)

// Actions are listed as people look for them: what is preferred, what fixes, what has no kind,
// what tidies, what rewrites, what is of a kind of its own, and last what cannot be done.
func TestRankOfActions(t *testing.T) {
	want := []protocol.CodeAction{
		{Kind: "quickfix.import", IsPreferred: true},
		{Kind: "quickfix"},
		{IsPreferred: true},
		{Kind: "source.organizeImports", IsPreferred: true},
		{Kind: "refactor.extract"},
		{Kind: "refactors"},
		{Kind: "quickfix", IsPreferred: true, Disabled: "not here"},
	}
	var got []int
	for _, action := range want {
		got = append(got, (&codeAction{action: action}).rank())
	}
	if ranks := []int{-1, 0, 1, 2, 3, 4, 10}; !slices.Equal(got, ranks) {
		t.Errorf("ranks %v, want %v", got, ranks)
	}
}
