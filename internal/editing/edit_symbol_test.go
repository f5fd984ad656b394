package editing_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/editing"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/symbols"
)

const goShapes = `
-- go.mod --
module m

go 1.24
-- a.go --
package m

// Old is a type.
// It has two lines.
type Old struct {
	A int
}

// Get gets.
func (o *Old) Get(x interface{}) (n int) {
	if x != nil { // }
		return '}'
	}
	return o.A
}

var (
	// First is first.
	First = 1
	Second = 2
)

var left, right = 1, 2

func unused() { return }

func last() int { return First + Second + left + right }
`

const scriptShapes = `
-- tsconfig.json --
{"include": ["."]}
-- a.ts --
/** Keeps. */
@sealed
export class Keep {
  private a = 1;

  get(): string { return ` + "`${this.a}}`" + `; }

  /** Unused. */
  other(): void {
    console.log("}");
  }
}

function sealed(c: unknown) { return c; }
export const one = 1, two = 2;
`

const pythonShapes = `
-- pyrightconfig.json --
{}
-- a.py --
import functools


# Cached.
@functools.cache
def cached(x: dict[str, int] = {}) -> int:
    """Doc: of it."""
    return len(x)


class Box:
    def short(self): return 1

    def long(self) -> int:
        return 2


print(cached(), Box().long())
`

// A declaration is replaced, extended and deleted with what belongs to it: keywords
// that servers leave out of its range, doc comments and decorators; empty lines and
// indentation are as they were.
//
// Requirement: AGENT-19.
func TestEditSymbol(t *testing.T) {
	t.Parallel()
	shops := make(map[string]*enginetest.Shop)
	for _, c := range []struct{ server, archive, symbol, action, code, want string }{
		{"gopls", goShapes, "a.go Old", "replace", "type Old struct{ A, B int }", "// It has two lines.\ntype Old struct{ A, B int }\n\n// Get"},
		{"gopls", goShapes, "a.go Old", "replace", "// New.\ntype Old struct{ A int }", "package m\n\n// New.\ntype Old struct{ A int }\n\n// Get"},
		{"gopls", goShapes, "a.go Old.Get", "replace_body", "return 7", "// Get gets.\nfunc (o *Old) Get(x interface{}) (n int) {\n\treturn 7\n}\n\nvar"},
		{"gopls", goShapes, "a.go Old.Get", "replace_body", "{\n    if true {\n        return 1\n    }\n    return 2\n}", "(n int) {\n\tif true {\n\t    return 1\n\t}\n\treturn 2\n}\n"},
		{"gopls", goShapes, "a.go last", "replace_body", "return 1", "func last() int { return 1 }\n"},
		{"gopls", goShapes, "a.go Old.Get", "insert_before", "func New() *Old { return nil }", "}\n\nfunc New() *Old { return nil }\n\n// Get gets."},
		{"gopls", goShapes, "a.go Old.Get", "insert_after", "func Put() {}\n", "return o.A\n}\n\nfunc Put() {}\n\nvar ("},
		{"gopls", goShapes, "a.go Second", "insert_after", "Third = 3", "\tSecond = 2\n\tThird = 3\n)"},
		{"gopls", goShapes, "a.go:20 Second", "insert_after", "Third = 3", "\tSecond = 2\n\tThird = 3\n)"},
		{"gopls", goShapes, "a.go unused", "delete", "", "var left, right = 1, 2\n\nfunc last()"},
		{"typescript", scriptShapes, "a.ts Keep.other", "delete", "", "`${this.a}}`; }\n}\n"},
		{"typescript", scriptShapes, "a.ts Keep.get", "replace_body", "return 'x';", "get(): string { return 'x'; }"},
		{"typescript", scriptShapes, "a.ts Keep.get", "insert_after", "more(): void {}", "`${this.a}}`; }\n  more(): void {}\n\n  /** Unused"},
		{"typescript", scriptShapes, "a.ts Keep", "replace", "export class Keep {}", "/** Keeps. */\n@sealed\nexport class Keep {}\n\nfunction"},
		{"typescript-language-server", scriptShapes, "a.ts Keep.other", "replace", "other(): void {}", "  /** Unused. */\n  other(): void {}\n}"},
		{"pyright", pythonShapes, "a.py cached", "replace_body", "return 0", "# Cached.\n@functools.cache\ndef cached(x: dict[str, int] = {}) -> int:\n    return 0\n\n\nclass"},
		{"pyright", pythonShapes, "a.py cached", "replace", "def cached() -> int:\n  return 1", "# Cached.\n@functools.cache\ndef cached() -> int:\n  return 1\n\n\nclass"},
		{"pyright", pythonShapes, "a.py Box.short", "replace_body", "if 1:\n  return 1\nreturn 2", "    def short(self):\n        if 1:\n          return 1\n        return 2\n\n    def long"},
		{"pyright", pythonShapes, "a.py Box.short", "delete", "", "class Box:\n    def long(self)"},
		{"pyright", pythonShapes, "a.py Box", "insert_before", "def between():\n    pass", "return len(x)\n\n\ndef between():\n    pass\n\n\nclass Box"},
	} {
		if shops[c.server] == nil {
			shops[c.server] = enginetest.OpenReal(t, c.archive, c.server)
		}
		t.Run(c.server+"/"+c.symbol+"/"+c.action, func(t *testing.T) {
			s := shops[c.server]
			place, _, _ := strings.Cut(c.symbol, " ")
			file, _, _ := strings.Cut(place, ":")
			before := s.Read(file)
			enginetest.Do(t, s, api.EditSymbol, api.EditSymbolRequest{Selector: api.Selector{At: c.symbol}, Action: c.action, Code: c.code})
			got := s.Read(file)
			s.Write(file, before)
			if !strings.Contains(got, c.want) {
				t.Errorf("%s", got)
			}
		})
	}
}

// A declaration that is used is not deleted, and its uses are listed; what shares
// its lines with others, has no body, or is no declaration, is left alone.
//
// Requirement: AGENT-19.
func TestEditSymbolRefuses(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, goShapes, "gopls")
	before := s.Read("a.go")
	for _, c := range []struct {
		req  api.EditSymbolRequest
		want string
		is   func(error) bool
	}{
		{api.EditSymbolRequest{Selector: api.Selector{At: "a.go First"}, Action: "delete"}, "used in 1 place:\na.go:27:26  func last()", enginetest.Is[*editing.InUseError]},
		{api.EditSymbolRequest{Selector: api.Selector{At: "a.go left"}, Action: "replace", Code: "x"}, "shares its lines", enginetest.Is[*editing.SharedLinesError]},
		{api.EditSymbolRequest{Selector: api.Selector{At: "a.go First"}, Action: "replace_body", Code: "x"}, "no body", enginetest.Is[*editing.NoBodyError]},
		{api.EditSymbolRequest{Selector: api.Selector{At: "a.go:27 Second"}, Action: "delete"}, "no declaration", enginetest.Is[*editing.NoDeclarationError]},
		{api.EditSymbolRequest{Selector: api.Selector{At: "a.go Nowhere"}, Action: "delete"}, "Nowhere", enginetest.Is[*symbols.NotFoundError]},
		{api.EditSymbolRequest{Selector: api.Selector{At: "a.go First"}, Action: "remove"}, "no action", enginetest.Is[*api.ArgumentError]},
		{api.EditSymbolRequest{Selector: api.Selector{At: "a.go First"}, Action: "delete", Code: "x"}, "takes none", enginetest.Is[*api.ArgumentError]},
		{api.EditSymbolRequest{Selector: api.Selector{At: "a.go First"}, Action: "replace"}, "it is empty", enginetest.Is[*api.ArgumentError]},
	} {
		_, err := api.EditSymbol.Do(t.Context(), s.Engine, c.req)
		if err == nil || !c.is(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %T %v", c.req, err, err)
		}
		var hinted interface{ Hint() string }
		if errors.As(err, &hinted) && hinted.Hint() == "" {
			t.Errorf("%v: no way out", err)
		}
	}
	if s.Read("a.go") != before {
		t.Error("the file was changed")
	}
}
