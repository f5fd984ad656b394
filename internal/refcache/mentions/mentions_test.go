package mentions_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/refcache/mentions"
)

// Each text has the name x: ? marks one that may be a use, - one that cannot be, > one where it may get another name.
func TestMentions(t *testing.T) {
	for _, c := range []struct{ file, text string }{
		{"a.go", "package a\n\n// -x\n/* -x */\nvar ?x, y = \"-x\", `\n-x`\nvar xx, _x, x1 = 'y', ?x.y, y.?x"},
		{"a.go", "package a\n\n// ?x\nimport \"C\"\n\nvar ?x = \"?x\""},  // the comment is code
		{"a.go", "package a\n\nvar ?x = \"?x\nvar y // ?x"},              // what does not end has no end
		{"a.ts", "export const ?x = '?x' // -x\n/* -x */ ?x\n/** -x */"}, // strings may be names of properties
		{"a.ts", "/** {@link ?x} */\n/** @param ?x */ // -x"},            // what is linked is a use
		{"a.ts", "const re = /\"/, y = ?x // -x"},                        // the quote begins no string
		{"a.ts", "const a = b / c, y = ?x / 2 // -x"},                    // these divide
		{"a.ts", "const a = (b) / c, d = (e) /* ?x */ / ?x"},             // nobody knows
		{"a.ts", "if (a) /'/.test(b) // ?x"},                             // nobody knows
		{"a.ts", "const s = `// ?x ${?x /* -x */ + `${?x}`} ' `\n// -x"}, // templates have code
		{"a.ts", "i++ / 2 // ?x\ny = ?x"},                                // it may divide, or begin an expression
		{"a.ts", "const \\u0078 = 1 // ?x"},                              // a name is spelled otherwise
		{"a.ts", "import { >x as y, y as >x, ?x } from './b'"},
		{"a.ts", "export default function >x() {}\nexport default >x\nexport default class >x {}\n?x"},
		{"a.ts", "import >x = y.>x\nexports.>x = 1\nconst y = require('./>x')"},
		{"a.tsx", "// ?x\n<a>it's ?x</a>"},
		{"a.py", "?x = 1  # -x\ny = '#?x'  # ?x\n# type: ?x\nfrom a import >x as y"},
		{"a.py", "?x = 1  # ?x\ny = '''\n# ?x\n'''"},
		{"a.rs", "// ?x\nuse a::>x as y;\nlet y = r#?x;"},
		{"a.unknown", "# ?x"},
	} {
		text, want := unmarked(c.file, c.text)
		if diff := cmp.Diff(want, told(mentions.Of(c.file, []byte(text), "x"))); diff != "" {
			t.Errorf("%s %q (-want +got)\n%s", c.file, text, diff)
		}
	}
}

// unmarked returns a text without its marks, and what they say.
func unmarked(file, marked string) (text string, want []string) {
	var b strings.Builder
	for i := 0; i < len(marked); i++ {
		if c := marked[i]; i+1 < len(marked) && marked[i+1] == 'x' && strings.ContainsRune("?->", rune(c)) {
			want = append(want, fmt.Sprintf("%d %c", b.Len(), c))
			continue
		}
		b.WriteByte(marked[i])
	}
	return b.String(), want
}

func told(found []mentions.Mention) (told []string) {
	for _, m := range found {
		mark := '?'
		switch {
		case m.Harmless:
			mark = '-'
		case m.Renames:
			mark = '>'
		}
		told = append(told, fmt.Sprintf("%d %c", m.Offset, mark))
	}
	return told
}

func TestOpenTexts(t *testing.T) {
	for text, want := range map[string]bool{
		"export const a = 1": false, "import './b'": false, "const a = 1": true, "export {}\ndeclare global { interface A {} }": true,
		"import 'a'\ndeclare module 'a' { interface A {} }": true,
	} {
		if got := mentions.IsOpen("a.ts", []byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	if mentions.IsOpen("a.go", []byte("package a")) {
		t.Error("a package of Go is declared in its folder")
	}
}

// Whatever a text is, mentions are where the name stands, in order.
func FuzzMentions(f *testing.F) {
	f.Add("a.ts", "`${x}` /x/ 'x' // x", "x")
	f.Add("a.go", "package a // x", "x")
	f.Add("a.py", "'x' # x", "x")
	f.Fuzz(func(t *testing.T, file, text, name string) {
		if name == "" {
			return
		}
		last := -1
		for _, m := range mentions.Of(file, []byte(text), name) {
			if m.Offset <= last || !strings.HasPrefix(text[m.Offset:], name) {
				t.Errorf("%+v", m)
			}
			last = m.Offset
		}
	})
}
