package navigation

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

const goModules = `
-- go.mod --
module ex/m

go 1.25
-- a.go --
package m

import "ex/m/deep"

var _ deep.Deep

func PrintDeep() {}
-- deep/deep.go --
package deep

type Deep struct{}

func (Deep) Put() {}
-- nested/go.mod --
module ex/nested

go 1.25
-- nested/n.go --
package nested

func SeldomLoaded() {}
`

const npmPackages = `
-- package.json --
{"private":true,"workspaces":["packages/*"]}
-- packages/a/package.json --
{"name":"a"}
-- packages/a/tsconfig.json --
{"include":["src"]}
-- packages/a/src/a.ts --
export const a = 1;
-- packages/a/src/b.ts --
export const b = 1;
-- packages/b/package.json --
{"name":"b"}
-- packages/b/tsconfig.json --
{"include":["src"]}
-- packages/b/src/b.ts --
export function seldomLoaded(): void {}
`

const pythonPackages = `
-- a/pyproject.toml --
[project]
name = "a"
-- a/a.py --
a = 1
-- a/b.py --
b = 1
-- b/pyproject.toml --
[project]
name = "b"
-- b/b.py --
def seldom_loaded() -> None: ...
`

const crates = `
-- a/Cargo.toml --
[package]
name = "a"
version = "0.1.0"
edition = "2021"
-- a/src/lib.rs --
pub mod other;
-- a/src/other.rs --
pub fn other() {}
-- b/Cargo.toml --
[package]
name = "b"
version = "0.1.0"
edition = "2021"
-- b/src/lib.rs --
pub fn seldom_loaded() {}
`

// A name is found in whichever project of the workspace declares it, also in one of which nobody asked for a file.
func TestNamesOfProjectsThatNobodyOpened(t *testing.T) {
	for _, c := range []struct{ server, archive, name, want string }{
		{"gopls", goModules, "SeldomLoaded", "nested/n.go:3"},
		{"typescript", npmPackages, "seldomLoaded", "packages/b/src/b.ts:1"},
		{"typescript-language-server", npmPackages, "seldomLoaded", "packages/b/src/b.ts:1"},
		{"pyright", pythonPackages, "seldom_loaded", "b/b.py:1"},
		{"rust-analyzer", crates, "seldom_loaded", "b/src/lib.rs:1"},
	} {
		t.Run(c.server, func(t *testing.T) {
			lsptest.Require(t, c.server)
			p := project{archive: txtar.Parse([]byte(c.archive))}
			for op, ask := range map[string]func(req api.Selector) (string, error){
				"symbols": func(s api.Selector) (string, error) {
					got, err := api.Symbols.Do(context.Background(), begin(t, p, c.server), api.SymbolsRequest{Query: s.At})
					if err != nil || len(got.Symbols) == 0 {
						return "", err
					}
					return fmt.Sprintf("%s:%d", got.Symbols[0].Path, got.Symbols[0].Line), nil
				},
				"definition": func(s api.Selector) (string, error) {
					got, err := api.Definition.Do(context.Background(), begin(t, p, c.server), api.DefinitionRequest{Selector: s})
					return strings.Join(lines(got), " "), err
				},
			} {
				if got, err := ask(api.Selector{At: c.name}); got != c.want || err != nil {
					t.Errorf("%s: %q, %v; want %s", op, got, err, c.want)
				}
			}
		})
	}
}

// lines returns the places of an answer.
func lines(p result.Places) (all []string) {
	for _, file := range p.Files {
		for _, place := range file.Places {
			all = append(all, fmt.Sprintf("%s:%d", file.Path, place.Line))
		}
	}
	return all
}

// What the project has comes before what it uses, although that is more like the query; a name that a file uses and another one
// declares means the same as there.
func TestNamesOfOtherFiles(t *testing.T) {
	lsptest.Require(t, "gopls")
	e := begin(t, project{archive: txtar.Parse([]byte(goModules))}, "gopls")
	found, err := api.Symbols.Do(t.Context(), e, api.SymbolsRequest{Query: "Print"})
	if err != nil || len(found.Symbols) == 0 || found.Symbols[0].Path != "a.go" {
		t.Errorf("%+v, %v", found.Symbols, err)
	}
	at := api.Selector{At: "a.go deep.Deep"}
	used, err := api.References.Do(t.Context(), e, api.ReferencesRequest{Selector: at})
	if err != nil {
		t.Fatal(err)
	}
	source, err := api.Source.Do(t.Context(), e, api.SourceRequest{Selector: at})
	if err != nil {
		t.Fatal(err)
	}
	told := []string{source.Path, source.Code}
	told = append(told, lines(used)...)
	told = append(told, slices.Compact(append(used.Notes, source.Notes...))...)
	want := []string{
		"deep/deep.go", "type Deep struct{}", "a.go:5", "deep/deep.go:5",
		"a.go does not declare deep.Deep; took its use in line 5",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
