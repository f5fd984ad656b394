package api

import "github.com/lspine/lspine/internal/result"

// A RenameRequest gives a symbol another name, or a file or folder another path.
type RenameRequest struct {
	Selector
	NewName      string   `json:"new_name,omitempty" jsonschema:"new name of the symbol"`
	NewPath      string   `json:"new_path,omitempty" jsonschema:"instead of new_name, with only file: the new path of the file or folder; imports follow, or it stays"`
	ExcludeGlobs []string `json:"exclude_globs,omitempty" jsonschema:"leave out files whose path from the root matches, such as **/testdata/**"`
	Writing
}

// Rename renames a symbol everywhere, or a file or folder with the imports of it.
var Rename = Op[RenameRequest, result.Edit]{
	Name:  "rename",
	Title: "Rename",
	Doc:   "Rename a symbol everywhere it is used, or a file or folder and its imports, all or none, and report the new errors that this caused.",
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
	Doc:   "Check whether the symbol at a position can be renamed, and which text would be.",
	Class: Read,
}
