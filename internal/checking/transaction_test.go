package checking

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// What could not be judged is not clean, and apply_if_clean does not write it: files that use what
// changed and got no answer, and those that were too many. Findings without a baseline are reported
// as such.
func TestDoubtIsNotClean(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	known := diagnostics.Judgement{Reached: true}
	clean := func(path string) diagnostics.FileReport {
		return diagnostics.FileReport{Path: filepath.Join(s.root, path), Judgement: known, Baseline: diagnostics.Session}
	}
	silent, late, broken := clean("a.toy"), clean("b.toy"), clean("main.toy")
	silent.Judgement = diagnostics.Judgement{Lacking: true}
	late.Judgement.Lacking = true
	unloaded := late
	unloaded.Answers = []diagnostics.Answer{{}, {Lack: diagnostics.Lack{Missing: "no manifest"}}}
	broken.Judgement.NewErrors, broken.Baseline = true, diagnostics.None
	broken.New = []diagnostics.Diagnostic{{}}
	main := []diagnostics.FileReport{clean("main.toy")}
	for _, c := range []struct {
		name        string
		own, others []diagnostics.FileReport
		change      func(*dependants.Search)
		verdict     string
		harmless    bool
		says        string
	}{
		{"all is known", main, []diagnostics.FileReport{clean("lib.toy")}, nil, "clean", true, ""},
		{"a user is silent", main, []diagnostics.FileReport{silent}, nil, "unknown", false, "could not be judged: a.toy"},
		{"a user is late", main, []diagnostics.FileReport{late}, nil, "unknown", false, "could not be judged: b.toy"},
		{"a user's project is not loaded", main, []diagnostics.FileReport{silent, unloaded}, nil, "unknown", false, "could not be judged: a.toy, b.toy (no manifest)"},
		{"the search failed", main, nil, func(s *dependants.Search) { s.Unknown = []string{"who uses it"} }, "unknown", false, "who uses it"},
		{"users are left out", main, nil, func(s *dependants.Search) { s.Unknown = []string{"too many"} }, "unknown", false, "too many"},
		{"nothing to compare with", []diagnostics.FileReport{broken}, nil, nil, "new_errors", false, "before the edit is not known"},
		{"a user broke, and nothing to compare with", main, []diagnostics.FileReport{broken}, nil, "unknown", false, "what was wrong in them before: main.toy"},
		{"nobody judges it", nil, nil, nil, "", true, ""},
		{"only a user is judged", nil, []diagnostics.FileReport{clean("lib.toy")}, nil, "clean", true, ""},
		{"nobody judges it, and the search failed", nil, nil, func(s *dependants.Search) { s.Unknown = []string{"who uses it"} }, "unknown", false, "who uses it"},
		{"nobody answers", []diagnostics.FileReport{silent}, nil, nil, "lsp_unavailable", false, ""},
	} {
		d := s.staged("main.toy", "use helper\n\n").show()
		if c.change != nil {
			c.change(d.search)
		}
		j := &judged{shownDraft: d}
		if c.name == "users are left out" {
			j.answer.Dependants.Unchecked = []string{"c.toy"}
		}
		j.fill(reports{own: c.own, others: c.others}, nil)
		said := strings.Join(append(j.answer.Notes, j.answer.Unknown...), "\n")
		if j.answer.Verdict != c.verdict || j.harmless() != c.harmless || !strings.Contains(said, c.says) {
			t.Errorf("%s: %s, harmless %t, %q", c.name, j.answer.Verdict, j.harmless(), said)
		}
	}
}

// A server is asked about the changed files alone if they alone are judged, else with all others.
func TestOwnFilesAreAskedAboutAlone(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	staged := s.staged("main.toy", "use helper\n\n")
	for _, alone := range []bool{false, true} {
		staged.alone = alone
		var got []bool
		files, results := staged.own(true, false)
		for _, f := range files {
			got = append(got, f.Narrow)
		}
		if diff := cmp.Diff([]bool{alone}, got); diff != "" || len(results) > 0 {
			t.Errorf("alone %t, besides %v (-want +got):\n%s", alone, results, diff)
		}
	}
}

// What somebody else breaks while an edit is judged is not listed as new in its answer, but a use
// of something removed meanwhile is.
func TestOthersChangeMeanwhile(t *testing.T) {
	for name, seen := range map[string]func(*shop, *judged){
		"seen by the edit":         func(*shop, *judged) {},
		"seen by another question": func(s *shop, j *judged) { _, _ = s.workspace.Look(t.Context(), j.held) },
	} {
		t.Run(name, func(t *testing.T) {
			s := openToy(t, lsptest.Script{}, lsptest.Project)
			s.check("main.toy")
			staged := s.staged("main.toy", "use helper\nuse helper\n")
			d := staged.show()
			if err := staged.commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			d.look(t.Context())
			j, err := d.judge(t.Context(), true)
			if err != nil || j.answer.Verdict != "clean" {
				t.Fatalf("%+v %v", j.answer, err)
			}
			lsptest.WriteFile(t, filepath.Join(s.root, "lib.toy"), "def other\n")
			seen(s, j)
			answer := j.afterOthers(t.Context(), nil).keep()
			if answer.Verdict != "new_errors" || len(answer.Files) != 1 || len(answer.Files[0].Diagnostics) != 1 || answer.Files[0].Older+answer.Files[0].Standing != 1 {
				t.Errorf("%+v", answer)
			}
		})
	}
}

// staged returns a transaction that gives a file another text, as it is before servers are
// asked about it.
func (s *shop) staged(name, text string) *staged {
	s.t.Helper()
	return s.stagedBy(func(plan *edit.Plan) error { return plan.Write(filepath.Join(s.root, name), text) })
}

// stagedBy returns a transaction of planned changes, as it is before servers are asked about it.
func (s *shop) stagedBy(draft func(*edit.Plan) error) *staged {
	s.t.Helper()
	tx, err := s.newTransaction(api.Writing{})
	if err != nil {
		s.t.Fatal(err)
	}
	planned, err := tx.draft(s.t.Context(), nil, func(_ context.Context, _ *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
		return nil, draft(plan)
	})
	if err != nil {
		s.t.Fatal(err)
	}
	staged, err := planned.stage(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		staged.abandon()
		staged.release()
	})
	return staged
}

// A preview shows servers nothing where a file is deleted or moved away, and leaves the texts
// of all others.
func TestPreviewVacatesWhatGoes(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- more.toy --\nuse helper\n-- kept.toy --\nuse helper\n")
	s.check("lib.toy", "main.toy", "more.toy", "kept.toy")
	path := func(name string) string { return filepath.Join(s.root, name) }
	d := s.stagedBy(func(plan *edit.Plan) error {
		return errors.Join(
			plan.Delete(path("lib.toy"), edit.Missing{}), plan.Rename(path("more.toy"), path("moved.toy"), edit.Existing{}),
			plan.Write(path("main.toy"), "use nothing\n"),
		)
	}).show()
	if err := d.vacate(); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, server := range s.workspace.Running() {
		for _, open := range server.OpenDocuments() {
			_, text, _ := server.Document(open)
			got[s.names.Relative(open)] = string(text)
		}
	}
	want := map[string]string{"lib.toy": "", "more.toy": "", "main.toy": "use helper\n", "kept.toy": "use helper\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The answer to an edit says for each file what happened to it: changed, moved with its former
// name, deleted.
func TestEditsNameWhatBecameOfFiles(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- old.toy --\none\n-- gone.toy --\none\n")
	plan := edit.NewPlan(s.files)
	path := func(name string) string { return filepath.Join(s.root, name) }
	for _, err := range []error{plan.Write(path("main.toy"), "use helper\nmore\n"), plan.Rename(path("old.toy"), path("moved.toy"), edit.Existing{}), plan.Delete(path("gone.toy"), edit.Missing{})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	answer, err := s.Keep(t.Context(), api.Writing{Limits: api.Limits{TimeoutMS: 60_000}}, plan, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	want := []result.Edited{
		{Path: "gone.toy", Deleted: true, Removed: 1},
		{Path: "main.toy", Added: 1, Hash: edit.Hash([]byte("use helper\nmore\n"))},
		{Path: "moved.toy", From: "old.toy", Hash: edit.Hash([]byte("one\n"))},
	}
	if diff := cmp.Diff(want, answer.Changes); diff != "" {
		t.Error(diff)
	}
}

// The answer to an edit says how much of its findings may be shown, and what was noted for
// it.
func TestEditsHaveTheirNotes(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	path := filepath.Join(s.root, "main.toy")
	answer, err := s.Write(t.Context(), api.Writing{Limits: api.Limits{TimeoutMS: 60_000}}, func(_ context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
		q.Note("drafted")
		return func([]edit.Change, bool) string { return "" }, plan.Write(path, "use helper\nuse helper\n")
	})
	if err != nil {
		t.Fatal(err)
	}
	settings := s.opts.Config.Settings
	want := result.Caps{PerFile: settings.MaxDiagnosticsPerFile, OtherFiles: settings.MaxProjectDiagnosticsFiles, TotalLines: settings.MaxTotalLines}
	if diff := cmp.Diff(want, answer.Caps); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"drafted"}, answer.Notes); diff != "" {
		t.Error(diff)
	}
}
