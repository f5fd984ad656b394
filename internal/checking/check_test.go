package checking

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
)

// A file that others renamed is changed until it was judged, and from then on it is not.
func TestRenamedByOthersIsJudgedOnce(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	lsptest.Git(t, s.root, "init", "-q")
	lsptest.Git(t, s.root, "add", ".")
	lsptest.Git(t, s.root, "commit", "-qm", "one")
	s.check("main.toy")
	lsptest.Git(t, s.root, "mv", "main.toy", "moved.toy")
	changes := func() []edit.Change {
		all, err := s.subjects(t.Context(), api.CheckRequest{})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := s.planCheck(t.Context(), api.CheckRequest{}, all, waitLimit{})
		if err != nil {
			t.Fatal(err)
		}
		if len(plan.changes) == 0 && len(plan.before) > 0 {
			t.Errorf("nothing changed, and %d texts from before are to be shown", len(plan.before))
		}
		return plan.changes
	}
	if first := changes(); len(first) != 1 || filepath.Base(first[0].From) != "main.toy" || filepath.Base(first[0].Path) != "moved.toy" {
		t.Errorf("not yet judged: %+v", first)
	}
	for i := range 2 {
		s.check()
		if left := changes(); len(left) != 0 {
			t.Errorf("judged %d times, and still changed: %+v", i+1, left)
		}
	}
}

// A check of what others wrote begins to watch the folders, so that the next one lists and
// reads anew only what changed.
func TestCheckWatches(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	s.check("main.toy")
	_, mark, _ := s.workspace.Touched(0)
	if mark == 0 {
		_, why := s.workspace.Watching()
		t.Fatalf("after a check nobody watches: %s", why)
	}
	lib := filepath.Join(s.root, "lib.toy")
	if err := os.WriteFile(lib, []byte("def helper\ndef more\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.check("main.toy")
	touched, _, known := s.workspace.Touched(mark)
	if diff := cmp.Diff([]string{lib}, slices.Compact(touched)); diff != "" || !known {
		t.Errorf("what others wrote meanwhile (known: %v), -want +got:\n%s", known, diff)
	}
}

// What is known is told at once, however long a wait is allowed, unless something later is asked for.
func TestKnownIsToldAtOnce(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	s.opts.Config.Settings.DiagnosticTimeout = time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	answer, err := s.Diagnostics(ctx, api.DiagnosticsRequest{})
	if err != nil || ctx.Err() != nil || len(answer.Files) > 0 || answer.Verdict != "lsp_unavailable" {
		t.Errorf("%+v, %v", answer, err)
	}
}
