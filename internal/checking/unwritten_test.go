package checking

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/registry"
)

// A server that judges new files only on disk is not shown one in a preview, nor what is open beside it, and the answer says that
// nothing is known. Others are.
func TestPreviewOfNewFiles(t *testing.T) {
	t.Parallel()
	type told struct {
		Shown, Unknown bool
		Verdict        string
	}
	got := make(map[string]told)
	for name, quirks := range map[string][]registry.Quirk{"any server": nil, "one that judges files": {registry.JudgesSaved}} {
		s := openTwoToys(t, quirks...)
		plan := s.writing("a/new.a.toy", "def fresh\n")
		var answer Evaluated
		if err := s.Evaluate(t.Context(), Evaluation{}, []*edit.Plan{plan}, func(e Evaluated) error { answer = e; return nil }); err != nil {
			t.Fatal(err)
		}
		var is told
		for _, server := range s.workspace.Running() {
			is.Shown = is.Shown || !server.Pristine(filepath.Join(s.root, "a/new.a.toy"))
		}
		is.Unknown, is.Verdict = len(answer.Edit.Unknown) > 0, answer.Edit.Verdict
		got[name] = is
	}
	want := map[string]told{"any server": {true, false, "clean"}, "one that judges files": {false, true, "unknown"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
