package assembly_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

func toldTests(result result.Tests) []string {
	var list []string
	for _, f := range result.Files {
		for _, test := range f.Tests {
			list = append(list, strings.TrimSpace(fmt.Sprintf("%s: %s (%s) %s", f.Path, test.Path, test.Why, strings.Join(test.Functions, " "))))
		}
	}
	return list
}

func expectTests(t *testing.T, result result.Tests, want ...string) {
	t.Helper()
	if got := toldTests(result); !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s\n(%v)", strings.Join(got, "\n  "), strings.Join(want, "\n  "), result.Notes)
	}
}

// The tests of a file are those that are named after it and those that use it,
// with the names of the tests; helpers in test files are no tests.
//
// Requirement: AGENT-22.
func TestTestsFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		server, archive string
		files           []string
		want            []string
	}{
		{
			"gopls", enginetest.GoProject + `
-- calc/other_test.go --
package calc

import "testing"

func helper() { unseen() }

func TestOther(t *testing.T) { helper(); Unused() }
-- app/app_test.go --
package app
`,
			[]string{"calc/calc.go", "app/app.go", "cmd/main.go", "calc/calc_test.go"},
			[]string{
				"calc/calc.go: calc/calc_test.go (name and references) TestBoth",
				"calc/calc.go: calc/other_test.go (references) TestOther",
				"app/app.go: app/app_test.go (name)",
				"calc/calc_test.go: calc/calc_test.go (itself)",
			},
		},
		{
			"pyright", `
-- pyproject.toml --
-- shop/__init__.py --
-- shop/price.py --
def price(n):
    return n
-- tests/test_price.py --
from shop.price import price


class TestPrice:
    def test_one(self):
        assert price(1) == 1

    def helper(self):
        return price(2)
-- tests/test_all.py --
import shop.price


def test_all():
    assert shop.price.price(1)
`,
			[]string{"shop/price.py"},
			[]string{
				"shop/price.py: tests/test_price.py (name and references) TestPrice.test_one",
				"shop/price.py: tests/test_all.py (references) test_all",
			},
		},
		{
			"typescript", `
-- package.json --
{}
-- tsconfig.json --
{"compilerOptions":{"module":"commonjs","target":"es2020"},"include":["src"]}
-- src/price.ts --
export function price(n: number): number { return n; }
-- src/price.spec.ts --
import { price } from "./price";
declare function it(name: string, f: () => void): void;
it("is a price", () => { price(1); });
-- src/__tests__/price.ts --
export {};
`,
			[]string{"src/price.ts"},
			[]string{
				"src/price.ts: src/price.spec.ts (name and references) it(\"is a price\")",
				"src/price.ts: src/__tests__/price.ts (name)",
			},
		},
	} {
		t.Run(c.server, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.archive, c.server)
			expectTests(t, enginetest.Do(t, s, api.TestsFor, api.TestsRequest{Files: c.files}), c.want...)
		})
	}
}

// Without a server that knows the language the names alone count, and the answer
// says so; a file that is not there is an error.
func TestTestsForWithoutServer(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, "-- toy.root --\n-- src/x.rs --\n#[cfg(test)]\nmod tests {}\n-- tests/x.rs --\n")
	s.Git("init", "-q") // without it only files that a server knows are known
	result := enginetest.Do(t, s, api.TestsFor, api.TestsRequest{Files: []string{"src/x.rs"}})
	expectTests(t, result, "src/x.rs: src/x.rs (inside)", "src/x.rs: tests/x.rs (name)")
	if len(result.Notes) != 1 || !strings.Contains(result.Notes[0], "by names alone") {
		t.Errorf("notes %q", result.Notes)
	}
	if _, err := api.TestsFor.Do(t.Context(), s.Engine, api.TestsRequest{Files: []string{"src/none.rs"}}); !enginetest.Is[*workspace.NotFoundError](err) {
		t.Errorf("%T %v", err, err)
	}
	if _, err := api.TestsFor.Do(t.Context(), s.Engine, api.TestsRequest{}); !enginetest.Is[*api.ArgumentError](err) {
		t.Errorf("%T %v", err, err)
	}
}
