package doctor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// of returns a toy server of files with another ending.
func of(t *testing.T, id string, change ...func(d *registry.Definition)) registry.Definition {
	t.Helper()
	d := lsptest.Script{ID: id}.Definition(t)
	d.Languages, d.SingleFile = []registry.Language{{ID: id, Patterns: []string{"." + id}}}, true
	for _, c := range change {
		c(&d)
	}
	return d
}

// Each server of a workspace is looked at with the smallest file that it handles and that is not empty, and with how many
// files need it; what it can do is counted.
func TestDoctorLooksAtAWorkspace(t *testing.T) {
	s := enginetest.Open(t, "-- toy.root --\n-- a.one --\nfine\nfine\n-- b.one --\nx\n-- c.one --\n-- a.two --\nuse nothing\n", registry.Table{
		of(t, "one"), of(t, "two"), enginetest.Absent("three", ".one", func(d *registry.Definition) {
			d.Role, d.Optional, d.Languages[0].ID = registry.DiagnosticsOnly, true, "one"
		}),
	})
	type report struct {
		ID, Probe, Freshness string
		Files, Errors        int
	}
	answer := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{})
	var got []report
	for _, r := range answer.Servers {
		got = append(got, report{r.ID, r.Probe, r.Freshness, r.Files, r.Errors})
		last := r.Symptoms[len(r.Symptoms)-1]
		want := fmt.Sprintf("%d of %d: %s", len(r.Operations), len(r.Operations)+len(r.Missing), strings.Join(r.Operations, " "))
		if last.Step != "operations" || last.Message != want || len(r.Missing) == 0 {
			t.Errorf("%s can do: %s, want %s", r.ID, last.Message, want)
		}
	}
	if diff := cmp.Diff([]report{{"one", "b.one", "fresh", 3, 0}, {"two", "a.two", "fresh", 1, 1}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"one", "two"}, answer.Languages); diff != "" || answer.Root != s.Folder || answer.Files != nil || len(answer.Passed) > 0 || len(answer.Symptoms) > 0 {
		t.Errorf("%+v (-want +got):\n%s", answer, diff)
	}
}

// Only so many servers are started at once: the others are named. A file that is named is looked at by its own server,
// and one that is a folder or not there is refused.
func TestDoctorLimitsItself(t *testing.T) {
	var archive strings.Builder
	archive.WriteString("-- toy.root --\n")
	var table registry.Table
	for i := range 8 {
		id := fmt.Sprintf("s%d", i)
		table = append(table, of(t, id))
		for j := range 9 - i {
			fmt.Fprintf(&archive, "-- %d.%s --\nfine\n", j, id)
		}
	}
	s := enginetest.Open(t, archive.String(), table)
	answer := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{})
	var ids []string
	for _, r := range answer.Servers {
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	want := []result.Symptom{{Level: result.LevelNote, Step: "workspace", Message: "only the 6 servers for the most files are started; left out: s6 for ., s7 for .", Next: "lspine doctor FILE"}}
	if diff := cmp.Diff(want, answer.Symptoms); diff != "" || !slices.Equal(ids, []string{"s0", "s1", "s2", "s3", "s4", "s5"}) {
		t.Errorf("%q (-want +got):\n%s", ids, diff)
	}
	if one := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{Files: []string{"0.s7"}}); len(one.Servers) != 1 || one.Servers[0].ID != "s7" || one.Servers[0].Files != 0 || !slices.Equal(one.Files, []string{"0.s7"}) {
		t.Errorf("%+v", one)
	}
	for file, reason := range map[string]string{".": ". is a folder", "gone.s0": "no such file"} {
		if _, err := api.Doctor.Do(t.Context(), s.Engine, api.DoctorRequest{Files: []string{file}}); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", file, err)
		}
	}
	started := enginetest.Do(t, s, api.Servers, api.ServersRequest{Action: "start"})
	ids = nil
	for _, server := range started.Servers {
		ids = append(ids, server.ID+" "+server.State+" "+server.Version)
	}
	if diff := cmp.Diff([]string{"s0 active 1.2.3", "s1 active 1.2.3", "s2 active 1.2.3", "s3 active 1.2.3"}, ids); diff != "" || !slices.Contains(started.Notes, "only the 4 servers with the most files are started") {
		t.Errorf("%q (-want +got):\n%s", started.Notes, diff)
	}
}

// Whoever no longer wants to know which servers a workspace needs gets no answer.
func TestServersAreNotLookedForInVain(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, action := range []string{"detect", "start", "restart"} {
		s := enginetest.Open(t, "-- a.one --\n", registry.Table{of(t, "one")})
		if answer, err := api.Servers.Do(canceled, s.Engine, api.ServersRequest{Action: action}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %+v, %v", action, answer, err)
		}
	}
}

// Of servers to start some may fail: that is told of each, and is an error only if all do.
func TestSomeServersDoNotStart(t *testing.T) {
	broken := lsptest.Script{ID: "two", Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Crash(3))}}.Definition(t)
	broken.Languages, broken.SingleFile = []registry.Language{{ID: "two", Patterns: []string{".two"}}}, true
	s := enginetest.Open(t, "-- toy.root --\n-- a.one --\nfine\n-- a.two --\n-- a.three --\n", registry.Table{of(t, "one"), broken, enginetest.Absent("three", ".three", func(*registry.Definition) {})})
	type state struct {
		ID, State string
		Reason    bool
		Install   []string
	}
	start := func(req api.ServersRequest) (list []state) {
		for _, server := range enginetest.Do(t, s, api.Servers, req).Servers {
			list = append(list, state{server.ID, server.State, server.Reason != "", server.Install})
		}
		slices.SortFunc(list, func(a, b state) int { return strings.Compare(a.ID, b.ID) })
		return list
	}
	want := []state{{ID: "one", State: "active"}, {ID: "three", State: "unavailable", Reason: true, Install: []string{"get three"}}, {ID: "two", State: "failed", Reason: true}}
	if diff := cmp.Diff(want, start(api.ServersRequest{Action: "start"})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[:1], start(api.ServersRequest{Action: "start", Language: "ONE"})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := api.Servers.Do(t.Context(), s.Engine, api.ServersRequest{Action: "start", Server: "two"}); err == nil {
		t.Error("a server that does not start is started")
	}
}

// A list of servers is of those that are in a state, speak a language or have an id, as far as these are given.
func TestListsOfSomeServers(t *testing.T) {
	s := enginetest.Open(t, lsptest.Project, registry.Table{of(t, "one"), of(t, "two", func(d *registry.Definition) { d.Disabled = true }), enginetest.Absent("three", ".three", func(*registry.Definition) {})})
	for _, c := range []struct {
		req  api.ServersRequest
		want []string
	}{
		{api.ServersRequest{}, []string{"one", "three", "two"}},
		{api.ServersRequest{State: "found"}, []string{"one"}},
		{api.ServersRequest{State: "missing"}, []string{"three"}},
		{api.ServersRequest{State: "disabled"}, []string{"two"}},
		{api.ServersRequest{Language: "two"}, []string{"two"}},
		{api.ServersRequest{Server: "one"}, []string{"one"}},
		{api.ServersRequest{Server: "one", State: "missing"}, nil},
		{api.ServersRequest{Language: "x", State: "missing"}, []string{"three"}},
	} {
		c.req.Action = "list"
		var got []string
		for _, server := range enginetest.Do(t, s, api.Servers, c.req).Servers {
			got = append(got, server.ID)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.req, diff)
		}
	}
}

// The status is of the servers of its scope: those that run, those that the workspace needs or that ran, or all; how many
// are left out is said.
func TestScopesOfTheStatus(t *testing.T) {
	s := enginetest.Open(t, "-- toy.root --\n-- a.one --\nfine\n-- a.two --\nfine\n", registry.Table{of(t, "three"), of(t, "one"), of(t, "two")})
	look := func(scope string, omitted int, want ...string) {
		t.Helper()
		answer := enginetest.Do(t, s, api.Status, api.StatusRequest{Scope: scope})
		var got []string
		for _, server := range answer.Servers {
			got = append(got, server.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" || answer.Omitted != omitted || answer.Disabled || len(answer.Problems) > 0 {
			t.Errorf("%q: %+v (-want +got):\n%s", scope, answer, diff)
		}
	}
	look("running", 3)
	look("", 1, "one", "two")
	s.Check(api.CheckRequest{Files: []string{"a.one"}})
	look("running", 2, "one")
	look("workspace", 1, "one", "two")
	look("all", 0, "one", "three", "two")
	s.Remove("a.one")
	s.Remove("a.two")
	_, err := api.Status.Do(t.Context(), s.Engine, api.StatusRequest{Scope: "some"})
	var wrong *api.ArgumentError
	if !errors.As(err, &wrong) || wrong.Argument != "scope" || wrong.Reason != `"some" is no scope` {
		t.Errorf("%v", err)
	}
	s.Config.Settings.Enabled = false
	answer := enginetest.Do(t, s, api.Status, api.StatusRequest{})
	if !answer.Disabled || len(answer.Servers) > 0 || answer.Omitted > 0 {
		t.Errorf("switched off: %+v", answer)
	}
}

// A server that is missing is a problem where the project is set up for its files, or has most of them; of
// servers that stand in for each other one is told of. For a few files of something else it is a remark.
func TestWhoseServerIsMissed(t *testing.T) {
	rooted := func(group, marker string) func(d *registry.Definition) {
		return func(d *registry.Definition) { d.Group, d.Roots = group, []string{marker} }
	}
	for name, c := range map[string]struct {
		files string
		want  []string
	}{
		"a few files":            {"-- toy.root --\n-- a.toy --\nx\n-- b.toy --\nx\n-- s.pl --\nx\n", []string{"note first"}},
		"it is set up for them":  {"-- toy.root --\n-- a.toy --\nx\n-- b.toy --\nx\n-- s.pl --\nx\n-- pl.root --\n", []string{"problem first"}},
		"it has more of them":    {"-- toy.root --\n-- a.toy --\nx\n-- s.pl --\nx\n-- t.pl --\nx\n", []string{"problem first"}},
		"it has none of another": {"-- s.pl --\nx\n", []string{"problem first"}},
	} {
		s := enginetest.Open(t, c.files, registry.Table{
			lsptest.Script{}.Definition(t), enginetest.Absent("first", ".pl", rooted("pl", "pl.root")), enginetest.Absent("second", ".pl", rooted("pl", "pl.root")),
		})
		var got []string
		for _, r := range enginetest.Do(t, s, api.Doctor, api.DoctorRequest{}).Servers {
			if r.Level != result.LevelOK {
				got = append(got, string(r.Level)+" "+r.ID)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
