package checking

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/lsptest"
)

// Between the text from before a move and the files as they are now, servers see neither state:
// what they report meanwhile is not taken for something that the move fixed.
func TestWhatIsSaidBetweenTwoStatesIsNotMended(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	lsptest.Git(t, s.root, "init", "-q")
	lsptest.Git(t, s.root, "add", ".")
	lsptest.Git(t, s.root, "commit", "-qm", "one")
	s.check("main.toy")
	lsptest.Git(t, s.root, "mv", "lib.toy", "moved.toy")
	req := api.CheckRequest{Baseline: "head", TimeoutMS: 60_000}
	all, err := s.subjects(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.planCheck(t.Context(), req, all, waitLimit{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.showBefore(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	since := plan.request.Since
	if since == nil {
		t.Fatal("the moment at which servers saw the text from before is not kept")
	}
	report, err := s.checkAgainstDisk(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	if plan.request.Since != since {
		t.Error("it is compared with a later moment")
	}
	for _, f := range slices.Concat(report.Files, report.Others) {
		if len(f.New)+len(f.Fixed) > 0 {
			t.Errorf("%s: new %+v, mended %+v", f.Path, f.New, f.Fixed)
		}
	}
}

// If a changed file is shown in its former text, so are all others, also those that were judged: each in the text that
// was judged last, and a renamed one at its former path, with next to nothing at the new one. If none is, no other is.
func TestFormerTextsAreShownTogether(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- other.toy --\ndef other\n-- old.toy --\ndef old\n")
	lsptest.Git(t, s.root, "init", "-q")
	lsptest.Git(t, s.root, "add", ".")
	lsptest.Git(t, s.root, "commit", "-qm", "one")
	req := api.CheckRequest{Scope: "file"} // nothing else is shown because of users
	shown := func() map[string]string {
		all, err := s.subjects(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := s.planCheck(t.Context(), req, all, waitLimit{})
		if err != nil {
			t.Fatal(err)
		}
		texts := make(map[string]string)
		for _, f := range plan.probes {
			texts[filepath.Base(f.Path)] += string(f.Content)
		}
		return texts
	}
	s.check("main.toy", "lib.toy")
	lsptest.WriteFile(t, filepath.Join(s.root, "main.toy"), "use helper, twice\n")
	lsptest.WriteFile(t, filepath.Join(s.root, "lib.toy"), "def helper, anew\n")
	if diff := cmp.Diff(map[string]string{}, shown()); diff != "" {
		t.Errorf("all were judged (-want +got):\n%s", diff)
	}
	lsptest.WriteFile(t, filepath.Join(s.root, "other.toy"), "def other, anew\n")
	if diff := cmp.Diff(map[string]string{"main.toy": "use helper\n", "lib.toy": "def helper\n", "other.toy": "def other\n"}, shown()); diff != "" {
		t.Errorf("one was not judged (-want +got):\n%s", diff)
	}
	lsptest.Git(t, s.root, "mv", "old.toy", "new.toy")
	want := map[string]string{"main.toy": "use helper\n", "lib.toy": "def helper\n", "other.toy": "def other\n", "old.toy": "def old\n", "new.toy": ""}
	if diff := cmp.Diff(want, shown()); diff != "" {
		t.Errorf("one was renamed (-want +got):\n%s", diff)
	}
}

// Known diagnostics are returned at once, however long a wait is allowed, unless later ones are
// requested.
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

// A check counts the files that it is about, and each as finished when it is.
func TestCheckCountsItsFiles(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	ctx, count := call.Counted(t.Context())
	if _, err := s.Check(ctx, api.CheckRequest{Files: []string{"main.toy", "lib.toy"}, Scope: "file", TimeoutMS: 60_000}); err != nil {
		t.Fatal(err)
	}
	done, total := count.Read()
	if diff := cmp.Diff([]int{2, 2}, []int{done, total}); diff != "" {
		t.Errorf("finished, and all (-want +got):\n%s", diff)
	}
}
