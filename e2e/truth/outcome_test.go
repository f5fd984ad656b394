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

const usesHead = `## Uses compared with the indexers

In each project, workspaces of several packages among them, symbols that a seed decides on are asked about: where each is used, at its
declaration or at one of its uses, of an engine that has worked for long and, for some, of one that was just started, which must say the same or
that it does not know. The index that the language's own indexer makes of the same files (scip-go, scip-typescript, scip-python, ` + "`rust-analyzer scip`" + `)
has the same places, or the list below explains the difference. An answer that lacks a place and does not claim to be complete counts as not
known. Anything else fails the test. Packages and modules are not asked about.

`

const usesRowHead = "| project | server | symbols | places | equal | not known | explained | also cold |\n|---|---|---|---|---|---|---|---|\n"

// usesRow is a line of the second table.
func (o *outcome) usesRow(key [2]string) string {
	n := o.uses[key]
	return fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d | %d |\n", key[0], key[1], n.symbols, n.places, n.equal, n.notKnown, n.explained, n.cold)
}

// An outcome is what became of the steps of all projects, by server.
type outcome struct {
	mu   sync.Mutex
	rows map[[2]string]code.Tally
	uses map[[2]string]usesTally
}

func newOutcome() *outcome {
	return &outcome{rows: make(map[[2]string]code.Tally), uses: make(map[[2]string]usesTally)}
}

func (o *outcome) setUses(project, server string, n usesTally) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.uses[[2]string{project, server}] = n
}

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
	rows, uses := make(map[[2]string]string), make(map[[2]string]string)
	for line := range strings.Lines(string(committed)) {
		fields := strings.Split(line, " | ")
		switch key := strings.TrimPrefix(fields[0], "| "); {
		case key == "project" || len(fields) < 2:
		case len(fields) == 7:
			rows[[2]string{key, fields[1]}] = line
		case len(fields) == 8:
			uses[[2]string{key, fields[1]}] = line
		}
	}
	if *update {
		for key := range o.rows {
			rows[key] = o.row(key)
		}
		for key := range o.uses {
			uses[key] = o.usesRow(key)
		}
	}
	text := tableHead + rowHead + sorted(rows) + "\n" + explanations() + "\n" + usesHead + usesRowHead + sorted(uses) + "\n" + differencesInWords()
	switch {
	case *update:
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	case text != string(committed):
		t.Error("docs/reference/truth.md is not that of the table of limits: LSPINE_TRUTH=long go test ./e2e/truth -update")
	}
}

// sorted returns lines by project and server.
func sorted(rows map[[2]string]string) string {
	var text strings.Builder
	for _, key := range slices.SortedFunc(maps.Keys(rows), func(a, b [2]string) int { return strings.Compare(a[0]+" "+a[1], b[0]+" "+b[1]) }) {
		text.WriteString(rows[key])
	}
	return text.String()
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
