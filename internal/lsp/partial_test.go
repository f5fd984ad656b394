package lsp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// What a server reports on the whole workspace comes as it says it: each partial result, then the answer itself. What
// cannot be read of it is counted, and nothing else is.
func TestPartialReportsOfTheWorkspace(t *testing.T) {
	partial := func(token, value string) lsptest.Action {
		return lsptest.Notify("$/progress", `{"token":"`+token+`","value":`+value+`}`)
	}
	report := func(name string) string {
		return `{"items":[{"uri":"file:///w/` + name + `","version":null,"kind":"full","items":[]}]}`
	}
	p := start(t, lsptest.Script{Mode: lsptest.Pull, NoWatch: true, Rules: []lsptest.Rule{
		lsptest.On("workspace/diagnostic",
			partial("lspine-partial-1", report("a.toy")), partial("lspine-partial-1", report("b.toy")),
			partial("lspine-partial-1", `{"items":{}}`), partial("another", report("c.toy")),
			lsptest.Reply(report("d.toy"))),
	}})
	p.sync("main.toy", "")
	p.alive()
	before := p.Info().Dropped
	var said []string
	err := p.PullWorkspace(p.context(), "", nil, func(reports []protocol.WorkspaceReport) {
		for _, r := range reports {
			said = append(said, strings.TrimPrefix(string(r.URI), "file:///w/"))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.toy", "b.toy", "d.toy"}, said); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
	if dropped := p.Info().Dropped - before; dropped != 1 {
		t.Errorf("%d messages count as unreadable, want 1", dropped)
	}
}
