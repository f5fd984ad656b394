package checking

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/lsptest"
)

// plan plans a check as it is done.
func (s *shop) plan(req api.CheckRequest) (*checkPlan, error) {
	s.t.Helper()
	all, err := s.subjects(s.t.Context(), req)
	if err != nil {
		return nil, err
	}
	return s.planCheck(s.t.Context(), req, all, waitLimit{})
}

// lines states a plan: what is asked about, what is shown before, and what changed.
func (p *checkPlan) stated(s *shop) (lines []string) {
	text := func(b []byte) string { return strings.ReplaceAll(strings.TrimSpace(string(b)), "\n", ";") }
	for _, f := range p.request.Files {
		line := "ask " + s.names.Relative(f.Path)
		if f.Baseline != "" {
			line += ", compared with " + string(f.Baseline)
		}
		if f.Created {
			line += ", created"
		}
		if f.From != "" {
			line += ", from " + s.names.Relative(f.From)
		}
		lines = append(lines, line)
	}
	for _, f := range p.probes {
		lines = append(lines, fmt.Sprintf("show %s: %s", s.names.Relative(f.Path), text(f.Content)))
	}
	for _, c := range p.changes {
		line := fmt.Sprintf("change %s: %s to %s", s.names.Relative(c.Path), text(c.Before), text(c.After))
		if c.From != "" {
			line += ", from " + s.names.Relative(c.From)
		}
		if c.Created {
			line += ", created"
		}
		if c.Deleted {
			line += ", deleted"
		}
		lines = append(lines, line)
	}
	return lines
}

// What each file is compared with: the given text, or that of the commit; what was judged before makes
// no difference. A moved file is known by its text, and what is deleted has the text that it had.
func TestWhatChecksCompareWith(t *testing.T) {
	t.Parallel()
	const archive = lsptest.Project + "-- old.toy --\nold\n-- gone.toy --\ngone\n"
	judge := func(names ...string) func(*shop) { return func(s *shop) { s.check(names...) } }
	write := func(name, text string) func(*shop) {
		return func(s *shop) { lsptest.WriteFile(s.t, filepath.Join(s.root, name), text) }
	}
	remove := func(names ...string) func(*shop) { return func(s *shop) { s.remove(names...) } }
	commit := func(s *shop) { s.commit() }
	move := func(from, to string) func(*shop) { return func(s *shop) { lsptest.Git(s.t, s.root, "mv", from, to) } }
	type steps = []func(*shop)
	for name, c := range map[string]struct {
		steps steps
		req   api.CheckRequest
		want  []string
	}{
		"the committed text": {
			steps{commit, write("main.toy", "two\n")},
			api.CheckRequest{Files: []string{"main.toy"}},
			[]string{"ask main.toy, compared with head", "show main.toy: use helper", "change main.toy: use helper to two"},
		},
		"the committed text, when another was judged": {
			steps{commit, write("main.toy", "two\n"), judge("main.toy"), write("main.toy", "three\n")},
			api.CheckRequest{Files: []string{"main.toy"}},
			[]string{"ask main.toy, compared with head", "change main.toy: use helper to three"},
		},
		"the revision that is wanted": {
			steps{commit, write("main.toy", "two\n"), judge("main.toy"), write("main.toy", "three\n")},
			api.CheckRequest{Files: []string{"main.toy"}, Baseline: "head"},
			[]string{"ask main.toy, compared with head", "change main.toy: use helper to three"},
		},
		"the given text": {
			steps{commit, write("main.toy", "two\n"), judge("main.toy")},
			api.CheckRequest{Files: []string{"main.toy"}, Before: map[string]string{"main.toy": "given"}},
			[]string{"ask main.toy, compared with before", "show main.toy: given", "change main.toy: given to two"},
		},
		"the given text, without a baseline": {
			steps{commit},
			api.CheckRequest{Files: []string{"main.toy", "lib.toy"}, Before: map[string]string{"main.toy": "given"}, Baseline: "none"},
			[]string{"ask main.toy, compared with before", "ask lib.toy", "show main.toy: given", "change main.toy: given to use helper"},
		},
		"nothing": {
			steps{commit, write("main.toy", "two\n")}, api.CheckRequest{Files: []string{"main.toy"}, Baseline: "none"}, []string{"ask main.toy"},
		},
		"nothing, outside a checkout": {
			nil, api.CheckRequest{Files: []string{"main.toy"}}, []string{"ask main.toy", "change main.toy:  to use helper"},
		},
		"nothing, of a new file": {
			steps{commit, write("new.toy", "new\n")}, api.CheckRequest{Files: []string{"new.toy"}}, []string{"ask new.toy, created", "change new.toy:  to new, created"},
		},
		"nothing, of a new file since a revision": {
			steps{commit, write("new.toy", "new\n")},
			api.CheckRequest{Files: []string{"new.toy"}, Baseline: "head"},
			[]string{"ask new.toy, compared with head, created", "change new.toy:  to new, created"},
		},
		"where it was before git moved it": {
			steps{commit, move("old.toy", "moved.toy")},
			api.CheckRequest{},
			[]string{"ask moved.toy, compared with head, from old.toy", "show moved.toy: ", "show old.toy: old", "change moved.toy: old to old, from old.toy"},
		},
		"where it was before it was moved without git": {
			steps{commit, remove("old.toy"), write("moved.toy", "old\n")},
			api.CheckRequest{Files: []string{"moved.toy"}},
			[]string{"ask moved.toy, compared with head, from old.toy", "show moved.toy: ", "show old.toy: old", "change moved.toy: old to old, from old.toy"},
		},
		"where it was before, if that has another ending": {
			steps{commit, remove("old.toy"), write("moved.txt", "old\n")},
			api.CheckRequest{Files: []string{"moved.txt"}},
			[]string{"ask moved.txt, created", "change moved.txt:  to old, created"},
		},
		"what was deleted": {
			steps{commit, judge("lib.toy"), write("gone.toy", "later\n"), judge("gone.toy"), remove("gone.toy", "old.toy")},
			api.CheckRequest{},
			[]string{"change gone.toy: gone to , deleted", "change old.toy: old to , deleted"},
		},
		"what was deleted that no revision has": {
			steps{commit, write("new.toy", "new\n"), judge("new.toy"), remove("new.toy")}, api.CheckRequest{Baseline: "head"}, []string{},
		},
		"several": {
			steps{commit, judge("main.toy"), write("main.toy", "two\n"), write("lib.toy", "two\n")},
			api.CheckRequest{},
			[]string{"ask lib.toy, compared with head", "ask main.toy, compared with head", "show lib.toy: def helper", "show main.toy: use helper", "change lib.toy: def helper to two", "change main.toy: use helper to two"},
		},
	} {
		s := openToy(t, lsptest.Script{Mode: lsptest.Pull}, archive)
		for _, step := range c.steps {
			step(s)
		}
		c.req.Scope = api.ScopeFile
		plan, err := s.plan(c.req)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, plan.stated(s), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A revision that is wanted and not there is an error; without git nothing can be compared with one.
func TestRevisionsThatAreNotThere(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	var failed *git.Error
	if _, err := s.plan(api.CheckRequest{Files: []string{"main.toy"}, Baseline: "head", Revision: "HEAD"}); !errors.As(err, &failed) {
		t.Errorf("without git: %v", err)
	}
	if plan, err := s.plan(api.CheckRequest{Files: []string{"main.toy"}, Baseline: "head"}); err != nil || !plan.request.NoBaseline {
		t.Errorf("without git and without a revision: %v", err)
	}
	s.commit()
	if _, err := s.plan(api.CheckRequest{Files: []string{"main.toy"}, Baseline: "head", Revision: "nowhere"}); !errors.As(err, &failed) {
		t.Errorf("a revision that is not there: %v", err)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	for _, req := range []api.CheckRequest{{}, {Files: []string{"main.toy"}}, {Files: []string{"none.toy"}}} {
		if _, err := s.Check(left, req); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v, when nobody waits: %v", req, err)
		}
	}
}

// Files that may be affected are planned with the others, where these users are known by asking: the
// former text is shown, with that of users of which nothing is known. Without a comparison, or with
// the files alone, there are none.
func TestWhatIsShownForUsers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		judged []string
		req    api.CheckRequest
		want   []string
		asked  int
	}{
		"all": {
			nil,
			api.CheckRequest{},
			[]string{"ask lib.toy, compared with head", "show lib.toy: def helper", "change lib.toy: def helper to def other"},
			1,
		},
		"a file that was judged": {
			[]string{"lib.toy"},
			api.CheckRequest{},
			[]string{"ask lib.toy, compared with head", "show lib.toy: def helper", "change lib.toy: def helper to def other"},
			1,
		},
		"no users": {
			[]string{"lib.toy"}, api.CheckRequest{Scope: api.ScopeFile}, []string{"ask lib.toy, compared with head", "change lib.toy: def helper to def other"}, 0,
		},
		"no comparison": {
			[]string{"lib.toy"},
			api.CheckRequest{Baseline: "none"},
			[]string{"ask lib.toy", "show lib.toy: def helper", "change lib.toy: def helper to def other"},
			1,
		},
	} {
		s := openToy(t, lsptest.Script{Mode: lsptest.Pull}, lsptest.Project)
		s.commit()
		if len(c.judged) > 0 {
			s.check(c.judged...)
		}
		lsptest.WriteFile(t, filepath.Join(s.root, "lib.toy"), "def other\n")
		c.req.Files = []string{"lib.toy"}
		plan, err := s.plan(c.req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, plan.stated(s), cmpopts.EquateEmpty()); diff != "" || len(plan.asked) != c.asked || len(plan.later) > 0 || (plan.search == nil) != (c.req.Scope == api.ScopeFile) {
			t.Errorf("%s: asked for %d, later for %d (-want +got):\n%s", name, len(plan.asked), len(plan.later), diff)
		}
	}
}

// Where the text from before is not known, the users of a given text are those of what that declares,
// and are found where it stands in that text.
func TestUsersOfAGivenText(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{Mode: lsptest.Pull}, lsptest.Project+"-- other.toy --\nuse other\n")
	answer, err := s.Check(t.Context(), api.CheckRequest{Files: []string{"lib.toy"}, Contents: map[string]string{"lib.toy": "\n\n\ndef other\ndef helper\n"}, TimeoutMS: 60_000})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Dependants.Found != 2 || answer.Dependants.Checked != 2 || answer.Verdict != "clean" {
		t.Errorf("%+v", answer)
	}
}

// The path that a result has is that of the file that its name stands for, or else the name.
func TestPathsOfResults(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	var got []string
	for _, name := range []string{"./main.toy", filepath.Join(s.root, "lib.toy"), "none.toy"} {
		got = append(got, s.shownName(name))
	}
	if diff := cmp.Diff([]string{"main.toy", "lib.toy", "none.toy"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if outside := s.shownName("../../else.toy"); !slices.Contains([]string{"../../else.toy", filepath.Join("..", "..", "else.toy")}, outside) {
		t.Errorf("outside: %q", outside)
	}
}
