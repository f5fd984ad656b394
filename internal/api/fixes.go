package api

import "github.com/lspine/lspine/internal/result"

// A FixesRequest asks what servers offer to do about a file, or about a part of
// it, or does one of it.
type FixesRequest struct {
	Selector
	// StartLine and what follows name a range, with File.
	StartLine   OneBased `json:"start_line,omitempty" jsonschema:"with file: the first line of a range"`
	StartColumn OneBased `json:"start_column,omitempty"`
	EndLine     OneBased `json:"end_line,omitempty"`
	EndColumn   OneBased `json:"end_column,omitempty"`
	Diagnostic  string   `json:"diagnostic,omitempty" jsonschema:"only fixes for this: its line, its code or part of its message"`
	Only        []string `json:"only,omitempty" jsonschema:"kinds, such as quickfix, refactor.extract or source.organizeImports"`
	Apply       OneBased `json:"apply,omitempty" jsonschema:"number of the action to apply"`
	Title       string   `json:"title,omitempty" jsonschema:"exact title of the action to apply, alone or to be sure of the number"`
	WithEdits   bool     `json:"with_edits,omitempty" jsonschema:"list also the edits, as LSP's WorkspaceEdit, and the arguments of commands"`
	Writing
}

// Fixes lists the code actions for a place, or applies one.
var Fixes = Op[FixesRequest, result.Fixes]{
	Name:  "fixes",
	Title: "List or apply fixes",
	Doc:   "List what the language servers offer for a file, a line or a diagnostic: quick fixes, import clean-ups and refactorings, each with its diff; with apply, apply one.",
	Class: Edit,
	ClassOf: func(req FixesRequest) Class {
		if req.Apply > 0 || req.Title != "" {
			return Edit
		}
		return Read
	},
}
