package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// An EditRequest changes files.
type EditRequest struct {
	Edits []FileEdit `json:"edits" jsonschema:"made in this order, all or none"`
	Writing
}

// A FileEdit is one change: of one kind.
type FileEdit struct {
	File       string  `json:"file,omitempty" jsonschema:"path"`
	OldText    *string `json:"old_text,omitempty" jsonschema:"exact text, found once"`
	NewText    *string `json:"new_text,omitempty" jsonschema:"what replaces old_text or range"`
	ReplaceAll bool    `json:"replace_all,omitempty" jsonschema:"replace old_text everywhere in the file"`
	Content    *string `json:"content,omitempty" jsonschema:"whole new content of a file, new or not"`
	Range      *Span   `json:"range,omitempty" jsonschema:"replace this, of the file as it is on disk"`
	Patch      string  `json:"patch,omitempty" jsonschema:"unified diff, or *** Begin Patch; names its files"`
	// WorkspaceEdit is LSP's, with 0-based positions in UTF-16.
	WorkspaceEdit json.RawMessage `json:"workspace_edit,omitempty" jsonschema:"a WorkspaceEdit of LSP"`
	Delete        bool            `json:"delete,omitempty" jsonschema:"delete the file"`
	RenameTo      string          `json:"rename_to,omitempty" jsonschema:"new path of the file"`
	ExpectHash    string          `json:"expect_hash,omitempty" jsonschema:"sha256 of the file as it was read; refused if it is another"`
}

// A Span is a stretch of text. Lines and columns are 1-based, columns in UTF-16
// code units; the end is not included.
type Span struct {
	StartLine   OneBased `json:"start_line"`
	StartColumn OneBased `json:"start_column"`
	EndLine     OneBased `json:"end_line"`
	EndColumn   OneBased `json:"end_column"`
}

// EditFiles changes files and reports what that broke, in them and elsewhere.
var EditFiles = Op[EditRequest, result.Edit]{
	Name:  "edit",
	Title: "Edit files",
	Doc:   "Change files, all or none, and report the errors that this made, in them and in others, without those that were there before.",
	Class: Edit,
	run: func(ctx context.Context, e *Engine, req EditRequest) (result.Edit, error) {
		if len(req.Edits) == 0 {
			return result.Edit{}, &ArgumentError{"edits", "it is empty", "for example " + examples["edits"]}
		}
		return e.write(ctx, req.Writing, func(_ context.Context, _ *symbols.Inquiry, plan *edit.Plan) (summarizer, error) {
			// What the caller saw is what is on disk, before any edit.
			for i, f := range req.Edits {
				if f.ExpectHash == "" {
					continue
				}
				if f.File == "" {
					return nil, &ArgumentError{fmt.Sprintf("edits[%d].expect_hash", i), "it needs a file", `for example {"file":"a.go","expect_hash":"…"}`}
				}
				if err := plan.Expect(f.File, f.ExpectHash); err != nil {
					return nil, err
				}
			}
			for i, f := range req.Edits {
				if err := f.draft(fmt.Sprintf("edits[%d]", i), plan); err != nil {
					return nil, err
				}
			}
			return e.applied, nil
		})
	},
}

// kinds returns the names of the kinds of change that f asks for.
func (f *FileEdit) kinds() (kinds []string) {
	for _, k := range []struct {
		name  string
		given bool
	}{
		{"old_text", f.OldText != nil},
		{"content", f.Content != nil},
		{"range", f.Range != nil},
		{"patch", f.Patch != ""},
		{"workspace_edit", len(f.WorkspaceEdit) > 0},
		{"delete", f.Delete},
		{"rename_to", f.RenameTo != ""},
	} {
		if k.given {
			kinds = append(kinds, k.name)
		}
	}
	return kinds
}

// draft puts the change into a plan. argument is its own name.
func (f *FileEdit) draft(argument string, plan *edit.Plan) error {
	kinds := f.kinds()
	if len(kinds) != 1 {
		reason := "it says no change"
		if len(kinds) > 1 {
			reason = "it says several changes: " + listOf(kinds)
		}
		return &ArgumentError{argument, reason, "give one of: old_text and new_text, content, range and new_text, patch, workspace_edit, delete, rename_to"}
	}
	kind := kinds[0]
	if f.File == "" && kind != "patch" && kind != "workspace_edit" {
		return &ArgumentError{argument + ".file", "it is missing", `for example "src/a.go"`}
	}
	if f.NewText == nil && (kind == "old_text" || kind == "range") {
		return &ArgumentError{argument + ".new_text", "it is missing", `to delete the text give ""`}
	}
	switch kind {
	case "old_text":
		_, err := plan.Replace(f.File, *f.OldText, *f.NewText, f.ReplaceAll)
		return err
	case "content":
		return plan.Write(f.File, *f.Content)
	case "range":
		r, err := f.Range.lsp(argument + ".range")
		if err != nil {
			return err
		}
		return plan.Ranges(f.File, []edit.TextEdit{{Range: r, NewText: *f.NewText}}, protocol.UTF16)
	case "patch":
		return plan.Patch(f.Patch)
	case "workspace_edit":
		w, err := edit.DecodeWorkspaceEdit(f.WorkspaceEdit)
		if err != nil {
			return &ArgumentError{argument + ".workspace_edit", err.Error(), `for example {"changes":{"file:///a.go":[{"range":…,"newText":"x"}]}}`}
		}
		return plan.Workspace(w, protocol.UTF16)
	case "delete":
		return plan.Delete(f.File, edit.Missing{})
	default:
		return plan.Rename(f.File, f.RenameTo, edit.Existing{})
	}
}

func (s *Span) lsp(argument string) (protocol.Range, error) {
	if s.StartLine < 1 || s.StartColumn < 1 || s.EndLine < 1 || s.EndColumn < 1 {
		return protocol.Range{}, &ArgumentError{argument, "lines and columns start at 1", `for example {"start_line":3,"start_column":1,"end_line":4,"end_column":1}`}
	}
	r := protocol.Range{
		Start: protocol.Position{Line: uint32(s.StartLine - 1), Character: uint32(s.StartColumn - 1)},
		End:   protocol.Position{Line: uint32(s.EndLine - 1), Character: uint32(s.EndColumn - 1)},
	}
	if r.End.Before(r.Start) {
		return protocol.Range{}, &ArgumentError{argument, "it ends before it starts", `for example {"start_line":3,"start_column":1,"end_line":4,"end_column":1}`}
	}
	return r, nil
}

// applied says what was changed, in one line.
func (e *Engine) applied(changes []edit.Change, applied bool) string {
	if len(changes) > 1 {
		return fmt.Sprintf("%s %d files: %s.", verb("Edit applied to", "edit of", applied), len(changes), e.namesOf(changes))
	}
	c, name := changes[0], e.relative(changes[0].Path)
	added, removed := c.Lines()
	switch {
	case c.Created:
		return fmt.Sprintf("%s %s (%d lines).", verb("Created", "creation of", applied), name, added)
	case c.Deleted:
		return fmt.Sprintf("%s %s.", verb("Deleted", "deletion of", applied), name)
	case c.From != "":
		return fmt.Sprintf("%s %s to %s.", verb("Renamed", "renaming of", applied), e.relative(c.From), name)
	}
	how := fmt.Sprintf("+%d -%d lines", added, removed)
	switch c.Replacements {
	case 0:
	case 1:
		how = "1 replacement"
	default:
		how = fmt.Sprintf("%d replacements", c.Replacements)
	}
	return fmt.Sprintf("%s %s (%s).", verb("Edit applied to", "edit of", applied), name, how)
}

func verb(done, planned string, applied bool) string {
	if applied {
		return done
	}
	return planned
}

// namesOf lists the changed files, the first of many.
func (e *Engine) namesOf(changes []edit.Change) string {
	const most = 8
	var names []string
	for _, c := range changes[:min(most, len(changes))] {
		names = append(names, e.relative(c.Path))
	}
	if more := len(changes) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
