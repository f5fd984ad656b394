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
