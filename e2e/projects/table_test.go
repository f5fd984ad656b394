package projects

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const tableHead = `# Real projects, set up correctly and incorrectly

Ten real projects, each set up correctly and in several wrong ways, and what LSPine reports: for a correct file, for the same file
with an error, for an edit that breaks a user elsewhere, for the references of a name, and by the doctor. The number of reported
errors is in brackets. Each of the two changes is an error for any compiler. In an incorrect set-up, nothing that only the set-up
causes is reported as an error, nothing is clean that is not clean for the compiler, and if something is unknown, the answer contains
the words of the last two columns. The results for correct set-ups are compared with the compilers of the projects: the same files, and
the same number of errors where both count in the same way. In most incorrect set-ups the test then does what the last column says,
while the servers run, and wants the answers of the correct set-up.

The code comes from the registries (scripts/truth-projects.tsv). We create the folders as npm, pnpm, uv and pip would make them, the
manifests without what only the build of the project needs, compile_commands.json as CMake would write it, and the module
of the Maven project that uses the other. A test generates this table: go test ./e2e/projects -update.

`

const columns = "| project | set-up | right file | with an error | edit | references | doctor | what is missing | how to fix it |\n|---|---|---|---|---|---|---|---|---|\n"

// key is how a line of the table begins.
func (p *project) key(x setup) string {
	return fmt.Sprintf("| %s (%s) | %s |", p.name, p.about, x.name)
}

// row is what was said of a set-up.
func (p *project) row(x setup, a answers) string {
	found := func(of answer) string {
		if n := len(of.Errors); n > 0 {
			return fmt.Sprintf("%s (%d)", of.Verdict, n)
		}
		return of.Verdict
	}
	references := fmt.Sprint(a.References.Count)
	if a.References.Count != p.references {
		references = fmt.Sprintf("not all known (%d of %d)", a.References.Count, p.references)
	}
	code := func(text string) string {
		if text == "" {
			return ""
		}
		return "`" + text + "`"
	}
	return fmt.Sprintf("%s %s | %s | %s | %s | %s | %s | %s |\n", p.key(x),
		found(a.Right), found(a.Broken), found(a.Edit), references, a.Doctor.Verdict, strings.ReplaceAll(x.missing, "`", "'"), code(x.next))
}

// compareTable holds the committed page against the rows that there are, or writes it. Those
// of set-ups that were not tried stay as they are.
func compareTable(t *testing.T, rows map[string]string) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", "reference", "projects.md")
	committed, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	known := make(map[string]string)
	for line := range strings.Lines(string(committed)) {
		for _, p := range projects {
			for _, x := range p.setups {
				if strings.HasPrefix(line, p.key(x)) {
					known[p.key(x)] = line
				}
			}
		}
	}
	text := tableHead + columns
	for _, p := range projects {
		for _, x := range p.setups {
			line, tried := rows[p.key(x)]
			if !tried {
				line = known[p.key(x)]
			}
			text += line
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(committed), text); diff != "" {
		t.Errorf("docs/reference/projects.md is old: go test ./e2e/projects -update\n%s", diff)
	}
}
