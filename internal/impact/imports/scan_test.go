package imports

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/language"
)

// A regular expression ends at the slash that is neither escaped nor in a class; one that does
// not end with its line is a slash.
func TestRegexpEnd(t *testing.T) {
	for text, want := range map[string]int{
		`/a/`: 3, `/a\/b/ + c`: 6, `/[/]/g`: 5, `/[\]/]/`: 7, `/\\/`: 4, "/ 2\n/": 1, `/a`: 1, `/a\`: 1,
	} {
		if got := regexpEnd(text); got != want {
			t.Errorf("%s ends at %d, want %d", text, got, want)
		}
	}
}

// A template string ends at its own mark: not at one that is escaped, nor in what is put into it, which may
// be code with braces, strings and templates of its own.
func TestTemplateEnd(t *testing.T) {
	for text, want := range map[string]int{
		"`a` + `b`": 3, "``": 2, "`a\\`b` c": 6, "`{` }`": 3, "`$` {`": 3,
		"`${a}` `": 6, "`${ {b: {}} }`;": 14, "`${`${`x`}`}` + `": 13, "`${\"}`\"}` `": 9, "`${'`'}`": 8, "`${'it}`": 8, "`${a\\}b}` `": 9,
		"`a": -1, "`${a`}": -1, "`${`a}": -1, "`${a}": -1, "`a\\": -1, "`": -1,
	} {
		if got := templateEnd(text); got != want {
			t.Errorf("%s ends at %d, want %d", text, got, want)
		}
	}
}

// A string ends at its mark, unless that is escaped, or with its line where it may not be longer; and a raw
// one, whose mark begins with a bracket, knows no escapes.
func TestEndOf(t *testing.T) {
	for _, c := range []struct {
		text, mark string
		lines      bool
		want       int
	}{
		{`"a" b"`, `"`, false, 3},
		{`"a\"b"c`, `"`, false, 6},
		{"'a\nb'", "'", false, 2},
		{"'a\nb'c", "'", true, 5},
		{`"a`, `"`, false, -1},
		{`"a\`, `"`, false, -1},
		{`"(a\)" b`, `)"`, true, 6},
		{`""`, `"`, false, 2},
	} {
		if got := endOf(c.text, 1, c.mark, c.lines); got != c.want {
			t.Errorf("%q to %s, lines %t: %d, want %d", c.text, c.mark, c.lines, got, c.want)
		}
	}
}

// A text is surely one declaration if nothing follows it, it has one block at most, and whatever an #if
// decides leaves it that.
func TestOneDeclaration(t *testing.T) {
	for text, want := range map[string]bool{
		"int n;": true, "int n;\n\n": true, "int n": true, "void f() { if (x) { y(); } }": true, "struct K { int n; };": true, "": true,
		"int n; int m;": false, "void f() {} void g() {}": false, "void f() {": false, "}": false, "} void f() {": false,
		"void f() {\n#if A\n a();\n#else\n b();\n#endif\n}\n":    true,
		"void f() {\n#if A\n if (a) {\n#else\n {\n#endif\n }\n}": false,
		"int n;\n#if A\n": false, "int n;\n#endif\n": false, "#define M \\\n } {\nint n;\n": true,
	} {
		if got := isOne(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// Of a text with comments and strings the code is told from the rest; an apostrophe within a number
// or a word begins nothing, one behind a prefix of literals does.
func TestScanTellsCode(t *testing.T) {
	type told struct {
		Code, Bare string
		Broken     bool
	}
	for text, want := range map[string]told{
		"int n = 1'000'000; // a \"b\n":    {"int n = 1'000'000;        \n", "int n = 1 000 000;        \n", false},
		"f(L'x', '\"', \"/* {\"); /* ( */": {"f(L'x', '\"', \"/* {\");        ", "f(L' ', ' ', \"    \");        ", false},
		"f(L'\"', u8'}', U'\\''); g();":    {"f(L'\"', u8'}', U'\\''); g();", "f(L' ', u8' ', U'  '); g();", false},
		"n = 0xA'bc'd + '{'; don't f();":   {"n = 0xA'bc'd + '{'; don't f();", "n = 0xA bc d + ' '; don t f();", false},
		"f(R\"x(a)\" \\)x\");":             {"f(R\"x(a)\" \\)x\");", "f(R\"         \");", false},
		"f(); /* no end":                   {"f();          ", "f();          ", true},
		"f() {":                            {"f() {", "f() {", true},
		"} {":                              {"} {", "} {", true},
	} {
		s := scan(text, language.Of("a.cpp").Lexis)
		if diff := cmp.Diff(want, told{string(s.code), string(s.bare), s.broken}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// The value of a variable begins after the equals sign that stands in no brackets, and is no
// arrow's.
func TestValueAt(t *testing.T) {
	for text, want := range map[string]string{
		"a = 1": " 1", "{ a = 1 } = b": " b", "[a = (1)] = b": " b", "f: (n: number) => void = g": " g", "a": "a", "f: () => void": "f: () => void", "a =": "a =",
	} {
		if got := text[valueAt([]byte(text)):]; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// The body of a function whose result is written begins after the type of that.
func TestBodyAfter(t *testing.T) {
	for text, want := range map[string]string{
		": number { return 1 }":              "{ return 1 }",
		": { a: number } { return 1 }":       "{ return 1 }",
		": A | { b: B } { return 1 }":        "{ return 1 }",
		": () => { a: number } { return 1}":  "{ return 1}",
		": number => { return 1 }":           "arrow { return 1 }",
		": number =>\n{ return 1 }":          "arrow { return 1 }",
		": number => 1":                      "",
		": x is string { return 1 }":         "{ return 1 }",
		": \"{\" { return 1 }":               "{ return 1 }",
		": '{' | `{` { return 1 }":           "{ return 1 }",
		": Map<A, B> { return 1 }":           "{ return 1 }",
		": A extends B ? C : D { return 1 }": "{ return 1 }",
		": number else { return 1 }":         "",
		": number; { return 1 }":             "",
		": number =":                         "",
		": number =>":                        "",
		": a = { b }":                        "",
		" { return 1 }":                      "",
		": number":                           "",
	} {
		at, arrow := bodyAfter([]byte(text), 0)
		got := ""
		switch {
		case arrow:
			got = "arrow " + text[at:]
		case at > 0:
			got = text[at:]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// An import path means folders of the modules whose path it begins with, element by element.
func TestMeaningOfAnImportOfGo(t *testing.T) {
	modules := goModules{{"example.com/m", here("/r/m")}, {"example.com/m/sub", here("/r/other")}, {"", here("/r/none")}, {"example.com/m", here("/r/m")}}
	for spec, want := range map[string][]reference{
		"example.com/m":       {{path: here("/r/m"), exact: true}},
		"example.com/m/sub/a": {{path: here("/r/m/sub/a"), exact: true}, {path: here("/r/other/a"), exact: true}},
		"example.com/more":    nil,
		"fmt":                 nil,
		"/absolute":           nil,
	} {
		if diff := cmp.Diff(want, modules.meaning(spec), cmp.AllowUnexported(reference{})); diff != "" {
			t.Errorf("%s: %s", spec, diff)
		}
	}
}

// The modules of a tree are those of its go.mod files, also of one that is not all understood, with what they replace
// by folders; one that cannot be read is none.
func TestGoModulesOfATree(t *testing.T) {
	files := map[string]string{
		here("/r/go.mod"):       "module example.com/m\n\nreplace example.com/near => ./near\n\nreplace example.com/old => example.com/new v1.0.0\n",
		here("/r/wrong/go.mod"): "module example.com/wrong\n\nnonsense\n",
		here("/r/a.go"):         "package r\n",
	}
	tree := Tree{Read: func(path string) ([]byte, error) {
		if text, there := files[path]; there {
			return []byte(text), nil
		}
		return nil, errors.New("no such file")
	}}
	got := goModulesOf(tree, []string{here("/r/a.go"), here("/r/go.mod"), here("/r/gone/go.mod"), here("/r/wrong/go.mod")})
	want := goModules{{"example.com/m", here("/r")}, {"example.com/near", here("/r/near")}, {"example.com/wrong", here("/r/wrong")}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(goModule{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A slash begins a regular expression where an operand may stand, however far the code before it is,
// and divides elsewhere; an apostrophe that no word stands before begins a literal, at the beginning of
// a text, too.
func TestScanTellsOperands(t *testing.T) {
	far := strings.Repeat(" ", 20)
	type told struct {
		Strings []string
		Broken  bool
	}
	for _, c := range []struct {
		path, text string
		want       told
	}{
		{"a.ts", "x=/a'/; 'b'", told{[]string{"a'", "b"}, false}},
		{"a.ts", "x = " + far + "/a'/; 'b'", told{[]string{"a'", "b"}, false}},
		{"a.ts", "x = y" + far + "/ 'a' / 'b'", told{[]string{"a", "b"}, false}},
		{"a.ts", "x = y/ 'a' /2", told{[]string{"a"}, false}},
		{"a.ts", "return /'/", told{[]string{"'"}, false}},
		{"a.ts", "myreturn /'a'/ 1", told{[]string{"a"}, false}},
		{"a.ts", "/'/", told{[]string{"'"}, false}},
		{"a.ts", "f() / 'a' / 2", told{[]string{"a"}, false}},
		{"a.ts", "'' + \"\" + ``", told{nil, false}},
		{"a.ts", "`${'}'}` + '`'", told{[]string{"${'}'}", "`"}, false}},
		{"a.ts", "'a\n'b'", told{[]string{"b"}, false}},
		{"a.ts", "`a", told{nil, true}},
		{"a.ts", ")(", told{nil, true}},
		{"a.cc", "L'x' 'y'", told{[]string{"x", "y"}, false}},
		{"a.cc", "'x'", told{[]string{"x"}, false}},
		{"a.cc", "n'x'", told{nil, false}},
		{"a.cc", "R\"(a\"b)\" \"c\"", told{[]string{"(a\"b)", "c"}, false}},
		{"a.cc", "R\"x(a)\"", told{nil, true}},
		{"a.py", "\"\"\"a\"b\"\"\" + 'c'", told{[]string{"a\"b", "c"}, false}},
		{"a.py", "'''a", told{nil, true}},
	} {
		s := scan(c.text, language.Of(c.path).Lexis)
		got := told{Broken: s.broken}
		for _, str := range s.strings {
			if !s.broken {
				got.Strings = append(got.Strings, c.text[str.from:str.to])
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", c.path, c.text, diff)
		}
	}
}

// Comments that mean something are kept, and where they stand; others are blank, to the end of the text
// if they do not end.
func TestCommentsOfAScript(t *testing.T) {
	type told struct {
		Code string
		Kept []string
	}
	for text, want := range map[string]told{
		"a // b":                          {"a     ", nil},
		"a // b\nc":                       {"a     \nc", nil},
		"/* a\nb */ c":                    {"    \n     c", nil},
		"a /* b":                          {"a     ", nil},
		"/// <reference path=\"x\" />\ny": {"/// <reference path=\"x\" />\ny", []string{"/// <reference path=\"x\" />"}},
		"/* @ts-nocheck */ y":             {"/* @ts-nocheck */ y", []string{"/* @ts-nocheck */"}},
	} {
		s := scan(text, language.Of("a.ts").Lexis)
		got := told{Code: string(s.code)}
		for _, c := range s.comments {
			got.Kept = append(got.Kept, text[c.from:c.to])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// A text mentions a name if that stands in it as a word, wherever; with many names it is looked for word
// by word.
func TestMentionedNames(t *testing.T) {
	many := make(names)
	for i := range few {
		many.add(fmt.Sprint("other", i))
	}
	for text, want := range map[string]bool{
		"": false, "ab": true, "ab c": true, "c ab": true, "(ab)": true, "abc": false, "cab": false, "ab1": false, "9ab": false, "a_ab": false,
		"$ab": false, "ab\u00e9": false, "c.ab.d": true, "a b": false, "abc ab": true, "AB": false, "zab": false, "Zab": false, "Aab": false, "0ab": false, "@ab[": true,
	} {
		for _, of := range []names{{"ab": true}, many} {
			of["ab"] = true
			if got := of.mentioned(text); got != want {
				t.Errorf("%q, of %d names: %t", text, len(of), got)
			}
		}
	}
	if (names{}).mentioned("ab") {
		t.Error("none is mentioned")
	}
}

// The beginning of a statement is cut after as many bytes as matter, with one space for each gap.
func TestOpeningOfAStatement(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " a": "a", "a \t\r\n b ": "a b ", "ab": "ab",
		strings.Repeat("a", 161): strings.Repeat("a", 160), strings.Repeat("a", 160): strings.Repeat("a", 160), strings.Repeat("a ", 100): strings.Repeat("a ", 80),
	} {
		if got := opening(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// Of a project's table those of the checker count, and what stands before all tables.
func TestTablesOfAChecker(t *testing.T) {
	for text, want := range map[string]string{
		"":        "",
		"a = 1\n": "a = 1",
		"a = 1\n[tool.pyright]\nb = 2\n[tool.x]\nc = 3\n":             "a = 1\n[tool.pyright]\nb = 2",
		"[tool.x]\nc = 3\n[tool.basedpyright]\nb = 2\n":               "[tool.basedpyright]\nb = 2",
		"[tool.x]\npyright = 3\n":                                     "",
		" [tool.pyright] # it\nb = 2\n\t[tool.pyright.more]\nc = 3\n": "[tool.pyright] # it\nb = 2\n\t[tool.pyright.more]\nc = 3",
	} {
		if got := string(pyrightTables([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"{\"a\": 1, // b\n}": "{\"a\":1}", "{": "", "": "", "[1, /* 2 */ 3]": "[1,3]"} {
		if got := string(compact([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A graph is kept for the next search if there is a mark to go on from, and all files were read; another
// one of the family takes its place, or none.
func TestWhatIsKeptOfASearch(t *testing.T) {
	script, other := families[language.ScriptFamily], families[language.GoFamily]
	whole, cut := &graph{family: script, files: map[string]known{"a": {}, "b": {restless: true}}}, &graph{family: script, cut: true}
	paths := []string{"a", "b"}
	var r Reader
	r.keep(whole, paths, 3)
	r.keep(&graph{family: other}, paths, 4)
	k := r.kept[script]
	if k == nil || k.mark != 3 || len(k.paths) != 2 || r.kept[other].mark != 4 {
		t.Fatalf("%+v", r.kept)
	}
	if diff := cmp.Diff([]string{"b"}, k.restless); diff != "" {
		t.Errorf("restless (-want +got):\n%s", diff)
	}
	r.keep(cut, paths, 5)
	if r.kept[script] != nil || r.kept[other] == nil {
		t.Errorf("of files that were not all read: %+v", r.kept)
	}
	r.keep(whole, paths, 6)
	r.keep(whole, paths, 0)
	if r.kept[script] != nil {
		t.Errorf("without a mark: %+v", r.kept[script])
	}
}
