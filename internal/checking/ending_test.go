package checking

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// documents returns the texts that the running servers have open, by server and name.
func (s *shop) documents() map[string]string {
	s.t.Helper()
	texts := make(map[string]string)
	for _, server := range s.workspace.Running() {
		for _, path := range server.OpenDocuments() {
			_, text, _ := server.Document(path)
			texts[server.Definition().ID+" "+s.names.Relative(path)] = string(text)
		}
	}
	return texts
}

// When drafts are taken back, each document is as it was, and closed if it was not open. Those that
// are checked next keep the draft until then, and have their text again even if nobody checks them.
func TestDocumentsAreAsTheyWere(t *testing.T) {
	t.Parallel()
	r := rehearse(t)
	lsptest.WriteFile(t, filepath.Join(r.root, "more.toy"), "def more\n")
	path := func(name string) string { return filepath.Join(r.root, name) }
	names := []string{"main.toy", "lib.toy", "more.toy"}
	d := r.stagedBy(func(p *edit.Plan) error {
		return errors.Join(p.Write(path("main.toy"), "main\n"), p.Write(path("lib.toy"), "lib\n"), p.Write(path("more.toy"), "more\n"))
	}).show()
	for _, server := range r.workspace.Running() {
		for _, name := range names {
			if _, err := server.Sync(path(name), []byte(name+", drafted\n")); err != nil {
				t.Fatal(err)
			}
		}
	}
	own, _ := d.own(false, false)
	var left []diagnostics.File
	for _, f := range own {
		switch filepath.Base(f.Path) {
		case "lib.toy":
			f.Sources = nil // it is checked without this server
		case "more.toy":
			continue
		}
		left = append(left, f)
	}
	if err := errors.Join(d.closeDrafts(left)...); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"toy main.toy": "main.toy, drafted\n", "toy lib.toy": "def helper\n"}, r.documents()); diff != "" {
		t.Errorf("taken back (-want +got):\n%s", diff)
	}
	if err := errors.Join(d.showLeft([]diagnostics.File{{Path: path("lib.toy")}})...); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff("main.toy, drafted\n", r.documents()["toy main.toy"]); diff != "" {
		t.Errorf("another file was left (-want +got):\n%s", diff)
	}
	if err := errors.Join(d.showLeft(left)...); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"toy main.toy": "use helper\n", "toy lib.toy": "def helper\n"}, r.documents()); diff != "" {
		t.Errorf("nobody checked it (-want +got):\n%s", diff)
	}
}

// What changes affected is judged again once they are taken back: the changed files, and those of
// the others that some server judges, each once and as it is on disk.
func TestWhatIsJudgedAgain(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- notes.txt --\nx\n")
	d := s.stagedBy(func(p *edit.Plan) error {
		return errors.Join(p.Write(filepath.Join(s.root, "main.toy"), "use nothing\n"), p.Write(filepath.Join(s.root, "new.toy"), "new\n"))
	}).show()
	got := make(map[string]string)
	for _, f := range d.concerned([]result.File{{Path: "main.toy"}, {Path: "../../else.toy"}, {Path: "lib.toy"}, {Path: "lib.toy"}, {Path: "never.toy"}}) {
		got[s.names.Relative(f.Path)] += string(f.Content)
	}
	if diff := cmp.Diff(map[string]string{"main.toy": "use helper\n", "lib.toy": "def helper\n"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A server is asked about a file if it is one of its sources: the same one, in the same folder.
func TestWhoIsAskedAboutAFile(t *testing.T) {
	t.Parallel()
	r := rehearse(t)
	for _, server := range r.workspace.Running() {
		var got []bool
		for _, key := range []diagnostics.Key{{ID: "toy", Root: r.root}, {ID: "other", Root: r.root}, {ID: "toy", Root: filepath.Join(r.root, "sub")}} {
			got = append(got, askedOf(diagnostics.File{Sources: []diagnostics.Source{{Key: key}}}, server))
		}
		if diff := cmp.Diff([]bool{true, false, false}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Of a file that a preview creates nothing is known afterwards, and nothing is open that was not.
func TestPreviewOfANewFileLeavesNothing(t *testing.T) {
	t.Parallel()
	r := rehearse(t)
	answer, err := r.Write(t.Context(), api.Writing{Mode: api.Preview, Limits: api.Limits{TimeoutMS: 60_000}}, taking(r.plans("new.toy: use nothing\nlib.toy: def other")[0]))
	if err != nil || answer.Verdict != "new_errors" {
		t.Fatalf("%+v, %v", answer, err)
	}
	known, err := r.Diagnostics(t.Context(), api.DiagnosticsRequest{})
	if err != nil || known.Verdict != "clean" || len(known.Files) > 0 {
		t.Errorf("known: %+v, %v", known, err)
	}
	if diff := cmp.Diff(map[string]string{"toy main.toy": "use helper\n", "toy lib.toy": "def helper\n"}, r.documents()); diff != "" {
		t.Errorf("open (-want +got):\n%s", diff)
	}
}

// What others change on disk is theirs if a server judges it and the changes do not touch it.
func TestWhatIsOthers(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- notes.txt --\nx\n-- old.toy --\nold\n")
	path := func(name string) string { return filepath.Join(s.root, name) }
	staged := s.stagedBy(func(p *edit.Plan) error {
		return errors.Join(p.Write(path("main.toy"), "use nothing\n"), p.Rename(path("old.toy"), path("moved.toy"), edit.Existing{}))
	})
	got := make(map[string]bool)
	for _, name := range []string{"main.toy", "lib.toy", "notes.txt", "moved.toy"} {
		got[name] = staged.isOthers(path(name))
	}
	if diff := cmp.Diff(map[string]bool{"main.toy": false, "lib.toy": true, "notes.txt": false, "moved.toy": false}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Where others changed something meanwhile, the state without the changes is judged anew, and then
// servers see what was written again. Where it cannot be shown, the answer says so, once.
func TestJudgingAnewWithoutTheChanges(t *testing.T) {
	t.Parallel()
	r := rehearse(t)
	written := r.stagedBy(func(p *edit.Plan) error {
		return p.Write(filepath.Join(r.root, "main.toy"), "use helper\nuse helper\n")
	}).show()
	since, before := r.entries(), written.shown.since
	for _, server := range r.workspace.Running() {
		if _, err := server.Sync(filepath.Join(r.root, "main.toy"), []byte("use helper\nuse helper\n")); err != nil {
			t.Fatal(err)
		}
	}
	if err := written.rebase(t.Context()); err != nil || written.shown.since == before || len(written.notes) > 0 {
		t.Errorf("%v, compared with the same moment %t, noted %q", err, written.shown.since == before, written.notes)
	}
	if diff := cmp.Diff([]string{"main.toy: use helper;use helper", "main.toy: use helper", "main.toy: use helper;use helper"}, r.shown(since)); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
	created := r.stagedBy(func(p *edit.Plan) error { return p.Write(filepath.Join(r.root, "new.toy"), "new\n") }).show()
	before = created.shown.since
	for range 2 {
		if err := created.rebase(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"other files changed on disk at the same time: what is listed may be due to that"}, created.notes); diff != "" || created.shown.since != before {
		t.Errorf("of a new file (-want +got):\n%s", diff)
	}
}

// How long an operation waits beyond its time-out is what is asked for, or configured: not at all if
// only a time-out is, nor once it has passed.
func TestLimitsOfWaiting(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	left := func(l waitLimit) time.Duration { return l.left().Round(time.Hour) }
	s.opts.Config.Settings.PatienceLimit = 3 * time.Hour
	got := []time.Duration{
		left(s.newWaitLimit(0, 0)), left(s.newWaitLimit(0, 2*time.Hour)), left(s.newWaitLimit(time.Hour, 2*time.Hour)), left(s.newWaitLimit(time.Hour, 0)),
		left(waitLimit{time.Now().Add(-5 * time.Hour)}),
	}
	s.opts.Config.Settings.PatienceLimit = 0
	got = append(got, left(s.newWaitLimit(0, 0)), left(s.newWaitLimit(0, time.Hour)))
	if diff := cmp.Diff([]time.Duration{3 * time.Hour, 2 * time.Hour, 2 * time.Hour, 0, 0, 0, time.Hour}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if l := s.newWaitLimit(0, 0); !l.until.IsZero() {
		t.Errorf("without a limit: until %v", l.until)
	}
}
