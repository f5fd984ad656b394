package edit

import (
	"fmt"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/lspine/lspine/internal/legible"
)

// Lines returns how many lines the change adds and removes; 0 for a file that is not text.
func (c Change) Lines() (added, removed int) {
	if c.textual() != nil {
		return 0, 0
	}
	before := string(c.Before)
	for _, e := range udiff.Lines(before, string(c.After)) {
		added += countLines(e.New)
		removed += countLines(before[e.Start:e.End])
	}
	return added, removed
}

// A Replacement is whole lines of a text that are replaced by others. Line is the first in the text before, from 1;
// where none is replaced, the new ones stand before it.
type Replacement struct {
	Line     int
	Old, New string
}

// Replaced returns the lines that the change replaces, in their order; nil for a file that is not text.
func (c Change) Replaced() (list []Replacement) {
	if c.textual() != nil {
		return nil
	}
	before := string(c.Before)
	for _, e := range udiff.Lines(before, string(c.After)) {
		list = append(list, Replacement{1 + strings.Count(before[:e.Start], "\n"), before[e.Start:e.End], e.New})
	}
	return list
}

// CountLines counts the lines of a text, with a last one that has no end.
func CountLines(s string) int { return countLines(s) }

// countLines counts a last line without an end, too.
func countLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

func (c Change) textual() error {
	if err := textual(c.Path, c.Before); err != nil {
		return err
	}
	return textual(c.Path, c.After)
}

// Diff returns the plan as a unified diff as git writes it, "" if nothing
// changes. name gives the name of a resolved path in it, with slashes; nil means
// the path itself.
func (p *Plan) Diff(name func(path string) string) string {
	if name == nil {
		name = func(path string) string { return path }
	}
	var b strings.Builder
	for _, c := range p.Changes() {
		c.diff(&b, name)
	}
	return b.String()
}

func (c Change) diff(b *strings.Builder, name func(string) string) {
	path := c.Path
	if c.From != "" {
		path = c.From
	}
	from, to := quoted("a/", name(path)), quoted("b/", name(c.Path))
	fmt.Fprintf(b, "diff --git %s %s\n", from, to)
	switch {
	case c.Created:
		b.WriteString("new file mode 100644\n")
		from = "/dev/null"
	case c.Deleted:
		b.WriteString("deleted file mode 100644\n")
		to = "/dev/null"
	case c.From != "":
		fmt.Fprintf(b, "rename from %s\nrename to %s\n", quoted("", name(c.From)), quoted("", name(c.Path)))
	}
	if c.textual() != nil {
		fmt.Fprintf(b, "Binary files %s and %s differ\n", from, to)
		return
	}
	before := string(c.Before)
	unified, err := udiff.ToUnified(from, to, before, udiff.Lines(before, string(c.After)), udiff.DefaultContextLines)
	if err != nil { // only for edits that do not fit the text, which these do
		panic(fmt.Sprintf("edit: diff of %s: %v", c.Path, err))
	}
	b.WriteString(unified)
}

// quoted writes a name as git does: in quotes if it would be misread otherwise, or not be seen.
func quoted(prefix, name string) string {
	if name = prefix + name; !strings.ContainsAny(name, `"\`) && legible.Name(name) == name {
		return name
	}
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return `"` + b.String() + `"`
}
