package language

import (
	"regexp"
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
