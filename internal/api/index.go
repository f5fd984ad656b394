package api

import "github.com/lspine/lspine/internal/result"

// An ImportIndexRequest names an index of the workspace in the SCIP format.
type ImportIndexRequest struct {
	File   string `json:"file" jsonschema:"path of the index, such as index.scip; it may be compressed by gzip"`
	Commit string `json:"commit,omitempty" jsonschema:"the commit that the index was made of; default HEAD"`
	Limits
}

// ImportIndex takes over an index that somebody made of the workspace: references and definition answer from it while nothing has changed.
var ImportIndex = Op[ImportIndexRequest, result.Done]{
	Name:  "import_index",
	Title: "Import SCIP index",
	Doc:   "Take over a SCIP index of the workspace; references and definition answer from it, and say so, while nothing has changed.",
	Class: Admin,
}

// An ExportIndexRequest names the file for an index.
type ExportIndexRequest struct {
	File string `json:"file" jsonschema:"path of the index to write, such as index.scip"`
	Text bool   `json:"text,omitempty" jsonschema:"put the texts of the files into it"`
	Limits
}

// ExportIndex writes an index of what servers know of the workspace.
var ExportIndex = Op[ExportIndexRequest, result.Done]{
	Name:  "export_index",
	Title: "Write SCIP index",
	Doc:   "Write a SCIP index of what the files of the workspace declare and where it is used, as the servers say; import_index reads it.",
	Class: Edit,
}

// An IndexesRequest asks which indexes were imported.
type IndexesRequest struct {
	Remove int `json:"remove,omitempty" jsonschema:"the number of an index to remove"`
	Limits
}

// Indexes lists the indexes that were imported, or removes one.
var Indexes = Op[IndexesRequest, result.Done]{
	Name:  "indexes",
	Title: "Imported SCIP indexes",
	Doc:   "List the imported SCIP indexes of the workspace, or remove one.",
	Class: Admin,
}
