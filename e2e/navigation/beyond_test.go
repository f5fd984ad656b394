package navigation

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// The uses of a symbol, as the operations tell of them whose answer must have all.
type toldUses struct {
	References   []string // path:line
	Notes        []string
	Completeness result.Completeness
	Callers      []string // path name
	Impact       []string // path of the users, also in tests
	Renamed      []string // path and places of a preview, or the error
	Deleted      string   // the error
}

const npmWorkspace = `
-- package.json --
{"name":"root","private":true,"workspaces":["packages/*"]}
-- packages/lib/package.json --
{"name":"@acme/lib","version":"1.0.0","main":"src/index.ts","types":"src/index.ts"}
-- packages/lib/tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]},"include":["src"]}
-- packages/lib/src/index.ts --
export function put(key: string): string { return key }
-- packages/app/package.json --
{"name":"@acme/app","version":"1.0.0"}
-- packages/app/tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]},"include":["src"]}
-- packages/app/src/index.ts --
import { put } from '@acme/lib'
export function run() { return put('a') }
-- packages/web/package.json --
{"name":"@acme/web","version":"1.0.0"}
-- packages/web/tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]},"include":["src"]}
-- packages/web/src/other.ts --
export function put(n: number) { return n }
put(1)
-- packages/web/src/index.ts --
import { put } from '@acme/lib'
export function show() { return put('w') }
`

const testsLeftOut = `
-- package.json --
{"name":"m","private":true}
-- tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]},"include":["src"],"exclude":["**/*.test.ts"]}
-- src/lib.ts --
export function put(key: string): string { return key }
-- src/lib.test.ts --
import { put } from './lib'
export function check() { return put('t') }
`

const component = `
-- package.json --
{"name":"m","private":true}
-- tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]},"include":["src"]}
-- src/lib.ts --
export function put(key: string): string { return key }
-- src/Card.svelte --
<script lang="ts">
import { put } from './lib'
</script>
<p>{put('c')}</p>
`

const extraPaths = `
-- core/pyproject.toml --
[tool.pyright]
-- core/corelib.py --
def put(key: str) -> str:
    return key
-- app/pyproject.toml --
[tool.pyright]
extraPaths = ["../core"]
-- app/main.py --
import corelib

def run() -> None:
    corelib.put("a")
`

const notCompiled = `
-- compile_commands.json --
[{"directory":"$ROOT","file":"lib.c","command":"cc -c lib.c"}]
-- lib.h --
int put(int key);
-- lib.c --
#include "lib.h"
int put(int key) { return key; }
-- extra.c --
#include "lib.h"
int run(void) { return put(1); }
`

// Uses in projects that nobody opened, in files that no project includes, and in those of which no
// server says anything count, whatever is asked first: an operation finds them all or names them, and
// what cannot be renamed everywhere, or is used somewhere, stays as it is.
func TestUsesBeyondTheProject(t *testing.T) {
	inWorkspace := toldUses{
		References:   []string{"packages/app/src/index.ts:1", "packages/app/src/index.ts:2", "packages/web/src/index.ts:1", "packages/web/src/index.ts:2"},
		Completeness: result.Complete,
		Callers:      []string{"packages/app/src/index.ts run", "packages/web/src/index.ts show"},
		Impact:       []string{"packages/app/src/index.ts", "packages/web/src/index.ts"},
		Renamed:      []string{"packages/app/src/index.ts 2", "packages/lib/src/index.ts 1", "packages/web/src/index.ts 2"},
		Deleted:      "put is not deleted: it is used in 4 places",
	}
	notInstalled := strings.ReplaceAll(npmWorkspace, "@acme", "@none") // what a server says of it leads nowhere
	ofNothing := toldUses{
		Notes: []string{"4 more by text, in files of which no server says what they use: packages/app/src/index.ts:1, packages/app/src/index.ts:2, " +
			"packages/web/src/index.ts:1, packages/web/src/index.ts:2"},
		Completeness: result.OfLoaded, Callers: inWorkspace.Callers, Impact: inWorkspace.Impact, Deleted: inWorkspace.Deleted,
		Renamed: []string{"put is not renamed: no server renames it in packages/app/src/index.ts:1:10, packages/app/src/index.ts:2:32, packages/web/src/index.ts:1:10, packages/web/src/index.ts:2:33"},
	}
	inTest := toldUses{
		References: []string{"src/lib.test.ts:1", "src/lib.test.ts:2"}, Completeness: result.Complete,
		Callers: []string{"src/lib.test.ts check"}, Impact: []string{"src/lib.test.ts"},
		Renamed: []string{"src/lib.test.ts 2", "src/lib.ts 1"}, Deleted: "put is not deleted: it is used in 2 places",
	}
	byText := toldUses{
		Notes:        []string{"2 more by text, in files of which no server says what they use: src/Card.svelte:2, src/Card.svelte:4"},
		Completeness: result.OfLoaded, Impact: []string{"src/Card.svelte"},
		Renamed: []string{"put is not renamed: no server renames it in src/Card.svelte:2:10, src/Card.svelte:4:5"}, Deleted: "put is not deleted: it is used in 2 places",
	}
	latin := strings.Replace(testsLeftOut, "import { put }", "// caf\xe9\nimport { put }", 1)
	unshown := toldUses{
		Notes:        []string{"1 more by text, in files of which no server says what they use: src/lib.test.ts:1"},
		Completeness: result.OfLoaded, Impact: []string{"src/lib.test.ts"},
		Renamed: []string{"put is not renamed: no server renames it in src/lib.test.ts:1:1"}, Deleted: "put is not deleted: it is used in 1 place",
	}
	for _, c := range []struct {
		server, shape, archive, at string
		want                       toldUses
	}{
		{"typescript", "a workspace of npm", npmWorkspace, "packages/lib/src/index.ts put", inWorkspace},
		{"typescript-language-server", "a workspace of npm", npmWorkspace, "packages/lib/src/index.ts put", inWorkspace},
		{"typescript", "a workspace without node_modules", notInstalled, "packages/lib/src/index.ts put", ofNothing},
		{"typescript-language-server", "a workspace without node_modules", notInstalled, "packages/lib/src/index.ts put", ofNothing},
		{"typescript", "tests left out", testsLeftOut, "src/lib.ts put", inTest},
		{"typescript-language-server", "tests left out", testsLeftOut, "src/lib.ts put", inTest},
		{"typescript", "a test in another encoding", latin, "src/lib.ts put", unshown},
		{"typescript", "a component", component, "src/lib.ts put", byText},
		{"typescript-language-server", "a component", component, "src/lib.ts put", byText},
		{"gopls", "two modules", twoModules, "core/core.go Put", toldUses{
			References: []string{"app/main.go:5"}, Completeness: result.Complete, Callers: []string{"app/main.go main"}, Impact: []string{"app/main.go"},
			Renamed: []string{"app/main.go 1", "core/core.go 1"}, Deleted: "Put is not deleted: it is used in 1 place",
		}},
		{"gopls", "other builds", otherBuilds, "lib/lib.go Put", toldUses{
			References: []string{"lib/other_windows.go:3", "tagged/tagged.go:7"}, Completeness: result.Complete,
			Callers: []string{"lib/other_windows.go other", "tagged/tagged.go tagged"}, Impact: []string{"lib/other_windows.go", "tagged/tagged.go"},
			Renamed: []string{"lib/lib.go 1", "lib/other_windows.go 1", "tagged/tagged.go 1"}, Deleted: "Put is not deleted: it is used in 2 places",
		}},
		{"gopls", "folders that are left out", leftOut, "lib/lib.go Put", toldUses{
			References:   []string{"_examples/x/main.go:5", "app/app.go:5", "ign/y/main.go:5", "lib/testdata/z/main.go:5"},
			Completeness: result.Complete,
			Callers:      []string{"_examples/x/main.go example", "app/app.go app", "ign/y/main.go ignored", "lib/testdata/z/main.go tested"},
			Impact:       []string{"_examples/x/main.go", "app/app.go", "ign/y/main.go", "lib/testdata/z/main.go"},
			Renamed:      []string{"_examples/x/main.go 1", "app/app.go 1", "ign/y/main.go 1", "lib/lib.go 1", "lib/testdata/z/main.go 1"},
			Deleted:      "Put is not deleted: it is used in 4 places",
		}},
		{"gopls", "a go.mod that needs go mod tidy", untidy, "lib/lib.go Put", toldUses{
			Notes: []string{"1 more by text, in files of which no server says what they use: app/main.go:5"}, Completeness: result.OfLoaded,
			Callers: []string{"app/main.go main"}, Impact: []string{"app/main.go"},
			Renamed: []string{"Put is not renamed: no server renames it in app/main.go:5:19"}, Deleted: "Put is not deleted: it is used in 1 place",
		}},
		{"gopls", "a module in no go.work", notInWork, "core/core.go Put", toldUses{
			References: []string{"core/more/more.go:5"},
			Notes:      []string{"1 more by text, in files of which no server says what they use: tools/main.go:5"}, Completeness: result.OfLoaded,
			Callers: []string{"core/more/more.go more", "tools/main.go main"}, Impact: []string{"core/more/more.go", "tools/main.go"},
			Renamed: []string{"Put is not renamed: no server renames it in tools/main.go:5:20"}, Deleted: "Put is not deleted: it is used in 2 places",
		}},
		{"pyright", "extraPaths", extraPaths, "core/corelib.py put", toldUses{
			References: []string{"app/main.py:4"}, Completeness: result.Complete, Callers: []string{"app/main.py run"}, Impact: []string{"app/main.py"},
			Renamed: []string{"put is not renamed: no server renames it in app/main.py:4:13"}, Deleted: "put is not deleted: it is used in 1 place",
		}},
		{"clangd", "a file without a command", notCompiled, "lib.h put", toldUses{
			References: []string{"extra.c:2"}, Completeness: result.Complete, Callers: []string{"extra.c run"}, Impact: []string{"extra.c"},
			Renamed: []string{"extra.c 1", "lib.c 1", "lib.h 1"}, Deleted: "put is not deleted: it is used in 1 place",
		}},
	} {
		t.Run(c.server+"/"+c.shape, func(t *testing.T) {
			lsptest.Require(t, c.server)
			if diff := cmp.Diff(c.want, tellUses(t, c.server, c.archive, c.at)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// tellUses asks each operation of an engine that was asked nothing before.
func tellUses(t *testing.T, server, archive, at string) (told toldUses) {
	t.Helper()
	selector := api.Selector{At: at}
	cold := func() *engine.Engine { return beginWorkspace(t, server, archive) }
	places, err := api.References.Do(t.Context(), cold(), api.ReferencesRequest{Selector: selector})
	if err != nil {
		t.Fatal(err)
	}
	told.Completeness = places.Completeness
	for _, n := range places.Notes {
		if strings.Contains(n, "by text") {
			told.Notes = append(told.Notes, n)
		}
	}
	for _, f := range places.Files {
		for _, p := range f.Places {
			told.References = append(told.References, fmt.Sprintf("%s:%d", f.Path, p.Line))
		}
	}
	callers, err := api.Hierarchy.Do(t.Context(), cold(), api.HierarchyRequest{Selector: selector, Direction: "callers"})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range callers.Nodes {
		told.Callers = append(told.Callers, n.Path+" "+n.Name)
	}
	affected, err := api.Impact.Do(t.Context(), cold(), api.ImpactRequest{Symbols: []string{at}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range affected.Symbols {
		for _, u := range slices.Concat(s.Users, s.TestUsers) {
			told.Impact = append(told.Impact, u.Path)
		}
	}
	told.Renamed = tellRenamed(t, cold(), at)
	if _, err := api.EditSymbol.Do(t.Context(), cold(), api.EditSymbolRequest{Selector: selector, Action: "delete"}); err != nil {
		told.Deleted = strings.TrimSuffix(firstLine(err.Error()), ":")
	}
	return told
}

// beginWorkspace creates an engine for a project, with the links that npm makes of a workspace.
func beginWorkspace(t *testing.T, server, archive string) *engine.Engine {
	t.Helper()
	e := begin(t, project{archive: txtar.Parse([]byte(archive))}, server)
	if !strings.Contains(archive, "@acme") {
		return e
	}
	for _, name := range []string{"lib", "app", "web"} {
		link := filepath.Join(e.Root(), "node_modules", "@acme", name)
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(e.Root(), "packages", name), link); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// tellRenamed returns the files and places of a preview, or the error.
func tellRenamed(t *testing.T, e *engine.Engine, at string) (told []string) {
	t.Helper()
	renamed, err := api.Rename.Do(t.Context(), e, api.RenameRequest{Selector: api.Selector{At: at}, NewName: "Store", Writing: api.Writing{Mode: "preview"}})
	if err != nil {
		told = append(told, firstLine(err.Error()))
	}
	for _, change := range renamed.Changes {
		told = append(told, fmt.Sprintf("%s %d", change.Path, change.Replacements))
	}
	slices.Sort(told)
	return told
}

// A rename does not depend on where it is asked for: at a use in another project it renames what it does at the declaration,
// also what only the declaring project knows of, and it finds the same uses; or it is refused at each.
func TestRenameAtAUse(t *testing.T) {
	npm := npmWorkspace + "-- packages/lib/src/index.test.ts --\nimport { put } from './index'\nput('t')\n"
	inNPM := []string{"packages/app/src/index.ts 2", "packages/lib/src/index.test.ts 2", "packages/lib/src/index.ts 1", "packages/web/src/index.ts 2"}
	defaults := strings.NewReplacer("export function put", "export default function put", "{ put }", "put").Replace(npm)
	goModules := twoModules + "-- core/core_test.go --\npackage core\n\nvar tested = Put(\"t\")\n"
	python := extraPaths + "-- core/corelib_test.py --\nimport corelib\n\ncorelib.put(\"t\")\n"
	for _, c := range []struct {
		server, shape, archive string
		at                     []string
		want                   []string
	}{
		{"typescript", "a workspace of npm", npm, []string{"packages/app/src/index.ts:1 put", "packages/app/src/index.ts:2 put", "packages/lib/src/index.test.ts:2 put"}, inNPM},
		{"typescript-language-server", "a workspace of npm", npm, []string{"packages/app/src/index.ts:1 put", "packages/app/src/index.ts:2 put", "packages/lib/src/index.test.ts:2 put"}, inNPM},
		{"typescript-language-server", "a default import", defaults, []string{"packages/app/src/index.ts:2 put", "packages/lib/src/index.ts put"}, inNPM},
		{"gopls", "two modules", goModules, []string{"app/main.go:5 Put", "core/core_test.go:3 Put"}, []string{"app/main.go 1", "core/core.go 1", "core/core_test.go 1"}},
		{"pyright", "extraPaths", python, []string{"core/corelib.py put", "core/corelib_test.py:3 put", "app/main.py:4 put"}, nil},
	} {
		t.Run(c.server+"/"+c.shape, func(t *testing.T) {
			lsptest.Require(t, c.server)
			for _, at := range c.at {
				told := tellRenamed(t, beginWorkspace(t, c.server, c.archive), at)
				if c.want == nil {
					if len(told) != 1 || !strings.Contains(told[0], "rename") {
						t.Errorf("at %s it is not refused: %q", at, told)
					}
					continue
				}
				if diff := cmp.Diff(c.want, told); diff != "" {
					t.Errorf("at %s (-want +got):\n%s", at, diff)
				}
				places, err := api.References.Do(t.Context(), beginWorkspace(t, c.server, c.archive), api.ReferencesRequest{Selector: api.Selector{At: at}, IncludeDeclaration: true})
				if err != nil {
					t.Fatal(err)
				}
				var used []string
				for _, f := range places.Files {
					used = append(used, fmt.Sprintf("%s %d", f.Path, len(f.Places)))
				}
				if diff := cmp.Diff(c.want, used); diff != "" {
					t.Errorf("the uses, asked at %s (-want +got):\n%s", at, diff)
				}
			}
		})
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
