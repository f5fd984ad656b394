package cli

import (
	"errors"
	"testing"

	"github.com/lspine/lspine/internal/result"
)

// A verb that changed files exits like a check of them: what is not known is
// not clean.
func TestExitOfAChange(t *testing.T) {
	for _, c := range []struct {
		name string
		edit *result.Edit
		want error
	}{
		{"nothing was changed", nil, nil},
		{"clean", &result.Edit{Verdict: "clean"}, nil},
		{"broken", &result.Edit{Verdict: "new_errors"}, exit(exitDiagnostics)},
		{"no server", &result.Edit{Verdict: "lsp_unavailable"}, exit(exitUnavailable)},
		{"something is not known", &result.Edit{Verdict: "unknown"}, exit(exitUnavailable)},
		{"nothing was judged", &result.Edit{}, nil},
	} {
		if got := judged(c.edit, nil); !errors.Is(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	refused := errors.New("refused")
	if got := judged(&result.Edit{}, refused); !errors.Is(got, refused) {
		t.Errorf("an edit that is refused: %v", got)
	}
}
