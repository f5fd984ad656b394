package doctor_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/doctor"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/setup"
)

// untimed leaves out how long something took.
var untimed = cmp.Options{
	cmpopts.IgnoreFields(result.Symptom{}, "TookMS"), cmpopts.IgnoreFields(result.Server{}, "UptimeMS", "Pid"),
	cmpopts.IgnoreFields(result.Figures{}, "MedianMS", "SlowMS"), cmpopts.IgnoreFields(result.Event{}, "Time"),
}

// withID returns a scripted server of files with its id as their ending.
func withID(t *testing.T, script lsptest.Script, change ...func(d *registry.Definition)) registry.Definition {
	t.Helper()
	d := script.Definition(t)
	d.Languages, d.SingleFile = []registry.Language{{ID: script.ID, Patterns: []string{"." + script.ID}}}, true
	for _, c := range change {
		c(&d)
	}
	return d
}

// The report on a server has all that is known of it, and each step of its examination in order; one
// that was given up, or that is off, does not touch the report on another.
func TestReportOnAServer(t *testing.T) {
	fine := withID(t, lsptest.Script{ID: "one", Start: []lsptest.Action{lsptest.Notify("window/showMessage", `{"type":1,"message":"no licence"}`)}}, func(d *registry.Definition) {
		d.Commands[0].Args = append(d.Commands[0].Args, "--fine")
	})
	broken := withID(t, lsptest.Script{ID: "two", Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Stderr("no key"), lsptest.Crash(3))}}, func(d *registry.Definition) {
		d.Tested = ""
	})
	off := withID(t, lsptest.Script{ID: "off"}, func(d *registry.Definition) { d.Disabled = true })
	s := enginetest.Open(t, "-- toy.root --\n-- a.one --\nERROR one\nWARN two\nERROR three\n-- a.two --\nfine\n-- a.off --\nfine\n", registry.Table{fine, broken, off})
	for range 3 {
		s.Check(api.CheckRequest{Files: []string{"a.two"}})
	}
	answer := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{Files: []string{"a.one", "a.two", "a.off"}})
	binary := fine.Commands[0].Binary
	found := []result.Symptom{{Level: result.LevelOK, Step: "binary", Message: binary}, {Level: result.LevelOK, Step: "root", Message: ". (toy.root)"}}
	can := []string{
		"definition", "references", "inspect", "explore", "outline", "source", "hierarchy", "folding", "impact", "editing_context", "assemble",
		"cross_repo_references", "workspace_folders",
	}
	cannot := []string{
		"declaration", "type_definition", "implementation", "highlights", "find_symbol", "signature_help", "completions", "inlay_hints", "semantic_tokens",
		"rename", "prepare_rename", "fixes", "format", "format_edits", "code_lenses", "execute_code_lens", "execute_command",
	}
	want := []result.ServerReport{
		{
			ID: "one", Level: result.LevelNote, Root: s.Folder, Marker: "toy.root", Binary: binary, Args: []string{"--fine"}, Version: "1.2.3", Proven: true,
			Strategies: []string{"versioned"}, Probe: "a.one", Freshness: "fresh", Errors: 2, Operations: can, Missing: cannot,
			Symptoms: append(slices.Clone(found), []result.Symptom{
				{Level: result.LevelOK, Step: "start", Message: "the process starts"},
				{Level: result.LevelOK, Step: "initialize", Message: "it answers as toy 1.2.3"},
				{Level: result.LevelOK, Step: "probe", Message: "a.one: a complete answer: errors: 2, lesser findings: 1"},
				{Level: result.LevelNote, Step: "word", Message: "it says: no licence"},
				{Level: result.LevelOK, Step: "answers", Message: "it publishes them with the version of the text (versioned)"},
				{
					Level: result.LevelOK, Step: "operations", Message: "13 of 30: " + strings.Join(can, " "),
					Details: []string{"not offered: " + strings.Join(cannot, " ")},
				},
			}...),
		},
		{
			ID: "two", Level: result.LevelProblem, Root: s.Folder, Marker: "toy.root", Binary: binary, Strategies: []string{"versioned"},
			Symptoms: append(slices.Clone(found), []result.Symptom{
				{
					Level: result.LevelProblem, Step: "history", Message: "it was given up after 2 failures: two: initialize: exited with code 3",
					Details: []string{"no key"}, Next: `the operation servers with {"action":"restart","server":"two"}`,
				},
				{Level: result.LevelProblem, Step: "initialize", Message: "exited with code 3", Details: []string{"no key"}, Next: setup.Here.Program(binary)},
			}...),
		},
		{
			ID: "off", Level: result.LevelNote, Root: s.Folder, Marker: "toy.root", Proven: true, Strategies: []string{"versioned"},
			Symptoms: []result.Symptom{{Level: result.LevelNote, Step: "configuration", Message: "disabled", Next: "lspine config"}},
		},
	}
	if diff := cmp.Diff(want, answer.Servers, untimed); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, r := range answer.Servers {
		for _, step := range r.Symptoms {
			if step.TookMS < 0 || step.TookMS > answer.TookMS {
				t.Errorf("%s of %s took %d ms of %d", step.Step, r.ID, step.TookMS, answer.TookMS)
			}
		}
	}
}

// The smallest file is shown to a server of those that it handles, in its first language, that are
// below its root, not ignored and not empty, of the first that are looked at.
func TestWhichFileIsShown(t *testing.T) {
	var many strings.Builder
	many.WriteString("-- toy.root --\n")
	for i := range 202 {
		text := "fine"
		if i == 199 {
			text = "so"
		}
		if i > 199 {
			text = "x"
		}
		fmt.Fprintf(&many, "-- %03d.one --\n%s\n", i, text)
	}
	rooted := func(d *registry.Definition) {
		d.SingleFile, d.Roots = false, []string{"toy.root"}
		d.Languages = append(d.Languages, registry.Language{ID: "other", Patterns: []string{".other"}})
	}
	for name, c := range map[string]struct {
		archive string
		want    []string
	}{
		"the smallest": {
			"-- toy.root --\n-- a.one --\nfine fine\n-- b.one --\nfine\n-- c.one --\nfine fine fine\n-- d.one --\nfine\n" +
				"-- e.one --\n-- f.other --\nx\n-- skip.one --\nx\n", []string{"b.one"},
		},
		"of another kind": {"-- toy.root --\n-- c.other --\nx\n", []string{"c.other"}},
		"of its root": {
			"-- a.one --\nx\n-- in/toy.root --\n-- in/a.one --\nfine fine\n-- in/b.one --\nfine\n-- in/sub/toy.root --\n-- in/sub/c.one --\nx\n",
			[]string{"", "in/b.one", "in/sub/c.one"},
		},
		"of the first": {many.String(), []string{"199.one"}},
	} {
		root := lsptest.Workspace(t, c.archive)
		cfg := enginetest.Configure(t, root)
		cfg.Servers, cfg.Settings.Ignore = registry.Table{withID(t, lsptest.Script{ID: "one"}, rooted)}, []string{"skip.one"}
		s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, State: t.TempDir()})
		answer := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{})
		var got []string
		for _, r := range answer.Servers {
			got = append(got, r.Probe)
		}
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Of each server that a file needs the report has how many files need it, whichever of them is the
// first; what nobody misses, what may not start, and what is examined already is left out.
func TestServersOfAWorkspace(t *testing.T) {
	lint := func(id string, change ...func(d *registry.Definition)) registry.Definition {
		return withID(t, lsptest.Script{ID: id}, append(change, func(d *registry.Definition) {
			d.Role = registry.DiagnosticsOnly
			d.Languages = []registry.Language{{ID: "two", Patterns: []string{".two"}}}
		})...)
	}
	root := lsptest.Workspace(t, "-- toy.root --\n-- a.one --\nfine\n-- b.one --\nfine\n-- c.one --\nfine\n-- a.two --\nfine\n-- b.two --\nfine\n")
	cfg := enginetest.Configure(t, root)
	cfg.Servers = registry.Table{
		withID(t, lsptest.Script{ID: "one"}), withID(t, lsptest.Script{ID: "two"}), lint("lint"), lint("other"),
		enginetest.Absent("missing", ".two", func(d *registry.Definition) { d.Role, d.Languages[0].ID = registry.DiagnosticsOnly, "two" }),
		enginetest.Absent("optional", ".two", func(d *registry.Definition) {
			d.Role, d.Optional, d.Languages[0].ID = registry.DiagnosticsOnly, true, "two"
		}),
	}
	s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, State: t.TempDir(), Only: []string{"one", "two", "lint", "missing", "optional"}})
	type report struct {
		ID, Level, Probe string
		Files            int
	}
	for name, c := range map[string]struct {
		files, languages []string
		want             []report
	}{
		"all": {nil, []string{"one", "two"}, []report{{"one", "ok", "a.one", 3}, {"two", "ok", "a.two", 2}, {"lint", "ok", "a.two", 2}, {"missing", "problem", "", 2}}},
		"two": {[]string{"a.two", "b.two"}, []string{"two"}, []report{{"two", "ok", "a.two", 0}, {"lint", "ok", "a.two", 0}, {"missing", "problem", "", 0}, {"optional", "note", "", 0}}},
	} {
		answer := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{Files: c.files})
		var got []report
		for _, r := range answer.Servers {
			got = append(got, report{r.ID, r.Level, r.Probe, r.Files})
		}
		want := result.Doctor{Root: s.Folder, Files: c.files, Languages: c.languages, Level: result.LevelProblem, Symptoms: []result.Symptom{}}
		if diff := cmp.Diff(c.want, got) + cmp.Diff(want, answer, cmpopts.IgnoreFields(result.Doctor{}, "Servers", "TookMS")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A file that is never opened is a problem of its own, which is told once; the other files are
// examined all the same.
func TestFilesThatAreLeftAlone(t *testing.T) {
	root := lsptest.Workspace(t, "-- toy.root --\n-- a.one --\nfine\n-- skip.one --\nfine\n")
	cfg := enginetest.Configure(t, root)
	cfg.Servers, cfg.Settings.Ignore = registry.Table{withID(t, lsptest.Script{ID: "one"})}, []string{"skip.one"}
	s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, State: t.TempDir()})
	answer := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{Files: []string{"skip.one", "a.one"}})
	want := result.Doctor{
		Root: root, Files: []string{"skip.one", "a.one"}, Level: result.LevelProblem, Languages: []string{"one"},
		Symptoms: []result.Symptom{{
			Level: result.LevelProblem, Step: "file", Message: filepath.Join(root, "skip.one") + ": not checked: the ignore list names it (skip.one)", Next: "lspine config",
		}},
	}
	without := cmpopts.IgnoreFields(result.Doctor{}, "Servers", "TookMS")
	if diff := cmp.Diff(want, answer, without); diff != "" || len(answer.Servers) != 1 || answer.Servers[0].Probe != "a.one" || answer.Servers[0].Level != result.LevelOK {
		t.Errorf("%+v (-want +got):\n%s", answer.Servers, diff)
	}
	for says, wrong := range map[string]api.DoctorRequest{
		"../x.one is outside the workspace " + root: {Files: []string{"a.one", "../x.one"}},
		"timeout_ms: a deadline is at least 1 ms":   {Limits: api.Limits{TimeoutMS: -1}},
	} {
		if _, err := api.Doctor.Do(t.Context(), s.Engine, wrong); err == nil || err.Error() != says {
			t.Errorf("%+v: %v, want %s", wrong, err, says)
		}
	}
	empty := enginetest.Open(t, "-- notes.txt --\n", registry.Table{withID(t, lsptest.Script{ID: "one"})})
	want = result.Doctor{
		Root: empty.Folder, Level: result.LevelProblem, Languages: []string{},
		Symptoms: []result.Symptom{{Level: result.LevelProblem, Step: "workspace", Message: "no file here is of a kind that needs a server", Next: "lspine servers"}},
	}
	if diff := cmp.Diff(want, enginetest.Do(t, empty, api.Doctor, api.DoctorRequest{}), without); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The status of a server has all that is known of it, whether it runs, is missing, or ran before; the
// servers that work are those that run.
func TestStatusOfServers(t *testing.T) {
	root := lsptest.Workspace(t, "-- toy.root --\n-- a.one --\nERROR x\nWARN y\n-- a.two --\nfine\n-- .lspine.jsonc --\n"+`{"lsp": {"servers": {"gopls": {"enabled": true}}}}`)
	cfg := enginetest.Configure(t, root)
	cfg.Servers = registry.Table{
		withID(t, lsptest.Script{ID: "two"}), withID(t, lsptest.Script{ID: "one"}), withID(t, lsptest.Script{ID: "gopls"}),
		enginetest.Absent("absent", ".two", func(d *registry.Definition) { d.Install = append(d.Install, "fetch absent") }), withID(t, lsptest.Script{ID: "rest"}),
	}
	s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, State: t.TempDir()})
	for _, file := range []string{"a.one", "a.two"} {
		s.Check(api.CheckRequest{Files: []string{file}})
	}
	status := func(scope string) []result.Server {
		return enginetest.Do(t, s, api.Status, api.StatusRequest{Scope: scope}).Servers
	}
	binary := cfg.Servers[0].Commands[0].Binary
	server := func(id, source string, change func(*result.Server)) result.Server {
		r := result.Server{ID: id, Language: id, Source: source, State: "stopped", Binary: binary, Strategy: "versioned"}
		change(&r)
		return r
	}
	runs := func(r *result.Server) {
		r.State, r.Root, r.Version, r.Encoding, r.Documents, r.Starts = "active", root, "1.2.3", "utf-16", 1, 1
	}
	ran := func(r *result.Server) { r.Root, r.Starts = root, 1 }
	absent := result.Server{
		ID: "absent", Language: "x", Source: config.AutoDetected, State: "unavailable", Reason: "no-such-absent not found in PATH",
		Hint: "install it: get absent   or   fetch absent",
	}
	named := server("gopls", config.Registered, func(*result.Server) {})
	figures := func(change func(*result.Server), f result.Figures) func(*result.Server) {
		return func(r *result.Server) { change(r); r.Figures = &f }
	}
	counted, findings := result.Figures{Checks: 1}, result.Figures{Checks: 2, Diagnostics: 4} // asked also about the text before
	expect := func(what string, want, got []result.Server) {
		t.Helper()
		if diff := cmp.Diff(want, got, untimed); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	before := status("")
	expect("the status", []result.Server{
		absent, named, server("one", config.AutoDetected, figures(runs, findings)), server("two", config.AutoDetected, figures(runs, counted)),
	}, before)
	if before[1].UptimeMS != 0 || before[1].Pid != 0 || before[2].Pid == 0 || before[2].Pid == before[3].Pid {
		t.Errorf("%+v", before)
	}
	collector := diagnostics.New(diagnostics.Options{})
	t.Cleanup(collector.Close)
	doc := doctor.New(doctor.Options{Workspace: s.Workspace(), Names: s.Workspace().Names(""), Config: cfg, Collector: collector})
	expect("those that work", []result.Server{server("one", config.AutoDetected, runs), server("two", config.AutoDetected, runs)}, doc.Working())
	lsptest.Eventually(t, 30*time.Second, func() bool { return doc.Working()[0].UptimeMS > 0 }, "time passes")
	note := func(id string) string {
		return id + ` was found to fit files of this workspace, and no configuration names it; {"lsp": {"servers": {"` + id + `": {"enabled": false}}}} in your own keeps it from starting`
	}
	events := enginetest.Do(t, s, api.Events, api.EventsRequest{})
	if diff := cmp.Diff(result.Events{Last: 2, Events: []result.Event{
		{Number: 1, Kind: "started", Server: "one", Root: ".", Source: config.AutoDetected, Note: note("one")},
		{Number: 2, Kind: "started", Server: "two", Root: ".", Source: config.AutoDetected, Note: note("two")},
	}}, events, untimed); diff != "" || events.Events[0].Time.Location() != time.UTC {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	enginetest.Do(t, s, api.Servers, api.ServersRequest{Action: "stop"})
	s.Remove("a.one")
	stopped := []result.Server{
		absent, named, server("one", config.AutoDetected, figures(ran, findings)), server("two", config.AutoDetected, figures(ran, counted)),
	}
	expect("after the stop", stopped, status(""))
	if working := doc.Working(); working == nil || len(working) > 0 {
		t.Errorf("these work: %+v", working)
	}
	cfg.Settings.Enabled = false
	all := enginetest.Do(t, s, api.Status, api.StatusRequest{Scope: "all"})
	expect("all", slices.Insert(stopped, 3, server("rest", config.AutoDetected, func(*result.Server) {})), all.Servers)
	if !all.Disabled || all.Omitted != 0 || all.Root != root {
		t.Errorf("%+v", all)
	}
}

// What one asks of some servers is done with these alone.
func TestOnlyTheServersThatAreMeant(t *testing.T) {
	s := enginetest.Open(t, "-- toy.root --\n-- a.one --\nfine\n-- b.one --\nfine\n-- a.two --\nfine\n", registry.Table{withID(t, lsptest.Script{ID: "one"}), withID(t, lsptest.Script{ID: "two"})})
	binary := s.Config.Servers[0].Commands[0].Binary
	state := func(id, state string) result.ServerState {
		r := result.ServerState{ID: id, Root: s.Folder, State: state, Languages: []string{}}
		if state == "installed" || state == "active" {
			r.Binary, r.Languages, r.Files = binary, []string{id}, map[string]int{"one": 2, "two": 1}[id]
		}
		return r
	}
	started := func(id string) result.ServerState {
		r := state(id, "active")
		r.Version = "1.2.3"
		return r
	}
	both := []string{"one", "two"}
	for i, step := range []struct {
		req       api.ServersRequest
		languages []string
		notes     []string
		want      []result.ServerState
	}{
		{api.ServersRequest{Action: "stop"}, nil, []string{"no such server ran"}, []result.ServerState{}},
		{api.ServersRequest{Action: "detect"}, both, nil, []result.ServerState{state("one", "installed"), state("two", "installed")}},
		{api.ServersRequest{Action: "restart", Server: "two"}, nil, nil, []result.ServerState{started("two")}},
		{api.ServersRequest{Action: "detect"}, both, nil, []result.ServerState{state("one", "installed"), state("two", "active")}},
		{api.ServersRequest{Action: "restart"}, nil, nil, []result.ServerState{started("two")}},
		{api.ServersRequest{Action: "start", Language: "One"}, nil, nil, []result.ServerState{started("one")}},
		{api.ServersRequest{Action: "stop", Server: "two"}, nil, nil, []result.ServerState{state("two", "stopped")}},
		{api.ServersRequest{Action: "detect", Server: "one"}, []string{"one"}, nil, []result.ServerState{state("one", "active")}},
		{api.ServersRequest{Action: "stop"}, nil, nil, []result.ServerState{state("one", "stopped"), state("two", "was not running")}},
		{api.ServersRequest{Action: "restart", Server: "one"}, nil, nil, []result.ServerState{started("one")}},
		{api.ServersRequest{Action: "start", Server: "two"}, nil, nil, []result.ServerState{started("two")}},
	} {
		want := result.Servers{Action: step.req.Action, Languages: step.languages, Servers: step.want}
		want.Notes = step.notes
		got := enginetest.Do(t, s, api.Servers, step.req)
		slices.SortFunc(got.Servers, func(a, b result.ServerState) int { return strings.Compare(a.ID, b.ID) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d: %+v (-want +got):\n%s", i+1, step.req, diff)
		}
	}
	for _, file := range []string{"a.one", "b.one"} {
		s.Remove(file)
	}
	enginetest.Do(t, s, api.Servers, api.ServersRequest{Action: "stop", Server: "two"})
	for _, action := range []string{"detect", "restart"} {
		req := api.ServersRequest{Action: action, Server: "one"}
		answer, err := api.Servers.Do(t.Context(), s.Engine, req)
		if says := "the workspace (one): no server knows this kind of file"; action == "restart" && (err == nil || err.Error() != says) || len(answer.Servers) > 0 {
			t.Errorf("%s of a server that no file needs: %+v, %v", action, answer, err)
		}
	}
}

// Of the servers that run those are told that are meant, with what they can and cannot do; where none
// runs, how to start it.
func TestCapabilitiesOfServers(t *testing.T) {
	s := enginetest.Open(t, "-- toy.root --\n-- a.one --\nfine\n-- a.two --\nfine\n", registry.Table{withID(t, lsptest.Script{ID: "one"}), withID(t, lsptest.Script{ID: "two"})})
	s.Check(api.CheckRequest{Files: []string{"a.one", "a.two"}})
	for server, want := range map[string][]string{"": {"one", "two"}, "one": {"one"}, "two": {"two"}} {
		answer := enginetest.Do(t, s, api.Capabilities, api.CapabilitiesRequest{Server: server})
		var got []string
		for _, c := range answer.Servers {
			got = append(got, c.ID)
			if c.Root != s.Folder || c.Name != "toy" || c.Version != "1.2.3" || len(c.Operations)+len(c.Missing) != 30 {
				t.Errorf("%+v", c)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || answer.Notes != nil {
			t.Errorf("%q: %q (-want +got):\n%s", server, answer.Notes, diff)
		}
	}
	enginetest.Do(t, s, api.Servers, api.ServersRequest{Action: "stop", Server: "one"})
	want := result.Capabilities{Servers: []result.ServerCapabilities{}}
	want.Notes = []string{"a server starts when a file needs it; servers with action start does it at once"}
	if diff := cmp.Diff(want, enginetest.Do(t, s, api.Capabilities, api.CapabilitiesRequest{Server: "one"})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err := api.Capabilities.Do(t.Context(), s.Engine, api.CapabilitiesRequest{Server: "nope"})
	var wrong *api.ArgumentError
	if !errors.As(err, &wrong) || *wrong != (api.ArgumentError{Argument: "server", Reason: "no server nope is known", Advice: "known are one, two"}) {
		t.Errorf("%v", err)
	}
}

// Starting servers ends with the deadline of the request; of one that is still starting that is said.
func TestServersThatDoNotStartInTime(t *testing.T) {
	s := enginetest.Open(t, "-- a.one --\nfine\n", registry.Table{withID(t, lsptest.Script{ID: "one", Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Hang())}})})
	_, err := api.Servers.Do(t.Context(), s.Engine, api.ServersRequest{Action: "start", Limits: api.Limits{TimeoutMS: 100}})
	if err == nil || err.Error() != "one is still loading (starting); it cannot answer yet" {
		t.Errorf("%v", err)
	}
}
