package lsp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A server that reads a changed file some time after it was told is asked until it has the text on disk, whatever
// ends its lines there; not for a file that it does not read, or that is no text.
func TestAwaitRead(t *testing.T) {
	const request = "toy/text"
	for name, c := range map[string]struct {
		disk  string
		rules []lsptest.Rule
		asked int
	}{
		"read later":    {"one\r\ntwo\r\n", []lsptest.Rule{lsptest.OnNth(request, 1, lsptest.Reply(`"old"`)), lsptest.OnNth(request, 2, lsptest.Reply(`"one\ntwo"`)), lsptest.OnNth(request, 3, lsptest.Reply(`"one\ntwo\n"`))}, 3},
		"of no project": {"one\n", []lsptest.Rule{lsptest.On(request, lsptest.ReplyError(-32603, "unknown file", ""))}, 1},
		"no text":       {"\xff\n", []lsptest.Rule{lsptest.On(request, lsptest.Reply(`"old"`))}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, lsptest.Script{Rules: c.rules}, func(d *registry.Definition, _ *lsp.Options) { d.ReadBack = request })
			lsptest.WriteFile(t, p.path("a.toy"), c.disk)
			if err := p.AwaitRead(p.context(), p.path("a.toy")); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.asked, len(p.entries("request", request))); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}
