package language

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Statements that import are found where their regular expression would be found in a text of many
// lines: at the start of a line, over several lines, and not within one another.
func TestStatementsAreThoseOfTheExpression(t *testing.T) {
	pieces := rapid.SampledFrom([]string{
		"import", "from", " ", "\t", "\n", ";", "'", `"`, "a", "(", ")", "\r\n", "import x from 'x'\n", "\nimport (a,\n b)\n", "from . import b\n", "imports",
		"import {\n a,\n} from \"./a\";", "é", "importimport", "\n\n", "export",
	})
	for name, kind := range map[string]*Statement{"scripts": scriptImports, "Python": Of("a.py").Imports} {
		t.Run(name, func(t *testing.T) {
			lines := regexp.MustCompile("(?m)" + kind.form.String())
			rapid.Check(t, func(t *rapid.T) {
				text := []byte(strings.Join(rapid.SliceOf(pieces).Draw(t, "text"), ""))
				var want [][2]int
				for _, at := range lines.FindAllIndex(text, -1) {
					want = append(want, [2]int{at[0], at[1]})
				}
				if diff := cmp.Diff(want, kind.FindAll(text)); diff != "" {
					t.Errorf("%q (-want +got):\n%s", text, diff)
				}
			})
		})
	}
}

// An import, and nothing else, gives a name another one by the word as.
func TestAliases(t *testing.T) {
	for _, c := range []struct {
		file, text, name, want string // the other name
	}{
		{"a.py", "from a import b as c\n", "b", "c"},
		{"a.py", "from a import (\n    b as c,  # why\n    d as e,\n)\n", "d", "e"},
		{"a.py", "from a import x, \\\n    b as c\n", "b", "c"},
		{"a.py", "if x: from a import b as c\n", "b", "c"},
		{"a.py", "try:\n    pass\nexcept b as c:\n    pass\n", "b", ""},
		{"a.py", "import x\nwith b as c:\n    pass\n", "b", ""},
		{"a.ts", "import { b as c } from './a'\n", "b", "c"},
		{"a.ts", "export {\n  b as c,\n}\n", "b", "c"},
		{"a.ts", "import { x } from './a'\nconst y = b as c\n", "b", ""},
		{"a.rs", "pub(crate) use a::{\n    // why\n    b as c,\n};\n", "b", "c"},
		{"a.rs", "#[cfg(x)] use a::b as c;\n", "b", "c"},
		{"a.rs", "use a::b as _;\n", "b", ""},
		{"a.rs", "// to use it\nlet x = b as c;\n", "b", ""},
		{"a.rs", "use a::x;\nlet x = b as c;\n", "b", ""},
	} {
		start := regexp.MustCompile(`\b` + c.name + `\b`).FindStringIndex(c.text)[0]
		other := func(find func([]byte, int, int) (int, int, bool), start, end int) string {
			from, to, ok := find([]byte(c.text), start, end)
			if !ok || !slices.ContainsFunc(Of(c.file).Aliases, func(s *Statement) bool { return s.Holds([]byte(c.text), start) }) {
				return ""
			}
			return c.text[from:to]
		}
		if got := other(AliasBehind, start, start+len(c.name)); got != c.want {
			t.Errorf("%q: %s is called %q, want %q", c.text, c.name, got, c.want)
		}
		if c.want == "" {
			continue
		}
		start = strings.LastIndex(c.text, c.want)
		if got := other(NameBefore, start, start+len(c.want)); got != c.name {
			t.Errorf("%q: %s is %q, want %q", c.text, c.want, got, c.name)
		}
	}
}
