package doctor_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/setup"
)

// steps tells the symptoms of a server as "step level".
func steps(p result.ServerReport) string {
	var list []string
	for _, s := range p.Symptoms {
		list = append(list, s.Step+" "+s.Level)
	}
	return strings.Join(list, ", ")
}

// A server that was given up is started all the same, by the doctor alone: the
// engine's own stays given up, and both are told.
func TestDoctorStartsWhatWasGivenUp(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	s := enginetest.OpenToy(t, lsptest.Script{JournalFile: journal, Rules: []lsptest.Rule{
		lsptest.On("initialize", lsptest.Stderr("no licence"), lsptest.Crash(3)),
	}}, lsptest.Project)
	for range 3 {
		s.Check(api.CheckRequest{Files: []string{"main.toy"}})
	}
	starts := func() (n int) {
		for _, e := range lsptest.ReadJournal(t, journal) {
			if e.Method == "initialize" {
				n++
			}
		}
		return n
	}
	before := starts()
	result := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{Files: []string{"main.toy"}})
	if starts() != before+1 {
		t.Errorf("%d starts, before %d", starts(), before)
	}
	if got := steps(result.Servers[0]); got != "binary ok, root ok, history problem, initialize problem" {
		t.Errorf("got %s\n%s", got, render.Brief(&result))
	}
	if text := render.Brief(&result); !strings.Contains(text, "given up after 2 failures") || !strings.Contains(text, "no licence") {
		t.Errorf("%s", text)
	}
}

// A server that runs is left alone: another one is started, and ended.
func TestDoctorLeavesRunningServersAlone(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	s.Expect("main.toy clean")
	running := s.Workspace().Running()
	answer := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{})
	if got := steps(answer.Servers[0]); got != "binary ok, root ok, start ok, initialize ok, probe ok, answers ok, operations ok" || answer.Level != result.LevelOK {
		t.Errorf("got %s\n%s", got, render.Brief(&answer))
	}
	if now := s.Workspace().Running(); !slices.Equal(now, running) || len(now) != 1 {
		t.Errorf("running %v, before %v", now, running)
	}
	s.Expect("main.toy clean")
}

// However rude a server is, the doctor ends within the deadline.
func TestDoctorKeepsItsDeadline(t *testing.T) {
	const problem, ok, any = result.LevelProblem, result.LevelOK, ""
	for _, c := range []struct {
		name, level string
		rule        lsptest.Rule
	}{
		{"stalled at once", problem, lsptest.On("initialize", lsptest.Stall())},
		{"stalled at the file", problem, lsptest.On("textDocument/didOpen", lsptest.Stall())},
		{"half a frame", problem, lsptest.On("initialize", lsptest.HalfFrame())},
		{"publishes for ever", any, lsptest.On("textDocument/didOpen", lsptest.Hang(), lsptest.PublishForever(1))},
		{"will not be shut", ok, lsptest.On("shutdown", lsptest.Hang())},
		{"floods its stderr", problem, lsptest.On("initialize", lsptest.StderrFlood(4), lsptest.Hang())},
		{"asks and hangs", problem, lsptest.On("initialize", lsptest.AskAll(), lsptest.Hang())},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenToy(t, lsptest.Script{IgnoreTerm: true, IgnoreEOF: true, Rules: []lsptest.Rule{c.rule}}, lsptest.Project)
			result := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{Limits: api.Limits{TimeoutMS: 5000}}) // in which a process has started
			if c.level != any && result.Level != c.level {
				t.Errorf("%s: %s", c.name, render.Brief(&result))
			}
			if left := lsptest.Marked(t, lsptest.Marker(s.Config.Servers[0])); len(left) > 0 {
				t.Errorf("%s: left behind: %v", c.name, left)
			}
		})
	}
}

// Whoever no longer wants to know is not kept waiting.
func TestDoctorIsInterrupted(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Hang())}}, lsptest.Project)
	ctx, cancel := context.WithCancel(t.Context())
	timer := time.AfterFunc(300*time.Millisecond, cancel)
	defer timer.Stop()
	if _, err := api.Doctor.Do(ctx, s.Engine, api.DoctorRequest{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A marker above the workspace is found, and the way to it named.
func TestDoctorLooksAboveTheWorkspace(t *testing.T) {
	above := lsptest.Workspace(t, "-- toy.root --\n-- sub/a.toy --\nfine\n")
	root := filepath.Join(above, "sub")
	cfg := enginetest.Configure(t, root)
	cfg.Servers = registry.Table{lsptest.Script{}.Definition(t)}
	s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg})
	result := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{Files: []string{"a.toy"}})
	text := render.Brief(&result)
	for _, want := range []string{"no toy.root in or above .", "toy.root is in " + above + ", above the workspace", "next: lspine doctor --root " + setup.Quoted(above) + " " + setup.Quoted(filepath.Join(root, "a.toy"))} {
		if !strings.Contains(text, want) {
			t.Errorf("does not say %q:\n%s", want, text)
		}
	}
}

// A server that would be better, and cannot be used as it is configured, is named
// with what stands in the way, although another is asked.
func TestDoctorNamesTheBetterOne(t *testing.T) {
	toy := lsptest.Script{}.Definition(t)
	toy.Group, toy.Rank = "g", 2
	s := enginetest.Open(t, lsptest.Project, registry.Table{toy, enginetest.Absent("better", ".toy", func(d *registry.Definition) {
		d.Group, d.Rank, d.Commands[0].Binary = "g", 1, lsptest.Rooted("/no/such/better")
	})})
	answer := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{Files: []string{"main.toy"}})
	want := []result.PassedOver{{ID: "better", Reason: "toy is asked in its place: " + lsptest.Rooted("/no/such/better") + " does not exist"}}
	if !slices.Equal(answer.Passed, want) || answer.Level != result.LevelOK {
		t.Errorf("got %v\n%s", answer.Passed, render.Brief(&answer))
	}
}

// A server that is not asked about a file because of its scope is named with it.
func TestDoctorNamesTheScope(t *testing.T) {
	toy := lsptest.Script{}.Definition(t)
	toy.Within = []string{"src/**", "*.root"}
	s := enginetest.Open(t, lsptest.Project, registry.Table{toy})
	answer := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{Files: []string{"main.toy"}})
	want := []result.PassedOver{{ID: "toy", Reason: "the file is outside of lsp.servers.toy.scope: src/**, *.root"}}
	if !slices.Equal(answer.Passed, want) {
		t.Errorf("got %v\n%s", answer.Passed, render.Brief(&answer))
	}
}
