package symbols

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
)

// Names of code are found with what they are selected from and whether they are called, and nothing
// in comments, strings and keywords is a name; code in templates is code.
func TestCodeNames(t *testing.T) {
	for _, c := range []struct{ file, code, want string }{
		{"a.go", "func (a *Adder) Add(n int) { // not b\n\ta.Sum = `c d` + \"e\" + fmt.Sprint('f', n)\n}", "a Adder Add( n a a.Sum fmt fmt.Sprint( n"},
		{"a.go", "x.load(1).size + y[0].size + z.\n\tlast", "x x.load( x.load(1).size y y[0].size z last"},
		{"a.py", "class A(B):\n    \"\"\"not c\"\"\"\n    def run(self, n): # not d\n        return f\"{n}\" + r'e' + n // 2 + run(n)", "A( B run( n n run( n"},
		{"a.ts", "const x: Foo = await node.type(`a ${b.c} d ${`${e}`}`); // f\nif (g?.h) {}", "x Foo node node.type( b b.c e g g.h"},
		{"a.rs", "fn f<'a>(x: &'a str) -> Vec<u8> { let c = 'x'; std::fs::read(r#\"a \" b\"#).map(g) }", "f x Vec c std std.fs std::fs.read( std::fs::read(r#\"a \" b\"#).map( g"},
		{"a.cpp", "#include <vector>\nint total = p->count + 0x1F; /* not\nthis */ q.r();", "vector total p p.count q q.r("},
		{"a.unknown", "größer + if", "größer if"},
	} {
		text := protocol.NewMapper([]byte(c.code))
		var got []string
		for _, n := range CodeNames(c.file, text, LineRange(text, 0, text.Lines()-1)) {
			name := n.Text
			if n.Of != "" {
				name = n.Of + "." + name
			}
			if n.Called {
				name += "("
				if open := text.Offset(n.Arguments, protocol.UTF16); c.code[open-1] != '(' {
					t.Errorf("%s: the arguments of %s begin at %d", c.file, n.Text, open)
				}
			}
			if at := text.Offset(n.At, protocol.UTF16); !strings.HasPrefix(c.code[at:], n.Text) {
				t.Errorf("%s: %s does not stand at %+v", c.file, n.Text, n.At)
			}
			got = append(got, name)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %s", c.file, diff)
		}
	}
}

// Names are those of the lines that are asked about, also where a comment begins before them.
func TestCodeNamesOfLines(t *testing.T) {
	text := protocol.NewMapper([]byte("a\n/* b\nc */ d\ne f\ng\n"))
	for want, lines := range map[string][2]int{"[d e f]": {2, 3}, "[]": {1, 1}, "[g]": {4, 5}} {
		var got []string
		for _, n := range CodeNames("a.go", text, LineRange(text, lines[0], lines[1])) {
			got = append(got, n.Text)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("lines %v: %v, want %s", lines, got, want)
		}
	}
}
