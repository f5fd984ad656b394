package render

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// GitHub writes a check as workflow commands of GitHub Actions, which become
// annotations of the lines. A file without a complete answer is a warning: silence
// is not a clean file. Older findings become annotations only where they count, as in the text;
// of those that could not be compared, the title says so.
func GitHub(c *result.Check, w io.Writer) error {
	var b strings.Builder
	for _, group := range []struct {
		files []result.File
		older bool // whether older ones are listed
	}{{c.Files, c.CountOlder}, {c.Others, c.AllErrors}, {c.Late, c.AllErrors}} {
		for i := range group.files {
			for j := range group.files[i].Diagnostics {
				annotate(&b, &group.files[i], &group.files[i].Diagnostics[j], group.older)
			}
		}
	}
	for _, note := range unansweredNotes(c) {
		command := "warning"
		if note.Level == "note" {
			command = "notice"
		}
		properties := []legible.Property{{Name: "title", Value: "no complete answer"}}
		if note.path != "" {
			properties = slices.Insert(properties, 0, legible.Property{Name: "file", Value: note.path})
		}
		b.WriteString(legible.Command(command, note.Message.Text, properties...))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// annotate writes a finding of a file. older says whether it is listed even if it is not new.
func annotate(b *strings.Builder, f *result.File, d *result.Diagnostic, older bool) {
	title := cmp.Or(d.Source, d.Server)
	if d.Code != "" {
		title += " " + d.Code
	}
	command := cmp.Or(map[string]string{"error": "error", "warning": "warning"}[d.Severity], "notice")
	counts := d.New || d.Standing || older
	switch ageOf(f, d) {
	case isUncompared:
		title += " (not known whether new)"
		if !counts && command == "error" {
			command = "warning"
		}
	case isOlder:
		if !counts {
			return
		}
		title += " (older)"
	}
	number := func(name string, n uint32) legible.Property {
		return legible.Property{Name: name, Value: strconv.FormatUint(uint64(max(n, 1)), 10)}
	}
	properties := []legible.Property{{Name: "file", Value: f.Path}, number("line", d.Line), number("endLine", d.EndLine)}
	if d.Line == d.EndLine { // columns of several lines mean nothing there
		properties = append(properties, number("col", d.Column), number("endColumn", d.EndColumn))
	}
	b.WriteString(legible.Command(command, d.Message, append(properties, legible.Property{Name: "title", Value: title})...))
}
