package editing

import (
	"context"
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// EditFiles makes the edits of a request, all or none.
func (e *Editor) EditFiles(ctx context.Context, req api.EditRequest) (result.Edit, error) {
	if len(req.Edits) == 0 {
		return result.Edit{}, &api.ArgumentError{Argument: "edits", Reason: "it is empty", Advice: "for example " + api.Example("edits")}
	}
	return e.write(ctx, req.Writing, func(_ context.Context, _ *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
		// What the caller saw is what is on disk, before any edit.
		for i, f := range req.Edits {
			if f.ExpectHash == "" {
				continue
			}
			if f.File == "" {
				return nil, &api.ArgumentError{Argument: fmt.Sprintf("edits[%d].expect_hash", i), Reason: "it needs a file", Advice: `for example {"file":"a.go","expect_hash":"…"}`}
			}
			if err := plan.Expect(f.File, f.ExpectHash); err != nil {
				return nil, api.ErrorOfEdit(err, i, len(req.Edits))
			}
		}
		for i, f := range req.Edits {
			if err := draftEdit(&f, fmt.Sprintf("edits[%d]", i), plan); err != nil {
				return nil, api.ErrorOfEdit(err, i, len(req.Edits))
			}
		}
		return e.applied, nil
	})
}

// kindsOf returns the names of the kinds of change that f asks for.
func kindsOf(f *api.FileEdit) (kinds []string) {
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

// draftEdit puts the change into a plan. argument is its own name.
func draftEdit(f *api.FileEdit, argument string, plan *edit.Plan) error {
	kinds := kindsOf(f)
	if len(kinds) != 1 {
		reason := "it says no change"
		if len(kinds) > 1 {
			reason = "it says several changes: " + strings.Join(kinds, ", ")
		}
		return &api.ArgumentError{Argument: argument, Reason: reason, Advice: "give one of: old_text and new_text, content, range and new_text, patch, workspace_edit, delete, rename_to"}
	}
	kind := kinds[0]
	if f.File == "" && kind != "patch" && kind != "workspace_edit" {
		return &api.ArgumentError{Argument: argument + ".file", Reason: "it is missing", Advice: `for example "src/a.go"`}
	}
	if f.NewText == nil && (kind == "old_text" || kind == "range") {
		return &api.ArgumentError{Argument: argument + ".new_text", Reason: "it is missing", Advice: `to delete the text give ""`}
	}
	switch kind {
	case "old_text":
		_, err := plan.Replace(f.File, *f.OldText, *f.NewText, f.ReplaceAll)
		return err
	case "content":
		return plan.Write(f.File, *f.Content)
	case "range":
		r, err := rangeOf(f.Range, argument+".range")
		if err != nil {
			return err
		}
		return plan.Ranges(f.File, []edit.TextEdit{{Range: r, NewText: *f.NewText}}, protocol.UTF16)
	case "patch":
		return plan.Patch(f.Patch)
	case "workspace_edit":
		w, err := edit.DecodeWorkspaceEdit(f.WorkspaceEdit)
		if err != nil {
			return &api.ArgumentError{Argument: argument + ".workspace_edit", Reason: err.Error(), Advice: `for example {"changes":{"file:///a.go":[{"range":…,"newText":"x"}]}}`}
		}
		return plan.Workspace(w, protocol.Ours)
	case "delete":
		return plan.Delete(f.File, edit.Missing{})
	default:
		return plan.Rename(f.File, f.RenameTo, edit.Existing{})
	}
}

func rangeOf(s *api.Span, argument string) (protocol.Range, error) {
	if s.StartLine < 1 || s.StartColumn < 1 || s.EndLine < 1 || s.EndColumn < 1 {
		return protocol.Range{}, &api.ArgumentError{Argument: argument, Reason: "lines and columns start at 1", Advice: `for example {"start_line":3,"start_column":1,"end_line":4,"end_column":1}`}
	}
	r := protocol.Range{
		Start: protocol.Position{Line: uint32(s.StartLine - 1), Character: uint32(s.StartColumn - 1)},
		End:   protocol.Position{Line: uint32(s.EndLine - 1), Character: uint32(s.EndColumn - 1)},
	}
	if r.End.Before(r.Start) {
		return protocol.Range{}, &api.ArgumentError{Argument: argument, Reason: "it ends before it starts", Advice: `for example {"start_line":3,"start_column":1,"end_line":4,"end_column":1}`}
	}
	return r, nil
}

// applied says what was changed, in one line.
func (e *Editor) applied(changes []edit.Change, applied bool) string {
	if len(changes) > 1 {
		return fmt.Sprintf("%s %d files: %s.", verb("Edit applied to", "edit of", applied), len(changes), e.namesOf(changes))
	}
	c, name := changes[0], e.names.Relative(changes[0].Path)
	added, removed := c.Lines()
	switch {
	case c.Created:
		return fmt.Sprintf("%s %s (%d lines).", verb("Created", "creation of", applied), name, added)
	case c.Deleted:
		return fmt.Sprintf("%s %s.", verb("Deleted", "deletion of", applied), name)
	case c.From != "":
		return fmt.Sprintf("%s %s to %s.", verb("Renamed", "renaming of", applied), e.names.Relative(c.From), name)
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
func (e *Editor) namesOf(changes []edit.Change) string {
	const most = 8
	var names []string
	for _, c := range changes[:min(most, len(changes))] {
		names = append(names, e.names.Relative(c.Path))
	}
	if more := len(changes) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
