package navigation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

const renamingPython = `
-- pyproject.toml --
[tool.pyright]
-- lib/__init__.py --
from .core import Signer as Signer
from .core import (
    Base as CoreBase,  # for others
)
-- lib/core.py --
class Base: ...


class Signer(Base): ...
-- use.py --
from lib import Signer, CoreBase as Root

made = Signer()
root = Root()
`

const renamingScripts = `
-- package.json --
{"name":"root","private":true,"workspaces":["packages/*"]}
-- packages/lib/package.json --
{"name":"@acme/lib","version":"1.0.0","main":"src/index.ts","types":"src/index.ts"}
-- packages/lib/tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]},"include":["src"]}
-- packages/lib/src/index.ts --
export { put as store } from './put'
export { default } from './start'
-- packages/lib/src/put.ts --
export function put(key: string): string { return key }
-- packages/lib/src/start.ts --
export default function start(): number { return 1 }
-- packages/app/package.json --
{"name":"@acme/app","version":"1.0.0"}
-- packages/app/tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]},"include":["src"]}
-- packages/app/src/index.ts --
import { store as keep } from '@acme/lib'
export function run() { return keep('a') }
-- packages/web/package.json --
{"name":"@acme/web","version":"1.0.0"}
-- packages/web/tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]},"include":["src"]}
-- packages/web/src/index.ts --
import go from '@acme/lib'
export const n = go()
`

const renamingRust = `
-- .lspine.jsonc --
{"lsp": {"servers": {"rust-analyzer": {
  "initializationOptions": {"cargo": {"sysroot": null}}, "settings": {"rust-analyzer": {"cargo": {"sysroot": null}}}
}}}}
-- Cargo.toml --
[package]
name = "bakery"
version = "0.1.0"
edition = "2021"
-- src/lib.rs --
mod oven;
pub use oven::warm as heat;
pub fn twice() -> u32 {
    // use it
    heat() + oven::cold() as u32
}
-- src/oven.rs --
pub fn warm() -> u32 { 1 }
pub fn cold() -> u8 { 0 }
`

const sharedRust = `
-- .lspine.jsonc --
{"lsp": {"servers": {"rust-analyzer": {
  "initializationOptions": {"cargo": {"sysroot": null}}, "settings": {"rust-analyzer": {"cargo": {"sysroot": null}}}
}}}}
-- Cargo.toml --
[package]
name = "bakery"
version = "0.1.0"
edition = "2021"
-- src/lib.rs --
pub mod oven;
pub fn lib() -> u32 { oven::own::warm() }
-- src/main.rs --
mod oven;
mod other;
fn main() { other::run(); }
-- src/other.rs --
pub fn run() { crate::oven::own::warm(); }
-- src/oven.rs --
pub mod own;
-- src/oven/own.rs --
pub fn warm() -> u32 { 1 }
-- tests/a.rs --
mod util;
#[test]
fn a() { util::help(1); }
-- tests/b.rs --
mod util;
fn help() {}
#[test]
fn b() { util::help(2); help(); }
-- tests/util/mod.rs --
pub fn help(_n: u32) {}
`

const constructors = `
-- tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]}}
-- a.ts --
export class A {
  /** Of a text. */
  constructor(x: string);
  /**
   * Of a number.
   */
  protected constructor(x: number);
  constructor(readonly x: any) {}
}
new A("");
`

const wordsOfOthers = `
-- go.mod --
module m

go 1.24
-- a.go --
package m

func Each(fn func(def int) bool) (class bool) {
	class = fn(1)
	return class
}

func types() {}
`

// A symbol has the same uses whatever name imports give it and at whichever of them it is asked about: where it is declared, where an
// import renames it or passes it on, and where it is used, in other projects, too. What a server does not list is said.
func TestUsesByOtherNames(t *testing.T) {
	for _, c := range []struct {
		server, shape, archive string
		at                     []string
		completeness           result.Completeness
		want                   []string // besides a note, path:line:column
	}{
		{
			"pyright", "passed on", renamingPython,
			[]string{"lib/core.py Signer", "lib/__init__.py:1:29", "use.py:1:17", "use.py:3:8"},
			result.Complete,
			[]string{"lib/__init__.py:1:19", "lib/__init__.py:1:29", "lib/core.py:4:7", "use.py:1:17", "use.py:3:8"},
		},
		{
			"pyright", "renamed", renamingPython,
			[]string{"lib/core.py Base", "lib/__init__.py:3:13", "use.py:1:25", "use.py:4:8"},
			result.Complete,
			[]string{"lib/__init__.py:3:5", "lib/__init__.py:3:13", "lib/core.py:1:7", "lib/core.py:4:14", "use.py:1:25", "use.py:1:37", "use.py:4:8"},
		},
		{
			"typescript", "renamed", renamingScripts, []string{"packages/lib/src/put.ts put", "packages/app/src/index.ts:2:32"}, result.Complete, storedScripts,
		},
		{
			"typescript-language-server", "renamed", renamingScripts, []string{"packages/lib/src/put.ts put", "packages/app/src/index.ts:2:32"}, result.Complete, storedScripts,
		},
		{
			"typescript", "by default", renamingScripts, []string{"packages/lib/src/start.ts start", "packages/web/src/index.ts:2:18"}, result.Complete, startedScripts,
		},
		{
			"typescript-language-server", "by default", renamingScripts, []string{"packages/lib/src/start.ts start", "packages/web/src/index.ts:2:18"}, result.Complete, startedScripts,
		},
		{
			"rust-analyzer", "renamed", renamingRust,
			[]string{"src/oven.rs warm", "src/lib.rs:2:23", "src/lib.rs:5:5"},
			result.OfLoaded,
			[]string{"src/lib.rs:2 gives it the name heat; uses by that name are not known", "src/lib.rs:2:15", "src/oven.rs:1:8"},
		},
		{
			"rust-analyzer", "a file in two tests", sharedRust,
			[]string{"tests/util/mod.rs help", "tests/a.rs:3:16", "tests/b.rs:4:16"},
			result.Complete,
			[]string{"tests/a.rs:3:16", "tests/b.rs:4:16", "tests/util/mod.rs:1:8"},
		},
		{
			"rust-analyzer", "a file in a library and a program", sharedRust,
			[]string{"src/oven/own.rs warm", "src/lib.rs:2:34", "src/other.rs:1:34"},
			result.Complete,
			[]string{"src/lib.rs:2:34", "src/other.rs:1:34", "src/oven/own.rs:1:8"},
		},
		{"rust-analyzer", "cast", renamingRust, []string{"src/oven.rs cold"}, result.Complete, []string{"src/lib.rs:5:20", "src/oven.rs:2:8"}},
		{"typescript", "a constructor with comments", constructors, []string{"a.ts:8:3"}, result.Complete, []string{"a.ts:3:3", "a.ts:7:13", "a.ts:8:3", "a.ts:10:5"}},
		{
			"typescript-language-server", "a constructor with comments", constructors,
			[]string{"a.ts:8:3"},
			result.Complete,
			[]string{"a.ts:3:3", "a.ts:7:13", "a.ts:8:3", "a.ts:10:5"},
		},
		{"gopls", "a keyword of other languages", wordsOfOthers, []string{"a.go:3:11", "a.go:4:10"}, result.Complete, []string{"a.go:3:11", "a.go:4:10"}},
		{"gopls", "another one", wordsOfOthers, []string{"a.go:3:35", "a.go:5:9"}, result.Complete, []string{"a.go:3:35", "a.go:4:2", "a.go:5:9"}},
	} {
		t.Run(c.server+"/"+c.shape, func(t *testing.T) {
			lsptest.Require(t, c.server)
			for _, at := range c.at {
				places, err := api.References.Do(t.Context(), beginWorkspace(t, c.server, c.archive), api.ReferencesRequest{
					Selector: api.Selector{At: at}, IncludeDeclaration: true,
				})
				if err != nil {
					t.Fatal(err)
				}
				got := slices.DeleteFunc(places.Notes, func(n string) bool { return !strings.Contains(n, "gives it the name") })
				for _, f := range places.Files {
					for _, p := range f.Places {
						got = append(got, fmt.Sprintf("%s:%d:%d", f.Path, p.Line, p.Column))
					}
				}
				if diff := cmp.Diff(c.want, got); diff != "" || places.Completeness != c.completeness {
					t.Errorf("asked at %s: %s (-want +got):\n%s", at, places.Completeness, diff)
				}
			}
		})
	}
}

// What calls a symbol by another name calls it, and what derives from it by another name is a subtype.
func TestHierarchyByOtherNames(t *testing.T) {
	scripts := renamingScripts + "-- packages/lib/src/base.ts --\nexport class Base {}\n-- packages/lib/src/more.ts --\n" +
		"import { Base as Root } from './base'\nexport class More extends Root {}\n"
	python := renamingPython + "-- more.py --\nfrom lib import Signer as S, CoreBase\n\n\ndef more():\n    return S()\n\n\nclass Sub(CoreBase): ...\n"
	for _, c := range []struct {
		server, archive, at, direction string
		want                           []string
	}{
		{"typescript", scripts, "packages/lib/src/put.ts put", "callers", []string{"packages/app/src/index.ts run [2:32]"}},
		{"typescript-language-server", scripts, "packages/lib/src/put.ts put", "callers", []string{"packages/app/src/index.ts run [2:32]"}},
		{"typescript-language-server", scripts, "packages/lib/src/base.ts Base", "subtypes", []string{"packages/lib/src/more.ts More [2:27]"}},
		{"pyright", python, "lib/core.py Base", "subtypes", []string{"lib/core.py Signer [4:14]", "more.py Sub [8:11]"}},
		{"pyright", python, "lib/core.py Signer", "callers", []string{"more.py more [5:12]", "use.py (module) use.py [3:8]"}},
	} {
		t.Run(c.server+"/"+c.direction, func(t *testing.T) {
			lsptest.Require(t, c.server)
			answer, err := api.Hierarchy.Do(t.Context(), beginWorkspace(t, c.server, c.archive), api.HierarchyRequest{
				Selector: api.Selector{At: c.at}, Direction: c.direction,
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, n := range answer.Nodes {
				got = append(got, fmt.Sprintf("%s %s %s", n.Path, n.Name, n.Sites))
			}
			if diff := cmp.Diff(c.want, got); diff != "" || answer.Completeness != result.Complete {
				t.Errorf("%s (-want +got):\n%s", answer.Completeness, diff)
			}
		})
	}
}

const hiddenScripts = `
-- tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]}}
-- a.ts --
export function fn() {}
function hidden() {}
export { hidden as shown };
-- b.ts --
export { fn as g } from "./a";
-- c.ts --
import { g } from "./b";
import { shown } from "./a";
function c() { g(); shown(); }
-- d.ts --
import { fn as x } from "./a";
function d() { x(); }
`

const hiddenPython = `
-- pyproject.toml --
[tool.pyright]
-- m.py --
def f(): ...
-- b.py --
from m import f as g


def b():
    g()
-- c.py --
from b import g


def c():
    g()
`

// The callers of a symbol are the same at each of its names: where an import or an export gives it one, and where it is called by that.
func TestCallersOfOtherNames(t *testing.T) {
	for _, c := range []struct {
		server, archive string
		at, want        []string
	}{
		{"typescript", hiddenScripts, []string{"g", "a.ts fn", "b.ts:1 fn", "b.ts:1 g", "c.ts:1 g", "c.ts:3 g", "d.ts:1 x", "d.ts:2 x"}, []string{"c.ts c [3:16]", "d.ts d [2:16]"}},
		{"typescript", hiddenScripts, []string{"a.ts hidden", "a.ts:3 shown", "c.ts:2 shown", "c.ts:3 shown"}, []string{"c.ts c [3:21]"}},
		{"typescript-language-server", hiddenScripts, []string{"a.ts fn", "b.ts:1 fn", "b.ts:1 g", "c.ts:1 g", "c.ts:3 g", "d.ts:1 x"}, []string{"c.ts c [3:16]", "d.ts d [2:16]"}},
		{"typescript-language-server", hiddenScripts, []string{"a.ts hidden", "a.ts:3 shown", "c.ts:2 shown", "c.ts:3 shown"}, []string{"c.ts c [3:21]"}},
		{"pyright", hiddenPython, []string{"m.py f", "b.py:1 g", "b.py:5 g", "c.py:1 g", "c.py:5 g"}, []string{"b.py b [5:5]", "c.py c [5:5]"}},
	} {
		t.Run(c.server+"/"+c.at[0], func(t *testing.T) {
			lsptest.Require(t, c.server)
			for _, at := range c.at {
				answer, err := api.Hierarchy.Do(t.Context(), beginWorkspace(t, c.server, c.archive), api.HierarchyRequest{Selector: api.Selector{At: at}})
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, n := range answer.Nodes {
					got = append(got, fmt.Sprintf("%s %s %s", n.Path, n.Name, n.Sites))
				}
				if diff := cmp.Diff(c.want, got); diff != "" || answer.Completeness != result.Complete {
					t.Errorf("asked at %s: %s (-want +got):\n%s", at, answer.Completeness, diff)
				}
			}
		})
	}
}

// The word between two names of an import is no symbol: a position in it is ambiguous, and named, it has no callers that are known.
func TestCallersOfNoName(t *testing.T) {
	for _, c := range []struct{ server, archive, at, named string }{
		{"pyright", hiddenPython, "b.py:1:17", "b.py:1 as"},
		{"typescript-language-server", hiddenScripts, "b.ts:1:13", "b.ts:1 as"},
		{"rust-analyzer", renamingRust, "src/lib.rs:2:20", "src/lib.rs:2 use"},
	} {
		t.Run(c.server, func(t *testing.T) {
			lsptest.Require(t, c.server)
			e := beginWorkspace(t, c.server, c.archive)
			var several *symbols.AmbiguousError
			if _, err := api.Hierarchy.Do(t.Context(), e, api.HierarchyRequest{Selector: api.Selector{At: c.at}}); !errors.As(err, &several) {
				t.Errorf("%s: %v", c.at, err)
			}
			answer, err := api.Hierarchy.Do(t.Context(), e, api.HierarchyRequest{Selector: api.Selector{At: c.named}})
			if err != nil || answer.Completeness != result.NotKnown || len(answer.Nodes) > 0 {
				t.Errorf("%s: %s %v, %v", c.named, answer.Completeness, answer.Nodes, err)
			}
		})
	}
}

var (
	storedScripts = []string{
		"packages/app/src/index.ts:1:10", "packages/app/src/index.ts:1:19", "packages/app/src/index.ts:2:32",
		"packages/lib/src/index.ts:1:10", "packages/lib/src/index.ts:1:17", "packages/lib/src/put.ts:1:17",
	}
	startedScripts = []string{"packages/lib/src/index.ts:2:10", "packages/lib/src/start.ts:1:25", "packages/web/src/index.ts:1:8", "packages/web/src/index.ts:2:18"}
)
