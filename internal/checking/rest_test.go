package checking

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// openParted opens a checker over files that a server judges in parts.
func openParted(t *testing.T, large int, rules ...lsptest.Rule) *shop {
	t.Helper()
	d := lsptest.Script{Mode: lsptest.PushAndPull, PublishClosed: true, Rules: rules}.Definition(t)
	d.Languages = append(d.Languages, registry.Language{ID: "go", Patterns: []string{".go"}})
	d.Diagnostics.ClosedFiles, d.Diagnostics.FileStrategies = registry.ClosedPushes, []registry.Strategy{registry.Pull}
	s := open(t, "-- toy.root --\n-- a.go --\npackage a\n-- user.toy --\nuse helper\n", registry.Table{d})
	s.opts.Config.Settings.LargeProjectFiles = large
	return s
}

// What changes did to files that do not use them directly is asked for if it may be anything and a
// server judges in parts: by the files of that server, and for as long as the other parts took, or all
// that is left if nothing can be told later.
func TestRestOfAChange(t *testing.T) {
	t.Parallel()
	const (
		nobody = "what the change did to files that do not use it directly: there is no file by which their server could be asked"
		works  = "what the change did to files that do not use it directly: their server is still at work on them (late answers come with the next call)"
	)
	hanging := lsptest.On("textDocument/diagnostic", lsptest.Hang())
	type outcome struct {
		Found, Unknown []string
	}
	for name, c := range map[string]struct {
		large    int
		rules    []lsptest.Rule
		unproven bool
		files    []string
		took     time.Duration
		change   func(*shown)
		want     outcome
	}{
		"it is proven":                {1, nil, false, []string{"a.go"}, time.Hour, nil, outcome{}},
		"nothing is judged in parts":  {1000, nil, true, []string{"a.go"}, time.Hour, nil, outcome{}},
		"no file of the server":       {1, nil, true, []string{"user.toy"}, time.Hour, nil, outcome{Unknown: []string{nobody}}},
		"there is time":               {1, nil, true, []string{"user.toy", "a.go"}, time.Hour, nil, outcome{Found: []string{"user.toy"}}},
		"there is none":               {1, []lsptest.Rule{hanging}, true, []string{"a.go"}, 0, nil, outcome{Unknown: []string{works}}},
		"it is told now or never":     {1, nil, true, []string{"a.go"}, 0, func(s *shown) { s.Checker.once = true }, outcome{Found: []string{"user.toy"}}},
		"servers see it now or never": {1, nil, true, []string{"a.go"}, 0, func(s *shown) { s.passing, s.timeout = true, time.Hour }, outcome{Found: []string{"user.toy"}}},
		"the user is checked elsewhere": {1, nil, true, []string{"a.go"}, time.Hour, func(s *shown) {
			s.search.Files = []diagnostics.File{{Path: filepath.Join(s.workspace.Root(), "user.toy")}}
		}, outcome{}},
	} {
		s := openParted(t, c.large, c.rules...)
		if len(c.rules) == 0 {
			s.check("user.toy")
		}
		d := s.staged("a.go", "package a\ndef helper\nfunc A() {}\n").show()
		d.search.Unproven = c.unproven
		if c.change != nil {
			c.change(&d.shown)
		}
		var files []diagnostics.File
		for _, name := range c.files {
			f := diagnostics.File{Path: filepath.Join(s.root, name), Content: []byte("package a\ndef helper\nfunc A() {}\n"), Narrow: true}
			d.search.Sources(&f)
			files = append(files, f)
		}
		found, late, err := d.shown.rest(t.Context(), time.Now().Add(-c.took), files)
		if err != nil || len(late) > 0 {
			t.Errorf("%s: %v, late %+v", name, err, late)
		}
		got := outcome{Unknown: d.search.Unknown}
		for _, r := range found {
			got.Found = append(got.Found, s.names.Relative(r.Path))
		}
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if slices.ContainsFunc(files, func(f diagnostics.File) bool { return !f.Narrow }) {
			t.Errorf("%s: the files of the others are changed", name)
		}
	}
}

// Servers are asked about changes with the terms of the operation, and compare with the moment before.
func TestTermsOfARequest(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	tx, err := s.newTransaction(api.Writing{Severities: []string{"hint"}, Limits: api.Limits{TimeoutMS: 7000}})
	if err != nil {
		t.Fatal(err)
	}
	want := terms{severities: []protocol.Severity{protocol.SeverityHint}, timeout: 7 * time.Second}
	if diff := cmp.Diff(want, tx.terms, cmp.AllowUnexported(terms{}, waitLimit{})); diff != "" {
		t.Errorf("the terms (-want +got):\n%s", diff)
	}
	files := []diagnostics.File{{Path: "a"}}
	since, renamed := s.collector.Now(), map[string]bool{"a": true}
	got := (&shown{Checker: s.Checker, terms: tx.terms, since: since, renamed: renamed}).ask(files)
	if got.Since != since {
		t.Error("it is compared with another moment")
	}
	got.Since = nil
	wanted := diagnostics.Request{Files: files, Severities: want.severities, Timeout: want.timeout, FirstTouch: want.timeout, Renamed: renamed}
	if diff := cmp.Diff(wanted, got, cmpopts.IgnoreFields(diagnostics.Request{}, "Since"), cmpopts.IgnoreUnexported(diagnostics.Request{})); diff != "" {
		t.Errorf("the request (-want +got):\n%s", diff)
	}
}

// After an edit servers are asked ahead for the outlines of the first files that they have open, but
// not if nothing comes after it.
func TestOutlinesAreAskedAheadOfTheNextEdit(t *testing.T) {
	t.Parallel()
	names := []string{"a.toy", "b.toy", "c.toy", "d.toy", "e.toy", "f.toy"}
	for _, c := range []struct {
		once bool
		want int
	}{{false, maxAhead}, {true, 0}} {
		r := rehearse(t)
		r.opts.Once = c.once
		answer, err := r.Write(t.Context(), api.Writing{Limits: api.Limits{TimeoutMS: 60_000}}, taking(r.plans("a.toy: a\nb.toy: b\nc.toy: c\nd.toy: d\ne.toy: e\nf.toy: f\n")[0]))
		if err != nil || len(answer.Changes) != len(names) || answer.Verdict != "clean" {
			t.Fatalf("%+v, %v", answer, err)
		}
		asked := func() (n int) {
			for _, e := range lsptest.ReadJournal(t, r.journal) {
				switch e.Method {
				case "textDocument/documentSymbol":
					n++
				case "textDocument/diagnostic":
					n = 0
				}
			}
			return n
		}
		lsptest.Eventually(t, time.Minute, func() bool { return asked() >= c.want }, "outlines are asked for")
		r.overlay.Close()
		if n := asked(); n != c.want {
			t.Errorf("once %t: %d files are asked about", c.once, n)
		}
	}
}

// Servers are told of moved files before they are told of what is there and what is gone, and of both
// before they are asked what is wrong.
func TestOrderOfWhatServersAreTold(t *testing.T) {
	t.Parallel()
	told := filepath.Join(t.TempDir(), "told")
	script := lsptest.Script{
		Mode: lsptest.Pull, JournalFile: told, Capabilities: []byte(`{"workspace":{"fileOperations":{"didRename":{"filters":[{"pattern":{"glob":"**/*"}}]}}}}`),
	}
	s := openToy(t, script, lsptest.Project+"-- old.toy --\nold\n")
	s.check("main.toy", "old.toy", "lib.toy")
	plan := edit.NewPlan(s.files)
	if err := errors.Join(plan.Rename(filepath.Join(s.root, "old.toy"), filepath.Join(s.root, "moved.toy"), edit.Existing{}), plan.Delete(filepath.Join(s.root, "lib.toy"), edit.Missing{})); err != nil {
		t.Fatal(err)
	}
	since := len(lsptest.ReadJournal(t, told))
	answer, err := s.Write(t.Context(), api.Writing{Limits: api.Limits{TimeoutMS: 60_000}}, taking(plan))
	if err != nil || answer.Verdict != "new_errors" {
		t.Errorf("%+v, %v", answer, err)
	}
	var got []string
	for _, e := range lsptest.ReadJournal(t, told)[since:] {
		if slices.Contains([]string{"workspace/didRenameFiles", "workspace/didChangeWatchedFiles", "textDocument/diagnostic"}, e.Method) && !slices.Contains(got, e.Method) {
			got = append(got, e.Method)
		}
	}
	if diff := cmp.Diff([]string{"workspace/didRenameFiles", "workspace/didChangeWatchedFiles", "textDocument/diagnostic"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
