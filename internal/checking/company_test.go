package checking

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// twoToys are two projects in different languages, each with its own server.
const twoToys = `
-- a/toy.root --
-- a/main.a.toy --
use helper
-- a/lib.a.toy --
def helper
-- b/toy.root --
-- b/main.b.toy --
use aid
-- b/lib.b.toy --
def aid
`

func openTwoToys(t *testing.T, quirks ...registry.Quirk) *shop {
	t.Helper()
	var servers registry.Table
	for _, id := range []string{"a", "b"} {
		d := lsptest.Script{ID: id, Mode: lsptest.Pull}.Definition(t)
		d.Quirks, d.Languages = quirks, []registry.Language{{ID: "toy-" + id, Patterns: []string{"." + id + ".toy"}}}
		servers = append(servers, d)
	}
	s := open(t, twoToys, servers)
	s.check("a/main.a.toy", "a/lib.a.toy", "b/main.b.toy", "b/lib.b.toy")
	return s
}

// writing returns a plan that writes a text.
func (s *shop) writing(name, text string) *edit.Plan {
	s.t.Helper()
	plan := edit.NewPlan(s.files)
	if err := plan.Write(filepath.Join(s.root, name), text); err != nil {
		s.t.Fatal(err)
	}
	return plan
}

// Evaluations with different servers run in parallel: one is requested and answered while the
// server of another still sees that one's texts, and neither server is told of the other's. An
// evaluation with the same server has to wait.
func TestEvaluationsBesideEachOther(t *testing.T) {
	t.Parallel()
	s := openTwoToys(t)
	evaluate := func(ctx context.Context, plan *edit.Plan, told func()) (answer string, err error) {
		err = s.Evaluate(ctx, Evaluation{Limits: api.Limits{TimeoutMS: 60_000}}, []*edit.Plan{plan}, func(e Evaluated) error {
			answer = brief(e)
			if told != nil {
				told()
			}
			return nil
		})
		return answer, err
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var other string
	var failed, late error
	one, err := evaluate(ctx, s.writing("a/lib.a.toy", "def helper\ndef more\n"), func() {
		other, failed = evaluate(ctx, s.writing("b/lib.b.toy", "def b\n"), nil)
		soon, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		defer cancel()
		_, late = evaluate(soon, s.writing("a/main.a.toy", "use helper # more\n"), nil)
	})
	if err := errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	want := []string{"clean high", "new_errors high b/main.b.toy: undefined: aid"}
	if diff := cmp.Diff(want, []string{one, other}); diff != "" {
		t.Error(diff)
	}
	if !errors.Is(late, context.DeadlineExceeded) {
		t.Errorf("a second one with the same server: %v", late)
	}
	if answer := s.check("a/main.a.toy", "a/lib.a.toy", "b/main.b.toy", "b/lib.b.toy"); answer.Verdict != "clean" {
		t.Errorf("afterwards: %+v", answer)
	}
}

// What was found with servers that are not part of the evaluation's turn does not count: it starts
// again with these, and nobody is told of the first attempt.
func TestEvaluationThatNeedsMoreServers(t *testing.T) {
	t.Parallel()
	s := openTwoToys(t)
	plans := []*edit.Plan{s.writing("a/lib.a.toy", "def a\n")}
	n, err := s.evaluateSome(t.Context(), Evaluation{}, plans, company{}, func(e Evaluated) error {
		t.Errorf("told of %s", brief(e))
		return nil
	})
	var more *companyError
	if !errors.As(err, &more) || n != 0 {
		t.Fatalf("%d, %v", n, err)
	}
	own := roots.Key{ID: "a", Root: filepath.Join(s.root, "a")}
	if diff := cmp.Diff([]roots.Key{own}, more.with.servers); diff != "" {
		t.Error(diff)
	}
	if with := s.company(Evaluation{}, plans); with.alone || !cmp.Equal([]roots.Key{own}, with.servers) {
		t.Errorf("%+v", with)
	}
}

// What can be judged only on disk is evaluated alone, even if that turns out late.
func TestEvaluationThatNeedsTheDisk(t *testing.T) {
	t.Parallel()
	s := openTwoToys(t)
	deletion := edit.NewPlan(s.files)
	if err := deletion.Delete(filepath.Join(s.root, "a/lib.a.toy"), edit.Missing{}); err != nil {
		t.Fatal(err)
	}
	_, err := s.evaluateSome(t.Context(), Evaluation{}, []*edit.Plan{deletion}, company{servers: []roots.Key{{ID: "a", Root: filepath.Join(s.root, "a")}}}, nil)
	var other *companyError
	if !errors.As(err, &other) || !other.with.alone {
		t.Errorf("%v", err)
	}
	saved, judged := openTwoToys(t, registry.ReadsSaved), openTwoToys(t, registry.JudgesSaved)
	got := map[string]bool{
		"a change":                               s.company(Evaluation{}, []*edit.Plan{s.writing("a/lib.a.toy", "x")}).alone,
		"a new file":                             s.company(Evaluation{}, []*edit.Plan{s.writing("a/new.a.toy", "x")}).alone,
		"a deletion":                             s.company(Evaluation{}, []*edit.Plan{deletion}).alone,
		"a change, with trials":                  s.company(Evaluation{OnDisk: true}, []*edit.Plan{s.writing("a/lib.a.toy", "x")}).alone,
		"a change, to a server that reads files": saved.company(Evaluation{}, []*edit.Plan{saved.writing("a/lib.a.toy", "x")}).alone,
		"a change, to one that judges files":     judged.company(Evaluation{}, []*edit.Plan{judged.writing("a/lib.a.toy", "x")}).alone,
		"a new file, to one that judges files":   judged.company(Evaluation{}, []*edit.Plan{judged.writing("a/new.a.toy", "x")}).alone,
	}
	want := map[string]bool{
		"a change": false, "a new file": false, "a deletion": true, "a change, with trials": true,
		"a change, to a server that reads files": true, "a change, to one that judges files": false, "a new file, to one that judges files": true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
