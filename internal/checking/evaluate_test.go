package checking

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
)

// A judgement during which a server ended is not relied on, whatever the others said: it is
// unknown, and says to ask again.
func TestServerThatEndsDuringAnEvaluation(t *testing.T) {
	t.Parallel()
	type said struct {
		Verdict, Confidence string
		Died                bool
		Unknown             []string
	}
	for name, c := range map[string]struct {
		rules []lsptest.Rule
		want  said
	}{
		"stays": {nil, said{"clean", "high", false, nil}},
		"ends": {
			[]lsptest.Rule{lsptest.OnNth("textDocument/didChange", 1, lsptest.Crash(3))},
			said{"unknown", "partial", true, []string{"a server ended during the evaluation: evaluate again"}},
		},
	} {
		s := openToy(t, lsptest.Script{Mode: lsptest.Pull, Rules: c.rules}, lsptest.Project)
		s.check("main.toy")
		plan := edit.NewPlan(s.files)
		if err := plan.Write(filepath.Join(s.root, "main.toy"), "use helper\n\n"); err != nil {
			t.Fatal(err)
		}
		answer, confidence, died, err := s.Evaluate(t.Context(), Evaluation{}, plan)
		if err != nil {
			t.Fatal(err)
		}
		got := said{answer.Verdict, confidence, died, answer.Unknown}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("it %s (-want +got):\n%s", name, diff)
		}
	}
}
