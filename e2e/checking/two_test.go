package checking

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// pairs are projects with two halves that have nothing to do with each other: what a
// library declares is used by one file.
var pairs = []struct {
	server, archive string
	lib, user       string // with the number of the half
	good, broken    string
}{
	{
		server: "gopls", lib: "lib%d/lib.go", user: "app%d/app.go",
		archive: "-- go.mod --\nmodule m\n\ngo 1.24\n-- app1/app.go --\npackage app\n\nimport \"m/lib1\"\n\nvar A int = lib.Load()\n-- app2/app.go --\npackage app\n\nimport \"m/lib2\"\n\nvar A int = lib.Load()\n",
		good:    "package lib\n\nfunc Load() int { return 1 }\n", broken: "package lib\n\nfunc Load() string { return \"\" }\n",
	},
	{
		server: "typescript", lib: "src/lib%d.ts", user: "src/app%d.ts",
		archive: "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"noEmit\": true}, \"include\": [\"src\"]}\n" +
			"-- src/app1.ts --\nimport { load } from \"./lib1\";\nload().toFixed();\n-- src/app2.ts --\nimport { load } from \"./lib2\";\nload().toFixed();\n",
		good: "export function load(): number { return 1; }\n", broken: "export function load(): string { return \"\"; }\n",
	},
}

// Two processes work on one checkout at the same time: each says what its own edits
// broke, and not what those of the other did.
func TestTwoProcesses(t *testing.T) {
	const rounds = 6
	for _, p := range pairs {
		t.Run(p.server, func(t *testing.T) {
			archive := p.archive
			for half := 1; half <= 2; half++ {
				archive += fmt.Sprintf("-- "+p.lib+" --\n%s", half, p.good)
			}
			first := enginetest.OpenReal(t, archive, p.server)
			both := []api.Caller{first.Engine, first.Reopen(func(*enginetest.Options) {}).Engine}
			edit := func(text string) (said [2]string) {
				var edits sync.WaitGroup
				for i, e := range both {
					edits.Go(func() {
						result, err := api.EditFiles.Do(t.Context(), e, api.EditRequest{
							Edits:   []api.FileEdit{{File: fmt.Sprintf(p.lib, i+1), Content: &text}},
							Writing: api.Writing{Limits: api.Limits{TimeoutMS: 60_000}},
						})
						said[i] = claims(result)
						if err != nil {
							t.Error(err)
						}
					})
				}
				edits.Wait()
				return said
			}
			for round := range rounds {
				broken, mended := edit(p.broken), edit(p.good)
				for i := range both {
					if want := "new_errors: 1 in " + fmt.Sprintf(p.user, i+1); broken[i] != want {
						t.Errorf("round %d, process %d broke %q, want %q", round, i+1, broken[i], want)
					}
					if mended[i] != "clean: " {
						t.Errorf("round %d, process %d mended: %q", round, i+1, mended[i])
					}
				}
			}
		})
	}
}

// claims says in one line what an edit is said to have broken.
func claims(result result.Edit) string {
	var words []string
	found := newErrors(result.Files, result.Others, result.Late)
	for _, path := range slices.Sorted(maps.Keys(found)) {
		words = append(words, fmt.Sprintf("%d in %s", found[path], path))
	}
	return result.Verdict + ": " + strings.Join(append(words, result.Unknown...), ", ")
}
