package daemon

import (
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A finding is a file with the messages of an answer about it that are new, and those that are
// not.
type finding struct {
	Path     string
	New, Old []string
}

func findings(t *testing.T, files []result.File) (all []finding) {
	t.Helper()
	for _, f := range files {
		one := finding{Path: f.Path}
		for _, d := range f.Diagnostics {
			if d.New {
				one.New = append(one.New, d.Message)
			} else {
				one.Old = append(one.Old, d.Message)
			}
		}
		all = append(all, one)
	}
	return all
}

// commit puts what is in the workspace under version control.
func (s *shop) commit() {
	s.t.Helper()
	lsptest.NeedGit(s.t)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "begin"}} {
		git := exec.Command("git", args...)
		git.Dir = s.root
		git.Env = append(s.environ, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if said, err := git.CombinedOutput(); err != nil {
			s.t.Fatalf("git %v: %v: %s", args, err, said)
		}
	}
}

// Two sessions at one daemon compare with what each of them knows: what the one was told is new
// to the other, as it would be with an engine of its own, and stays old to itself.
func TestSessionsDoNotKnowOfEachOther(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	s.commit()
	one, two := s.dial(), s.dial()
	check := func(c *Client) []finding {
		t.Helper()
		answer, err := api.Check.Do(t.Context(), c, api.CheckRequest{Files: []string{"main.toy"}, TimeoutMS: 60_000})
		if err != nil {
			t.Fatal(err)
		}
		return findings(t, answer.Files)
	}
	fine := []finding{{Path: "main.toy"}}
	if diff := cmp.Diff(fine, check(one)); diff != "" {
		t.Error(diff)
	}
	lsptest.WriteFile(t, s.root+"/main.toy", "use nothing\n")
	broken := check(one)
	if len(broken) != 1 || len(broken[0].New) != 1 || len(broken[0].Old) != 0 {
		t.Fatalf("the first session is told %+v", broken)
	}
	if diff := cmp.Diff(broken, check(two)); diff != "" {
		t.Errorf("the other session is told otherwise: %s", diff)
	}
	stands := []finding{{Path: "main.toy", Old: broken[0].New}}
	for _, c := range []*Client{one, two} {
		if diff := cmp.Diff(stands, check(c)); diff != "" {
			t.Errorf("told again: %s", diff)
		}
	}
	third := s.dial() // began when it was broken, and not committed
	if diff := cmp.Diff(broken, check(third)); diff != "" {
		t.Errorf("a later session: %s", diff)
	}
}

// A named session goes on with its next client; an unnamed one has ended with its client.
func TestNamedSessionsOutliveTheirClients(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	s.commit()
	check := func(session string) []finding {
		t.Helper()
		c := s.dial(func(o *Options) { o.Session = session })
		defer s.close(c)
		answer, err := api.Check.Do(t.Context(), c, api.CheckRequest{Files: []string{"main.toy"}, TimeoutMS: 60_000})
		if err != nil {
			t.Fatal(err)
		}
		return findings(t, answer.Files)
	}
	check("agent")
	lsptest.WriteFile(t, s.root+"/main.toy", "use nothing\n")
	broken := check("agent")
	if len(broken) != 1 || len(broken[0].New) != 1 {
		t.Fatalf("told is %+v", broken)
	}
	stands := []finding{{Path: "main.toy", Old: broken[0].New}}
	for session, want := range map[string][]finding{"agent": stands, "": broken, "another": broken} {
		if diff := cmp.Diff(want, check(session)); diff != "" {
			t.Errorf("session %q: %s", session, diff)
		}
	}
}

// Files are named as each client names them, whatever the daemon's folder is.
func TestNamesAreTheClients(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	lsptest.WriteFile(t, s.root+"/sub/inner.toy", "use helper\n")
	inside := s.dial(func(o *Options) { o.Dir = s.root + "/sub" })
	for c, names := range map[*Client][2]string{inside: {"inner.toy:1 helper", "../lib.toy"}, s.dial(): {"sub/inner.toy:1 helper", "lib.toy"}} {
		d, err := api.Definition.Do(t.Context(), c, api.DefinitionRequest{Selector: api.Selector{At: names[0]}})
		if err != nil || len(d.Files) != 1 || d.Files[0].Path != names[1] {
			t.Errorf("%s: %+v, %v", names[0], d.Files, err)
		}
	}
}

// A session that opens a file with a text that is not on disk goes on with an engine of its own:
// nobody else is answered by that text.
func TestOwnTextsStayWithTheirSession(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	one, two := s.dial(), s.dial()
	s.mustDef(one)
	text := "use nothing\n"
	if _, err := api.Open.Do(t.Context(), one, api.OpenRequest{File: "main.toy", Text: &text}); err != nil {
		t.Fatal(err)
	}
	s.mustDef(two)
	if one.Daemon() != 0 || two.Daemon() == 0 || s.own.Load() != 1 {
		t.Errorf("daemons %d and %d, %d engines of their own", one.Daemon(), two.Daemon(), s.own.Load())
	}
}
