package checking

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// A check that makes no sense is refused with the argument that is wrong; each value that has a meaning is taken.
func TestRequestsOfChecks(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	for _, c := range []struct {
		req  api.CheckRequest
		want string
	}{
		{api.CheckRequest{Severities: []string{"error", "loud"}}, "severities"},
		{api.CheckRequest{Baseline: "then"}, "baseline"},
		{api.CheckRequest{MaxBytes: -2}, "max_bytes"},
		{api.CheckRequest{WaitLimitMS: -1}, "wait_limit_ms"},
		{api.CheckRequest{TimeoutMS: -1}, "timeout_ms"},
		{api.CheckRequest{Scope: "moon"}, "scope"},
		{api.CheckRequest{MaxBytes: -1, WaitLimitMS: 1, TimeoutMS: 1, Scope: "workspace"}, ""},
		{api.CheckRequest{Scope: "dependants", Severities: []string{"hint"}}, ""},
	} {
		_, _, err := s.newCheckPlan(c.req)
		var wrong *api.ArgumentError
		if errors.As(err, &wrong); (err == nil) != (c.want == "") || err != nil && (wrong == nil || wrong.Argument != c.want || wrong.Advice == "") {
			t.Errorf("%+v: %v is not about %q", c.req, err, c.want)
		}
		if _, checkErr := s.Check(t.Context(), c.req); err != nil && !cmp.Equal(fmt.Sprint(err), fmt.Sprint(checkErr)) {
			t.Errorf("%+v: the check says %v", c.req, checkErr)
		}
	}
	if _, err := s.Diagnostics(t.Context(), api.DiagnosticsRequest{Severities: []string{"loud"}}); err == nil {
		t.Error("what is known of no severity is told")
	}
	type plan struct {
		Baseline              diagnostics.Baseline
		NoBaseline, OthersToo bool
		Timeout               time.Duration
		Severities            []protocol.Severity
	}
	for want, req := range map[*plan]api.CheckRequest{
		{diagnostics.Session, false, true, 0, []protocol.Severity{protocol.SeverityError}}:           {},
		{diagnostics.None, true, false, 5 * time.Second, []protocol.Severity{protocol.SeverityHint}}: {Baseline: "none", Scope: "file", TimeoutMS: 5000, Severities: []string{"hint"}},
		{diagnostics.None, false, true, 0, []protocol.Severity{protocol.SeverityError}}:              {Baseline: "none", Before: map[string]string{"main.toy": ""}},
		{diagnostics.Head, false, true, 0, []protocol.Severity{protocol.SeverityError}}:              {Baseline: "head", Scope: "dependants"},
	} {
		got, baseline, err := s.newCheckPlan(req)
		if err != nil {
			t.Fatal(err)
		}
		r := got.request
		if diff := cmp.Diff(want, &plan{baseline, r.NoBaseline, r.OthersToo, r.Timeout, r.Severities}); diff != "" || r.FirstTouch != r.Timeout {
			t.Errorf("%+v (-want +got):\n%s", req, diff)
		}
	}
}

// Where nothing changed nothing is checked, and nothing is wrong.
func TestCheckOfNothing(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	lsptest.Git(t, s.root, "init", "-q")
	lsptest.Git(t, s.root, "add", ".")
	lsptest.Git(t, s.root, "commit", "-qm", "one")
	answer := s.check()
	if answer.Root != s.root || answer.Verdict != "clean" || answer.Files == nil || len(answer.Files) > 0 || len(s.workspace.Running()) > 0 {
		t.Errorf("%+v; %d servers run", answer, len(s.workspace.Running()))
	}
}

// What is known stays as it was until somebody asks to look again, or names a file; of a text that is given
// all is told that servers say.
func TestKnownIsRefreshed(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{Mode: lsptest.Pull}, lsptest.Project)
	path := filepath.Join(s.root, "main.toy")
	lsptest.WriteFile(t, path, "use nothing\n")
	s.check("main.toy")
	known := func(req api.DiagnosticsRequest) string {
		t.Helper()
		req.TimeoutMS = 60_000
		answer, err := s.Diagnostics(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, f := range answer.Files {
			found += len(f.Diagnostics)
		}
		return fmt.Sprintf("%s %d", answer.Verdict, found)
	}
	if got := known(api.DiagnosticsRequest{}); got != "new_errors 1" {
		t.Errorf("at first: %s", got)
	}
	lsptest.WriteFile(t, path, "use helper\n")
	if got := known(api.DiagnosticsRequest{}); got != "new_errors 1" {
		t.Errorf("without a look: %s", got)
	}
	if got := known(api.DiagnosticsRequest{Refresh: true}); got != "clean 0" {
		t.Errorf("after a look: %s", got)
	}
	lsptest.WriteFile(t, path, "use nothing\n")
	if got := known(api.DiagnosticsRequest{Files: []string{"main.toy"}}); got != "new_errors 1" {
		t.Errorf("of a file that is named: %s", got)
	}
	list, err := s.Diagnose(t.Context(), path, []byte("use this\nuse that\n"), time.Minute)
	if err != nil || len(list) != 2 {
		t.Errorf("of a text: %+v, %v", list, err)
	}
}

// What is hidden for want of a name or a module stays apart from changes that its file does not mention: not
// from those of files that come, go or move, nor where the server hides it for another reason.
func TestApart(t *testing.T) {
	t.Parallel()
	user, shapes := lsptest.Rooted("/r/user.ts"), lsptest.Rooted("/r/shapes.ts")
	const text = "import { read } from \"fs\";\nimport { side } from \"./shapes\";\nimport { write } from \"./other\";\nexport const a = () => read(\"a\");\nexport const b = () => process.env.MODE !== \"quick\" && side;\n"
	before, after := []byte("export const side: number = 1;\n"), []byte("export const side: number = 2;\nexport const depth: number = 1;\n")
	changed := edit.Change{Path: shapes, Before: before, After: after}
	const name, module = "Cannot find name 'process'. Do you need types?", "Cannot find module 'fs' or its types."
	for _, c := range []struct {
		about   string
		excused []string
		change  edit.Change
		want    bool
	}{
		{"a module", []string{module}, changed, true},
		{"a declaration of one", []string{"Could not find a declaration file for module 'fs'."}, changed, true},
		{"a name", []string{name}, changed, true},
		{"both", []string{name, module}, changed, true},
		{"something else", []string{"Type 'a' is not a 'b'."}, changed, false},
		{"something else as well", []string{module, "Type 'a' is not a 'b'."}, changed, false},
		{"what comes", []string{module}, edit.Change{Path: shapes, After: after, Created: true}, false},
		{"what goes", []string{module}, edit.Change{Path: shapes, Before: before, Deleted: true}, false},
		{"what moves", []string{module}, edit.Change{Path: shapes, From: lsptest.Rooted("/r/other.ts"), Before: before, After: after}, false},
	} {
		var excused []protocol.Diagnostic
		for _, message := range c.excused {
			excused = append(excused, protocol.Diagnostic{Message: message})
		}
		files := []diagnostics.File{{Path: user, Content: []byte("import './wrong'")}, {Path: shapes, Content: after}}
		if got := apart([]edit.Change{c.change}, files)(user, []byte(text), []byte(text), excused); got != c.want {
			t.Errorf("%s: apart %t", c.about, got)
		}
	}
}

// A draft on top of a draft is made while servers see the first, and nobody else; afterwards they see the disk
// again, also where the second comes to nothing.
func TestDraftOnTopOfADraft(t *testing.T) {
	t.Parallel()
	r := rehearse(t)
	broken := errors.New("no idea")
	for name, failed := range map[string]error{"made": nil, "given up": broken} {
		plan := r.plans("lib.toy: def other")[0]
		since := r.entries()
		var meanwhile []string
		_, err := r.Draft(t.Context(), api.Limits{TimeoutMS: 60_000}, plan, func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
			meanwhile = r.shown(since)
			text, err := q.Text(filepath.Join(r.root, "lib.toy"))
			if err != nil || strings.TrimSpace(string(text.Content())) != "def other" {
				t.Errorf("%s: the draft is asked about %q, %v", name, text.Content(), err)
			}
			return nil, failed
		})
		if !errors.Is(err, failed) {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff([]string{"lib.toy: def other"}, meanwhile); diff != "" {
			t.Errorf("%s, shown meanwhile (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff([]string{"lib.toy: def other", "lib.toy: def helper"}, r.shown(since)); diff != "" {
			t.Errorf("%s, shown in all (-want +got):\n%s", name, diff)
		}
	}
	since := r.entries()
	if _, err := r.Draft(t.Context(), api.Limits{TimeoutMS: 60_000}, edit.NewPlan(r.files), func(context.Context, *symbols.Inquiry, *edit.Plan) (edit.Summarizer, error) { return nil, nil }); err != nil || len(r.shown(since)) > 0 {
		t.Errorf("on top of nothing: %v, shown %q", err, r.shown(since))
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Draft(over, api.Limits{}, r.plans("lib.toy: def other")[0], nil); !errors.Is(err, context.Canceled) {
		t.Errorf("when there is no time: %v", err)
	}
}

// What became wrong in a session is told by each check of what changed until it is mended, also in a file that git
// does not look at.
func TestWhatBrokeIsToldUntilItIsMended(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{Mode: lsptest.Pull}, lsptest.Project+"-- .gitignore --\nignored.toy\n-- ignored.toy --\nuse helper\n")
	lsptest.Git(t, s.root, "init", "-q")
	lsptest.Git(t, s.root, "add", ".")
	lsptest.Git(t, s.root, "commit", "-qm", "one")
	path := filepath.Join(s.root, "ignored.toy")
	told := func(files ...string) (text string) {
		answer := s.check(files...)
		text = answer.Verdict
		for _, f := range answer.Files {
			text += fmt.Sprintf(" %s %d", f.Path, len(f.Diagnostics))
		}
		return text
	}
	steps := []string{told("ignored.toy"), told()}
	lsptest.WriteFile(t, path, "use nothing\n")
	steps = append(steps, told("ignored.toy"), told(), told())
	lsptest.WriteFile(t, path, "use helper\n")
	steps = append(steps, told(), told())
	want := []string{"clean ignored.toy 0", "clean", "new_errors ignored.toy 1", "new_errors ignored.toy 1", "new_errors ignored.toy 1", "clean ignored.toy 0", "clean"}
	if diff := cmp.Diff(want, steps); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
