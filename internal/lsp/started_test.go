package lsp_test

import (
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// What is written right before a server starts is what the server reads, however late it is told of the file: it comes into no other world
// by that. What is written while it runs may be another text than the one that it has read.
func TestFilesWrittenRightBeforeTheStart(t *testing.T) {
	t.Parallel()
	for range 10 { // at different places between two ticks of the clock
		p := start(t, lsptest.Script{}) // which writes main.toy
		before := p.World()
		p.Meet([]string{p.path("main.toy")})
		if p.World() != before {
			t.Error("a file from before the start makes another world")
		}
		lsptest.WriteFile(t, p.path("later.toy"), "use helper\n")
		p.Meet([]string{p.path("later.toy")})
		if p.World() == before {
			t.Error("a file from after the start makes no other world")
		}
	}
}
