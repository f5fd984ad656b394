package api

import (
	"encoding/json"

	"github.com/lspine/lspine/internal/result"
)

// An EditRequest changes files.
type EditRequest struct {
	Edits []FileEdit `json:"edits" jsonschema:"made in this order, all or none"`
	Writing
}

// A FileEdit is one change of exactly one kind: replaced text, whole content, a range, a patch, a
// WorkspaceEdit, a deletion or a renaming.
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
	ExpectHash    string          `json:"expect_hash,omitempty" jsonschema:"SHA-256 of the file as it was read; the edit is refused if the file has another"`
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
	Doc:   "Change files, all or none, and report the new errors that this caused, in these files and in others.",
	Class: Edit,
}
