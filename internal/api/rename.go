package api

import "github.com/lspine/lspine/internal/result"

// A RenameRequest gives a symbol another name, or a file another path.
type RenameRequest struct {
	Selector
	NewName      string   `json:"new_name,omitempty" jsonschema:"what the symbol is to be called"`
	NewPath      string   `json:"new_path,omitempty" jsonschema:"instead, with file alone: where the file is to be; imports follow"`
	ExcludeGlobs []string `json:"exclude_globs,omitempty" jsonschema:"leave files alone whose path from the root matches, such as **/testdata/**"`
	Writing
}

// Rename renames a symbol everywhere, or a file with the imports of it.
var Rename = Op[RenameRequest, result.Edit]{
	Name:  "rename",
	Title: "Rename",
	Doc:   "Rename a symbol everywhere it is used, or a file with what imports it, all or none, and report the errors that this made.",
	Class: Edit,
}

// A PrepareRenameRequest asks whether a symbol can be renamed.
type PrepareRenameRequest struct {
	Selector
	Limits
}

// PrepareRename returns what a rename would rename.
var PrepareRename = Op[PrepareRenameRequest, result.PreparedRename]{
	Name:  "prepare_rename",
	Title: "Prepare a rename",
	Doc:   "Whether the symbol at a place can be renamed, and what exactly would be.",
	Class: Read,
}
