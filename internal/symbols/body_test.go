package symbols

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The body of a block begins after the colon that ends its head: one within brackets, in a
// string or in a comment is not that one.
func TestBlockBody(t *testing.T) {
	for _, c := range []struct {
		text, body string
		ok         bool
	}{
		{"def f(a: int, b=d[1:2], c={'x': 1}) -> int:\n    return a\n", "    return a\n", true},
		{"def f(a=':', b=\":\"):\n    pass\n", "    pass\n", true},
		{"def f(  # a: first\n    a,\n):  # the head ends\n    pass\n", "    pass\n", true},
		{"def f(): return 1\n", " return 1\n", true},
		{"def f() -> \"A: B\":\n    pass\n", "    pass\n", true},
		{"def f(a=\")\", b=\"(\"):\n    pass\n", "    pass\n", true},
		{"def f(a=')', b=1):\n    pass\n", "    pass\n", true},
		{"def f():# :\n    pass\n", "    pass\n", true},
		{"class C:\n", "", true},
		{"def f():", "", false},
		{"x = (1)\n", "", false},
	} {
		from, to, ok := blockBody([]byte(c.text), 0, len(c.text))
		if ok != c.ok || ok && c.text[from:to] != c.body {
			t.Errorf("%q: %q, %t", c.text, c.text[from:max(from, to)], ok)
		}
	}
}

// The body in braces is what the last brace closes: braces in strings and comments do not count, and
// of a text that goes on behind it, or closes more than it opens, none is certain.
func TestBraceBody(t *testing.T) {
	type body struct {
		Text string
		OK   bool
	}
	for text, want := range map[string]body{
		"int f() { return 1; }":          {" return 1; ", true},
		"f = () => { if (a) { b() } });": {" if (a) { b() } ", true},
		"int f() { s = \"}\"; /* } */ }": {" s = \"}\"; /* } */ ", true},
		"int f(int n);":                  {},
		"int f() { return 1; } + g()":    {},
		"int f() } {}":                   {},
		"int f() { return 1; } // {":     {},
	} {
		var got body
		from, to, ok := braceBody([]byte(text), 0, len(text), false)
		if got.OK = ok; ok {
			got.Text = text[from:to]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// Quotes and comments end where the language says: at their own sign, which a backslash hides, at the
// end of the line or of the text; of Rust, a quote that is not followed by one character and another quote is a lifetime.
func TestWhatIsSkipped(t *testing.T) {
	for _, c := range []struct {
		text string
		rust bool
		want string
	}{
		{"// a\nb", false, "// a\n"},
		{"// a", false, "// a"},
		{"/* } */ b", false, "/* } */"},
		{"/* }", false, "/* }"},
		{`"a\"}" b`, false, `"a\"}"`},
		{"\"a\nb\"", false, "\"a\n"},
		{"`a\nb` c", false, "`a\nb`"},
		{`'}' b`, false, `'}'`},
		{`"a`, false, `"a`},
		{"'a, 'b", true, ""},
		{"'}' b", true, "'}'"},
		{`'\u{10ffff}' b`, true, `'\u{10ffff}'`},
		{"'static str, 'a", true, ""},
		{"'a>(x: &'a str)", true, ""},
		{"'a\n'", true, ""},
		{"'é' b", true, "'é'"},
		{`'\'' b`, true, `'\''`},
		{"'", true, ""},
		{"'a", true, ""},
		{"a", false, ""},
	} {
		if got := c.text[:skipped([]byte(c.text), c.rust)]; got != c.want {
			t.Errorf("%q (Rust: %t): %q, want %q", c.text, c.rust, got, c.want)
		}
	}
}

// The body of a declaration is found from its name to its end, by braces or by lines as its language
// has it; a range that the text does not have, or that ends before the name, has none.
func TestBodyOfADeclaration(t *testing.T) {
	for name, c := range map[string]struct {
		path, text string
		symbol     Symbol
		want       string
		ok         bool
	}{
		"braces":        {"a.go", "func f() { g() }\n", Symbol{Selection: span(0, 5, 0, 6), Range: span(0, 0, 0, 16)}, " g() ", true},
		"a block":       {"a.py", "def f():\n  g()\n", Symbol{Selection: span(0, 4, 0, 5), Range: span(0, 0, 1, 5)}, "  g()", true},
		"lifetimes":     {"a.rs", "fn f<'a>() { g('}') }\n", Symbol{Selection: span(0, 3, 0, 4), Range: span(0, 0, 0, 21)}, " g('}') ", true},
		"in two bytes":  {"a.go", "func é() { g() }\n", Symbol{Selection: span(0, 5, 0, 6), Range: span(0, 0, 0, 16)}, " g() ", true},
		"an empty name": {"a.go", "func f() { g() }\n", Symbol{Selection: span(0, 16, 0, 16), Range: span(0, 0, 0, 16)}, "", false},
		"before it":     {"a.go", "func f() { g() }\n", Symbol{Selection: span(0, 12, 0, 13), Range: span(0, 0, 0, 4)}, "", false},
	} {
		o := outlined(here("/r/"+c.path), c.text)
		from, to, ok := o.Body(&c.symbol)
		got := ""
		if ok {
			got = c.text[from:to]
		}
		if ok != c.ok || got != c.want {
			t.Errorf("%s: %q, %t, want %q, %t", name, got, ok, c.want, c.ok)
		}
	}
}

// The part of a name before a place in a line is all that belongs to one name; behind the end of the
// line it is what the line ends with.
func TestNamesBeforeAPlace(t *testing.T) {
	const line = "a.loadÉtat(x"
	for offset, want := range map[int]string{0: "", 1: "a", 2: "", 4: "lo", 11: "loadÉtat", 12: "", 13: "x", 99: "x"} {
		if got := NameBefore([]byte(line), offset); got != want {
			t.Errorf("before %d: %q, want %q", offset, got, want)
		}
	}
}
