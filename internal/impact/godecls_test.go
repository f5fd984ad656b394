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
		got, known := GoChanged([]byte(c.before), []byte(c.after))
		if diff := cmp.Diff(c.want, got); diff != "" || known == c.unknown {
			t.Errorf("%s: known %v %s", c.name, known, diff)
		}
	}
	for name, texts := range map[string][2][]byte{"a new file": {nil, []byte(file)}, "a deleted one": {[]byte(file), nil}} {
		if got, known := GoChanged(texts[0], texts[1]); !known || !cmp.Equal(got, []string{"C", "D", "F", "M", "T", "V", "W"}) {
			t.Errorf("%s: %q, known %v", name, got, known)
		}
	}
}
