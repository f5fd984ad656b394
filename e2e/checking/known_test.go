package checking

import (
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// What gopls is told of the disk while it answers something else becomes known without
// anybody asking about it: what is known is not left as it was.
func TestKnownFollowsTheDisk(t *testing.T) {
	s := enginetest.OpenReal(t, `
-- go.mod --
module m

go 1.24
-- lib/lib.go --
package lib

func Sum(a, b int) int { return a + b }
-- app/app.go --
package app

import "m/lib"

func Use() int { return lib.Sum(1, 2) }
`, "gopls")
	if now := s.Check(api.CheckRequest{Files: []string{"lib/lib.go"}, Scope: "dependants"}); now.Verdict != "clean" {
		t.Fatalf("before: %+v", now)
	}
	known := enginetest.Do(t, s, api.Diagnostics, api.DiagnosticsRequest{})
	s.Write("lib/lib.go", "package lib\n\nfunc Sum(a, b, c int) int { return a + b + c }\n")
	enginetest.Do(t, s, api.Outline, api.SymbolsRequest{File: "lib/lib.go"}) // it hears of the change
	for broken := false; !broken; {
		after := enginetest.Do(t, s, api.Diagnostics, api.DiagnosticsRequest{AfterEpoch: known.Epoch, TimeoutMS: 60_000})
		if after.Epoch <= known.Epoch {
			t.Fatalf("nothing became known: %+v", after)
		}
		for _, f := range after.Files {
			broken = broken || f.Path == "app/app.go" && len(f.Diagnostics) == 1
		}
		known = after
	}
}
