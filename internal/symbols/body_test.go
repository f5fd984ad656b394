package symbols

import "testing"

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
