//go:build unix

package servers

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
)

// compiled is what the compiler that a server runs writes into a checkout without ignored files, as it does for its user.
var compiled = map[string]string{
	"rust-analyzer": "?? Cargo.lock\n?? target/\n",
	"jdtls":         "?? bin/\n",
}

// TestReadingLeavesTheCheckoutAsItWas: a check and queries write nothing into the checkout but what the compiler that the server runs
// writes there as well.
func TestReadingLeavesTheCheckoutAsItWas(t *testing.T) {
	ctx := context.Background()
	for _, p := range projects {
		t.Run(p.server, func(t *testing.T) {
			lsptest.Require(t, p.server)
			s := begin(t, p)
			s.git(t, "init", "-q")
			s.git(t, "add", "-A")
			s.git(t, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "start")
			s.expect(t)
			s.write(t, s.main, strings.Replace(s.files[s.main], s.good, s.broken, 1))
			s.expect(t, s.wrong)
			s.write(t, s.main, s.files[s.main])
			s.expect(t)
			for _, at := range []string{s.main, s.dependency} {
				if _, err := api.Symbols.Do(ctx, s.engine, api.SymbolsRequest{File: at}); err != nil {
					t.Error(err)
				}
			}
			named := map[bool]string{true: " Add", false: " add"}[s.server == "gopls"]
			if _, err := api.References.Do(ctx, s.engine, api.ReferencesRequest{Selector: api.Selector{At: s.dependency + named}}); err != nil {
				t.Error(err)
			}
			if err := s.engine.Close(ctx); err != nil { // some servers write when they end
				t.Error(err)
			}
			if diff := cmp.Diff(compiled[p.server], s.git(t, "status", "--porcelain", "--ignored")); diff != "" {
				t.Errorf("the checkout has changed (-want +got):\n%s", diff)
			}
		})
	}
}

// git runs git in the project.
func (s *story) git(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.Command("git", args...)
	command.Dir = s.root
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %s", args, output)
	}
	return string(output)
}
