package checking

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
)

// A rehearsal is a checker whose server notes which texts of documents it was shown.
type rehearsal struct {
	*shop
	journal string
}

const rehearsed = `
-- toy.root --
-- main.toy --
use helper
-- lib.toy --
def helper
`

func rehearse(t *testing.T, rules ...lsptest.Rule) *rehearsal {
	t.Helper()
	return rehearseWith(t, lsptest.Script{Mode: lsptest.Pull, Rules: rules})
}

func rehearseWith(t *testing.T, script lsptest.Script) *rehearsal {
	t.Helper()
	journal := filepath.Join(t.TempDir(), "journal")
	script.Sync, script.JournalFile = "full", journal
	r := &rehearsal{openToy(t, script, rehearsed), journal}
	r.check("main.toy", "lib.toy")
	return r
}

// plans returns plans that each write texts, given as "name: text" in one line per file, with ; between the
// lines of the text.
func (r *rehearsal) plans(sets ...string) (plans []*edit.Plan) {
	r.t.Helper()
	for _, set := range sets {
		plan := edit.NewPlan(r.files)
		for line := range strings.Lines(set) {
			name, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
			if err := plan.Write(filepath.Join(r.root, name), strings.ReplaceAll(text, ";", "\n")+"\n"); err != nil {
				r.t.Fatal(err)
			}
		}
		plans = append(plans, plan)
	}
	return plans
}

// shown returns the texts that documents got since an entry of the journal.
func (r *rehearsal) shown(since int) (texts []string) {
	r.t.Helper()
	for _, s := range r.workspace.Running() { // it takes one message after the other
		if _, err := s.Pull(r.t.Context(), filepath.Join(r.root, "main.toy"), "", ""); err != nil {
			r.t.Error(err)
		}
	}
	for _, e := range lsptest.ReadJournal(r.t, r.journal)[since:] {
		if e.Method != "textDocument/didChange" {
			continue
		}
		var p struct {
			TextDocument   struct{ URI string }
			ContentChanges []struct{ Text string }
		}
		if err := json.Unmarshal(e.Params, &p); err != nil {
			r.t.Fatal(err)
		}
		texts = append(texts, filepath.Base(p.TextDocument.URI)+": "+strings.ReplaceAll(strings.TrimSpace(p.ContentChanges[0].Text), "\n", ";"))
	}
	return texts
}

func (r *rehearsal) entries() int { return len(lsptest.ReadJournal(r.t, r.journal)) }

// brief summarizes an answer: its verdict, its confidence, and the new errors.
func brief(e Evaluated) string {
	text := e.Edit.Verdict + " " + e.Confidence
	for _, f := range append(e.Edit.Files, e.Edit.Others...) {
		for _, d := range f.Diagnostics {
			text += fmt.Sprintf(" %s: %s", f.Path, d.Message)
		}
	}
	return text
}

// evaluate judges plans, and returns the answers.
func (r *rehearsal) evaluate(how Evaluation, plans []*edit.Plan, told func()) (answers []string) {
	r.t.Helper()
	if how.TimeoutMS == 0 {
		how.TimeoutMS = 60_000
	}
	if err := r.Evaluate(r.t.Context(), how, plans, func(e Evaluated) error {
		answers = append(answers, brief(e))
		if told != nil {
			told()
		}
		return nil
	}); err != nil {
		r.t.Fatal(err)
	}
	return answers
}

// Changes that are judged one after the other are each compared with the disk, dependants included;
// the server is shown one text in place of the other, and the disk's text only at the end.
func TestOneChangeInThePlaceOfTheOther(t *testing.T) {
	r := rehearse(t)
	before := r.entries()
	got := r.evaluate(Evaluation{}, r.plans("lib.toy: def a", "lib.toy: def b", "lib.toy: def helper;def more", "lib.toy: def c\nmain.toy: use c"), nil)
	broken := "new_errors high main.toy: undefined: helper"
	if diff := cmp.Diff([]string{broken, broken, "clean high", "clean high"}, got); diff != "" {
		t.Error(diff)
	}
	want := []string{"lib.toy: def a", "lib.toy: def b", "lib.toy: def helper;def more", "lib.toy: def c", "main.toy: use c", "lib.toy: def helper", "main.toy: use helper"}
	shown := r.shown(before)
	for _, two := range [][]string{shown[3:5], shown[5:]} { // one set's files are shown in any order
		slices.Sort(two)
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Error(diff)
	}
	if answer := r.check("main.toy", "lib.toy"); answer.Verdict != "clean" {
		t.Errorf("afterwards: %+v", answer)
	}
}

// asked returns the files that the server was asked about since an entry of the journal.
func (r *rehearsal) asked(since int) (files []string) {
	r.t.Helper()
	for _, e := range lsptest.ReadJournal(r.t, r.journal)[since:] {
		var p struct{ TextDocument struct{ URI string } }
		if e.Method != "textDocument/diagnostic" {
			continue
		}
		if err := json.Unmarshal(e.Params, &p); err != nil {
			r.t.Fatal(err)
		}
		files = append(files, filepath.Base(p.TextDocument.URI))
	}
	return files
}

// A server that reports only in answers is not asked about the disk after it has judged the
// changes: what it had reported before is known again, also for dependants. A later check asks it.
func TestWhatIsOnDiskIsNotJudgedAgain(t *testing.T) {
	r := rehearse(t)
	for _, how := range []Evaluation{{Scope: api.ScopeFile}, {}} {
		before := r.entries()
		got := r.evaluate(how, r.plans("lib.toy: def a", "lib.toy: def b"), nil)
		want, verdict := []string{"lib.toy", "lib.toy"}, "clean high"
		if how.Scope == "" {
			want, verdict = []string{"lib.toy", "lib.toy", "main.toy", "main.toy"}, "new_errors high main.toy: undefined: helper"
		}
		if diff := cmp.Diff([]string{verdict, verdict}, got); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(want, slices.Sorted(slices.Values(r.asked(before)))); diff != "" {
			t.Error(diff)
		}
	}
	before := r.entries()
	if answer := r.check("main.toy"); answer.Verdict != "clean" || len(answer.Files[0].Fixed) > 0 {
		t.Errorf("afterwards: %+v", answer)
	}
	if diff := cmp.Diff([]string{"main.toy"}, r.asked(before)); diff != "" {
		t.Error(diff)
	}
}

// A server that publishes is shown the disk once, by having it judged again. A user that several
// changes broke is judged once more as well: such a server checks it only when it is opened again.
func TestWhatIsOnDiskIsShownOnce(t *testing.T) {
	r := rehearseWith(t, lsptest.Script{Mode: lsptest.PushVersioned})
	before := r.entries()
	got := r.evaluate(Evaluation{}, r.plans("lib.toy: def a", "lib.toy: def b"), nil)
	broken := "new_errors high main.toy: undefined: helper"
	if diff := cmp.Diff([]string{broken, broken}, got); diff != "" {
		t.Error(diff)
	}
	var told []string
	for _, e := range lsptest.ReadJournal(r.t, r.journal)[before:] {
		var p struct{ TextDocument struct{ URI string } }
		if e.Method != "textDocument/didChange" && e.Method != "textDocument/didOpen" {
			continue
		}
		if err := json.Unmarshal(e.Params, &p); err != nil {
			t.Fatal(err)
		}
		told = append(told, strings.TrimPrefix(e.Method, "textDocument/")+" "+filepath.Base(p.TextDocument.URI))
	}
	want := []string{"didChange lib.toy", "didOpen main.toy", "didChange lib.toy", "didOpen main.toy", "didChange lib.toy", "didOpen main.toy"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}

// What a server had not finished is judged again as it is on disk, because its answer may still
// come.
func TestWhatIsOnDiskIsJudgedAgainAfterDoubt(t *testing.T) {
	r := rehearse(t, lsptest.OnNth("textDocument/diagnostic", 3, lsptest.Hang()))
	before := r.entries()
	r.evaluate(Evaluation{Scope: api.ScopeFile, Limits: api.Limits{TimeoutMS: 500}}, r.plans("main.toy: use nothing"), nil)
	if diff := cmp.Diff([]string{"main.toy", "main.toy"}, r.asked(before)); diff != "" {
		t.Error(diff)
	}
}

// If others changed a file that the changes do not contain, the server sees it as it is on disk
// before the changes are judged.
func TestChangeThatLeavesAFileAlone(t *testing.T) {
	r := rehearse(t)
	before := r.entries()
	got := r.evaluate(Evaluation{Scope: api.ScopeFile}, r.plans("main.toy: use helper;use helper", "lib.toy: def a"), nil)
	if diff := cmp.Diff([]string{"clean high", "clean high"}, got); diff != "" {
		t.Error(diff)
	}
	want := []string{"main.toy: use helper;use helper", "main.toy: use helper", "lib.toy: def a", "lib.toy: def helper"}
	if diff := cmp.Diff(want, r.shown(before)); diff != "" {
		t.Error(diff)
	}
}

// An uncertain judgement is not built on: the server sees the disk again before the next change.
func TestDoubtEndsASequence(t *testing.T) {
	r := rehearse(t, lsptest.OnNth("textDocument/diagnostic", 3, lsptest.Hang()))
	before := r.entries()
	how := Evaluation{Scope: api.ScopeFile, Limits: api.Limits{TimeoutMS: 500}}
	got := r.evaluate(how, r.plans("main.toy: use helper # 1", "main.toy: use nothing"), nil)
	if len(got) != 2 || !strings.HasPrefix(got[0], "unknown low") {
		t.Errorf("%q", got)
	}
	want := []string{"main.toy: use helper # 1", "main.toy: use helper", "main.toy: use nothing", "main.toy: use helper"}
	if diff := cmp.Diff(want, r.shown(before)); diff != "" {
		t.Error(diff)
	}
}

// A waiting caller is served before the next change is judged, and then sees the disk.
func TestWhoWaitsIsServedBetweenTwoChanges(t *testing.T) {
	r := rehearse(t)
	before, asked := r.entries(), make(chan []string, 1)
	told := 0
	r.evaluate(Evaluation{Scope: api.ScopeFile}, r.plans("main.toy: use a", "main.toy: use b", "main.toy: use c"), func() {
		if told++; told != 2 {
			return
		}
		go func() { // ends before asked is read
			if err := r.overlay.Shown.Share(t.Context()); err != nil {
				t.Error(err)
			}
			asked <- r.shown(before)
			r.overlay.Shown.Unshare()
		}()
		lsptest.Eventually(t, time.Minute, r.overlay.Wanted, "somebody waits")
	})
	if diff := cmp.Diff([]string{"main.toy: use a", "main.toy: use b", "main.toy: use helper"}, <-asked); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"main.toy: use c", "main.toy: use helper"}, r.shown(before)[3:]); diff != "" {
		t.Error(diff)
	}
	if r.overlay.Wanted() {
		t.Error("nobody waits any more")
	}
}

// If a server ends during a judgement, the verdict is unknown, whatever the other servers reported,
// and the answer says to evaluate again.
func TestServerThatEndsDuringAnEvaluation(t *testing.T) {
	t.Parallel()
	type said struct {
		Verdict, Confidence string
		Died                bool
		Unknown             []string
	}
	for name, c := range map[string]struct {
		rules []lsptest.Rule
		want  said
	}{
		"stays": {nil, said{"clean", "high", false, nil}},
		"ends": {
			[]lsptest.Rule{lsptest.OnNth("textDocument/didChange", 1, lsptest.Crash(3))},
			said{"unknown", "partial", true, []string{"a server ended during the evaluation: evaluate again"}},
		},
	} {
		s := openToy(t, lsptest.Script{Mode: lsptest.Pull, Rules: c.rules}, lsptest.Project)
		s.check("main.toy")
		plan := edit.NewPlan(s.files)
		if err := plan.Write(filepath.Join(s.root, "main.toy"), "use helper\n\n"); err != nil {
			t.Fatal(err)
		}
		var got said
		if err := s.Evaluate(t.Context(), Evaluation{}, []*edit.Plan{plan}, func(e Evaluated) error {
			got = said{e.Edit.Verdict, e.Confidence, e.Died, e.Edit.Unknown}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("it %s (-want +got):\n%s", name, diff)
		}
	}
}
