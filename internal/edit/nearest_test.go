package edit

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Who sought what is not there reads what is: the places that are most like it, at most three, those
// that are nearly as good as the best, and what differs there.
func TestWhatIsThereInstead(t *testing.T) {
	const head = ", - is the file, + is what was sought:\n"
	long := strings.Repeat("long ", 90)
	for _, c := range []struct{ name, text, sought, want string }{
		{"two places", "func a() {\n\tx := 1\n}\nfunc b() {\n\tx := 1\n}\n", "func c() {\n\tx := 1\n}\n", "; nearest is line 1" + head + "-func a() {\n+func c() {\n \tx := 1\nor line 4:\nfunc b() {\n\tx := 1\n}"},
		{"four places", "set(a1)\nset(a2)\nset(a3)\nset(a4)\n", "set(a5)", "; nearest is line 1" + head + "-set(a1)\n+set(a5)\nor line 2:\nset(a2)\nor line 3:\nset(a3)"},
		{"one that is much better", "set(value)\nset(valuexyz)\n", "set(value )", "; nearest is line 1 (blanks or line breaks differ)" + head + "-set(value)\n+set(value )"},
		{"one that is three quarters as good", "set(valuexy)\nset(value)\n", "set( value)", "; nearest is line 2 (blanks or line breaks differ)" + head + "-set(value)\n+set( value)\nor line 1:\nset(valuexy)"},
		{"places that overlap", "same line\nsame line\nsame line\n", "same line\nsame  line\n", "; nearest is line 1 (blanks or line breaks differ)" + head + " same line\n-same line\n+same  line"},
		{"at the end of the file", "x\nalpha beta", "alpha beta\ngamma\n", "; nearest is line 2" + head + " alpha beta\n+gamma"},
		{"indented otherwise", "  a b c\n", "    a b c\n", "; nearest is line 1 (the indentation differs)" + head + "-  a b c\n+    a b c"},
		{"tabs", "\t\tabc\n", "        abc\n", "; nearest is line 1 (the indentation differs: tabs and spaces)" + head + "-→\t→\tabc\n+        abc"},
		{"blanks at the end", "abc \t\n", "abc\n", "; nearest is line 1 (blanks at the end of lines differ)" + head + "-abc··\n+abc"},
		{"only braces", "}\n}\n}\n}\n", "}\n}\n}\n}x\n}\n", ", nor anything like it"},
		{"half of it", "abcdef\n", "abcxyz\n", ", nor anything like it"},
		{"more than half of it", "abcdef\n", "abcdyz\n", "; nearest is line 1" + head + "-abcdef\n+abcdyz"},
		{"less than half as long", "ab\n", "abcde\n", ", nor anything like it"},
		{"nothing", "", "abc\n", ", nor anything like it"},
		{"blanks alone", "abc\n", " \n", ", nor anything like it"},
		{"a long place after the first", long + "1\n" + long + "2\n", long + "3\n", "; nearest is line 1" + head + "-" + long + "1\n+" + long + "3\nor line 2:\n" + long[:nearShown] + "…"},
	} {
		near, hint, diff := nearestLines(c.text, c.sought)
		if d := cmp.Diff(c.want, describeNearest(near, hint, diff)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// In a long file only lines that are equal but for blanks are found, to be quick.
func TestNearestInLongFiles(t *testing.T) {
	telling := strings.Repeat("a", nearWidth)
	got := make(map[string]int)
	for _, lines := range []int{nearWork, nearWork + 1} {
		for name, line := range map[string]string{"another letter": telling[1:] + "b", "another blank": "\t" + telling} {
			near, _, _ := nearestLines(strings.Repeat("\n", lines-1)+line, telling)
			got[fmt.Sprintf("%s, %d lines", name, lines)] = len(near)
		}
	}
	want := map[string]int{"another letter, 4000 lines": 1, "another letter, 4001 lines": 0, "another blank, 4000 lines": 1, "another blank, 4001 lines": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Of a file that is not there the three are named whose names are most like it, the nearest first;
// the longer a name, the more may differ. Folders do not count.
func TestNearestNames(t *testing.T) {
	for _, c := range []struct {
		missing string
		there   []string
		want    []string
	}{
		{"main.go", []string{"a_main.go", "Main.gox", "main.og", "mian.go", "x_main_x.go"}, []string{"Main.gox", "a_main.go", "main.og"}},
		{"a_very_long_name.go", []string{"a_very_long_.go", "a_very.go"}, []string{"a_very_long_.go"}},
		{"x", []string{"abc", "abcd"}, nil},
		{"dir", []string{"dirs/x"}, nil},
	} {
		files := make(map[string]string)
		for _, name := range c.there {
			files[name] = ""
		}
		got := nearestNames(filepath.Join(put(t, files), c.missing))
		if diff := cmp.Diff(append([]string{}, c.want...), append([]string{}, got...)); diff != "" {
			t.Errorf("%s: %s", c.missing, diff)
		}
	}
}
