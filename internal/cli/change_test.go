package cli

import (
	"errors"
	"testing"

	"github.com/lspine/lspine/internal/render"
)

// A verb that changed files exits like a check of them: what a server owes is not
// known to be clean, though the others found nothing, and an error found is worth more.
func TestExitOfAChange(t *testing.T) {
	owing := []render.File{{Path: "a.toy", Verdict: "clean", Servers: []render.Answer{
		{Server: "toy", Freshness: "fresh"}, {Server: "lint", Freshness: "timeout"},
	}}}
	for _, c := range []struct {
		name string
		edit *render.Edit
		want error
	}{
		{"nothing was changed", nil, nil},
		{"clean", &render.Edit{Verdict: "clean"}, nil},
		{"broken", &render.Edit{Verdict: "new_errors"}, exit(exitDiagnostics)},
		{"no server", &render.Edit{Verdict: "lsp_unavailable"}, exit(exitUnavailable)},
		{"a linter hangs", &render.Edit{Verdict: "clean", Files: owing}, exit(exitUnavailable)},
		{"a linter hangs over a dependant", &render.Edit{Verdict: "clean", Others: owing}, exit(exitUnavailable)},
		{"broken, and a linter hangs", &render.Edit{Verdict: "new_errors", Files: owing}, exit(exitDiagnostics)},
	} {
		if got := judged(c.edit, nil); !errors.Is(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	refused := errors.New("refused")
	if got := judged(&render.Edit{}, refused); !errors.Is(got, refused) {
		t.Errorf("an edit that is refused: %v", got)
	}
}
