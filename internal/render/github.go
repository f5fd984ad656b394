package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/lspine/lspine/internal/result"
)

var (
	githubText = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubName = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
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
		fmt.Fprintf(&b, "::%s file=%s,title=no complete answer::%s\n",
			command, githubName.Replace(note.path), githubText.Replace(note.Message.Text))
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
	fmt.Fprintf(b, "::%s file=%s,line=%d,endLine=%d", command, githubName.Replace(f.Path), max(d.Line, 1), max(d.EndLine, 1))
	if d.Line == d.EndLine { // columns of several lines mean nothing there
		fmt.Fprintf(b, ",col=%d,endColumn=%d", max(d.Column, 1), max(d.EndColumn, 1))
	}
	fmt.Fprintf(b, ",title=%s::%s\n", githubName.Replace(title), githubText.Replace(d.Message))
}
