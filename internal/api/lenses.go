package api

import "github.com/lspine/lspine/internal/result"

// A LensRequest asks which commands servers offer in a file, such as running a test.
type LensRequest struct {
	File string   `json:"file" jsonschema:"path"`
	Line OneBased `json:"line,omitempty" jsonschema:"only those of this line"`
	Limits
}

// CodeLenses lists the commands that servers offer in a file.
var CodeLenses = Op[LensRequest, result.Lenses]{
	Name:  "code_lenses",
	Title: "Code lenses",
	Doc:   "List the commands that the servers of a file offer at places in it, such as running a test.",
	Class: Read,
}

// An ExecuteLensRequest names one of the commands that servers offer in a file.
type ExecuteLensRequest struct {
	File    string   `json:"file" jsonschema:"path"`
	Line    OneBased `json:"line,omitempty" jsonschema:"the line that it is on; number then counts on that line"`
	Number  OneBased `json:"number,omitempty" jsonschema:"its number in the list, default 1"`
	Title   string   `json:"title,omitempty" jsonschema:"exact title, alone or to be sure of the number"`
	Confirm bool     `json:"confirm,omitempty" jsonschema:"needed: a command may do anything, also run programs"`
	Writing
}

// ExecuteLens executes a command that a server offers in a file.
var ExecuteLens = Op[ExecuteLensRequest, result.Command]{
	Name:  "execute_code_lens",
	Title: "Execute a code lens",
	Doc:   "Execute a command listed by code_lenses; the edits that it requests are made, all or none, and judged.",
	Class: Execute,
	Edits: true,
}

// A FormatEditsRequest asks how a file, or lines of it, would be formatted.
type FormatEditsRequest struct {
	Area
	TabSize      int   `json:"tab_size,omitempty" jsonschema:"columns per level; default: as in the file"`
	InsertSpaces *bool `json:"insert_spaces,omitempty" jsonschema:"spaces instead of tabs; default: as in the file"`
	Limits
}

// FormatEdits returns the edits that would format a file, and writes nothing.
var FormatEdits = Op[FormatEditsRequest, result.Formatting]{
	Name:  "format_edits",
	Title: "Edits that format a file",
	Doc:   "Return the edits with which a language server would format a file, or a range of it. Nothing is written.",
	Class: Read,
}
