package render

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
)

func changes(n int) (list []result.Edited) {
	for i := range n {
		list = append(list, result.Edited{Path: string(rune('a'+i)) + ".go"})
	}
	return list
}

// What a simulation says reads as it was meant to: its session, its steps, what it would break, and
// what is not known.
func TestTextOfSimulation(t *testing.T) {
	fresh := []result.Answer{{Server: "gopls", Freshness: "fresh"}}
	late := []result.Answer{{Server: "gopls", Freshness: "timeout", Reason: "no answer in time"}}
	broken := func(path string, servers []result.Answer) []result.File {
		return []result.File{{Path: path, Verdict: result.NewErrors, Diagnostics: wrong(1), Servers: servers}}
	}
	finding := func(file string) []result.FileFinding {
		return []result.FileFinding{{File: file, Diagnostic: wrong(1)[0]}}
	}
	for want, s := range map[string]*result.Simulation{
		"s1: mutated, 1 edit of a.go (try <it>)": {SimulationSession: result.SimulationSession{Session: "s1", Status: "mutated", Steps: 1, Changes: changes(1), Label: "try <it>"}},
		"s1: mutated, 2 edits of a.go, b.go, c.go, d.go, e.go, f.go, g.go, h.go, unused for 1 min": {
			SimulationSession: result.SimulationSession{Session: "s1", Status: "mutated", Steps: 2, Changes: changes(8), IdleMS: 60_000},
		},
		"s1: mutated, 2 edits of a.go, b.go, c.go, d.go, e.go, f.go, g.go, h.go and 1 more": {
			SimulationSession: result.SimulationSession{Session: "s1", Status: "mutated", Steps: 2, Changes: changes(9), IdleMS: 59_999},
		},
		"It is gone.\ns2: created, 0 edits\ns3: dirty, 3 edits": {
			Done: "It is gone.", Sessions: []result.SimulationSession{{Session: "s2", Status: "created"}, {Session: "s3", Status: "dirty", Steps: 3}},
		},
		"-a\n+b": {Diff: "-a\n+b\n"},
		"step 1: net delta 0, verdict so far clean, confidence high\nstep 2: net delta +1, verdict so far new_errors, confidence high\n  a.go ERROR [1:5] message 1 (ts2322)\nstep 3 could not be made: it is not there\nSafe to apply through step 1 of 3; net delta of all -2.": {
			Chain: &result.Chain{Steps: []result.ChainStep{
				{Step: 1, Verdict: "clean", Confidence: "high"}, {Step: 2, NetDelta: 1, Verdict: "new_errors", Confidence: "high", Introduced: finding("a.go")}, {Step: 3, Error: &result.Error{Message: "it is not there"}},
			}, SafeThrough: 1, CumulativeDelta: -2},
		},
		"Diagnostics if this were written (scope file): no server judges these files; net delta 0, confidence high.": {Evaluation: &result.Evaluation{Scope: "file", Confidence: "high"}},
		"Diagnostics if this were written (scope dependants): 2 new errors; net delta +2, confidence high.\n" +
			"<diagnostics file=\"a.go\">\nERROR [1:5] message 1 (ts2322)\n</diagnostics>\nOther files that it would break (1 of 1 shown):\n<diagnostics file=\"b.go\">\nERROR [1:5] message 1 (ts2322)\n</diagnostics>": {
			Evaluation: &result.Evaluation{Scope: "dependants", Verdict: result.NewErrors, Confidence: "high", NetDelta: 2, Files: broken("a.go", fresh), Others: broken("b.go", fresh)},
		},
		"Diagnostics if this were written (scope file): 1 new error; net delta +1, confidence low.\n" +
			"<diagnostics file=\"a.go\">\nERROR [1:5] message 1 (ts2322)\n</diagnostics>\nNot known: a.go: gopls: no answer in time": {
			Evaluation: &result.Evaluation{Scope: "file", Verdict: result.NewErrors, Confidence: "low", NetDelta: 1, Files: broken("a.go", late)},
		},
		"Committed s1.": {Commit: &result.Edit{Applied: true, Summary: "Committed s1."}},
	} {
		if diff := cmp.Diff(want, Brief(s)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Where there is no room for a simulation's text, its outcome is said all the same.
func TestOutcomeOfSimulation(t *testing.T) {
	for want, s := range map[string]*result.Simulation{
		"": {},
		"s1 evaluated; safe through step 2; verdict clean, confidence high": {
			SimulationSession: result.SimulationSession{Session: "s1", Status: "evaluated"}, Chain: &result.Chain{SafeThrough: 2}, Evaluation: &result.Evaluation{Verdict: "clean", Confidence: "high"},
		},
		"a-very-long-ses…; safe through step 0": {SimulationSession: result.SimulationSession{Session: "a-very-long-session", Status: "dirty"}, Chain: &result.Chain{}},
	} {
		if diff := cmp.Diff(want, outcomeOfSimulation(s)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// In little room a simulation loses its diff first, then findings; a count of all stays.
func TestSimulationFits(t *testing.T) {
	s := &result.Simulation{
		Diff: strings.Repeat("+x\n", 200), Texts: []result.FileText{{Path: "a.go", Text: "x"}},
		Evaluation: &result.Evaluation{Scope: "file", Verdict: result.NewErrors, Confidence: "high", Files: []result.File{{Path: "a.go", Verdict: result.NewErrors, Diagnostics: wrong(12)}}},
	}
	Fit(s, 600)
	if s.Diff != "" || s.Texts != nil || s.Cut != "the diff was left out for the budget; max_bytes allows more" || len(s.Evaluation.Files[0].Diagnostics) != 12 || s.Evaluation.Counts == nil {
		t.Errorf("in 600 bytes: %s, %+v", s.Cut, s.Evaluation)
	}
	Fit(s, 500)
	if f := s.Evaluation.Files[0]; s.Cut != "findings left out for the budget; max_bytes allows more" || len(f.Diagnostics) != 8 || f.More != 4 || !strings.Contains(Brief(s), "12 new errors") {
		t.Errorf("in 500 bytes: %s\n%s", s.Cut, Brief(s))
	}
	s = &result.Simulation{Evaluation: &result.Evaluation{Scope: "file", Verdict: "clean", Confidence: "high"}}
	if Fit(s, 0); s.Cut != "" || s.Evaluation.Counts != nil {
		t.Errorf("in plenty of room: %q, %+v", s.Cut, s.Evaluation.Counts)
	}
}

// What a policy decides is said first, then by which rule and why. What to do next has a line of
// its own.
func TestTextOfPolicy(t *testing.T) {
	for want, p := range map[string]result.Policy{
		"edit a.go: denied\nby rule 1\nreason: it is generated\nclass edit, mode sensitive, client cli": {
			Operation: "edit", Path: "a.go", Action: "deny", Why: "rule 1", Reason: "it is generated", Class: "edit", Mode: "sensitive", Client: "cli",
		},
		"build: asked about, and allowed where nobody can be asked or nobody answers\nby the built-in rule\nclass execute, mode interactive\nnext: ask a person": {
			Head: result.Head{Next: "ask a person"}, Operation: "build", Action: "ask", Fallback: "allow", Why: "the built-in rule", Class: "execute", Mode: "interactive",
		},
	} {
		if diff := cmp.Diff(want, Brief(&p)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Events are told one a line, the oldest first; in little room the oldest go.
func TestTextOfEvents(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	e := &result.Events{Events: []result.Event{
		{Number: 1, Time: at, Kind: "crashed", Server: "gopls", Root: ".", Reason: "killed\nby nobody"}, {Number: 2, Time: at, Kind: "started", Server: "gopls", Root: "sub"},
	}}
	if diff := cmp.Diff("1 03:04:05 gopls crashed (.): killed by nobody\n2 03:04:05 gopls started (sub)", Brief(e)); diff != "" {
		t.Error(diff)
	}
	if got := Brief(&result.Events{}); got != "No events." {
		t.Error(got)
	}
	e.Events[0].Reason = strings.Repeat("long ", 30)
	Fit(e, LeastBytes)
	if diff := cmp.Diff("2 03:04:05 gopls started (sub)\ncut: the oldest events are left out for the budget", Brief(e)); diff != "" {
		t.Error(diff)
	}
}

// In little room those servers go first that could not be started, then those that are switched off,
// then those that ended; what runs stays. Where none of these is there, none is said to be left out.
func TestStatusFits(t *testing.T) {
	server := func(id, state string) result.Server {
		return result.Server{ID: id, State: state, Reason: strings.Repeat(id, 150)}
	}
	states := func(s *result.Status) (list []string) {
		for _, server := range s.Servers {
			list = append(list, server.State)
		}
		return list
	}
	s := &result.Status{Servers: []result.Server{server("a", "active"), server("b", "stopped"), server("c", "unavailable"), server("d", "disabled")}}
	whole := len(Brief(s))
	for _, want := range [][]string{{"active", "stopped", "disabled"}, {"active", "stopped"}, {"active"}} {
		Fit(s, max(len(Brief(s))-1, LeastBytes))
		if diff := cmp.Diff(want, states(s)); diff != "" || s.Cut != "servers that do not run; raise max_bytes" {
			t.Errorf("of %d bytes: %s, cut %q", whole, diff, s.Cut)
		}
	}
	s = &result.Status{Servers: []result.Server{{ID: "a", State: "active", Reason: strings.Repeat("why ", 90)}}}
	if Fit(s, LeastBytes); s.Cut != theRest {
		t.Errorf("only what runs is there, but it says that was left out: %s", s.Cut)
	}
}

// The lines of a message keep their place below it, without blanks at their ends.
func TestIndented(t *testing.T) {
	if diff := cmp.Diff("  a\n\n    b\n  c", indented("a\r\n \n  b \nc\n\n", "  ")); diff != "" {
		t.Error(diff)
	}
}

// The structured form of a chain says through which step it is safe, also if through none, and what
// each step does; that of another simulation says neither.
func TestLeanFormOfAChain(t *testing.T) {
	none := 0
	for name, c := range map[string]struct {
		simulation result.Simulation
		want       leanSimulation
	}{
		"a chain": {
			result.Simulation{Chain: &result.Chain{Steps: []result.ChainStep{{Step: 1, NetDelta: 1, Verdict: result.NewErrors, Confidence: "high"}}, CumulativeDelta: 1}},
			leanSimulation{Safe: &none, Steps: []string{"step 1: net delta +1, verdict so far new_errors, confidence high", "Safe to apply through step 0 of 1; net delta of all +1."}},
		},
		"no chain": {
			result.Simulation{SimulationSession: result.SimulationSession{Session: "s1", Status: "mutated"}, Done: "It is so."},
			leanSimulation{Session: "s1", Status: "mutated", Done: "It is so."},
		},
	} {
		if diff := cmp.Diff(any(c.want), leanFormOfSimulation(&c.simulation)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Sessions are told one a line, with what they hold; in little room the simulations go first, and then the oldest sessions.
func TestTextOfSessions(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := &result.Sessions{
		Sessions: []result.Session{
			{Number: 1, Client: "cli", Began: at, Last: at.Add(time.Second), Operation: "check", Calls: 1},
			{Number: 4, Began: at, Last: at, Operation: "rename", Calls: 3, Running: 2},
		},
		Simulations: []result.HeldSimulation{{Holder: 4, SimulationSession: result.SimulationSession{Session: "s1", Status: "created", Label: "a rename"}}},
	}
	want := "1 cli since 03:04:05, 1 call, the last check at 03:04:06\n4 - since 03:04:05, 3 calls, the last rename at 03:04:05, 2 in progress\nsimulation of 4: s1: created, 0 edits (a rename)"
	if got := Brief(s); got != want {
		t.Errorf("got %q", got)
	}
	if got := Brief(&result.Sessions{}); got != "No sessions." {
		t.Errorf("got %q", got)
	}
	fitSessions(s, 110)
	if len(s.Simulations) > 0 || len(s.Sessions) != 1 || s.Cut != "the oldest sessions are left out for the budget" {
		t.Errorf("%+v", s)
	}
}
