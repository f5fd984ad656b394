package cli

import (
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// trust says what it lets run: what the project's configuration wants, or that it wants nothing;
// that the project is trusted already; and that it was, for something else.
func TestTrustSaysWhatMayRun(t *testing.T) {
	const may = "Programs and libraries in ROOT may run.\n"
	s := newShop(t, "", lsptest.Script{})
	s.expect("nothing", s.run("trust", "--yes"), 0, "The project's configuration wants to run nothing of its own.\n"+may)
	s.expect("again", s.run("trust"), 0, "ROOT is trusted already; lspine untrust ends that\n")
	s.expect("no more", s.run("untrust"), 0, "")
	s.expect("not at all", s.run("untrust"), 0, "ROOT was not trusted\n")

	for _, c := range []struct{ command, then string }{{"own", ""}, {"other", "You trusted it when it wanted to run something else.\n"}} {
		lsptest.WriteFile(t, filepath.Join(s.root, ".lspine.jsonc"), "{\"lsp\":{\"servers\":{\n\"gopls\":{\"command\":\""+c.command+"\"}}}}\n")
		s.expect(c.command, s.run("trust", "--yes"), 0, "ROOT/.lspine.jsonc:2: gopls.command: \""+c.command+"\"\n"+may+c.then)
	}
	lsptest.WriteFile(t, filepath.Join(s.root, ".lspine.jsonc"), "{}")
	s.expect("nobody to ask", s.run("trust"), 2, "The project's configuration wants to run nothing of its own.\n"+may+"You trusted it when it wanted to run something else.\n", "nobody is here to ask")
}
