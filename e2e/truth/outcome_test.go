package truth

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lspine/lspine/e2e/code"
)

const tableHead = `# Answers compared with the compilers

Each project, real code or a typical project layout, is changed by a script and at random (with a seed): by ` + "`edit`" + `; by
writing files and ` + "`check`" + `; by git and ` + "`check`" + `; and by writing files and the ` + "`check`" + ` of a process of its own, as on the
command line. The language's own compiler checks the whole tree before and after. An answer is right if it has the same
new errors, file by file, in the changed files and all others, the same fixed ones, and the verdict that follows from them.
It counts as not known if it says so itself. A limit is a difference that the list below explains. Anything else fails the test.

The compilers: go/types over all packages and tests for gopls; ` + "`tsc --noEmit`" + ` of TypeScript 7 and of 5.9; pyright's
command line; ` + "`c++ -fsyntax-only`" + ` on each source file and header for clangd; ` + "`cargo check --all-targets`" + `; ` + "`javac`" + `. For the
first four, the numbers of errors are compared; for the others, only which files have any.

The figures are those of the last run with ` + "`-update`" + `; a short run makes some of the scripted changes, ` + "`make truth`" + ` all.

`

// An outcome is what became of the steps of all projects, by server.
type outcome struct {
	mu   sync.Mutex
	rows map[[2]string]code.Tally
}

func newOutcome() *outcome { return &outcome{rows: make(map[[2]string]code.Tally)} }

func (o *outcome) set(project, server string, c code.Tally) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.rows[[2]string{project, server}] = c
}

const rowHead = "| project | server | answers | right | not known | by a limit | pending |\n|---|---|---|---|---|---|---|\n"

// row is a line of the table.
func (o *outcome) row(key [2]string) string {
	c := o.rows[key]
	return fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d |\n", key[0], key[1],
		c[code.Right]+c[code.NotKnown]+c[code.Explained]+c[code.PendingIs], c[code.Right], c[code.NotKnown], c[code.Explained], c[code.PendingIs])
}

// compare holds the committed page against the limits, or writes it.
func (o *outcome) compare(t *testing.T) {
	t.Helper()
	for _, l := range code.Pending {
		if long && !l.Met {
			t.Logf("pending, and not met: %s", l.About())
		}
	}
	path := filepath.Join("..", "..", "docs", "reference", "truth.md")
	committed, _ := os.ReadFile(path)
	rows := make(map[[2]string]string)
	for line := range strings.Lines(string(committed)) {
		if fields := strings.Split(line, " | "); len(fields) == 7 && fields[0] != "| project" {
			rows[[2]string{strings.TrimPrefix(fields[0], "| "), fields[1]}] = line
		}
	}
	if *update {
		for key := range o.rows {
			rows[key] = o.row(key)
		}
	}
	var text strings.Builder
	text.WriteString(tableHead + rowHead)
	for _, key := range slices.SortedFunc(maps.Keys(rows), func(a, b [2]string) int { return strings.Compare(a[0]+" "+a[1], b[0]+" "+b[1]) }) {
		text.WriteString(rows[key])
	}
	text.WriteString("\n" + explanations())
	switch {
	case *update:
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	case text.String() != string(committed):
		t.Error("docs/reference/truth.md is not that of the table of limits: LSPINE_TRUTH=long go test ./e2e/truth -update")
	}
}

// explanations are the limits and what is pending, in words.
func explanations() string {
	var text strings.Builder
	for _, part := range []struct {
		title string
		list  []*code.Limit
	}{{"## Limits", code.Limits}, {"## Pending", code.Pending}} {
		if len(part.list) == 0 {
			continue
		}
		fmt.Fprintf(&text, "%s\n\n", part.title)
		for _, l := range part.list {
			fmt.Fprintf(&text, "* %s: %s.\n", l.About(), l.Reason)
		}
		text.WriteString("\n")
	}
	return strings.TrimSuffix(text.String(), "\n")
}
