package imports

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/language"
)

// A text is divided where its declarations end. Each part has the names that it declares, what its
// users may see, and what not: bodies under a written type; of a body from which a type follows only
// what is sure stands without it. What nobody understands may change all.
func TestPartsOfTexts(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       []declaration
	}{
		{"a.py", "\"doc\"\nimport os\nfrom a import *\nfrom b import c\n", []declaration{
			{},
			{shown: "import os\n", sure: "import os\n", passes: true},
			{shown: "from a import *\n", sure: "from a import *\n", passes: true, shapes: true},
			{shown: "from b import c\n", sure: "from b import c\n", passes: true},
		}},
		{"a.py", "if __name__ == '__main__':\n  f()\n", []declaration{
			{hidden: "if __name__ == '__main__':\n  f()\n"},
		}},
		{"a.py", "if A:\n  x = 1\n  def g(): pass\nelse:\n  y: int\n", []declaration{
			{names: []string{"g", "x"}, shown: "if A:\n  x = 1\n  def g(): pass\n", sure: "if A:\n  x = 1\n  def g():", passes: true},
			{names: []string{"y"}, shown: "else:\n  y: int\n", sure: "else:\n  y: int\n", passes: true},
		}},
		{"a.py", "try:\n  pass\n", []declaration{
			{shown: "try:\n  pass\n", sure: "try:\n  pass\n", passes: true, shapes: true},
		}},
		{"a.py", "__all__ = ['a']\na.b[c], d = 1, 2\na = 1; b\nf(x)\n", []declaration{
			{names: []string{"__all__"}, shown: "__all__ = ['a']\n", sure: "__all__ = ['a']\n", shapes: true},
			{names: []string{"a", "b", "c", "d"}, shown: "a.b[c], d = 1, 2\n", sure: "a.b[c], d = 1, 2\n"},
			{names: []string{"a", "a", "b"}, shown: "a = 1; b\n", sure: "a = 1; b\n"},
			{shown: "f(x)\n", sure: "f(x)\n", shapes: true},
		}},
		{"a.py", "x: int\nx += 1\ntype T = int\n", []declaration{
			{names: []string{"x"}, shown: "x: int\n", sure: "x: int\n"},
			{names: []string{"x"}, shown: "x += 1\n", sure: "x += 1\n"},
			{names: []string{"T"}, shown: "type T = int\n", sure: "type T = int\n"},
		}},
		{"a.py", "def __getattr__(n):\n  return 1\n", []declaration{
			{names: []string{"__getattr__"}, shown: "def __getattr__(n):\n  return 1\n", sure: "def __getattr__(n):", shapes: true},
		}},
		{"a.py", "@d(\n  a\n)\nclass K(B):\n  def m(self) -> int:\n    return x\n", []declaration{
			{names: []string{"K"}, shown: "@d(\n  a\n)\nclass K(B):\n  def m(self) -> int:", hidden: "\n    return x\n\n", sure: "@d(\n  a\n)\nclass K(B):\n  def m(self) -> int:"},
		}},
		{"a.py", "for i, j in k:\n  pass\nwith a as b:\n  if (c := d): pass\n", []declaration{
			{names: []string{"i", "j", "k"}, shown: "for i, j in k:\n  pass\n", sure: "for i, j in k:\n  pass\n", passes: true},
			{names: []string{"c", "b", "c"}, shown: "with a as b:\n  if (c := d): pass\n", sure: "with a as b:\n  if (c := d): pass\n", passes: true},
		}},
		{"a.py", "def f(\n", []declaration{
			{names: []string{"f"}, shown: "def f(\n", sure: "def f(\n", passes: true, shapes: true},
		}},
		{"a.go", "// Package p.\n//go:build linux\n\npackage p\n\nimport (\n\t\"fmt\"\n\t\"example.com/a\"\n)\n\n// F is.\nfunc F() int { return 1 }\n\nfunc init() {}\nfunc main() {}\nfunc _() {}\n\nfunc (k *K[T]) M(a int) {}\n\nfunc External()\n", []declaration{
			{shown: "package p\n//go:build linux", sure: "package p\n//go:build linux", shapes: true},
			{shown: "\"fmt\"", sure: "\"fmt\""},
			{shown: "\"example.com/a\"", sure: "\"example.com/a\"", shapes: true, links: true},
			{names: []string{"F"}, shown: "        \nfunc F() int ", hidden: "{ return 1 }\n", sure: "        \nfunc F() int ", qualified: true},
			{shown: "func init() ", hidden: "{}\n", sure: "func init() ", qualified: true},
			{shown: "func main() ", hidden: "{}\n", sure: "func main() ", qualified: true},
			{shown: "func _() ", hidden: "{}\n", sure: "func _() ", qualified: true},
			{names: []string{"M", "K", "T"}, shown: "func (k *K[T]) M(a int) ", hidden: "{}\n", sure: "func (k *K[T]) M(a int) "},
			{names: []string{"External"}, shown: "func External()", sure: "func External()", qualified: true},
		}},
		{"a.go", "package p\n\n//go:linkname a b\nvar a int\n\nvar (\n\t// B is.\n\tB = 1\n\t//go:embed c\n\tC, _ string\n)\n\n// Consts.\nconst (\n\tD = iota\n\tE\n)\n\n//go:generate x\ntype (\n\t// T is.\n\tT int\n\tU string\n)\n\ntype V struct{} // V is\n", []declaration{
			{shown: "package p", sure: "package p", shapes: true},
			{names: []string{"a"}, shown: "//go:linkname a b\nvar a int", sure: "//go:linkname a b\nvar a int", qualified: true},
			{names: []string{"B"}, shown: "        \n\tB = 1", sure: "        \n\tB = 1", qualified: true},
			{names: []string{"C"}, shown: "//go:embed c\n\tC, _ string", sure: "//go:embed c\n\tC, _ string", qualified: true},
			{names: []string{"D", "E"}, shown: "          \nconst (\n\tD = iota\n\tE\n)", sure: "          \nconst (\n\tD = iota\n\tE\n)", qualified: true},
			{names: []string{"T"}, shown: "//go:generate x\n        \n\tT int", sure: "//go:generate x\n        \n\tT int"},
			{names: []string{"U"}, shown: "U string", sure: "U string"},
			{names: []string{"V"}, shown: "type V struct{}", sure: "type V struct{}"},
		}},
		{"a.go", "package p\n\n// #include <a.h>\nimport \"C\"\n\n// Not this.\nimport \"os\"\n\nimport (\n\t// #define A\n\t\"C\"\n\t// Nor this.\n\t\"io\"\n)\n", []declaration{
			{shown: "package p", sure: "package p", shapes: true},
			{shown: "// #include <a.h>\nimport \"C\"", sure: "// #include <a.h>\nimport \"C\"", shapes: true, links: true},
			{shown: "            \nimport \"os\"", sure: "            \nimport \"os\""},
			{shown: "// #define A\n\t\"C\"", sure: "// #define A\n\t\"C\"", shapes: true, links: true},
			{shown: "// Nor this.\n\t\"io\"", sure: "// Nor this.\n\t\"io\""},
		}},
		{"a.go", "package p\n\nfunc {\ntype T int\n", []declaration{
			{names: []string{"T"}, shown: "package p\n\nfunc {\ntype T int\n", sure: "package p\n\nfunc {\ntype T int\n", passes: true, shapes: true},
		}},
		{"a.cc", "#pragma once\n#define A(x) \\\n  x\n#undef B\nint n, m[2] = {1};\n", []declaration{
			{shown: "#pragma once\n", sure: "#pragma once\n"},
			{names: []string{"A"}, shown: "#define A(x) \\\n  x\n", sure: "#define A(x) \\\n  x\n"},
			{names: []string{"B"}, shown: "#undef B\n", sure: "#undef B\n"},
			{names: []string{"n", "m"}, shown: "int n, m[2] = {1};\n", sure: "int n, m[2] = {1};\n"},
		}},
		{"a.cc", "namespace a {\nint f(int n) { return n; }\n}\n", []declaration{
			{shown: "namespace a {\n", sure: "namespace a {\n", shapes: true},
			{names: []string{"f"}, shown: "int f(int n) {", hidden: " return n; }\n\n", sure: "int f(int n) {"},
			{shown: "}\n", sure: "}\n", shapes: true},
		}},
		{"a.cc", "namespace a\n\n{\nint f();\n} int g();\n", []declaration{
			{shown: "namespace a\n\n{\n", sure: "namespace a\n\n{\n", shapes: true},
			{names: []string{"f"}, shown: "int f();\n", sure: "int f();\n"},
			{shown: "} int g();\n", sure: "} int g();\n", shapes: true},
		}},
		{"a.cc", "extern \"C\" {\nint f();\n}\nextern \"C\" int g();\n", []declaration{
			{shown: "extern \"C\" {\n", sure: "extern \"C\" {\n", shapes: true},
			{names: []string{"f"}, shown: "int f();\n", sure: "int f();\n"},
			{shown: "}\n", sure: "}\n", shapes: true},
			{shown: "extern \"C\" int g();\n", sure: "extern \"C\" int g();\n", shapes: true},
		}},
		{"a.cc", "struct K { int n; } k;\ntypedef struct S { int n; } T;\nenum E { one, two };\nenum class F : int;\n", []declaration{
			{names: []string{"K", "k"}, shown: "struct K { int n; } k;\n", sure: "struct K { int n; } k;\n"},
			{names: []string{"S", "T", "int", "n", "T", "typedef", "struct", "S"}, shown: "typedef struct S { int n; } T;\n", sure: "typedef struct S { int n; } T;\n"},
			{names: []string{"E", "one", "two"}, shown: "enum E { one, two };\n", sure: "enum E { one, two };\n"},
			{names: []string{"F"}, shown: "enum class F : int;\n", sure: "enum class F : int;\n"},
		}},
		{"a.cc", "class API Kind final : B {\n void m() {}\n};\nstruct S *make(int n) {\n  return 0;\n}\n", []declaration{
			{names: []string{"Kind"}, shown: "class API Kind final : B {\n void m() {}\n};\n", sure: "class API Kind final : B {\n void m() {}\n};\n"},
			{names: []string{"S", "make"}, shown: "struct S *make(int n) {", hidden: "\n  return 0;\n}\n\n", sure: "struct S *make(int n) {"},
		}},
		{"a.cc", "class URL final {\n};\nclass final {\n};\nint f(int a, int b), *const g, h[3], i();\nint n, last(int a, int b);\nS::S() : a(1), b(2) {\n}\nstd::map<Data, int> at(std::map<int, char> m);\n", []declaration{
			{names: []string{"URL"}, shown: "class URL final {\n};\n", sure: "class URL final {\n};\n"},
			{names: []string{"final"}, shown: "class final {\n};\n", sure: "class final {\n};\n"},
			{names: []string{"f", "i", "g", "h"}, shown: "int f(int a, int b), *const g, h[3], i();\n", sure: "int f(int a, int b), *const g, h[3], i();\n"},
			{names: []string{"last", "n"}, shown: "int n, last(int a, int b);\n", sure: "int n, last(int a, int b);\n"},
			{names: []string{"S"}, shown: "S::S() : a(1), b(2) {", hidden: "\n}\n\n", sure: "S::S() : a(1), b(2) {"},
			{names: []string{"at"}, shown: "std::map<Data, int> at(std::map<int, char> m);\n", sure: "std::map<Data, int> at(std::map<int, char> m);\n"},
		}},
		{"a.cc", "template <class T>\nT f(T t) {\n  return t;\n}\nauto g() {\n  return 1;\n}\n", []declaration{
			{names: []string{"T", "f"}, shown: "template <class T>\nT f(T t) {\n  return t;\n}\n", sure: "template <class T>\nT f(T t) {\n  return t;\n}\n"},
			{names: []string{"g"}, shown: "auto g() {\n  return 1;\n}\n", sure: "auto g() {\n  return 1;\n}\n"},
		}},
		{"a.cc", "int f() {\n#if A\n  return 1;\n#endif\n  return 2;\n}\n", []declaration{
			{names: []string{"f"}, shown: "int f() {\n#if A\n  return 1;\n#endif\n  return 2;\n}\n", sure: "int f() {\n#if A\n  return 1;\n#endif\n  return 2;\n}\n"},
		}},
		{"a.cc", "int a; int b;\n", []declaration{
			{names: []string{"a", "b"}, shown: "int a; int b;\n", sure: "int a; int b;\n", shapes: true},
		}},
		{"a.cc", "#if A\nint f() {\n#else\nint f(int n) {\n#endif\n}\n", []declaration{
			{shown: "#if A\n", sure: "#if A\n", shapes: true},
			{names: []string{"f", "f"}, shown: "int f() {\n#else\nint f(int n) {\n#endif\n}\n", sure: "int f() {\n#else\nint f(int n) {\n#endif\n}\n", shapes: true},
		}},
		{"a.cc", "using namespace s;\nusing T = int;\nbool operator==(K, K);\n;\n", []declaration{
			{names: []string{"namespace", "s"}, shown: "using namespace s;\n", sure: "using namespace s;\n", shapes: true},
			{names: []string{"T"}, shown: "using T = int;\n", sure: "using T = int;\n"},
			{names: []string{"operator"}, shown: "bool operator==(K, K);\n", sure: "bool operator==(K, K);\n", shapes: true},
			{shown: ";\n", sure: ";\n"},
		}},
		{"a.cc", "MACRO(x)\nint __attribute__((packed)) n;\n", []declaration{
			{names: []string{"MACRO"}, shown: "MACRO(x)\nint __attribute__((packed)) n;\n", sure: "MACRO(x)\nint __attribute__((packed)) n;\n", shapes: true},
		}},
		{"a.cc", "int n\n", []declaration{
			{shown: "int n\n", sure: "int n\n", shapes: true},
		}},
		{"a.ts", "import a from './a';\nexport { b as default } from './b';\nexport * from './c';\nexport * as d from './d';\nimport './e';\n", []declaration{
			{shown: "import a from './a';\n", sure: "import a from './a';\n", passes: true},
			{names: []string{"default"}, shown: "export { b as default } from './b';\n", sure: "export { b as default } from './b';\n", passes: true},
			{shown: "export * from './c';\n", sure: "export * from './c';\n", passes: true, shapes: true},
			{shown: "export * as d from './d';\n", sure: "export * as d from './d';\n", passes: true, shapes: true},
			{shown: "import './e';\n", sure: "import './e';\n", passes: true, shapes: true},
		}},
		{"a.ts", "export default function f(n: number): number {\n  return n;\n}\nexport default class {}\nexport = g;\n", []declaration{
			{names: []string{"f", "default"}, shown: "export default function f(n: number): number {}\n", hidden: "\n  return n;\n\n", sure: "export default function f(n: number): number {}\n"},
			{names: []string{"default"}, shown: "export default class {}\n", sure: "export default class {}\n"},
			{names: []string{"default"}, shown: "export = g;\n", sure: "export = g;\n", passes: true},
		}},
		{"a.ts", "const a: number = f(1), b = 2;\nlet { c, d: e } = f();\nvar g: () => void = h;\nconst i = (n: number): string => { return ''; };\nconst j = n => { return n; };\n", []declaration{
			{names: []string{"a", "b"}, shown: "const a: number = f(1), b = 2;\n", sure: "const a: number = f(1), b = 2;\n", global: []string{"a", "b"}},
			{names: []string{"c", "d", "e"}, shown: "let { c, d: e } = f();\n", sure: "let { c, d: e } = f();\n", global: []string{"c", "d", "e"}},
			{names: []string{"g"}, shown: "var g: () => void =", hidden: " h;\n\n", sure: "var g: () => void =", global: []string{"g"}},
			{names: []string{"i"}, shown: "const i = (n: number): string => {};\n", hidden: " return ''; \n", sure: "const i = (n: number): string => {};\n", global: []string{"i"}},
			{names: []string{"j"}, shown: "const j = n => { return n; };\n", sure: "const j = n => { return n; };\n", global: []string{"j"}},
		}},
		{"a.ts", "exports.a = 1;\nmodule.exports = { b };\nmodule.exports.c = function () { return 1; };\n", []declaration{
			{names: []string{"exports", "a"}, shown: "exports.a = 1;\n", sure: "exports.a = 1;\n"},
			{names: []string{"default", "module", "exports", "b"}, shown: "module.exports = { b };\n", sure: "module.exports = { b };\n"},
			{names: []string{"default", "module", "exports", "c", "function", "return"}, shown: "module.exports.c = function () { return 1; };\n", sure: "module.exports.c = function () {};\n"},
		}},
		{"a.ts", "declare global {\n  interface A { n: number }\n}\ndeclare module 'x' { export const b: number; }\nexport as namespace N;\nexport {};\n", []declaration{
			{names: []string{"A"}, shown: "declare global {\n  interface A { n: number }\n}\n", sure: "declare global {\n  interface A { n: number }\n}\n", shapes: true, global: []string{"A"}},
			{names: []string{"b"}, shown: "declare module 'x' { export const b: number; }\n", sure: "declare module 'x' { export const b: number; }\n", shapes: true, global: []string{"b"}},
			{names: []string{"N"}, shown: "export as namespace N;\n", sure: "export as namespace N;\n", passes: true, shapes: true, global: []string{"N"}},
			{shown: "export {};\n", sure: "export {};\n", passes: true},
		}},
		{"a.ts", "function f() { if (x) { y(); } return 1; }\n@dec\nclass K extends B { m(): void { a(); } n() { return 1; } }\n", []declaration{
			{names: []string{"f"}, shown: "function f() { if (x) { y(); } return 1; }\n", sure: "function f() {}\n", global: []string{"f"}},
			{names: []string{"K"}, shown: "@dec\nclass K extends B { m(): void {} n() { return 1; } }\n", hidden: " a(); \n", sure: "@dec\nclass K extends B { m(): void {} n() {} }\n", global: []string{"K"}},
		}},
		{"a.ts", "f(1)\n;[1].map(g)\nconst a = 1\n  + 2\nlet b\nb = 3;;\n", []declaration{
			{shown: "f(1)\n;", sure: "f(1)\n;", shapes: true},
			{shown: "[1].map(g)\n", sure: "[1].map(g)\n", shapes: true},
			{names: []string{"a"}, shown: "const a = 1\n  + 2\n", sure: "const a = 1\n  + 2\n", global: []string{"a"}},
			{names: []string{"b"}, shown: "let b\n", sure: "let b\n", global: []string{"b"}},
			{shown: "b = 3;", sure: "b = 3;", shapes: true},
			{shown: ";\n", sure: ";\n"},
		}},
		{"a.ts", "export const f = async (): Promise<void> => { await g(); };\nexport type T = { n: number };\nexport abstract class A { abstract m(): void; }\n", []declaration{
			{names: []string{"f"}, shown: "export const f = async (): Promise<void> => {};\n", hidden: " await g(); \n", sure: "export const f = async (): Promise<void> => {};\n"},
			{names: []string{"T"}, shown: "export type T = { n: number };\n", sure: "export type T = { n: number };\n"},
			{names: []string{"A"}, shown: "export abstract class A { abstract m(): void; }\n", sure: "export abstract class A { abstract m(): void; }\n"},
		}},
		{"a.ts", "function f(\n", []declaration{
			{names: []string{"f"}, shown: "function f(\n", sure: "function f(\n", passes: true, shapes: true},
		}},
	} {
		path := here("/r/" + c.path)
		got := familyOf(path).declarations(path, c.text)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(declaration{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", c.path, c.text, diff)
		}
	}
}

// The top level of an indented text is divided at each line that begins there: not within brackets or
// a string, after a line that goes on, or between decorators and what they decorate.
func TestBlocksOfAnIndentedText(t *testing.T) {
	for _, want := range [][]string{
		{"a = 1\n", "b = 2"},
		{"a = 1\n\n\n", "b = 2\n"},
		{"@d\n@e(\n1,\n)\ndef f(): pass\n", "x = 1\n"},
		{"a = 1 + \\\n2\n", "b = [\n1,\n]\n", "c = 1\n"},
		{"a = 1\\\r\nb\r\n", "c\r\n"},
		{"\"\"\"one\ntwo\n\"\"\"\n", "a = 1\n"},
		{"  # c\n", "a = 1\n# d\n", "b = 2\n"},
		{"def f():\n  a\n", "b\n"},
		{"\n\n", "a = {\n}\n", "b = (\n)\n"},
		{"@d\n"},
		{""},
	} {
		text := strings.Join(want, "")
		s := scan(text, language.Of("a.py").Lexis)
		var got []string
		for _, p := range s.blocks() {
			got = append(got, text[p.from:p.to])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// A body begins after the colon that ends the head of its function, which stands in no brackets, and
// ends before the next line that is no deeper. Whether its result is written is told by an arrow; a body
// that sets more than its own variables is none.
func TestBodiesOfAnIndentedText(t *testing.T) {
	type hidden struct {
		Text    string
		Written bool
	}
	for text, want := range map[string][]hidden{
		"def f(): return 1":                                      {{" return 1", false}},
		"def f() -> int: return 1\n":                             {{" return 1\n", true}},
		"def f(a=-1, b={1: 2}, c=[x for x in y]):\n  return a\n": {{"\n  return a\n", false}},
		"def f(a) -> dict[\"k: v\", {1: 2}]:\n  a\n":             {{"\n  a\n", true}},
		"def f() - 1:\n  a\n":                                    {{"\n  a\n", false}},
		"def f() -":                                              nil,
		"def f()->":                                              nil,
		"class K:\n  def m(self):\n    return 1\n\n  def n(self) -> int:\n    return 2\n  x = 1\n": {{"\n    return 1\n\n", false}, {"\n    return 2\n", true}},
		"class K:\n  x: int\n":                             nil,
		"def f():\n  def g():\n    return 1\n  return g\n": {{"\n  def g():\n    return 1\n  return g\n", false}},
		"def f(self):\n  self.x = 1\n":                     nil,
		"def f():\n  global a\n  a = 1\n":                  nil,
		"def f():\n  setattr(a, b, c)\n":                   nil,
		"def f():\n  a.b += 1\n":                           nil,
		"def f():\n  a.b == 1\n":                           {{"\n  a.b == 1\n", false}},
		"def f():\n  a = '''\nb\n'''\n  return a\nc = 1\n": {{"\n  a = '''\nb\n'''\n  return a\n", false}},
		"def f():\n  a\n# c\n  b\nc\n":                     {{"\n  a\n# c\n  b\n", false}},
		"async def f():\n\n  return 1\n\n\n":               {{"\n\n  return 1\n\n\n", false}},
		"  def f():\n    a\n  b\n":                         {{"\n    a\n", false}},
		"\n  def f():\n    a\n   b\n  c\n":                 {{"\n    a\n   b\n", false}},
		"def f():\n\treturn 1\n":                           {{"\n\treturn 1\n", false}},
		"def f(a: int):\n  return a\ndef g():\n  return 1": {{"\n  return a\n", false}, {"\n  return 1", false}},
	} {
		s := scan(text, language.Of("a.py").Lexis)
		var got []hidden
		for _, b := range s.pythonBodies(span{0, len(text)}) {
			got = append(got, hidden{text[b.from:b.to], b.hidden})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}
