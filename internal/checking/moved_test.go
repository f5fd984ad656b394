package checking

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
)

// A check of a project whose files go on changing ends, and says that it does not know, because servers may have answered about
// other texts. Once they are at rest, it knows.
func TestFilesThatGoOnChanging(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{Mode: lsptest.Pull, Rules: []lsptest.Rule{lsptest.On("textDocument/diagnostic", lsptest.Delay(200))}}, lsptest.Project)
	s.check("main.toy") // so that the server runs
	lsptest.WriteFile(t, filepath.Join(s.root, "main.toy"), "use helper\n\n")
	ctx, rest := context.WithCancel(t.Context())
	writes := make(chan struct{})
	go func() { // others write, and look at the disk
		defer close(writes)
		for i := 0; ctx.Err() == nil; i++ {
			lsptest.WriteFile(t, filepath.Join(s.root, "more.toy"), fmt.Sprintf("def more%d\n", i))
			if _, err := s.workspace.Sweep(ctx, nil); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		}
	}()
	answer := s.check("main.toy")
	rest()
	<-writes
	const goes = "files went on changing on disk: they did each time that the servers were asked"
	if answer.Verdict != "unknown" || !slices.Contains(answer.Unknown, goes) {
		t.Errorf("while files change: %s, not known: %q", answer.Verdict, answer.Unknown)
	}
	if answer := s.check("main.toy"); answer.Verdict != "clean" || len(answer.Unknown) > 0 {
		t.Errorf("afterwards: %s, not known: %q", answer.Verdict, answer.Unknown)
	}
}

// The server of components is never shown the scripts that these import: a preview of changes to both says that it does not know,
// and not what the server says of the one beside the former text of the other. Changes to one kind are judged.
func TestComponentsBesideScripts(t *testing.T) {
	t.Parallel()
	scripts, components := lsptest.Script{Mode: lsptest.Pull}.Definition(t), lsptest.Script{ID: "components", Mode: lsptest.Pull}.Definition(t)
	scripts.Languages = []registry.Language{{ID: "typescript", Patterns: []string{".ts"}}}
	components.Languages = []registry.Language{{ID: "vue", Patterns: []string{".vue"}}}
	s := open(t, "-- toy.root --\n-- lib.ts --\ndef helper\n-- App.vue --\ndef app\n-- other.ts --\ndef other\n", registry.Table{scripts, components})
	for name, c := range map[string]struct {
		texts                map[string]string
		verdict              string
		unknown, whenWritten bool
	}{
		"both":         {map[string]string{"lib.ts": "def renamed\n", "App.vue": "use renamed\n"}, "unknown", true, true},
		"scripts":      {map[string]string{"lib.ts": "def renamed\n", "other.ts": "use renamed\n"}, "clean", false, false},
		"a component":  {map[string]string{"App.vue": "use nothing\n"}, "new_errors", false, false},
		"no component": {map[string]string{"lib.ts": "use nothing\n"}, "new_errors", false, false},
	} {
		draft := func(plan *edit.Plan) error {
			for file, text := range c.texts {
				if err := plan.Write(filepath.Join(s.root, file), text); err != nil {
					return err
				}
			}
			return nil
		}
		answer, err := s.Write(t.Context(), api.Writing{Mode: api.Preview}, func(_ context.Context, _ *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
			return func([]edit.Change, bool) string { return "" }, draft(plan)
		})
		if err != nil {
			t.Fatal(err)
		}
		reads := strings.Contains(strings.Join(answer.Unknown, "\n"), "reads it from disk")
		if diff := cmp.Diff([]any{c.verdict, c.unknown}, []any{answer.Verdict, reads}); diff != "" {
			t.Errorf("%s (-want +got):\n%s%q", name, diff, answer.Unknown)
		}
		staged := s.stagedBy(draft)
		if once := !staged.show().canJudgeWhileWriting(t.Context()); once != c.whenWritten {
			t.Errorf("%s are judged only when they are written: %t", name, once)
		}
		staged.release()
	}
}
