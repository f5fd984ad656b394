package checking

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// A file is new, and another one has an error that was committed: a process that just started knows that it is older, and what the new file
// breaks beside it.
func TestNewFileBesideCommittedErrors(t *testing.T) {
	const goFiles = "-- go.mod --\nmodule m\n\ngo 1.24\n-- lib/lib.go --\npackage lib\n\nfunc F() int { return 1 }\n-- old/old.go --\npackage old\n\nvar Old int = \"committed\"\n"
	for name, c := range map[string]struct {
		server, files, created, text string
		want                         []string
	}{
		"in a package of its own": {"gopls", goFiles, "own/own.go", "package own\n\nvar Own = 1\n", nil},
		"in another package":      {"gopls", goFiles, "lib/more.go", "package lib\n\nvar More = F()\n", nil},
		"in the same package":     {"gopls", goFiles, "old/more.go", "package old\n\nvar More = Old\n", nil},
		"with a name of theirs": {
			"gopls", goFiles, "old/more.go", "package old\n\nvar Old = 1\n",
			[]string{"old/more.go: Old redeclared in this block", "old/old.go: Old redeclared in this block"},
		},
		"TypeScript": {
			"typescript-language-server", "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"types\": []}}\n-- old.ts --\nexport const old: number = \"committed\";\n",
			"more.ts", "import { old } from \"./old\";\nexport const more: number = old;\n", nil,
		},
		"Python": {
			"pyright", "-- pyproject.toml --\n[tool.pyright]\n-- old.py --\nold: int = \"committed\"\n", "more.py", "from old import old\n\nmore: int = old\n", nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.files, c.server)
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("commit", "-qm", "one")
			s.Write(c.created, c.text)
			for _, once := range []bool{true, false, false} {
				asked := s
				if once {
					asked = s.Reopen(func(o *enginetest.Options) { o.Once = true })
				}
				for _, about := range [][]string{nil, {c.created}} {
					if diff := cmp.Diff(c.want, newIn(t, asked, about, c.want)); diff != "" {
						t.Errorf("about %q, in a process of its own: %v (-want +got):\n%s", about, once, diff)
					}
				}
				answer := asked.Check(api.CheckRequest{Baseline: api.BaselineHead, TimeoutMS: 240_000})
				if answer.Incomplete {
					t.Errorf("in a process of its own: %v: it is not complete: %q", once, answer.Unknown)
				}
			}
		})
	}
}
