package engine

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/workspace"
)

const consumer = `
-- go.mod --
module example.com/app

go 1.24

require example.com/m v0.0.0

replace example.com/m => %ROOT%
-- main.go --
package main

import "example.com/m/calc"

type Add struct{}

// Add is not that Add.
func main() { println("Add", calc.Add(1, 2)) }
-- unrelated.go --
package main

func Adding() {}
`

// Uses in another repository are found and told apart from those at home; what
// only has the same name is none. The server forgets the folder afterwards.
func TestCrossRepoReferences(t *testing.T) {
	s := openReal(t, goProject, "gopls")
	other := lsptest.Workspace(t, strings.ReplaceAll(consumer, "%ROOT%", filepath.ToSlash(s.root)))
	result := do(t, s, api.CrossRepoReferences, api.CrossRepoRequest{Selector: api.Selector{At: "calc/calc.go Add"}, ConsumerRoots: []string{other}})
	if r := result.Repositories; len(r) != 2 || r[0].Root != s.root || r[0].Total != 5 || r[1].Root != other || r[1].Total != 1 ||
		r[1].Files[0].Places[0].Line != 8 || r[1].Files[0].Places[0].Column != 35 {
		t.Errorf("%s", render.Brief(&result))
	}
	folders := do(t, s, api.WorkspaceFolders, api.FoldersRequest{})
	if len(folders.Folders) != 1 || folders.Folders[0].Path != s.root {
		t.Errorf("folders afterwards: %+v", folders)
	}
	_, err := api.CrossRepoReferences.Do(t.Context(), s.Engine, api.CrossRepoRequest{Selector: api.Selector{At: "calc/calc.go Add"}, ConsumerRoots: []string{"/no/such"}})
	if !is[*api.ArgumentError](err) {
		t.Errorf("%T %v", err, err)
	}
}

// A server that takes no further folders cannot tell what they hold, and says so.
func TestCrossRepoNeedsFolders(t *testing.T) {
	s := openShop(t, lsptest.Script{Capabilities: json.RawMessage(`{"workspace":{}}`)}, project)
	_, err := api.CrossRepoReferences.Do(t.Context(), s.Engine, api.CrossRepoRequest{
		Selector: api.Selector{At: "main.toy:1:5"}, ConsumerRoots: []string{lsptest.Workspace(t, "-- a.toy --\n")},
	})
	if !is[*lsp.UnsupportedError](err) || restate.Hint(err) == "" {
		t.Errorf("%T %v", err, err)
	}
}

// Folders that are there are added, listed and removed; what a server does not
// take it is said to refuse.
func TestWorkspaceFolders(t *testing.T) {
	s := openReal(t, goProject, "gopls")
	other := lsptest.Workspace(t, "-- go.mod --\nmodule example.com/o\n")
	if result := do(t, s, api.WorkspaceFolders, api.FoldersRequest{Add: []string{other}}); len(result.Folders) != 0 || len(result.Notes) != 1 {
		t.Errorf("without a server: %+v", result)
	}
	do(t, s, api.Outline, api.SymbolsRequest{File: "calc/calc.go"})
	for _, step := range []struct {
		req  api.FoldersRequest
		want []string
	}{
		{api.FoldersRequest{}, []string{s.root}},
		{api.FoldersRequest{Add: []string{other}}, []string{s.root, other}},
		{api.FoldersRequest{}, []string{s.root, other}},
		{api.FoldersRequest{Remove: []string{other}}, []string{s.root}},
	} {
		var paths []string
		for _, f := range do(t, s, api.WorkspaceFolders, step.req).Folders {
			paths = append(paths, f.Path)
		}
		slices.Sort(step.want)
		if !slices.Equal(paths, step.want) {
			t.Errorf("%+v: %v, want %v", step.req, paths, step.want)
		}
	}
	for _, wrong := range []api.FoldersRequest{
		{Add: []string{"/no/such"}}, {Add: []string{""}}, {Add: []string{"calc/calc.go"}}, {Remove: []string{s.root}},
	} {
		if _, err := api.WorkspaceFolders.Do(t.Context(), s.Engine, wrong); !is[*api.ArgumentError](err) {
			t.Errorf("%+v: %T %v", wrong, err, err)
		}
	}
}

// A server that takes no folders is named as one that refused.
func TestWorkspaceFoldersRefused(t *testing.T) {
	s := openShop(t, lsptest.Script{Capabilities: json.RawMessage(`{"workspace":{}}`)}, project)
	s.check(api.CheckRequest{Files: []string{"main.toy"}})
	other := lsptest.Workspace(t, "-- a.toy --\n")
	result := do(t, s, api.WorkspaceFolders, api.FoldersRequest{Add: []string{other}})
	if text := render.Brief(&result); !strings.Contains(text, other+" \n  toy takes no further folders") {
		t.Errorf("%s", text)
	}
}

// Of each running server one learns what it can and cannot do, in our words, in
// LSP's and in its own.
func TestCapabilities(t *testing.T) {
	s := openShop(t, lsptest.Script{Capabilities: json.RawMessage(`{"hoverProvider":true,"documentSymbolProvider":false,"workspace":{}}`)}, project)
	if result := do(t, s, api.Capabilities, api.CapabilitiesRequest{}); len(result.Servers) != 0 || len(result.Notes) != 1 {
		t.Errorf("before the start: %+v", result)
	}
	s.check(api.CheckRequest{Files: []string{"main.toy"}})
	result := do(t, s, api.Capabilities, api.CapabilitiesRequest{Server: "toy"})
	if len(result.Servers) != 1 {
		t.Fatalf("%+v", result)
	}
	c := result.Servers[0]
	if !slices.Contains(c.Operations, "inspect") || !slices.Contains(c.Missing, "outline") || !slices.Contains(c.Missing, "cross_repo_references") ||
		!slices.Contains(c.Methods, "textDocument/hover") || !strings.Contains(string(c.Raw), "hoverProvider") {
		t.Errorf("%+v", c)
	}
	if _, err := api.Capabilities.Do(t.Context(), s.Engine, api.CapabilitiesRequest{Server: "nope"}); !is[*api.ArgumentError](err) {
		t.Errorf("%T %v", err, err)
	}
}

// Servers are told what the disk says, and of a claim that is not so the caller
// is told.
func TestNotifyChanged(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	s.expect("main.toy clean")
	s.write("lib.toy", "def other\n")
	result := do(t, s, api.NotifyChanged, api.NotifyRequest{Changes: []api.FileChange{
		{File: "lib.toy", Type: "deleted"}, {File: "main.toy", Type: ""}, {File: "none.toy", Type: "created"}, {File: "gone.toy", Type: "deleted"},
	}})
	if result.Done != "told of 0 created, 2 changed, 2 deleted; running servers: 1" {
		t.Error(result.Done)
	}
	if want := []string{"lib.toy is there; that is what was told", "none.toy is gone; that is what was told"}; !slices.Equal(result.Notes, want) {
		t.Errorf("notes %q", result.Notes)
	}
	if got := told(s.check(api.CheckRequest{Files: []string{"main.toy"}}).Files[0]); !strings.Contains(got, "undefined: helper") {
		t.Errorf("a check afterwards: %s", got)
	}
	for _, wrong := range []struct {
		changes []api.FileChange
		is      func(error) bool
	}{
		{nil, is[*api.ArgumentError]},
		{[]api.FileChange{{File: "main.toy", Type: "moved"}}, is[*api.ArgumentError]},
		{[]api.FileChange{{File: "", Type: ""}}, is[*api.ArgumentError]},
		{[]api.FileChange{{File: ".", Type: ""}}, is[*api.ArgumentError]},
		{[]api.FileChange{{File: "../x.toy", Type: ""}}, is[*workspace.OutsideWorkspaceError]},
	} {
		if _, err := api.NotifyChanged.Do(t.Context(), s.Engine, api.NotifyRequest{Changes: wrong.changes}); !wrong.is(err) {
			t.Errorf("%+v: %T %v", wrong.changes, err, err)
		}
	}
}

// Servers are found for the languages of the workspace, started, restarted and
// stopped; after a restart another process answers.
func TestServers(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	state := func(req api.ServersRequest) string {
		t.Helper()
		var list []string
		for _, server := range do(t, s, api.Servers, req).Servers {
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
	for _, wrong := range []api.ServersRequest{{}, {Action: "kill"}, {Action: "start", Server: "nope"}, {Action: "start", Language: "nope"}, {Action: "start", File: "main.toy"}, {Action: "list", State: "nope"}} {
		if _, err := api.Servers.Do(t.Context(), s.Engine, wrong); !is[*api.ArgumentError](err) {
			t.Errorf("%+v: %T %v", wrong, err, err)
		}
	}
}

// A server that is not installed is detected with the way to get it, and starting
// it is an error, not a success.
func TestServersMissing(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	d := lsptest.Script{ID: "absent"}.Definition(t)
	d.Commands[0].Binary = "no-such-binary-anywhere"
	d.Install = []string{"get absent"}
	s.opts.Config.Servers[0] = d
	e, err := New(s.opts)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(t.Context()) }()
	missing := &shop{e, t, s.root}
	if r := do(t, missing, api.Servers, api.ServersRequest{Action: "detect"}); len(r.Servers) != 1 || r.Servers[0].State != "unavailable" || !slices.Equal(r.Servers[0].Install, d.Install) {
		t.Errorf("%+v", r)
	}
	if _, err := api.Servers.Do(t.Context(), e, api.ServersRequest{Action: "start"}); !is[*workspace.UnavailableError](err) || !strings.Contains(restate.Hint(err), "get absent") {
		t.Errorf("%T %v", err, err)
	}
}
