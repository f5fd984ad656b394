package doctor_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// Whoever names an address gets the server that the user's own configuration says is there. No
// other address is taken, not even that of a checkout which is trusted. Nobody stops what
// somebody else runs.
func TestConnect(t *testing.T) {
	lsptest.NeedSockets(t)
	peer, theirs := lsptest.Listen(t, "unix"), "localhost:9"
	root := lsptest.Workspace(t, `-- go.mod --
module m

go 1.24
-- a.go --
package m
-- a.toy --
-- .lspine.jsonc --
{"lsp": {"servers": {"theirs": {"connect": "localhost:9", "extensions": [".toy"]}}}}
`)
	home := lsptest.Workspace(t, `-- config/lspine/config.jsonc --
{"lsp": {"servers": {"gopls": {"connect": "`+peer.Address+`"}, "pyright": {"enabled": false}}}}
`)
	environ := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "config")}
	load := func() *config.Config {
		cfg, problems := config.Load(config.Options{Root: root, Environ: environ})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return cfg
	}
	if _, err := config.SetTrust(environ, root, load().Trust.Hash); err != nil {
		t.Fatal(err)
	}
	cfg := load()
	if d, known := cfg.Servers.Get("theirs"); !known || d.Connect != theirs {
		t.Fatalf("the checkout is not trusted: %+v", d)
	}
	s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, State: t.TempDir()})

	for _, c := range []struct {
		req  api.ServersRequest
		says string
	}{
		{api.ServersRequest{Action: "start", Connect: theirs}, `connect: "localhost:9" is no address that the user's own configuration names`},
		{api.ServersRequest{Action: "start", Connect: "localhost:10"}, `connect: "localhost:10" is no address that the user's own configuration names`},
		{api.ServersRequest{Action: "restart", Connect: peer.Address}, "connect: it goes with start only"},
	} {
		if _, err := api.Servers.Do(t.Context(), s.Engine, c.req); !enginetest.Is[*api.ArgumentError](err) || err.Error() != c.says {
			t.Errorf("%+v: %v", c.req, err)
		}
	}

	state := func(req api.ServersRequest) (list, notes []string) {
		t.Helper()
		answer := enginetest.Do(t, s, api.Servers, req)
		for _, server := range answer.Servers {
			list = append(list, strings.Join([]string{server.ID, server.State, server.Binary}, " "))
		}
		return list, answer.Notes
	}
	list, notes := state(api.ServersRequest{Action: "start", Connect: peer.Address})
	if diff := cmp.Diff([]string{"gopls active " + peer.Address}, list); diff != "" || len(notes) > 0 {
		t.Error(diff, notes)
	}
	status := enginetest.Do(t, s, api.Status, api.StatusRequest{Scope: "running"}).Servers
	if len(status) != 1 || status[0].Binary != peer.Address || status[0].Pid != 0 {
		t.Errorf("%+v", status)
	}
	left := []string{"somebody else runs gopls at " + peer.Address + ": only the connection to it was closed"}
	for _, step := range []struct{ action, want string }{{"restart", "gopls active " + peer.Address}, {"stop", "gopls stopped "}} {
		list, notes = state(api.ServersRequest{Action: step.action, Server: "gopls"})
		if diff := cmp.Diff([][]string{{step.want}, left}, [][]string{list, notes}); diff != "" {
			t.Errorf("%s: %s", step.action, diff)
		}
	}
	if !peer.Runs() {
		t.Error("it was stopped")
	}

	// When it is gone, a check says so, and what to do.
	peer.End()
	file := s.Check(api.CheckRequest{Files: []string{"a.go"}}).Files[0]
	if got := file.Servers[0].Reason; file.Verdict != result.LSPUnavailable || got != "gopls: connect to "+peer.Address+": connect: connection refused" {
		t.Errorf("%s: %q", file.Verdict, got)
	}
	_, err := api.Inspect.Do(t.Context(), s.Engine, api.InspectRequest{Selector: api.Selector{File: "a.go", Line: 1, Column: 1}})
	if got := result.ErrorOf(err); got.Kind != result.Unavailable || got.Hint != "start the server that listens at "+peer.Address+`, or take "connect" out of the configuration (lspine config says where it is)` {
		t.Errorf("%+v", got)
	}
}
