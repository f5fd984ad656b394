package impact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a change of a Go file means for others is in the signatures of functions and in
// whole declarations of all else.
func TestGoChanged(t *testing.T) {
	const file = "package p\n\nimport \"fmt\"\n\n// F is it.\nfunc F(n int) int { return n }\n\nfunc (t *T) M() {}\n\ntype T struct{ A, B int }\n\n" +
		"const (\n\tC = iota\n\tD\n)\n\nvar V, W = 1, fmt.Sprint()\n"
	for _, c := range []struct {
		name, before, after string
		want                []string
		unknown             bool
	}{
		{"nothing", file, file, nil, false},
		{"a body, a comment, an import", file, strings.NewReplacer("return n", "return n + 1", "is it", "is", "\"fmt\"", "fmt \"fmt\"").Replace(file), nil, false},
		{"a signature", file, strings.NewReplacer("n int", "n string").Replace(file), []string{"F"}, false},
		{"a method", file, strings.NewReplacer("M()", "M(int)").Replace(file), []string{"M", "T"}, false},
		{"its receiver", file, strings.NewReplacer("(t *T)", "(t T)").Replace(file), []string{"M", "T"}, false},
		{"a field", file, strings.NewReplacer("A, B int", "A int").Replace(file), []string{"T"}, false},
		{"a name", file, strings.NewReplacer("func F", "func G").Replace(file), []string{"F", "G"}, false},
		{"a constant above", file, strings.NewReplacer("C = iota", "C = iota + 1.5").Replace(file), []string{"C", "D"}, false},
		{"variables", file, strings.NewReplacer("= 1,", "= 2,").Replace(file), []string{"V", "W"}, false},
		{"broken", file, "package p\n\nfunc {", nil, true},
		{"was broken", "", file, nil, true},
	} {
		got, known := GoChanged(new(TextReader), "a.go", []byte(c.before), []byte(c.after))
		if diff := cmp.Diff(c.want, got); diff != "" || known == c.unknown {
			t.Errorf("%s: known %v %s", c.name, known, diff)
		}
	}
	for name, texts := range map[string][2][]byte{"a new file": {nil, []byte(file)}, "a deleted one": {[]byte(file), nil}} {
		if got, known := GoChanged(new(TextReader), "a.go", texts[0], texts[1]); !known || !cmp.Equal(got, []string{"C", "D", "F", "M", "T", "V", "W"}) {
			t.Errorf("%s: %q, known %v", name, got, known)
		}
	}
}

// A change stays inside its Go file if it is in bodies that mention nothing of the package which they did
// not mention before: neither variables and functions, whose initialization may turn in a circle, nor
// methods. What is local, built in or of other packages may be new.
func TestGoStaysInside(t *testing.T) {
	const file = "package p\n\nimport (\n\t\"fmt\"\n\tstr \"strings\"\n\t\"math/rand/v2\"\n)\n\nvar V, W = 1, fmt.Sprint()\n\nfunc F(n int) int { return V }\n\nfunc G() int { return 2 }\n\n" +
		"func H[P any]() P { return *new(P) }\n\nfunc (b *Box[Q]) Get() Q { return *new(Q) }\n\nfunc (t *T) M() { str.ToUpper(W) }\n\nfunc (t *U) M() {}\n\ntype T struct{ A, B int }\n"
	type change struct {
		name, from, to string
		inside         bool
	}
	want := []change{
		{"nothing", "return 2", "return 2", true},
		{"a value", "return 2", "return 3", true},
		{"an error", "return 2", "return nothing(", false},
		{"what is local, built in and of others", "return 2", "n := len(fmt.Sprint()); m := []int{n}; str.ToLower(\"\"); return m[0]", true},
		{"itself", "return V", "if n > 1 { return V }; return F(n) + V", true},
		{"the same again", "return V", "if n > 1 { return V }; return V + n", true},
		{"less", "return V", "return n", true},
		{"a variable", "return 2", "return V", false},
		{"a function", "return 2", "return F(1)", false},
		{"a method", "{}", "{ t.N() }", false},
		{"what another method of the name mentions", "{}", "{ str.ToUpper(W) }", false},
		{"a local one of the name", "return 2", "V := 2; return V", true},
		{"what has the name of a package under another", "return V", "return strings.N + V", false},
		{"what has the name of a version", "return V", "return v2.N + V", false},
		{"a generic function", "return *new(P)", "p := *new(P); return p", false},
		{"a method of a generic type", "return *new(Q)", "p := *new(Q); return p", false},
		{"what a local of the name of an import has", "return V", "fmt := n; return fmt.Q", false},
		{"what is of no package that is imported", "return 2", "return other.N", false},
		{"an import", "str \"strings\"", "str \"bytes\"", false},
		{"the name of an import", "str \"strings\"", "text \"strings\"", false},
		{"a signature", "G() int", "G() string", false},
		{"a variable's value", "1, fmt", "2, fmt", false},
		{"another function", "func G()", "func init() {}\n\nfunc G()", false},
		{"a name", "func G()", "func H()", false},
	}
	var got []change
	for _, c := range want {
		c.inside = GoStaysInside(new(TextReader), "a.go", []byte(file), []byte(strings.Replace(file, c.from, c.to, 1)))
		got = append(got, c)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(change{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	cgo := strings.Replace(file, "\"fmt\"", "\"C\"", 1)
	for name, texts := range map[string][2]string{"C": {cgo, strings.Replace(cgo, "return 2", "return 3", 1)}, "broken before": {"package p\n\nfunc {", file}} {
		if GoStaysInside(new(TextReader), "a.go", []byte(texts[0]), []byte(texts[1])) {
			t.Errorf("%s: it stays inside", name)
		}
	}
	if GoStaysInside(new(TextReader), "a.go", nil, []byte(file)) || GoStaysInside(new(TextReader), "a.go", []byte(file), nil) {
		t.Error("a file that comes or goes stays inside")
	}
}
