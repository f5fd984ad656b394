package checking

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

// A worktree below a checkout whose go.work is not committed: the go.work of that checkout is not about its modules, and
// what a change breaks in each of them is found at once.
func TestWorktreeBelowAGoWork(t *testing.T) {
	lsptest.Require(t, "gopls")
	outer := lsptest.Workspace(t, "-- go.work --\ngo 1.23\n\nuse .\n-- go.mod --\nmodule m\n\ngo 1.23\n"+
		"-- tree/go.mod --\nmodule m\n\ngo 1.23\n-- tree/lib/lib.go --\npackage lib\n\nfunc Make(n int) int { return n }\n-- tree/use/use.go --\npackage use\n\nimport \"m/lib\"\n\nvar A = lib.Make(1)\n"+
		"-- tree/two/go.mod --\nmodule m/two\n\ngo 1.23\n\nrequire m v0.0.0\n\nreplace m => ../\n-- tree/two/two.go --\npackage two\n\nimport \"m/lib\"\n\nvar B = lib.Make(1)\n")
	root := filepath.Join(outer, "tree")
	s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: enginetest.Configure(t, root), Only: []string{"gopls"}, State: t.TempDir(), StateFolder: t.TempDir()})
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	s.Write("lib/lib.go", "package lib\n\nfunc Make(n, m int) int { return n + m }\n")
	for range 2 {
		r := s.Check(api.CheckRequest{Baseline: api.BaselineHead, TimeoutMS: 180_000, WaitLimitMS: 180_000})
		var broken []string
		for _, f := range slices.Concat(r.Files, r.Others) {
			if len(f.Diagnostics) > 0 {
				broken = append(broken, f.Path)
			}
		}
		if diff := cmp.Diff([]string{"two/two.go", "use/use.go"}, broken); diff != "" || r.Incomplete {
			t.Errorf("%s, %v (-want +got):\n%s", r.Verdict, r.Unknown, diff)
		}
	}
}
