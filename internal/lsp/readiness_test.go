package lsp_test

import (
	"testing"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A server is ready when its notification says so, and no longer when it says
// otherwise, unless readiness lasts; what it complains of is heard up to the end
// of the paragraph, in the words of its entry and no others.
func TestReadiness(t *testing.T) {
	for _, lasts := range []bool{false, true} {
		status := func(n int, params string) lsptest.Rule {
			return lsptest.OnNth("textDocument/didChange", n, lsptest.Notify("status", params), lsptest.Answer())
		}
		script := lsptest.Script{Rules: []lsptest.Rule{
			status(1, `{"quiet":true,"message":"no library"}`), status(2, `{"quiet":false,"message":"so: check failed: why\nthere\n\nmore"}`), status(3, `"odd"`),
		}}
		p := start(t, script, func(d *registry.Definition, _ *lsp.Options) {
			d.Readiness = &registry.Readiness{Method: "status", Member: "quiet", Value: "true", Lasts: lasts, Trouble: "check failed"}
		})
		p.sync("main.toy", "a")
		p.next()
		if p.Loaded() || p.Losses() != 0 {
			t.Error("ready before it said so")
		}
		changed := p.WorksChanged()
		p.sync("main.toy", "b")
		p.next()
		if !p.Loaded() || p.Trouble() != "" {
			t.Errorf("it said so, and is %t, trouble %q", p.Loaded(), p.Trouble())
		}
		select {
		case <-changed:
		default:
			t.Error("nobody was told")
		}
		for _, text := range []string{"c", "d"} { // the last says nothing
			p.sync("main.toy", text)
			p.next()
			if p.Loaded() != lasts || (p.Losses() == 1) == lasts || p.Trouble() != "check failed: why\nthere" {
				t.Errorf("lasting %t: ready %t, lost %d times, trouble %q", lasts, p.Loaded(), p.Losses(), p.Trouble())
			}
		}
	}
}
