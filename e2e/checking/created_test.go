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

// A file is gone, and others change: what was wrong in a file before is known if the file does not bring in what is gone, itself or by way of
// others, by the texts of either time. Otherwise, pyright cannot be shown that state, and that is said.
func TestFileThatIsGoneBesideOtherChanges(t *testing.T) {
	const (
		files = "-- pyproject.toml --\n[tool.pyright]\n-- base.py --\nzero: int = 0\n-- lib.py --\nfrom base import zero\n\n\ndef f(n: int) -> int:\n    return n + zero\n" +
			"-- more.py --\nmore = 1\n-- all.py --\nfrom base import *\n-- user.py --\nfrom lib import f\n\nu: int = f(1)\nold: int = \"committed\"\n-- of_all.py --\nfrom all import zero\n"
		unknown = "whether the errors of other files are new, as it is not known what was wrong in them before: "
	)
	for name, c := range map[string]struct {
		gone    string
		changed map[string]string
		want    []string
	}{
		"nothing brings it in": {"more.py", map[string]string{"lib.py": "def g(n: int) -> int:\n    return n\n"}, []string{"user.py: \"f\" is unknown import symbol"}},
		"by way of the text from before": {
			"base.py",
			map[string]string{"lib.py": "def g(n: int) -> int:\n    return n\n"},
			[]string{"all.py: Import \"base\" could not be resolved", unknown + "of_all.py, user.py"},
		},
		"by way of another": {
			"base.py",
			map[string]string{"more.py": "more = 2\n"},
			[]string{"all.py: Import \"base\" could not be resolved", "lib.py: Import \"base\" could not be resolved", unknown + "of_all.py"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := enginetest.OpenReal(t, files, "pyright")
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("commit", "-qm", "one")
			s.Remove(c.gone)
			for file, text := range c.changed {
				s.Write(file, text)
			}
			for _, once := range []bool{true, false} {
				asked := s.Reopen(func(o *enginetest.Options) { o.Once = once })
				for range 2 {
					if diff := cmp.Diff(c.want, newIn(t, asked, nil, c.want)); diff != "" {
						t.Errorf("in a process of its own: %v (-want +got):\n%s", once, diff)
					}
				}
			}
		})
	}
}
