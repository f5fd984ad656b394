package checking

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// Who does not get a lock before the caller leaves goes away with an error, and keeps no other lock,
// nor a document.
func TestLocksThatAreNotToBeHad(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	path := filepath.Join(s.root, "main.toy")
	writers, shown := s.overlay.Writers, s.overlay.Shown
	given := func(release func(), err error) error {
		if err == nil {
			release()
		}
		return err
	}
	shows := checkPlan{probes: []diagnostics.File{{Path: path}}}
	transaction := func(mode string) *transaction {
		tx, err := s.newTransaction(api.Writing{Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	plan := func() []*edit.Plan { return []*edit.Plan{s.writing("main.toy", "use helper\n\n")} }
	for name, c := range map[string]struct {
		held *call.Lock
		do   func(ctx context.Context) error
	}{
		"a check":                     {shown, func(ctx context.Context) error { return given((&checkPlan{}).acquire(ctx, s.Checker)) }},
		"a check that shows, writers": {writers, func(ctx context.Context) error { return given(shows.acquire(ctx, s.Checker)) }},
		"a check that shows":          {shown, func(ctx context.Context) error { return given(shows.acquire(ctx, s.Checker)) }},
		"a write":                     {writers, func(ctx context.Context) error { return given(transaction(api.Apply).begin(ctx)) }},
		"showing":                     {shown, func(ctx context.Context) error { return given(transaction(api.Preview).lockShown(ctx)) }},
		"an evaluation": {writers, func(ctx context.Context) error {
			_, err := s.evaluateSome(ctx, Evaluation{}, plan(), company{}, nil)
			return err
		}},
		"an evaluation alone": {writers, func(ctx context.Context) error {
			_, err := s.evaluateSome(ctx, Evaluation{}, plan(), company{alone: true}, nil)
			return err
		}},
		"a draft on top of another": {writers, func(ctx context.Context) error { _, err := s.Draft(ctx, api.Limits{}, plan()[0], nil); return err }},
		"showing a draft for another": {shown, func(ctx context.Context) error {
			tx := transaction(api.Preview)
			planned, err := tx.draft(t.Context(), nil, taking(plan()[0]))
			if err != nil {
				t.Fatal(err)
			}
			_, err = planned.showAside(ctx)
			return err
		}},
		"a preview": {shown, func(ctx context.Context) error {
			tx := transaction(api.Preview)
			planned, err := tx.draft(t.Context(), nil, taking(plan()[0]))
			if err != nil {
				t.Fatal(err)
			}
			staged, err := planned.stage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer staged.release()
			_, err = staged.end(ctx)
			return err
		}},
		"judging anew": {shown, func(ctx context.Context) error { return s.staged("lib.toy", "def helper\n\n").show().rebase(ctx) }},
	} {
		ctx, leave := context.WithCancel(t.Context())
		leave()
		if !c.held.TryLock() {
			t.Fatalf("before %s a lock is held", name)
		}
		if err := c.do(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		c.held.Unlock()
		for of, lock := range map[string]*call.Lock{"writers": writers, "shown": shown} {
			if !lock.TryLock() {
				t.Fatalf("after %s the lock of %s is held", name, of)
			}
			lock.Unlock()
		}
		if s.overlay.Holds(path) {
			t.Errorf("after %s the document is held", name)
		}
	}
}

// What a check holds keeps others away: one that shows former texts is alone with the servers, any
// other one shares them.
func TestLocksOfChecks(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	for name, c := range map[string]struct {
		plan checkPlan
		want []bool // whether writers, those who show, and those who ask can go on
	}{
		"a check":            {checkPlan{}, []bool{true, false, true}},
		"a check that shows": {checkPlan{probes: []diagnostics.File{{}}}, []bool{false, false, false}},
	} {
		release, err := c.plan.acquire(t.Context(), s.Checker)
		if err != nil {
			t.Fatal(err)
		}
		left, leave := context.WithCancel(t.Context())
		var got []bool
		for _, lock := range []*call.Lock{s.overlay.Writers, s.overlay.Shown} {
			free := lock.TryLock()
			if got = append(got, free); free {
				lock.Unlock()
			}
		}
		asks := make(chan bool, 1)
		go func() { asks <- s.overlay.Shown.Share(left) == nil }()
		if name == "a check that shows" {
			leave()
		}
		free := <-asks
		if got = append(got, free); free {
			s.overlay.Shown.Unshare()
		}
		leave()
		release()
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if !s.overlay.Shown.TryLock() {
			t.Fatalf("after %s it is held", name)
		}
		s.overlay.Shown.Unlock()
	}
}

// An error of whoever drafts, permits or is told ends an operation, and nothing is written; the next
// one goes on as usual.
func TestErrorsEndAnOperation(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	broken := errors.New("not like this")
	plan := func() *edit.Plan { return s.writing("main.toy", "use helper\n\n") }
	forbidden := s.For(Caller{Names: s.names, View: s.view, Files: s.files, Permit: func(_ context.Context, paths []string) error {
		if diff := cmp.Diff([]string{filepath.Join(s.root, "main.toy")}, paths); diff != "" {
			t.Errorf("permission is asked for other files (-want +got):\n%s", diff)
		}
		return broken
	}})
	fails := func(context.Context, *symbols.Inquiry, *edit.Plan) (edit.Summarizer, error) { return nil, broken }
	nothing := func(context.Context, *symbols.Inquiry, *edit.Plan) (edit.Summarizer, error) { return nil, nil }
	var empty *edit.NothingToChangeError
	for name, c := range map[string]struct {
		do   func() error
		want func(error) bool
	}{
		"a draft that fails": {func() error { _, err := s.Write(t.Context(), api.Writing{}, fails); return err }, func(err error) bool { return errors.Is(err, broken) }},
		"a draft of nothing": {func() error { _, err := s.Write(t.Context(), api.Writing{}, nothing); return err }, func(err error) bool { return errors.As(err, &empty) }},
		"what is forbidden":  {func() error { _, err := forbidden.Write(t.Context(), api.Writing{}, taking(plan())); return err }, func(err error) bool { return errors.Is(err, broken) }},
		"what is outdated": {func() error {
			_, err := s.Keep(t.Context(), api.Writing{}, plan(), func() error { return broken })
			return err
		}, func(err error) bool { return errors.Is(err, broken) }},
		"who is told": {func() error {
			return s.Evaluate(t.Context(), Evaluation{}, []*edit.Plan{plan(), plan()}, func(Evaluated) error { return broken })
		}, func(err error) bool { return errors.Is(err, broken) }},
		"how it is evaluated": {func() error {
			return s.Evaluate(t.Context(), Evaluation{Severities: []string{"loud"}}, []*edit.Plan{plan()}, nil)
		}, func(err error) bool { return err != nil }},
		"how it is diagnosed": {func() error {
			left, leave := context.WithCancel(t.Context())
			leave()
			_, err := s.Diagnose(left, filepath.Join(s.root, "main.toy"), nil, 0)
			return err
		}, func(err error) bool { return errors.Is(err, context.Canceled) }},
	} {
		if err := c.do(); !c.want(err) {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := s.workspace.Read(filepath.Join(s.root, "main.toy")); err != nil || string(text) != "use helper\n" {
			t.Errorf("after %s: %q, %v", name, text, err)
		}
		if s.overlay.Holds(filepath.Join(s.root, "main.toy")) {
			t.Errorf("after %s the document is held", name)
		}
	}
	if answer := s.check("main.toy"); answer.Verdict != "clean" {
		t.Errorf("afterwards: %+v", answer)
	}
}

// A session that is begun at a commit is compared with that one, also if it is there already; one that
// has ended is a new one.
func TestSessionsBegin(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	lsptest.Git(t, s.root, "init", "-q")
	lsptest.Git(t, s.root, "add", ".")
	lsptest.Git(t, s.root, "commit", "-qm", "one")
	head := s.workspace.Git().Commit(t.Context())
	got := []string{s.BeginSession("one", ""), s.BeginSession("two", "abc"), s.sessions["two"].began, s.BeginSession("two", ""), s.BeginSession("one", "def"), s.sessions["one"].began}
	if diff := cmp.Diff([]string{head, "abc", "abc", "abc", "def", "def"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.EndSession("one")
	s.EndSession("never")
	if began := s.BeginSession("one", ""); began != head {
		t.Errorf("begun anew at %q", began)
	}
	if once := s.For(Caller{Session: "three", Last: true}); once.session.began != "" || !once.once {
		t.Errorf("a session of one call: %+v", once.session)
	}
}

// An evaluation suffices itself while it uses no server beyond its company; whoever evaluates alone
// does.
func TestCompanyOfAnEvaluation(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	own, other := roots.Key{ID: "toy", Root: s.root}, roots.Key{ID: "other", Root: s.root}
	with := company{servers: []roots.Key{own}}
	turn, ctx, release, err := s.takeTurn(t.Context(), with)
	if err != nil {
		t.Fatal(err)
	}
	workspace.Note(ctx, own)
	if err := with.suffices(turn); err != nil {
		t.Errorf("with its own server: %v", err)
	}
	workspace.Note(ctx, other)
	var more *companyError
	if err := with.suffices(turn); !errors.As(err, &more) || !cmp.Equal([]roots.Key{own, other}, more.with.servers) || more.with.alone {
		t.Errorf("with another server: %v, %+v", err, more)
	}
	release()
	alone, same, release, err := s.takeTurn(t.Context(), company{alone: true})
	if err != nil || alone != nil || same != t.Context() || s.overlay.Writers.TryLock() {
		t.Fatalf("alone: %v, %v, the lock of writers may be free", alone, err)
	}
	release()
	if err := (company{alone: true}).suffices(nil); err != nil || !s.overlay.Writers.TryLock() {
		t.Errorf("alone: %v", err)
	}
	s.overlay.Writers.Unlock()
}
