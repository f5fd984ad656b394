package checking

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// A planned file is what a plan has of a file.
type plannedFile struct {
	Path, Text           string
	Reported, Everywhere bool
	Narrow, Created      bool
	Baseline             diagnostics.Baseline
	Sources, Failures    int
}

func (s *shop) planned(files []diagnostics.File) (list []plannedFile) {
	for _, f := range files {
		list = append(list, plannedFile{s.names.Relative(f.Path), string(f.Content), f.Reported, f.Everywhere, f.Narrow, f.Created, f.Baseline, len(f.Sources), len(f.Failures)})
	}
	return list
}

// A check is planned with each named file once, in the order of the names: with the text that is given
// or opened, or else the one on disk. What cannot be judged has its error in its place, and a manifest
// has nothing but a change.
func TestPlanOfACheck(t *testing.T) {
	t.Parallel()
	compiles := lsptest.Script{}.Definition(t)
	compiles.Manifests, compiles.Diagnostics.ClosedFiles = []string{"build.conf"}, registry.ClosedPushes
	absent := registry.Definition{
		ID: "absent", Languages: []registry.Language{{ID: "x", Patterns: []string{".x"}}}, Role: registry.Primary, SingleFile: true, Commands: []registry.Command{{Binary: "no-such-program"}},
	}
	s := open(t, lsptest.Project+"-- build.conf --\nall\n-- opened.toy --\none\n-- a.x --\nx\n-- notes.txt --\nx\n-- broken.toy --\none\n", registry.Table{compiles, absent})
	path := func(name string) string { return filepath.Join(s.root, name) }
	text := "two\n"
	if _, err := s.view.Open(t.Context(), api.OpenRequest{File: "opened.toy", Text: &text}); err != nil {
		t.Fatal(err)
	}
	req := api.CheckRequest{
		Contents: map[string]string{"given.toy": "use helper\n", "large.toy": strings.Repeat("#", 3<<20)}, Before: map[string]string{"main.toy": "before\n"},
		Severities: []string{"hint"}, SourceLines: true, Scope: api.ScopeFile,
	}
	names := []string{"main.toy", "none.toy", "./main.toy", "given.toy", "build.conf", "large.toy", path("opened.toy"), "a.x", "notes.txt", "broken.toy", "none.toy"}
	plan, err := s.planCheck(t.Context(), req, subjects{files: names}, waitLimit{})
	if err != nil {
		t.Fatal(err)
	}
	type file struct {
		Path, Error string
		Listed      bool
	}
	var files []file
	for _, f := range plan.files {
		message := ""
		if f.Error != nil {
			message = string(f.Error.Kind)
		}
		files = append(files, file{f.Path, message, f.Diagnostics != nil})
	}
	wantFiles := []file{
		{"main.toy", "", false},
		{"none.toy", "not_found", true},
		{"given.toy", "", false},
		{"build.conf", "", true},
		{"large.toy", "not_diagnosed", true},
		{"opened.toy", "", false},
		{"a.x", "", false},
		{"notes.txt", "", false},
		{"broken.toy", "", false},
	}
	if diff := cmp.Diff(wantFiles, files); diff != "" {
		t.Errorf("the results (-want +got):\n%s", diff)
	}
	wantAsked := []plannedFile{
		{Path: "main.toy", Text: "use helper\n", Baseline: diagnostics.Before, Sources: 1},
		{Path: "given.toy", Text: "use helper\n", Sources: 1},
		{Path: "opened.toy", Text: "two\n", Sources: 1},
		{Path: "a.x", Text: "x\n", Failures: 1},
		{Path: "notes.txt", Text: "x\n"},
		{Path: "broken.toy", Text: "one\n", Sources: 1},
	}
	if diff := cmp.Diff(wantAsked, s.planned(plan.request.Files)); diff != "" {
		t.Errorf("asked about (-want +got):\n%s", diff)
	}
	before := []plannedFile{
		{Path: "main.toy", Text: "before\n", Sources: 1},
		{Path: "given.toy", Text: "use helper\n", Sources: 1},
		{Path: "opened.toy", Text: "two\n", Sources: 1},
		{Path: "broken.toy", Text: "one\n", Sources: 1},
	}
	if diff := cmp.Diff(before, s.planned(plan.probes)); diff != "" {
		t.Errorf("shown before (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[int]bool{3: true}, plan.manifests); diff != "" || plan.own != 6 || !plan.sourceLines {
		t.Errorf("own %d, with lines %t, manifests (-want +got):\n%s", plan.own, plan.sourceLines, diff)
	}
	changes := make(map[string]string)
	for _, c := range plan.changes {
		changes[s.names.Relative(c.Path)] = string(c.Before) + "to " + string(c.After)
	}
	if diff := cmp.Diff(map[string]string{
		"main.toy": "before\nto use helper\n",
	}, changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if len(plan.contents) != 6 || string(plan.contents[path("opened.toy")]) != "two\n" {
		t.Errorf("texts: %q", plan.contents)
	}
}

// A check is about everything if it is of the workspace or its folder, as it is on disk.
func TestChecksOfEverything(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	text := map[string]string{"main.toy": ""}
	for name, c := range map[string]struct {
		req  api.CheckRequest
		want bool
	}{
		"nothing named":               {api.CheckRequest{}, false},
		"the workspace":               {api.CheckRequest{Scope: api.ScopeWorkspace}, true},
		"the workspace, of a text":    {api.CheckRequest{Scope: api.ScopeWorkspace, Contents: text}, false},
		"the workspace, and before":   {api.CheckRequest{Scope: api.ScopeWorkspace, Before: text}, false},
		"the workspace, two texts":    {api.CheckRequest{Scope: api.ScopeWorkspace, Before: text, Contents: text}, false},
		"its folder":                  {api.CheckRequest{Files: []string{"main.toy", "."}}, true},
		"its folder, of a text":       {api.CheckRequest{Files: []string{"."}, Contents: text}, false},
		"one file":                    {api.CheckRequest{Files: []string{"main.toy"}, Scope: api.ScopeDependants}, false},
		"a folder that is none of it": {api.CheckRequest{Files: []string{"../.."}}, false},
	} {
		if got := s.isEverywhere(c.req); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// The lines of a finding are those of the text that was checked or, of another file, those on disk:
// only where they are wanted, and not of a file that is gone.
func TestLinesOfACheck(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	main, lib := filepath.Join(s.root, "main.toy"), filepath.Join(s.root, "lib.toy")
	lines := func(p *checkPlan, path string) string {
		mapper := p.lines(path)
		if mapper == nil {
			return "none"
		}
		return string(mapper.Content())
	}
	wanted := &checkPlan{sourceLines: true, contents: map[string][]byte{main: []byte("checked")}}
	unwanted := &checkPlan{contents: wanted.contents}
	got := []string{lines(wanted, main), lines(wanted, lib), lines(wanted, lib+"x"), lines(unwanted, main), lines(unwanted, lib)}
	if diff := cmp.Diff([]string{"checked", "def helper\n", "none", "none", "none"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The answer of a check has everything that the report and the search say.
func TestAnswerOfACheck(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- tsconfig.json --\n{}\n")
	path := func(name string) string { return filepath.Join(s.root, name) }
	clean := diagnostics.Judgement{Reached: true}
	report := func(name string, j diagnostics.Judgement, fresh ...diagnostics.Diagnostic) diagnostics.FileReport {
		return diagnostics.FileReport{Path: path(name), Judgement: j, Verdict: j.Verdict(), Baseline: diagnostics.Session, Diagnostics: fresh, New: fresh}
	}
	lost := report("lost.toy", diagnostics.Judgement{Reached: true, Lacking: true})
	lost.Answers = []diagnostics.Answer{{Server: "toy", Freshness: diagnostics.Partial, Lack: diagnostics.Lack{Missing: "no manifest"}}}
	changes := func() dependants.Changes {
		return dependants.Changes{
			{Path: path("gone.toy"), Deleted: true}, {Path: path("main.toy"), From: path("old.toy"), After: []byte("use helper\n")}, {Path: path("tsconfig.json"), After: []byte("{}")},
		}
	}
	plan := func(changes dependants.Changes) *checkPlan {
		detection := s.workspace.Detection()
		members := s.finder.Membership(t.Context(), detection)
		return &checkPlan{
			own: 1, files: []result.File{{}}, detection: detection, members: members, changes: changes, search: s.finder.Made(changes, detection, members), unknown: []string{"of the plan"},
		}
	}
	of := func(path, verdict, baseline string, list ...result.Diagnostic) result.File {
		if list == nil {
			list = []result.Diagnostic{}
		}
		return result.File{Path: path, Verdict: verdict, Baseline: baseline, Diagnostics: list}
	}

	doubtful := plan(changes())
	doubtful.search.Unknown = []string{"of the search"}
	answer, judgement := s.present(doubtful, diagnostics.Report{
		Files: []diagnostics.FileReport{report("main.toy", clean), report("user.toy", diagnostics.Judgement{Reached: true, NewErrors: true}, wrongAt(0, "one"))}, Others: []diagnostics.FileReport{lost},
		Late: []diagnostics.FileReport{report("late.toy", clean)}, Epoch: 7,
	})
	want := result.Check{
		Root: s.root, Verdict: "new_errors", Incomplete: true, Epoch: 7, Deleted: []string{"gone.toy"}, Files: []result.File{of("main.toy", "clean", "session")},
		Others: []result.File{of("user.toy", "new_errors", "session", told(0, "one", true, false))}, Late: []result.File{of("late.toy", "clean", "session")},
		Unknown: []string{"of the plan", "of the search", "what the change did to files that use it, as they could not be judged: lost.toy (no manifest)"},
	}
	if diff := cmp.Diff(want, answer, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(diagnostics.Judgement{Reached: true, NewErrors: true, Lacking: true}, judgement); diff != "" {
		t.Errorf("the judgement (-want +got):\n%s", diff)
	}

	sure := plan(changes())
	sure.unknown = nil
	if answer, judgement := s.present(sure, diagnostics.Report{Files: []diagnostics.FileReport{report("main.toy", clean)}}); answer.Verdict != "clean" || answer.Incomplete || judgement != clean {
		t.Errorf("sure: %+v, %+v", answer, judgement)
	}

	none := plan(dependants.Changes{{Path: path("gone.toy"), Deleted: true}})
	none.own, none.files, none.unknown = 0, nil, nil
	if answer, _ := s.present(none, diagnostics.Report{}); answer.Verdict != "clean" || !slices.Equal(answer.Deleted, []string{"gone.toy"}) {
		t.Errorf("nothing but a deletion: %+v", answer)
	}
	silent := plan(nil)
	silent.unknown = nil
	if answer, _ := s.present(silent, diagnostics.Report{Files: []diagnostics.FileReport{report("main.toy", diagnostics.Judgement{})}}); answer.Verdict != "lsp_unavailable" || answer.Incomplete {
		t.Errorf("nobody is there: %+v", answer)
	}
}

// How many files are checked and how many are gone may be the same.
func TestAsManyFilesAreGoneAsChanged(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{Mode: lsptest.Pull}, lsptest.Project)
	lsptest.Git(t, s.root, "init", "-q")
	lsptest.Git(t, s.root, "add", ".")
	lsptest.Git(t, s.root, "commit", "-qm", "one")
	plan := edit.NewPlan(s.files)
	if err := errors.Join(plan.Delete(filepath.Join(s.root, "lib.toy"), edit.Missing{}), plan.Write(filepath.Join(s.root, "main.toy"), "use helper\n\n")); err != nil {
		t.Fatal(err)
	}
	if err := edit.Commit(t.Context(), plan, s.journal); err != nil {
		t.Fatal(err)
	}
	answer := s.check()
	if diff := cmp.Diff([]string{"main.toy"}, paths(answer.Files)); diff != "" || answer.Verdict != "new_errors" || !slices.Equal(answer.Deleted, []string{"lib.toy"}) {
		t.Errorf("%+v (-want +got):\n%s", answer, diff)
	}
}
