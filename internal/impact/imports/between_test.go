package imports

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// what shows a difference in one line: sure names, inferred ones, and whether it is all.
func (d *Difference) what() string {
	words := slices.Clone(d.Sure)
	for _, name := range d.Inferred {
		words = append(words, "~"+name)
	}
	if d.All {
		words = append(words, "(all)")
	}
	return strings.Join(words, " ")
}

// What users of a file may see of a change is what cannot be proven to be the same:
// bodies under written types, values of typed variables and comments show nothing,
// bodies from which a type follows show that; what is inserted belongs to what it
// changes, or to the whole file.
func TestBetween(t *testing.T) {
	const (
		ts = "/** Doc. */\nexport function f(n: number): { a: number } {\n  return { a: n };\n}\nfunction g(n: number) {\n  return n;\n}\nexport const c: number = f(1).a;\nexport const d = f(2);\nexport class K {\n  x = 1;\n  m(): string[] {\n    return [];\n  }\n  n() {\n    return 1;\n  }\n}\nexport { g as h };\n"
		py = "import os\nfrom a import b\n\n\ndef f(n: int) -> int:\n    return n\n\n\ndef g(n):\n    return n\n\n\nclass K:\n    x: int = 1\n\n    def m(self) -> str:\n        return \"\"\n\n    def n(self) -> None:\n        self.y = 1\n\n\nT = g(1)\n"
		cc = "#pragma once\n#include \"a.h\"\nnamespace s {\nstruct K {\n  int x;\n};\nint f(int n);\ninline int g(int n) {\n  return n;\n}\ntemplate <typename T>\nT h(T t) {\n  return t;\n}\nenum E { one, two };\n#define M(x) x\n}  // namespace s\n"
		// a class behind a macro, with a directive in it; a brace that closes twice
		lib = "#define L\nnamespace s\n{\nclass L U\n{\npublic:\n  int a() { return 1; }\n#ifdef D\n  int c() { return 2; }\n#endif\n  int b(int n);\n};\n" +
			"inline int d() {\n  return 4;\n}\nint e(int n);\nstruct S k(int n);\ninline int i() {\n#if A\n  if (x) {\n#else\n  if (y) {\n#endif\n  }\n  return 6;\n}\n}\n"
		gg = "// Package p does it.\npackage p\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/core\"\n)\n\n// F says.\nfunc F(n int) int {\n\treturn n\n}\n\ntype T struct{ n int }\n\nfunc (t *T) M() string { return fmt.Sprint(t.n) }\n\nvar (\n\tV = core.V\n\tW int\n)\n\nconst (\n\tA = iota\n\tB\n)\n\nfunc init() { W = 1 }\n"
		// a group with a comment of its own, and of its members
		grouped = "package p\n\n// Both of them.\n//\n//go:noescape\nvar (\n\tA int\n\t// B is two.\n\tB = 2\n\n\t//go:embed c\n\tC string\n)\n"
	)
	for _, c := range []struct{ path, text, old, new, want string }{
		{"a.ts", ts, "Doc.", "Text.", ""},
		{"a.h", cc, "enum E", "template <>\nstruct Hash<K> {\n  int n;\n};\nenum E", "Hash (all)"},
		{"a.h", cc, "enum E", "template <typename T>\nstruct Hash<List<T>> {\n  int n;\n};\nenum E", "Hash (all)"},
		{"a.h", cc, "enum E", "template <typename T>\nstruct Hash {\n  List<T> n;\n};\nenum E", "Hash"},
		{"a.ts", ts, "{\n  return { a: n };", "{\n\n  // a\n  return { a: n + 1 };", ""},
		{"a.ts", ts, "return n;", "return \"n\";", "~g"},
		{"a.ts", ts, "= f(1).a", "= 7", ""},
		{"a.ts", ts, "f(2)", "f(3)", "d"},
		{"a.ts", ts, "return [];", "return [\"]\"];", ""},
		{"a.ts", ts, "    return 1;", "    return 2;", "~K"},
		{"a.ts", ts, "x = 1", "x = \"1\"", "K"},
		{"a.ts", ts, "export function f", "export function f(n: 1): { a: 1 };\nexport function f", "f"},
		{"a.ts", ts, "/** Doc", "export interface K { y: number }\n/** Doc", "K"},
		{"a.ts", ts, "export class", "@sealed\nexport class", "K"},
		{"a.ts", ts, "g as h", "g as i", "g h i"},
		{"a.ts", ts, "export class", "declare global {\n  interface Array<T> { z: T }\n}\nexport class", "Array (all)"},
		{"a.ts", ts, "export class", "check(d);\nexport class", "(all)"},
		{"a.ts", ts, "export { g as h };\n", "export { g as h };\nexport * from \"./b\";\n", "(all)"},
		{"a.ts", ts, "function g", "/*\nfunction g", "K c d f g h (all)"},
		{"a.ts", ts, "export class", "export const e = `}${\"`\"}`, r = /[\"/]{/;\nexport class", "e r"},
		{"a.ts", ts, "): { a: number } {", ") {", "f"},
		{"a.ts", ts, "{ a: number }", "{ a: string }", "f"},
		{"a.ts", "export const f = (n: number): number => {\n  return n;\n};\n", "return n", "return 1", ""},
		{"a.ts", "export const f = (n: number) => {\n  return n;\n};\n", "return n", "return 1", "~f"},
		{"a.ts", "export const f = t ? (n) : m => {\n  return n;\n};\n", "return n", "return 1", "f"},
		{"a.ts", "export const a = 1, b = 2\nexport const c =\n  a\n", "b = 2", "b = 3", "a b"},
		{"a.ts", "export const a = 1;\nexport const b = 2\n", "\nexport const b", " export const b", ""},
		{"a.ts", "export function f() { return 1; } export function g(): number { return 2; }\n", "return 1", "return 3", "~f"},
		{"a.ts", "export const a = 1\ncheck(a)\n", "check(a)", "check(0)", "(all)"},
		{"a.ts", "export const { a = 1 } = b, [c = 2] = d;\n", "= b", "= e", "a b c d e"},
		{"a.ts", "export const r = /a\\/{/;\nexport const s = 1;\n", "s = 1", "s = 2", "s"},
		{"a.ts", "const a = 1;\n", "const a", "export const b = 2;\nconst a", "a b (all)"},
		{"a.ts", "// @ts-ignore\nexport const a = b;\n", "// @ts-ignore\n", "", "a"},
		{"a.js", "/** @type {number} */\nexport const a = b;\n", "number", "string", "a"},
		{"a.go", gg, "return n", "// more\n\treturn n + 1", ""},
		{"a.go", gg, "F says", "F tells", ""},
		{"a.go", gg, "n int) int", "n int, s string) int", "F"},
		{"a.go", gg, "{ n int }", "{ n int64 }", "T"},
		{"a.go", gg, "M() string", "M() any", "M T"},
		{"a.go", gg, "W int", "W, X int", "W X"},
		{"a.go", gg, "= core.V", "= core.W", "V"},
		{"a.go", gg, "\tB\n", "\tZ\n\tB\n", "A B Z"},
		{"a.go", gg, "W = 1", "W = 2", ""},
		{"a.go", gg, "\t\"fmt\"", "\t\"fmt\"\n\t\"os\"", ""},
		{"a.go", gg, "example.com/core", "example.com/more", "(all)"},
		{"a.go", gg, "package p\n", "package q\n", "(all)"},
		{"a.go", gg, "// Package p does it.", "//go:build linux\n\n// Package p does it.", "(all)"},
		{"a.go", gg, "// F says.", "//go:noinline", "F"},
		{"a.go", gg, "import (", "// int n;\nimport \"C\"\n\nimport (", "(all)"},
		{"a.go", gg, "func init", "func init {\n", "A B F M T V W init (all)"},
		{"a.go", gg, "func init() { W", "func init() {}\n\nfunc G() { W", "G"},
		{"a.go", grouped, "Both", "The two", ""},
		{"a.go", grouped, "//go:noescape", "//go:escape", "A"},
		{"a.go", grouped, "// B is", "// B was", ""},
		{"a.go", grouped, "//go:embed c", "//go:embed d", "C"},
		{"a.go", grouped, "= 2", "= 3", "B"},
		{"a.py", "@one(\n    1,\n)\ndef f(n: int) -> int:\n    return n\n", "int:", "str:", "f"},
		{"a.py", "a = 1; b = 2\n", "1;", "3;", "a b"},
		{"a.py", "def f() -> int:\n    return 1\n\n\nif __name__ == \"__main__\":\n    f()\n", "    f()\n", "    print(f())\n", ""},
		{"a.py", py, "return n\n\n\ndef g", "# more\n    return 1\n\n\ndef g", ""},
		{"a.py", py, "return n\n\n\nclass", "return 1\n\n\nclass", "~g"},
		{"a.py", py, "return \"\"", "return '''\nno'''", ""},
		{"a.py", py, "self.y = 1", "self.y = \"\"", "K"},
		{"a.py", py, "    def m", "    @property\n    def m", "K"},
		{"a.py", py, "def f", "@contextmanager\ndef f", "f"},
		{"a.py", py, "T = g(1)\n", "T = g(1)\n\n\ndef f(n: str) -> str:\n    return n\n", "f"},
		{"a.py", py, "T = g(1)\n", "T = g(1)\n__all__ = [\"T\"]\n", "__all__ (all)"},
		{"a.py", py, "T = g(1)\n", "T = g(1)\n\n\ndef __getattr__(name):\n    return name\n", "__getattr__ (all)"},
		{"a.py", py, "import os\n", "import sys\n", "os sys"},
		{"a.py", py, "T = g(1)\n", "T = g(1)\nexit()\n", "(all)"},
		{"a.py", py, "T = g(1)\n", "T = g(1)\nif T:\n    U = 1\n", "T U"},
		{"a.py", py, "import os\n", "\"\"\"Doc\n\nimport x\n\"\"\"\nimport os\n", ""},
		{"a.py", py, "\n\nclass K", "\nwrong = (\n\nclass K", "K T a b f g m n os (all)"},
		{"a.py", "def f(\n    a: int,\n) -> int:\n    return 1\n", "return 1", "return a", ""},
		{"a.h", cc, "  return n;", "  return n + 1;  // more", ""},
		{"a.h", cc, "  return t;", "  return t + t;", "h"},
		{"a.h", cc, "int f(int n);", "int f(int n, int m = 0);\nint f(int n);", "f"},
		{"a.h", cc, "int f(int n);", "#if 0\nint f(int n);\n#endif", "(all)"},
		{"a.h", cc, "int f(int n);", "namespace q {\nint f(int n);\n}", "(all)"},
		{"a.h", cc, "#define M(x) x", "#define M(x) \\\n  x x", "M"},
		{"a.h", cc, "one, two", "one, three", "E one three two"},
		{"a.h", cc, "int x;", "int y;", "K"},
		{"a.h", cc, "#include \"a.h\"", "#include \"b.h\"", "(all)"},
		{"a.h", lib, "b(int n)", "b(char n)", "U"},
		{"a.h", lib, "return 2;", "return 3;", "U"},
		{"a.h", lib, "#ifdef D\n", "#ifdef E\n", "U"},
		{"a.h", lib, "return 4;", "return 5;", ""},
		{"a.h", lib, "e(int n)", "e(char n)", "e"},
		{"a.h", lib, "return 6;", "return 7;", "6 7 i if (all)"},
		{"a.h", lib, "k(int n)", "k(char n)", "k"},
		{"a.h", "namespace a { namespace b {\nint f() {\n  return 1;\n}\nint g();\n} }\n", "int g", "char g", "g"},
		{"a.h", "#ifdef C\nextern \"C\" {\n#endif\nint f(void) {\n  return 1;\n}\nint g(void);\n#ifdef C\n}\n#endif\n", "int g", "char g", "g"},
		{"a.def", "X(a, 1)\nX(b, 2)\n", "X(b, 2)\n", "", "X (all)"},
	} {
		after := strings.Replace(c.text, c.old, c.new, 1)
		if after == c.text {
			t.Fatalf("no %q", c.old)
		}
		for _, way := range [][2]string{{c.text, after}, {after, c.text}} {
			d := Between(here("/r/"+c.path), []byte(way[0]), []byte(way[1]))
			if got := d.what(); got != c.want {
				t.Errorf("%s, %q to %q: %q, want %q", c.path, c.old, c.new, got, c.want)
			}
		}
	}
}

// Nothing is different only if no name surely or maybe is, and a name keeps its meaning only if the file
// declares it and it is none of those that changed.
func TestWhatADifferenceKeeps(t *testing.T) {
	declares := names{"a": true, "b": true, "c": true}
	type told struct {
		Nothing bool
		Keeps   string
	}
	for name, c := range map[string]struct {
		Difference
		want told
	}{
		"nothing":  {Difference{declared: declares}, told{true, "a b c"}},
		"surely":   {Difference{declared: declares, Sure: []string{"b"}}, told{false, "a c"}},
		"maybe":    {Difference{declared: declares, Inferred: []string{"c", "x"}}, told{false, "a b"}},
		"both":     {Difference{declared: declares, Sure: []string{"a"}, Inferred: []string{"b"}}, told{false, "c"}},
		"all":      {Difference{declared: declares, All: true}, told{false, ""}},
		"no names": {Difference{}, told{true, ""}},
	} {
		got := told{Nothing: c.IsNothing()}
		for _, name := range []string{"a", "b", "c", "d"} {
			if c.Keeps(name) {
				got.Keeps = strings.TrimSpace(got.Keeps + " " + name)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What a reader remembers of the texts that it compared before changes nothing: each
// comparison is that of a reader that knows none, also when another file has a text.
func TestComparisonsRemembered(t *testing.T) {
	texts := []string{"export function f(): number { return 1 }\n", "export function f(): number { return 2 }\n", "def f() -> int:\n    return 1\n", "export const f = 1\n"}
	var r Reader
	for range 2 {
		for _, path := range []string{here("/x/a.ts"), here("/x/b.py"), here("/x/b.ts")} {
			for _, before := range texts {
				for _, after := range texts {
					want := Between(path, []byte(before), []byte(after))
					got := r.Between(path, []byte(before), []byte(after))
					if diff := cmp.Diff(want, got, cmp.AllowUnexported(Difference{})); diff != "" {
						t.Errorf("%s: %q and %q (-want +got):\n%s", path, before, after, diff)
					}
				}
			}
		}
	}
	if n := len(r.divisions); n != len(texts)*3 {
		t.Errorf("the reader keeps %d divisions of %d", n, len(texts)*3)
	}
}

// Nobody can name init or main of a package; methods of those names, and their types, can be.
func TestFunctionsThatNobodyNames(t *testing.T) {
	got := Declared("a.go", []byte("package main\n\nfunc init() {}\n\nfunc main() {}\n\nfunc run() {}\n\nfunc (s *server) init() {}\n"))
	if diff := cmp.Diff([]string{"run", "init", "server"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
