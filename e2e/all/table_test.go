package all

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var page = filepath.Join("..", "..", "docs", "reference", "freshness.md")

const tableHead = `# Freshness: is what is said of a file true?

Each server answers for a tiny project of its language (` + "`e2e/all/testdata`" + `), while its main file is broken
and mended in every way that happens to an agent: by our own edit, by somebody else on disk, by a change of a
file that it uses, as a new file, by a file that goes, by git that switches the branch, and after a crash of the
server. A cell is **true** if each answer was said to be fresh and was the truth. **not known** means that LSPine
said so, too, with the reason given here: it never says "clean" without knowing. **–**: the case does not exist,
because the server looks at one file alone or the project has only one.

Made by ` + "`make freshness`" + `; a cell that gets worse fails the tests.

`

// A table is what is known of each server, by the id.
type table struct {
	mu    sync.Mutex
	rows  map[string][]string
	fresh map[string][]string // of this run
}

func readTable(t *testing.T) *table {
	t.Helper()
	o := &table{rows: map[string][]string{}, fresh: map[string][]string{}}
	committed, err := os.ReadFile(page)
	if err != nil && !*update {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(committed)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != len(columns)+1 || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| server") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		o.rows[cells[0]] = cells[1:]
	}
	return o
}

func (o *table) set(id string, cells []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.fresh[id] = cells
}

// finish holds what was seen against the committed table, or writes it there. What
// did not run stays as it is.
func (o *table) finish(t *testing.T) {
	t.Helper()
	better := 0
	for id, cells := range o.fresh {
		for i, cell := range cells {
			old := notStated
			if row := o.rows[id]; row != nil {
				old = row[i]
			}
			switch {
			case *update || cell == old:
			case cell == proven:
				better++
			case old == proven || o.rows[id] == nil:
				t.Errorf("%s, %s: %s; the table says %s", id, columns[i].name, cell, old)
			}
		}
	}
	if better > 0 {
		t.Logf("%d cells are better than docs/reference/freshness.md says; make freshness writes it", better)
	}
	if !*update {
		return
	}
	for id, cells := range o.fresh {
		if !slices.ContainsFunc(cells, func(cell string) bool { return cell == "" || strings.HasPrefix(cell, lie) }) {
			o.rows[id] = cells
		}
	}
	if err := os.WriteFile(page, []byte(tableHead+o.text()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (o *table) text() string {
	var b strings.Builder
	b.WriteString("| server")
	for _, c := range columns {
		b.WriteString(" | " + c.name)
	}
	b.WriteString(" |\n|" + strings.Repeat("---|", len(columns)+1) + "\n")
	ids := make([]string, 0, len(o.rows))
	for id := range o.rows {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		b.WriteString("| " + id + " | " + strings.Join(o.rows[id], " | ") + " |\n")
	}
	return b.String()
}
