package render

import (
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// GitHub writes a check as workflow commands of GitHub Actions, which become
// annotations of the lines. A file without a complete answer is a warning: silence
// is not a clean file.
func GitHub(c *result.Check, w io.Writer) error {
	var b strings.Builder
	for _, files := range [][]result.File{c.Files, c.Others, c.Late} {
		for i := range files {
			for _, d := range files[i].Diagnostics {
				annotate(&b, &files[i], d)
			}
		}
	}
	for _, note := range unansweredNotes(c) {
		command := "warning"
		if note.Level == "note" {
			command = "notice"
		}
		b.WriteString(legible.Command(command, note.Message.Text,
			legible.Property{Name: "file", Value: note.path}, legible.Property{Name: "title", Value: "no complete answer"}))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func annotate(b *strings.Builder, f *result.File, d result.Diagnostic) {
	title := cmp.Or(d.Source, d.Server)
	if d.Code != "" {
		title += " " + d.Code
	}
	command := cmp.Or(map[string]string{"error": "error", "warning": "warning"}[d.Severity], "notice")
	number := func(name string, n uint32) legible.Property {
		return legible.Property{Name: name, Value: strconv.FormatUint(uint64(max(n, 1)), 10)}
	}
	properties := []legible.Property{{Name: "file", Value: f.Path}, number("line", d.Line), number("endLine", d.EndLine)}
	if d.Line == d.EndLine { // columns of several lines mean nothing there
		properties = append(properties, number("col", d.Column), number("endColumn", d.EndColumn))
	}
	b.WriteString(legible.Command(command, d.Message, append(properties, legible.Property{Name: "title", Value: title})...))
}
