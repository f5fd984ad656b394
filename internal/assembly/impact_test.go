package assembly_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// reached states who uses each symbol: outside tests, then after | in tests, then
// after > through others.
func reached(answer result.Impact) []string {
	names := func(users []result.User) (text string) {
		for _, u := range users {
			name := u.Name
			if name == "" {
				name = "-"
			}
			text += fmt.Sprintf(" %s:%d:%s", u.Path, u.Line, name)
			if u.Uses > 0 {
				text += fmt.Sprintf("×%d", u.Uses)
			}
		}
		return text
	}
	var list []string
	for _, s := range answer.Symbols {
		text := fmt.Sprintf("%s %s %s", s.At, s.Name, s.Risk) + names(s.Users)
		if len(s.TestUsers) > 0 {
			text += " |" + names(s.TestUsers)
		}
		if len(s.Transitive) > 0 {
			text += " >" + names(s.Transitive)
		}
		list = append(list, text)
	}
	return list
}

func expectReached(t *testing.T, result result.Impact, want ...string) {
	t.Helper()
	if got := reached(result); !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s\n(%v)", strings.Join(got, "\n  "), strings.Join(want, "\n  "), result.Notes)
	}
}

// Of each exported symbol of a file every user is named, in tests and outside;
// one test that uses two symbols counts for both; a method is not taken for its
// receiver; and what only the file itself uses is no risk.
//
// Requirement: AGENT-16.
func TestImpactOfFile(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	result := enginetest.Do(t, s, api.Impact, api.ImpactRequest{Files: []string{"calc/calc.go"}})
	expectReached(t, result,
		"calc/calc.go:4:6 Adder high app/app.go:6:Run calc/calc.go:6:Adder.Add",
		"calc/calc.go:6:17 Adder.Add high app/app.go:7:Run",
		"calc/calc.go:8:6 Add low app/app.go:11:total×2 calc/calc.go:6:Adder.Add calc/calc.go:10:Twice | calc/calc_test.go:6:TestBoth",
		"calc/calc.go:10:6 Twice low app/app.go:7:Run | calc/calc_test.go:6:TestBoth",
		"calc/calc.go:14:6 Unused unknown",
		"calc/calc.go:16:6 Again unknown",
	)
	if !slices.Equal(result.TestFiles, []string{"calc/calc_test.go"}) || result.References != 5 || result.Tests != 2 || result.Own != 3 {
		t.Errorf("%v, %d references, %d in tests, %d own", result.TestFiles, result.References, result.Tests, result.Own)
	}
}

// A user that was written since, or is gone, counts at once: nothing is kept from
// one request to the next.
func TestImpactIsOfNow(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	req := api.ImpactRequest{Symbols: []string{"calc/calc.go Twice"}}
	expectReached(t, enginetest.Do(t, s, api.Impact, req), "calc/calc.go:10:6 Twice low app/app.go:7:Run | calc/calc_test.go:6:TestBoth")
	s.Write("app/more.go", "package app\n\nimport \"example.com/m/calc\"\n\nfunc More() { calc.Twice(1) }\n")
	s.Write("app/app.go", "package app\n\nfunc Run() int { return 0 }\n")
	expectReached(t, enginetest.Do(t, s, api.Impact, req), "calc/calc.go:10:6 Twice low app/more.go:5:More | calc/calc_test.go:6:TestBoth")
}

// The users of the users are one level further, each once, and never the symbol
// itself; a test that gets there through a user is a test to run.
func TestImpactThroughOthers(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject+"-- app/app_test.go --\npackage app\n\nimport \"testing\"\n\nfunc TestRun(t *testing.T) { Run() }\n", "gopls")
	result := enginetest.Do(t, s, api.Impact, api.ImpactRequest{Symbols: []string{"calc/calc.go Adder.Add"}, Transitive: true})
	expectReached(t, result, "calc/calc.go:6:17 Adder.Add medium app/app.go:7:Run > cmd/main.go:5:main")
	if !slices.Equal(result.TestFiles, []string{"app/app_test.go"}) {
		t.Errorf("tests to run: %v", result.TestFiles)
	}
	s.Write("app/both.go", "package app\n\nimport \"example.com/m/calc\"\n\nfunc Both() { Run(); calc.Twice(1) }\n")
	result = enginetest.Do(t, s, api.Impact, api.ImpactRequest{Symbols: []string{"calc/calc.go Twice"}, Transitive: true})
	expectReached(t, result, "calc/calc.go:10:6 Twice low app/app.go:7:Run app/both.go:5:Both | calc/calc_test.go:6:TestBoth > cmd/main.go:5:main")
}

// A server that cannot tell uses does not make a symbol unused.
func TestImpactWithoutReferences(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{Capabilities: json.RawMessage(`{"referencesProvider":false}`)}, lsptest.Project)
	result, err := api.Impact.Do(t.Context(), s.Engine, api.ImpactRequest{Files: []string{"lib.toy"}})
	if !enginetest.Is[*lsp.UnsupportedError](err) {
		t.Errorf("%+v, %T %v", result, err, err)
	}
}

// Of a diff only the symbols count whose lines it touches, with the positions of
// now: a commit is followed through what was written since. A changed test is to
// run; what no server knows is said.
//
// Requirement: AGENT-16.
func TestImpactOfDiff(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject+"-- calc/own_test.go --\npackage calc\n", "gopls")
	s.Git("init", "-q")
	s.Git("add", "-A")
	s.Git("commit", "-qm", "one")
	text := lsptestRead(t, s, "calc/calc.go")
	s.Write("calc/calc.go", strings.Replace(text, "Add(a, a)", "Add(a, a) + 0", 1))
	s.Write("README", "read me\n")
	s.Write("calc/calc_test.go", lsptestRead(t, s, "calc/calc_test.go")+"\n// more\n")
	s.Write("calc/own_test.go", "package calc\n\n// more\n")
	result := enginetest.Do(t, s, api.Impact, api.ImpactRequest{GitRange: "HEAD"})
	expectReached(t, result, "calc/calc.go:10:6 Twice low app/app.go:7:Run | calc/calc_test.go:6:TestBoth")
	if diff := cmp.Diff([]string{"calc/calc_test.go", "calc/own_test.go"}, result.TestFiles); diff != "" {
		t.Errorf("tests to run (-want +got):\n%s", diff)
	}
	if !slices.Equal(result.Changed, []string{"calc/calc.go", "calc/calc_test.go", "calc/own_test.go"}) || !strings.Contains(strings.Join(result.Notes, " "), "README left out") {
		t.Errorf("changed %v, notes %v", result.Changed, result.Notes)
	}
	s.Git("add", "-A")
	s.Git("commit", "-qm", "two")
	s.Write("calc/calc.go", strings.Replace(lsptestRead(t, s, "calc/calc.go"), "package calc\n", "package calc\n\nvar above = 1\n", 1))
	expectReached(t, enginetest.Do(t, s, api.Impact, api.ImpactRequest{GitRange: "HEAD~1.."}),
		"calc/calc.go:12:6 Twice low app/app.go:7:Run | calc/calc_test.go:6:TestBoth")
	expectReached(t, enginetest.Do(t, s, api.Impact, api.ImpactRequest{GitRange: "HEAD"}), "calc/calc.go:3:5 above none")
	s.Write("calc/calc.go", strings.Replace(lsptestRead(t, s, "calc/calc.go"), "func Unused() { unseen() }\n", "", 1))
	const note = "calc/calc.go: lines outside of every declaration were deleted; check the workspace to see who misses them"
	if notes := enginetest.Do(t, s, api.Impact, api.ImpactRequest{GitRange: "HEAD"}).Notes; !slices.Contains(notes, note) {
		t.Errorf("notes %q", notes)
	}
}

func lsptestRead(t *testing.T, s *enginetest.Shop, name string) string {
	t.Helper()
	content, err := s.Workspace().Read(filepath.Join(s.Folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// Every language's exports and users are told right.
func TestImpactInLanguages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		server, archive, file string
		want                  []string
	}{
		{
			"pyright", `
-- pyproject.toml --
-- shop/__init__.py --
-- shop/price.py --
RATE = 2

def price(n):
    return n * RATE

def _hidden():
    return price(1)

class Cart:
    def __init__(self):
        self.items = []

    def total(self):
        return price(len(self.items))
-- shop/app.py --
from shop.price import Cart, price


def run():
    return Cart().total() + price(3)
-- tests/test_price.py --
from shop.price import price


def test_price():
    assert price(2) == 4
`, "shop/price.py",
			[]string{
				"shop/price.py:1:1 RATE low shop/price.py:4:price",
				"shop/price.py:3:5 price low shop/app.py:5:run shop/price.py:7:_hidden shop/price.py:14:Cart.total | tests/test_price.py:5:test_price",
				"shop/price.py:9:7 Cart medium shop/app.py:5:run",
				"shop/price.py:13:9 Cart.total medium shop/app.py:5:run",
			},
		},
		{
			"typescript", `
-- package.json --
{}
-- tsconfig.json --
{"compilerOptions":{"module":"commonjs","target":"es2020"},"include":["src"]}
-- src/price.ts --
export function price(n: number): number { return n * rate; }
const rate = 2;
export class Cart {
  private n = 0;
  total(): number { return price(this.n); }
}
function hidden() { return rate; }
export { hidden as shown };
function unseen() { return 1; }
-- src/app.ts --
import { Cart, price, shown } from "./price";
export const run = () => new Cart().total() + price(3);
export function go() { return shown(); }
-- src/price.test.ts --
import { price } from "./price";
export function testPrice() { return price(2) === 4; }
`, "src/price.ts",
			[]string{
				"src/price.ts:1:17 price low src/app.ts:2:run src/price.ts:5:Cart.total | src/price.test.ts:2:testPrice",
				"src/price.ts:3:14 Cart medium src/app.ts:2:run",
				"src/price.ts:5:3 Cart.total medium src/app.ts:2:run",
				"src/price.ts:7:10 hidden medium src/app.ts:3:go src/price.ts:8:-×2",
			},
		},
		{
			"clangd", `
-- compile_flags.txt --
-I.
-- price.h --
int price(int n);
-- price.cc --
#include "price.h"
static int rate() { return 2; }
namespace {
int hidden() { return 1; }
}
int price(int n) { return n * rate() + hidden(); }
int twice(int n) { return 2 * price(n); }
`, "price.cc",
			[]string{
				"price.cc:6:5 price low price.cc:7:twice",
				"price.cc:7:5 twice none",
			},
		},
	} {
		t.Run(c.server, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.archive, c.server)
			result := enginetest.Do(t, s, api.Impact, api.ImpactRequest{Files: []string{c.file}})
			expectReached(t, result, c.want...)
		})
	}
}

// What cannot be answered is an error that says so, never an empty success.
func TestImpactRefusals(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	outside := lsptest.Workspace(t, "-- a.go --\npackage a\n")
	for _, c := range []struct {
		req  api.ImpactRequest
		want func(error) bool
	}{
		{api.ImpactRequest{}, enginetest.Is[*git.Error]}, // the uncommitted changes
		{api.ImpactRequest{Files: []string{"calc/none.go"}}, enginetest.Is[*workspace.NotFoundError]},
		{api.ImpactRequest{Files: []string{"calc"}}, enginetest.Is[*workspace.NotDiagnosedError]},
		{api.ImpactRequest{Files: []string{filepath.Join(outside, "a.go")}}, enginetest.Is[*workspace.OutsideWorkspaceError]},
		{api.ImpactRequest{Files: []string{"go.mod", "calc/none.go"}}, func(err error) bool { return err != nil }},
		{api.ImpactRequest{Symbols: []string{"calc/calc.go Nope"}}, enginetest.Is[*symbols.NotFoundError]},
		{api.ImpactRequest{Files: []string{"calc/calc.go"}, Scope: "some"}, enginetest.Is[*api.ArgumentError]},
		{api.ImpactRequest{GitRange: "HEAD"}, enginetest.Is[*git.Error]},
		{api.ImpactRequest{GitRange: "--output=other"}, enginetest.Is[*git.Error]},
		{api.ImpactRequest{Files: []string{"calc/calc.go"}, Limits: api.Limits{TimeoutMS: 1}}, func(err error) bool { return err != nil }},
	} {
		result, err := api.Impact.Do(t.Context(), s.Engine, c.req)
		if !c.want(err) {
			t.Errorf("%+v: %T %v, %+v", c.req, err, err, result)
		}
	}
}
