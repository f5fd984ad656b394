package impact

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
)

// Whether a function's type may follow from its body is what its head says, in the way of its
// language: where the type is written, no user need be judged for a change of the body.
func TestInfers(t *testing.T) {
	named := regexp.MustCompile(`\bf\b`)
	type function struct {
		path, text string
		infers     bool
	}
	var got []function
	want := []function{
		{here("/r/a.go"), "func f() int {\n\treturn 1\n}\n", false},
		{here("/r/a.rs"), "fn f() {\n}\n", false},
		{here("/r/a.py"), "def f(a: int):\n    return a\n", true},
		{here("/r/a.py"), "def f(a: int) -> int:\n    return a\n", false},
		{here("/r/a.ts"), "function f(a: number) {\n\treturn a;\n}\n", true},
		{here("/r/a.ts"), "function f(a: number): number {\n\treturn a;\n}\n", false},
		{here("/r/a.ts"), "const f = a => {\n\treturn a;\n};\n", true},
		{here("/r/a.cc"), "int f() {\n\treturn 1;\n}\n", false},
		{here("/r/a.cc"), "auto f() {\n\treturn 1;\n}\n", true},
		{here("/r/a.cc"), "constexpr int f() {\n\treturn 1;\n}\n", true},
		{here("/r/a.cc"), "template <class T>\nint f() {\n\treturn 1;\n}\n", true},
	}
	for _, f := range want {
		lines := strings.Split(strings.TrimSuffix(f.text, "\n"), "\n")
		first := uint32(0)
		if strings.HasPrefix(lines[0], "template") { // servers leave out the line with the parameters
			first = 1
		}
		s := sym(functionKind, "f", first, uint32(len(lines)-1))
		name := uint32(named.FindStringIndex(lines[first])[0])
		s.SelectionRange = protocol.Range{Start: protocol.Position{Line: first, Character: name}, End: protocol.Position{Line: first, Character: name + 1}}
		o, text := outlineOf(t, f.path, f.text, s)
		f.infers = infers(f.path, o.Symbols[0], text)
		got = append(got, f)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(function{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
