package checking

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// Who used what changed is asked while the text from before is shown, and the users that it is not
// known of what was wrong in them, are asked about then: not where nothing is compared.
func TestUsersAreAskedForBefore(t *testing.T) {
	for name, c := range map[string]struct {
		known, noBaseline bool
		want              []string
	}{
		"not known":           {false, false, []string{"main.toy"}},
		"known":               {true, false, nil},
		"nothing is compared": {false, true, nil},
	} {
		r := rehearse(t)
		if !c.known {
			r.collector.Forget(filepath.Join(r.root, "main.toy"))
			r.collector.Distrust(0)
		}
		all := subjects{files: []string{filepath.Join(r.root, "lib.toy")}}
		lsptest.WriteFile(t, filepath.Join(r.root, "lib.toy"), "def other\n")
		plan, err := r.planCheck(t.Context(), api.CheckRequest{}, all, waitLimit{})
		if err != nil {
			t.Fatal(err)
		}
		if len(plan.asked) != 1 || plan.own != 1 || len(plan.request.Files) != 1 {
			t.Fatalf("%s: planned as %+v", name, plan)
		}
		plan.request.NoBaseline = c.noBaseline
		since := r.entries()
		if err := r.askUsers(t.Context(), plan, diagnostics.Request{NoBaseline: true, Probe: true}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, r.asked(since)); diff != "" {
			t.Errorf("%s: asked about (-want +got):\n%s", name, diff)
		}
		var files []string
		for _, f := range plan.request.Files {
			files = append(files, filepath.Base(f.Path))
		}
		if diff := cmp.Diff([]string{"lib.toy", "main.toy"}, files); diff != "" {
			t.Errorf("%s: to be checked (-want +got):\n%s", name, diff)
		}
	}
}

// If the text from before is not known, all users of a file are checked with it; if nobody has to be
// asked for them, it is checked alone.
func TestUsersOfAFileThatNobodyKnew(t *testing.T) {
	s := openToy(t, lsptest.Script{Mode: lsptest.Pull}, lsptest.Project+"-- more.toy --\nuse helper\nuse nothing\n-- alone.toy --\ndef alone\n")
	told := func(name string) (files []string) {
		answer := s.check(name)
		for _, f := range slices.Concat(answer.Files, answer.Others) {
			files = append(files, f.Path+" "+f.Verdict)
		}
		return append(files, answer.Verdict)
	}
	if diff := cmp.Diff([]string{"alone.toy clean", "clean"}, told("alone.toy")); diff != "" {
		t.Errorf("used by nobody (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"lib.toy clean", "more.toy new_errors", "new_errors"}, told("lib.toy")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Where servers see changes only on disk, they cannot be shown them while they are written: not what
// is created, deleted or moved. Otherwise they can.
func TestWhatIsSeenWhileItIsWritten(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- old.toy --\nold\n")
	path := func(name string) string { return filepath.Join(s.root, name) }
	type seen struct{ OnlyWritten, Moves, OnDisk, MissesGone bool }
	for name, c := range map[string]struct {
		draft func(*edit.Plan) error
		want  seen
	}{
		"changed": {func(p *edit.Plan) error { return p.Write(path("main.toy"), "use nothing\n") }, seen{}},
		"created": {func(p *edit.Plan) error { return p.Write(path("new.toy"), "new\n") }, seen{OnlyWritten: true}},
		"deleted": {func(p *edit.Plan) error { return p.Delete(path("lib.toy"), edit.Missing{}) }, seen{OnlyWritten: true, Moves: true}},
		"moved":   {func(p *edit.Plan) error { return p.Rename(path("old.toy"), path("moved.toy"), edit.Existing{}) }, seen{OnlyWritten: true, Moves: true}},
	} {
		staged := s.stagedBy(c.draft)
		d := staged.show()
		got := seen{staged.onlySeenWritten(t.Context()), staged.movesFiles(), staged.seenOnDisk(t.Context()), staged.missesGone()}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if can := d.canJudgeWhileWriting(t.Context()); can == c.want.OnlyWritten {
			t.Errorf("%s: it can be judged while it is written: %t", name, can)
		}
		d.search.Loaded = []string{"loaded"}
		if d.canJudgeWhileWriting(t.Context()) {
			t.Errorf("%s: it can be judged while a server has to load files anew", name)
		}
		staged.alone = true
		if got := staged.missesGone(); got != c.want.Moves {
			t.Errorf("%s, judged alone: what is gone is missed: %t", name, got)
		}
		staged.release()
	}
}

// The next transaction of a row changes all files that the one before it changes, so that it can be
// shown in its place; and what moves files begins no row.
func TestWhatARowTakes(t *testing.T) {
	r := rehearse(t)
	step := func(set string) *prepared {
		tx, err := r.newEvaluation(Evaluation{})
		if err != nil {
			t.Fatal(err)
		}
		ready, err := tx.prepare(t.Context(), taking(r.plans(set)[0]))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(ready.close)
		return ready
	}
	lib, main, both := step("lib.toy: def a"), step("main.toy: use a"), step("lib.toy: def b\nmain.toy: use b")
	for name, c := range map[string]struct {
		row  sequence
		next *prepared
		want bool
	}{
		"the first":          {nil, lib, true},
		"more files":         {sequence{lib}, both, true},
		"the same files":     {sequence{both}, both, true},
		"fewer files":        {sequence{both}, main, false},
		"other files":        {sequence{lib}, main, false},
		"more than the last": {sequence{both, lib}, lib, true},
	} {
		if got := c.row.takes(t.Context(), c.next); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	lib.tries = true
	if !(sequence{}).takes(t.Context(), lib) {
		t.Error("what may be tried on disk, and need not, is not taken")
	}
}

// How an evaluation judges follows from its scope: the files alone, or all dependants; what makes no
// sense is refused.
func TestScopesOfEvaluations(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	type judged struct{ Alone, Tries, All bool }
	for want, how := range map[judged]Evaluation{
		{}:            {Scope: api.ScopeDependants},
		{Alone: true}: {Scope: api.ScopeFile},
		{All: true}:   {Scope: api.ScopeWorkspace},
		{Tries: true}: {OnDisk: true},
	} {
		tx, err := s.newEvaluation(how)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, judged{tx.alone, tx.tries, tx.all}); diff != "" || tx.mode != api.Preview || !tx.passing {
			t.Errorf("%+v (-want +got):\n%s", how, diff)
		}
	}
	if _, err := s.newEvaluation(Evaluation{Limits: api.Limits{TimeoutMS: -1}}); err == nil {
		t.Error("a deadline in the past is taken")
	}
}

// Notes on servers are told once each, whichever files they come with, and only for what is of use.
func TestNotesOfServersAreToldOnce(t *testing.T) {
	note := result.Answer{Server: "toy", Note: "it was restarted", Freshness: "fresh"}
	other := result.Answer{Server: "toy", Note: "it is old", Freshness: "fresh"}
	got := notesOf([]result.File{{Servers: []result.Answer{note, {Server: "toy"}}}, {Servers: []result.Answer{note, other}}, {}})
	if diff := cmp.Diff([]string{"toy: it was restarted", "toy: it is old"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	late := func(freshness diagnostics.Freshness, dispensable bool) bool {
		return overdue(diagnostics.FileReport{Answers: []diagnostics.Answer{{Freshness: diagnostics.Fresh}, {Freshness: freshness, Dispensable: dispensable}}})
	}
	for _, f := range []diagnostics.Freshness{diagnostics.Fresh, diagnostics.Partial, diagnostics.Unavailable, diagnostics.Timeout, diagnostics.Indexing} {
		want := f == diagnostics.Timeout || f == diagnostics.Indexing
		if late(f, false) != want || late(f, true) {
			t.Errorf("%s: late %t, of one who is not needed %t", f, late(f, false), late(f, true))
		}
	}
}

// A file that a draft brings is read as drafted, one that it deletes is not there for it, and all
// others are as they are.
func TestTextsOfADraft(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- gone.toy --\ngone\n")
	path := func(name string) string { return filepath.Join(s.root, name) }
	staged := s.stagedBy(func(p *edit.Plan) error {
		return errors.Join(p.Write(path("main.toy"), "use nothing\n"), p.Delete(path("gone.toy"), edit.Missing{}))
	})
	a := s.view.Access()
	defer a.Close()
	got := make(map[string]string)
	for _, name := range []string{"main.toy", "lib.toy", "gone.toy"} {
		text, err := draftedAccess{a, staged.transaction}.Text(path(name))
		if err != nil {
			t.Fatal(err)
		}
		got[name] = string(text)
	}
	if diff := cmp.Diff(map[string]string{"main.toy": "use nothing\n", "lib.toy": "def helper\n", "gone.toy": "gone\n"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
