package doctor_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
)

// Of each running server one learns what it can and cannot do, in our words, in
// LSP's and in its own.
func TestCapabilities(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{Capabilities: json.RawMessage(`{"hoverProvider":true,"documentSymbolProvider":false,"workspace":{}}`)}, lsptest.Project)
	if result := enginetest.Do(t, s, api.Capabilities, api.CapabilitiesRequest{}); len(result.Servers) != 0 || len(result.Notes) != 1 {
		t.Errorf("before the start: %+v", result)
	}
	s.Check(api.CheckRequest{Files: []string{"main.toy"}})
	result := enginetest.Do(t, s, api.Capabilities, api.CapabilitiesRequest{Server: "toy"})
	if len(result.Servers) != 1 {
		t.Fatalf("%+v", result)
	}
	c := result.Servers[0]
	if !slices.Contains(c.Operations, "inspect") || !slices.Contains(c.Missing, "outline") || !slices.Contains(c.Missing, "cross_repo_references") ||
		!slices.Contains(c.Methods, "textDocument/hover") || !strings.Contains(string(c.Raw), "hoverProvider") {
		t.Errorf("%+v", c)
	}
	if _, err := api.Capabilities.Do(t.Context(), s.Engine, api.CapabilitiesRequest{Server: "nope"}); !enginetest.Is[*api.ArgumentError](err) {
		t.Errorf("%T %v", err, err)
	}
}

// Servers are found for the languages of the workspace, started, restarted and
// stopped; after a restart another process answers.
func TestServers(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	state := func(req api.ServersRequest) string {
		t.Helper()
		var list []string
		for _, server := range enginetest.Do(t, s, api.Servers, req).Servers {
			list = append(list, server.ID+" "+server.State)
		}
		return strings.Join(list, ", ")
	}
	pid := func() int {
		result, err := api.Status.Do(t.Context(), s.Engine, api.StatusRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return result.Servers[0].Pid
	}
	last := 0
	for _, step := range []struct{ action, want string }{
		{"stop", ""},
		{"list", "toy found"},
		{"detect", "toy installed"},
		{"start", "toy active"},
		{"detect", "toy active"},
		{"restart", "toy active"},
		{"stop", "toy stopped"},
		{"stop", "toy was not running"},
		{"restart", "toy active"},
	} {
		if got := state(api.ServersRequest{Action: step.action, Server: "toy"}); got != step.want {
			t.Errorf("%s: %q, want %q", step.action, got, step.want)
		}
		now := pid()
		if (step.action == "start" || step.action == "restart") && (now == 0 || now == last) || step.action == "stop" && now != 0 {
			t.Errorf("%s: process %d, before %d", step.action, now, last)
		}
		last = now
	}
	for _, wrong := range []api.ServersRequest{{}, {Action: "kill"}, {Action: "start", Server: "nope"}, {Action: "start", Language: "nope"}, {Action: "start", File: "main.toy"}, {Action: "list", State: "nope"}, {Action: "stop", Ahead: true}} {
		if _, err := api.Servers.Do(t.Context(), s.Engine, wrong); !enginetest.Is[*api.ArgumentError](err) {
			t.Errorf("%+v: %T %v", wrong, err, err)
		}
	}
}

// A server that is started ahead is not waited for; when it runs, it is shown a file of its project, for
// which some servers load that. Those that are missing or that the workspace can do without are not
// started.
func TestServersAhead(t *testing.T) {
	optional := lsptest.Script{ID: "linter"}.Definition(t)
	optional.Optional = true
	slow := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Stall())}}.Definition(t)
	ahead := func(s *enginetest.Shop) (started []string) {
		t.Helper()
		for _, server := range enginetest.Do(t, s, api.Servers, api.ServersRequest{Action: "start", Ahead: true}).Servers {
			started = append(started, server.ID+" "+server.State)
		}
		return started
	}
	s := enginetest.Open(t, lsptest.Project, registry.Table{slow, optional, enginetest.Absent("absent", ".toy", func(*registry.Definition) {})})
	if diff := cmp.Diff([]string{"toy starting"}, ahead(s)); diff != "" {
		t.Errorf("a server that does not answer (-want +got):\n%s", diff)
	}
	s = enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	documents := func() int {
		return enginetest.Do(t, s, api.Status, api.StatusRequest{Scope: "running"}).Servers[0].Documents
	}
	if diff := cmp.Diff([]string{"toy starting"}, ahead(s)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	lsptest.Eventually(t, time.Minute, func() bool { return documents() == 1 }, "no file is open")
	if diff := cmp.Diff([]string{"toy starting"}, ahead(s)); diff != "" || documents() != 1 {
		t.Errorf("again, with %d files open (-want +got):\n%s", documents(), diff)
	}
}

// A server that is not installed is detected with the way to get it, and starting
// it is an error, not a success.
//
// Requirement: LSP-FH-001, AGENT-21.
func TestServersMissing(t *testing.T) {
	d := lsptest.Script{ID: "absent"}.Definition(t)
	d.Commands[0].Binary = "no-such-binary-anywhere"
	d.Install = []string{"get absent"}
	missing := enginetest.Open(t, lsptest.Project, registry.Table{d})
	if r := enginetest.Do(t, missing, api.Servers, api.ServersRequest{Action: "detect"}); len(r.Servers) != 1 || r.Servers[0].State != "unavailable" || !slices.Equal(r.Servers[0].Install, d.Install) {
		t.Errorf("%+v", r)
	}
	if _, err := api.Servers.Do(t.Context(), missing, api.ServersRequest{Action: "start"}); !enginetest.Is[*roots.UnavailableError](err) || !strings.Contains(restate.Hint(err), "get absent") {
		t.Errorf("%T %v", err, err)
	}
}

// The list of all servers says of each whether it is there, and why one is not used although it is.
func TestListOfServers(t *testing.T) {
	there := func(id string, change func(d *registry.Definition)) registry.Definition {
		d := lsptest.Script{ID: id}.Definition(t)
		change(&d)
		return d
	}
	s := enginetest.Open(t, lsptest.Project, registry.Table{
		there("used", func(*registry.Definition) {}),
		there("wished", func(d *registry.Definition) { d.OptIn = true }),
		there("off", func(d *registry.Definition) { d.Disabled = true }),
		enginetest.Absent("absent", ".toy", func(*registry.Definition) {}),
	})
	got := make(map[string]string)
	for _, server := range enginetest.Do(t, s, api.Servers, api.ServersRequest{Action: "list"}).Servers {
		got[server.ID] = server.State + ": " + server.Reason
	}
	if diff := cmp.Diff(map[string]string{
		"used": "found: ", "wished": "found: only for those who name it in the configuration", "off": "disabled: disabled by configuration",
		"absent": "missing: ",
	}, got); diff != "" {
		t.Error(diff)
	}
}

// The servers for a file are listed with their programs, or with how to get them, and with what keeps
// them from being asked; a file of no server is an error that says so.
func TestListOfServersForAFile(t *testing.T) {
	s := enginetest.Open(t, lsptest.Project+"-- notes.txt --\n", registry.Table{
		lsptest.Script{ID: "used"}.Definition(t),
		enginetest.Absent("absent", ".toy", func(d *registry.Definition) { d.Role, d.Install = registry.DiagnosticsOnly, []string{"get absent"} }),
		enginetest.Absent("off", ".toy", func(d *registry.Definition) { d.Role, d.Disabled = registry.DiagnosticsOnly, true }),
		enginetest.Absent("elsewhere", ".toy", func(d *registry.Definition) {
			d.Role, d.Tested, d.Commands[0].Binary = registry.DiagnosticsOnly, registry.CI, lsptest.Rooted("/no/such/program")
		}),
		enginetest.Absent("far", ".toy", func(d *registry.Definition) { d.Role, d.Connect = registry.DiagnosticsOnly, "localhost:9" }),
		enginetest.Absent("unrooted", ".toy", func(d *registry.Definition) {
			d.Role, d.SingleFile, d.Roots, d.Commands = registry.DiagnosticsOnly, false, []string{"far.root", "near.root"}, lsptest.Script{ID: "used"}.Definition(t).Commands
		}),
		enginetest.Absent("other", ".other", func(*registry.Definition) {}),
	})
	used := lsptest.Script{ID: "used"}.Definition(t)
	want := []result.ServerState{
		{ID: "used", Languages: []string{used.Languages[0].ID}, State: "found", Tested: "proven", Root: s.Folder, Binary: used.Commands[0].Binary},
		{ID: "absent", Languages: []string{"x"}, State: "missing", Tested: "listed", Root: s.Folder, Install: []string{"get absent"}},
		{ID: "elsewhere", Languages: []string{"x"}, State: "missing", Tested: "proven", Root: s.Folder, Install: []string{"get elsewhere"}, Reason: lsptest.Rooted("/no/such/program") + " does not exist"},
		{ID: "far", Languages: []string{"x"}, State: "found", Tested: "listed", Root: s.Folder, Binary: "localhost:9"},
		{ID: "unrooted", Languages: []string{"x"}, State: "found", Tested: "listed", Root: s.Folder, Binary: used.Commands[0].Binary, Reason: "no far.root or near.root in or above the file's folder"},
		{ID: "off", Languages: []string{"x"}, State: "disabled", Tested: "listed", Root: s.Folder},
	}
	got := enginetest.Do(t, s, api.Servers, api.ServersRequest{Action: "list", File: "main.toy"}).Servers
	order := func(a, b result.ServerState) int { return strings.Compare(a.ID, b.ID) }
	slices.SortFunc(got, order)
	slices.SortFunc(want, order)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var wrong *api.ArgumentError
	_, err := api.Servers.Do(t.Context(), s.Engine, api.ServersRequest{Action: "list", File: "notes.txt"})
	if !errors.As(err, &wrong) || wrong.Argument != "file" || wrong.Reason != "notes.txt: no server knows this kind of file" {
		t.Errorf("a file of no server: %v", err)
	}
}
