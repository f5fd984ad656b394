package checking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
)

// changing opens a checker whose server makes a new file each time it is asked what is wrong, so
// many times.
func changing(t *testing.T, times int) *shop {
	t.Helper()
	root := lsptest.Workspace(t, lsptest.Project)
	script := lsptest.Script{Mode: lsptest.Pull}
	for i := range times {
		script.Rules = append(script.Rules, lsptest.OnNth("textDocument/diagnostic", i+2).OnceIn(filepath.Join(root, fmt.Sprintf("other%02d.toy", i))))
	}
	s := openAt(t, root, registry.Table{script.Definition(t)})
	s.check("main.toy")
	return s
}

// An edit is judged again while others go on changing files, but not for ever: then the answer says
// that it is not known what it broke.
func TestOthersGoOnChanging(t *testing.T) {
	t.Parallel()
	const goOn = "what the edit broke, as other files go on changing on disk; check says what is wrong when they are done"
	for times, want := range map[int][]string{0: nil, 2: nil, 40: {goOn}} {
		s := changing(t, times)
		answer, err := s.Write(t.Context(), api.Writing{Limits: api.Limits{TimeoutMS: 60_000}}, taking(s.writing("main.toy", "use helper\nuse helper\n")))
		if err != nil {
			t.Fatal(err)
		}
		verdict := "clean"
		if len(want) > 0 {
			verdict = "unknown"
		}
		if diff := cmp.Diff(want, answer.Unknown, cmpopts.EquateEmpty()); diff != "" || answer.Verdict != verdict || !answer.Applied {
			t.Errorf("%d times: %+v (-want +got):\n%s", times, answer, diff)
		}
	}
}

// openCompiling opens a checker whose server finds what is wrong only on disk.
func openCompiling(t *testing.T) *shop {
	t.Helper()
	d := lsptest.Script{Mode: lsptest.PushAndPull, PublishClosed: true, Rules: []lsptest.Rule{
		lsptest.On("toy/compile", lsptest.Reply(`null`)), lsptest.On("textDocument/diagnostic", lsptest.Reply(`{"kind":"full","items":[]}`)),
	}}.Definition(t)
	d.Diagnostics.Strategies, d.Diagnostics.ClosedFiles = []registry.Strategy{registry.Pull}, registry.ClosedPushes
	d.Diagnostics.Disk = &registry.DiskCheck{Method: "toy/compile", Params: json.RawMessage(`{}`), Whole: true, Lacks: "it compiles only the disk"}
	return open(t, lsptest.Project, registry.Table{d})
}

// Whoever wants to know is told of changes once they are written for good: not of a preview, nor of
// what was tried on disk and taken back.
func TestWrittenChangesAreTold(t *testing.T) {
	t.Parallel()
	const broken, fine = "use nothing\n", "use helper\n\n"
	for name, c := range map[string]struct {
		compiles bool
		mode     string
		text     string
		want     []string
	}{
		"applied":               {false, api.Apply, broken, []string{"main.toy"}},
		"a preview":             {false, api.Preview, fine, nil},
		"clean":                 {false, api.ApplyIfClean, fine, []string{"main.toy"}},
		"not clean":             {false, api.ApplyIfClean, broken, nil},
		"applied, and compiled": {true, api.Apply, broken, []string{"main.toy"}},
		"clean on disk":         {true, api.ApplyIfClean, fine, []string{"main.toy"}},
		"not clean on disk":     {true, api.ApplyIfClean, broken, nil},
	} {
		s := openToy(t, lsptest.Script{}, lsptest.Project)
		if c.compiles {
			s = openCompiling(t)
		}
		var told []string
		path := filepath.Join(s.root, "main.toy")
		s.wrote = func(changes []edit.Change) {
			text, err := os.ReadFile(path)
			if err != nil || string(text) != c.text {
				t.Errorf("%s: told while the file has %q, %v", name, text, err)
			}
			for _, change := range changes {
				told = append(told, s.names.Relative(change.Path))
			}
		}
		answer, err := s.Write(t.Context(), api.Writing{Mode: c.mode, Limits: api.Limits{TimeoutMS: 60_000}}, taking(s.writing("main.toy", c.text)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, told); diff != "" || answer.Applied != (len(c.want) > 0) || answer.Mode != c.mode {
			t.Errorf("%s: %+v (-want +got):\n%s", name, answer, diff)
		}
	}
}

// A look at the disk finds the servers of files anew if others changed something there, or the
// changes add or take away files or configuration; not if they only rewrite.
func TestLooksThatFindServersAnew(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- old.toy --\nold\n")
	path := func(name string) string { return filepath.Join(s.root, name) }
	s.check("main.toy")
	d := s.stagedBy(func(p *edit.Plan) error {
		return errors.Join(p.Write(path("main.toy"), "use nothing\n"), p.Write(path("toy.root"), "x"), p.Write(path("new.toy"), "new\n"), p.Rename(path("old.toy"), path("moved.toy"), edit.Existing{}))
	}).show()
	got := make(map[string]bool)
	for _, name := range []string{"main.toy", "toy.root", "new.toy", "moved.toy", "lib.toy"} {
		got[name] = d.bringsServers(path(name))
	}
	if diff := cmp.Diff(map[string]bool{"main.toy": false, "toy.root": true, "new.toy": true, "moved.toy": true, "lib.toy": true}, got); diff != "" {
		t.Errorf("what may bring servers (-want +got):\n%s", diff)
	}
	files := d.waiting() // the links that it makes to the files are a change of these
	d.waiting = func() waiting { return files }
	d.look(t.Context())
	before := d.search.Detection()
	if disk := d.look(t.Context()); disk.Told || d.search.Detection() != before {
		t.Errorf("nothing changed: %+v", disk)
	}
	lsptest.WriteFile(t, path("lib.toy"), "def helper\n\n")
	if disk := d.look(t.Context()); !slices.Contains(disk.Changed, path("lib.toy")) || d.search.Detection() == before {
		t.Errorf("another file changed: %+v", disk)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	lsptest.WriteFile(t, path("lib.toy"), "def helper\n\n\n")
	if disk := d.look(left); !slices.Contains(disk.Changed, path("lib.toy")) || len(d.notes) > 0 {
		t.Errorf("the caller left: %+v, %q", disk, d.notes)
	}
}

// A file that a caller opened with another text cannot be edited on disk; one that was opened as it
// is can.
func TestEditsOfOpenedFiles(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	given := func(text string) error {
		t.Helper()
		if _, err := s.view.Open(t.Context(), api.OpenRequest{File: "main.toy", Text: &text}); err != nil {
			t.Fatal(err)
		}
		_, err := s.Write(t.Context(), api.Writing{Limits: api.Limits{TimeoutMS: 60_000}}, taking(s.writing("main.toy", "use helper\n\n")))
		return err
	}
	var opened *OpenedError
	if err := given("use this\n"); !errors.As(err, &opened) || opened.Path != "main.toy" || opened.Hint() == "" || !strings.Contains(err.Error(), "main.toy was opened with a text") {
		t.Errorf("another text: %v", err)
	}
	if s.overlay.Holds(filepath.Join(s.root, "lib.toy")) {
		t.Error("a document is held")
	}
	if err := given("use helper\n"); err != nil {
		t.Errorf("the same text: %v", err)
	}
}

// Staged files that are given up are gone, and what was not staged is written all the same.
func TestStagedFiles(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	names := func() (list []string) {
		entries, err := os.ReadDir(s.root)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			list = append(list, e.Name())
		}
		return list
	}
	want := names()
	staged := s.staged("main.toy", "use nothing\n")
	if staged.waiting == nil {
		t.Error("nothing is staged while the files that it affects are looked for")
	}
	staged.abandon()
	staged.waiting = nil
	staged.release()
	if diff := cmp.Diff(want, names()); diff != "" {
		t.Errorf("given up (-want +got):\n%s", diff)
	}
	text := func() string {
		b, err := s.workspace.Read(filepath.Join(s.root, "main.toy"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if got := text(); got != "use helper\n" {
		t.Errorf("given up, and written: %q", got)
	}
	for _, now := range []string{"use one\n", "use two\n"} {
		next := s.staged("main.toy", now)
		if now == "use two\n" {
			next.abandon()
			next.waiting = nil
		}
		if err := next.commit(t.Context()); err != nil || next.waiting != nil || text() != now {
			t.Errorf("%v, %q", err, text())
		}
		next.release()
	}
	outdated := s.staged("main.toy", "use three\n")
	lsptest.WriteFile(t, filepath.Join(s.root, "main.toy"), "use mine\n")
	if err := outdated.commit(t.Context()); err == nil || text() != "use mine\n" {
		t.Errorf("somebody else wrote: %v, %q", err, text())
	}
}

// While a draft is made on top of another, only the first servers of the changed files see that one;
// what it takes away has no text. The notes of both are told.
func TestWhoSeesADraft(t *testing.T) {
	t.Parallel()
	lint := lsptest.Script{ID: "lint", Mode: lsptest.Pull}.Definition(t)
	lint.Role = registry.DiagnosticsOnly
	s := open(t, lsptest.Project+"-- more.toy --\nmore\n", registry.Table{lsptest.Script{Mode: lsptest.Pull}.Definition(t), lint})
	s.check("lib.toy", "main.toy")
	plan := edit.NewPlan(s.files)
	if err := errors.Join(plan.Write(filepath.Join(s.root, "lib.toy"), "def other\n"), plan.Delete(filepath.Join(s.root, "main.toy"), edit.Missing{}), plan.Write(filepath.Join(s.root, "new.toy"), "new\n")); err != nil {
		t.Fatal(err)
	}
	var seen map[string]string
	notes, err := s.Draft(t.Context(), api.Limits{TimeoutMS: 60_000}, plan, func(_ context.Context, q *symbols.Inquiry, _ *edit.Plan) (edit.Summarizer, error) {
		q.Note("drafted")
		seen = s.documents()
		return nil, nil
	})
	if diff := cmp.Diff([]string{"drafted"}, notes); diff != "" || err != nil {
		t.Errorf("%v, notes (-want +got):\n%s", err, diff)
	}
	want := map[string]string{"toy lib.toy": "def other\n", "toy main.toy": "", "toy new.toy": "new\n", "lint lib.toy": "def helper\n", "lint main.toy": ""}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("seen meanwhile (-want +got):\n%s", diff)
	}
	want = map[string]string{"toy lib.toy": "def helper\n", "toy main.toy": "use helper\n", "lint lib.toy": "def helper\n", "lint main.toy": "use helper\n"}
	if diff := cmp.Diff(want, s.documents()); diff != "" {
		t.Errorf("seen afterwards (-want +got):\n%s", diff)
	}
}

// The end of a server matters to whoever judges with it: to a transaction that runs alone, any does.
func TestWhoseEndMatters(t *testing.T) {
	t.Parallel()
	var servers registry.Table
	for _, id := range []string{"a", "b"} {
		d := lsptest.Script{ID: id, Mode: lsptest.Pull, Rules: []lsptest.Rule{lsptest.On("textDocument/didClose", lsptest.Crash(3))}}.Definition(t)
		d.Languages = []registry.Language{{ID: "toy-" + id, Patterns: []string{"." + id + ".toy"}}}
		servers = append(servers, d)
	}
	s := open(t, twoToys, servers)
	files := map[string]string{"a": "a/main.a.toy", "b": "b/main.b.toy"}
	s.check(files["a"], files["b"])
	turn, _, release, err := s.takeTurn(t.Context(), company{servers: []roots.Key{{ID: "a", Root: filepath.Join(s.root, "a")}}})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	var got []bool
	for _, with := range []string{"b", "a"} {
		beside, alone := &transaction{Checker: s.Checker, turn: turn}, &transaction{Checker: s.Checker}
		ended, any := beside.watchServers(), alone.watchServers()
		got = append(got, ended(), any())
		for _, server := range s.workspace.Running() {
			if server.Definition().ID != with {
				continue
			}
			if _, err := server.CloseDocument(filepath.Join(s.root, files[with])); err != nil {
				t.Fatal(err)
			}
			<-server.Done()
		}
		lsptest.Eventually(t, time.Minute, any, "somebody ended")
		got = append(got, ended(), any())
	}
	if diff := cmp.Diff([]bool{false, false, false, true, false, false, true, true}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A server that judges only the disk, and has said what was wrong there, is not shown the committed
// text of a file that changed: what it reported is what the file is compared with.
func TestWhatWasReportedFromDisk(t *testing.T) {
	t.Parallel()
	s := openCompiling(t)
	s.check("main.toy")
	path := filepath.Join(s.root, "main.toy")
	file := s.judges(s.workspace.Detection(), path)
	type compared struct {
		Reported bool
		Baseline diagnostics.Baseline
	}
	for name, c := range map[string]struct {
		wanted, source diagnostics.Baseline
		after          string
		want           compared
	}{
		"committed":           {diagnostics.Session, diagnostics.Head, "two", compared{true, diagnostics.Head}},
		"as it was committed": {diagnostics.Session, diagnostics.Head, "one", compared{}},
		"given":               {diagnostics.Session, diagnostics.Before, "two", compared{true, diagnostics.Before}},
		"wanted so":           {diagnostics.Head, diagnostics.Head, "two", compared{true, diagnostics.Head}},
		"not compared":        {diagnostics.None, diagnostics.Head, "two", compared{true, ""}},
	} {
		var p checkPlan
		f := file
		p.compare(s.Checker, &f, edit.Change{Path: path, Before: []byte("one"), After: []byte(c.after)}, c.source, c.wanted)
		if diff := cmp.Diff(c.want, compared{f.Reported, f.Baseline}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Whoever leaves while it is found out what changes affect gets an error, and no document is held.
func TestChangesThatNobodyWaitsFor(t *testing.T) {
	t.Parallel()
	for _, alone := range []bool{false, true} {
		s := openToy(t, lsptest.Script{}, lsptest.Project)
		tx, err := s.newTransaction(api.Writing{})
		if err != nil {
			t.Fatal(err)
		}
		tx.alone = alone
		left, leave := context.WithCancel(t.Context())
		_, err = tx.prepare(left, func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
			leave()
			return taking(s.writing("main.toy", "use helper\n\n"))(ctx, q, plan)
		})
		if !errors.Is(err, context.Canceled) || s.overlay.Holds(filepath.Join(s.root, "main.toy")) {
			t.Errorf("alone %t: %v", alone, err)
		}
		entries, err := os.ReadDir(s.root)
		if err != nil || len(entries) != 3 {
			t.Errorf("alone %t: left behind: %v, %v", alone, entries, err)
		}
	}
}
