package dependants

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write docs/reference/dependants.md")

const tableHead = `# What an edit broke: found / expected

Each case is an edit of a small project, with nothing opened before. Expected are the files, and in
brackets the errors, that the language's own compiler has after the edit and did not have before; found
are those that the answer of ` + "`edit`" + ` lists as new. A file that is missing fails the test, and so does one
too many, unless the answer says that it left some out. Then the edit is taken back: the answer must list
the same as fixed, and nothing as new.

The compilers: go/types over all packages and tests for gopls, ` + "`tsc --noEmit`" + ` of TypeScript 7 and of 5.9,
pyright's command line, ` + "`c++ -fsyntax-only`" + ` (GCC) on each source file and header for clangd, whose errors
are counted otherwise; ` + "`cargo check --all-targets`" + ` and ` + "`javac`" + ` for rust-analyzer and jdtls.

Made by ` + "`go test ./e2e/dependants -update`" + ` from ` + "`e2e/dependants/testdata`" + `.

`

// A table is the outcome of all cases by all servers.
type table struct {
	mu    sync.Mutex
	cells map[[2]string]string // case, server
}

func newTable() *table { return &table{cells: make(map[[2]string]string)} }

func (o *table) set(name, server, cell string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cells[[2]string{name, server}] = cell
}

// compare holds the outcome against the committed table, or writes it there. What
// did not run here stays as it is.
func (o *table) compare(t *testing.T) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", "reference", "dependants.md")
	committed, _ := os.ReadFile(path)
	old := readTable(string(committed))
	for key, cell := range o.cells {
		if old.cells[key] != cell && !*update {
			t.Errorf("%s, %s: %q, the table says %q; if that is right: go test ./e2e/dependants -update", key[1], key[0], cell, old.cells[key])
		}
		old.cells[key] = cell
	}
	fresh := tableHead + old.text(t) + explained()
	if fresh != string(committed) && !*update && !t.Failed() {
		t.Error("docs/reference/dependants.md has rows or words of former cases: go test ./e2e/dependants -update")
	}
	if *update {
		if err := os.WriteFile(path, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// explained says what the known gaps of the table are.
func explained() string {
	var lines []string
	for key, why := range gaps {
		lines = append(lines, "* "+key[0]+", "+key[1]+": "+why+".\n")
	}
	slices.Sort(lines)
	return "\nKnown gaps:\n\n" + strings.Join(lines, "")
}

func readTable(text string) *table {
	o := newTable()
	var servers []string
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") {
			continue
		}
		fields := strings.Split(strings.Trim(line, "| "), " | ")
		if servers == nil {
			servers = fields[1:]
			continue
		}
		for i, cell := range fields[1:] {
			if cell != "–" {
				o.set(fields[0], servers[i], cell)
			}
		}
	}
	return o
}

// text returns the rows in the order of the archives.
func (o *table) text(t *testing.T) string {
	var servers, names []string
	for _, l := range languages {
		for _, c := range readProject(t, l.archive).cases {
			if _, ok := o.cells[[2]string{c.name, l.server}]; !ok {
				continue
			}
			if !slices.Contains(names, c.name) {
				names = append(names, c.name)
			}
			if !slices.Contains(servers, l.server) {
				servers = append(servers, l.server)
			}
		}
	}
	rows := []string{"| the edit | " + strings.Join(servers, " | ") + " |", "|" + strings.Repeat("---|", len(servers)+1)}
	for _, name := range names {
		row := "| " + name
		for _, server := range servers {
			cell, ok := o.cells[[2]string{name, server}]
			if !ok {
				cell = "–"
			}
			row += " | " + cell
		}
		rows = append(rows, row+" |")
	}
	return strings.Join(rows, "\n") + "\n"
}
