package editing

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Format formats a file, or a part of it, as its server does.
func (e *Editor) Format(ctx context.Context, req api.FormatRequest) (result.Edit, error) {
	if req.File == "" {
		return result.Edit{}, &api.ArgumentError{Argument: "file", Reason: "it is missing", Advice: `for example "src/a.go"`}
	}
	var path string
	answer, err := e.write(ctx, req.Writing, func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
		ctx, cancel := e.drafting(ctx)
		defer cancel()
		var err error
		if path, err = e.names.Resolve(req.File); err != nil {
			return nil, err
		}
		if err := e.drawUp(ctx, q, plan, path, req.Area); err != nil {
			return nil, err
		}
		return func(changes []edit.Change, applied bool) string {
			added, removed := changes[0].Lines()
			return fmt.Sprintf("%s %s (+%d -%d lines).", verb("Formatted", "formatting of", applied), e.names.Relative(path), added, removed)
		}, nil
	})
	var nothing *edit.NothingToChangeError
	if errors.As(err, &nothing) {
		return result.Edit{
			Mode: cmp.Or(req.Mode, api.Apply), Summary: e.names.Relative(path) + " is already formatted.",
			Changes: []result.Edited{}, Files: []result.File{},
		}, nil
	}
	return answer, err
}

// formatted returns how the server of a file formats it, and the server. The options are
// those of the file, unless they are changed.
func (e *Editor) formatted(ctx context.Context, q *symbols.Inquiry, path string, area api.Area, change func(*protocol.FormattingOptions)) ([]protocol.TextEdit, symbols.Server, error) {
	text, err := q.Text(path)
	if err != nil {
		return nil, nil, err
	}
	var r *protocol.Range
	if area.StartLine+area.StartColumn+area.EndLine+area.EndColumn > 0 {
		place, _, err := restate.Area(e.names, q, area)
		if err != nil {
			return nil, nil, err
		}
		r = &place.Range
	}
	options := formatting(text.Content())
	if change != nil {
		change(&options)
	}
	edits, by, err := q.Format(ctx, path, r, options)
	var unsupported *lsp.UnsupportedError
	if errors.As(err, &unsupported) {
		err = &NoFormatterError{unsupported.Server, e.names.Relative(path), r != nil}
	}
	if err == nil && len(edits) > 0 {
		err = e.placeable(by, path, text.Content())
	}
	return edits, by, err
}

// drawUp puts into a plan how the server of a file formats it.
func (e *Editor) drawUp(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan, path string, area api.Area) error {
	edits, by, err := e.formatted(ctx, q, path, area, nil)
	if err != nil {
		return err
	}
	op := edit.Operation{Kind: edit.EditText, URI: protocol.URIFromPath(path)}
	for _, change := range edits {
		op.Edits = append(op.Edits, edit.AnnotatedEdit{TextEdit: edit.TextEdit(change)})
	}
	if err := e.current(by, path, op); err != nil || len(edits) == 0 {
		return err
	}
	return plan.Workspace(edit.WorkspaceEdit{Operations: []edit.Operation{op}}, protocol.Ours)
}

// A NoFormatterError says that the server of a file does not offer formatting.
type NoFormatterError struct {
	Server, Path string
	// Range says that a range was to be formatted; the server may still format whole files.
	Range bool
}

func (e *NoFormatterError) Error() string {
	if e.Range {
		return fmt.Sprintf("%s does not format ranges of %s", e.Server, e.Path)
	}
	return fmt.Sprintf("%s does not format %s", e.Server, e.Path)
}

// Hint names another tool.
func (e *NoFormatterError) Hint() string {
	tool := language.Of(e.Path).Formatters
	switch {
	case tool != "":
		return "run a formatter of the language: " + strings.ReplaceAll(tool, "%s", e.Path)
	case e.Range:
		return "format without a range, or run a formatter of the language"
	}
	return "run a formatter of the language"
}

// formatting returns the options for a file: the indentation is its own, four
// spaces where it has none.
func formatting(text []byte) protocol.FormattingOptions {
	options := protocol.FormattingOptions{
		TabSize: 4, InsertSpaces: true, TrimTrailingWhitespace: true, InsertFinalNewline: true, TrimFinalNewlines: true,
	}
	tabs, spaces, before := 0, 0, 0
	steps := make(map[int]int) // by how many spaces lines are deeper than those before
	for line := range bytes.Lines(text) {
		rest := bytes.TrimLeft(line, " ")
		depth := len(line) - len(rest)
		switch {
		case len(bytes.TrimSpace(line)) == 0 || bytes.HasPrefix(rest, []byte("*")): // blank, or within a comment
			continue
		case line[0] == '\t':
			tabs++
			continue
		case depth > 0:
			spaces++
		}
		if step := depth - before; step > 1 {
			steps[step]++
		}
		before = depth
	}
	if tabs > spaces {
		options.InsertSpaces = false
		return options
	}
	for _, step := range []int{2, 3, 4, 8} {
		if steps[step] > 0 && (steps[options.TabSize] == 0 || steps[step] > steps[options.TabSize]) {
			options.TabSize = step
		}
	}
	return options
}
