package api

import "github.com/lspine/lspine/internal/result"

// A ReferencesRequest asks where a symbol is used.
type ReferencesRequest struct {
	Selector
	IncludeDeclaration bool  `json:"include_declaration,omitempty" jsonschema:"include the declaration"`
	SourceLines        *bool `json:"source_lines,omitempty" jsonschema:"include the text of each line (default true)"`
	Limits
}

// References lists the uses of a symbol.
var References = Op[ReferencesRequest, result.Places]{
	Name:  "references",
	Title: "Find references",
	Doc:   "List every use of a symbol in the workspace, by file.",
	Class: Read,
}

// A HighlightsRequest asks for the uses of a symbol in its own file.
type HighlightsRequest struct {
	Selector
	Limits
}

// Highlights lists the uses of a symbol in its own file, reads and writes apart.
var Highlights = Op[HighlightsRequest, result.Places]{
	Name:  "highlights",
	Title: "Highlight in file",
	Doc:   "List every use of a symbol in its own file, with reads and writes distinguished.",
	Class: Read,
}
