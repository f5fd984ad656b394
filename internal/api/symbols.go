package api

import "github.com/lspine/lspine/internal/result"

// A SymbolsRequest asks what a file declares, or what has a name in the
// workspace.
type SymbolsRequest struct {
	File string `json:"file,omitempty" jsonschema:"outline this file"`
	// Format is tree or flat.
	Format string `json:"format,omitempty" jsonschema:"tree (default) or flat"`
	Depth  int    `json:"depth,omitempty" jsonschema:"levels of the outline, default all"`
	Query  string `json:"query,omitempty" jsonschema:"or search the workspace for this name"`
	Kind   string `json:"kind,omitempty" jsonschema:"only this kind, such as function"`
	Limit  int    `json:"limit,omitempty" jsonschema:"maximum number of symbols, default 50"`
	Offset int    `json:"offset,omitempty" jsonschema:"symbols to skip"`
	// Hover adds what the server says of each symbol found.
	Hover    bool   `json:"hover,omitempty" jsonschema:"with the type of each symbol found"`
	Language string `json:"language,omitempty" jsonschema:"LSP language id to search in"`
	Limits
}

// Symbols outlines a file or searches the workspace.
var Symbols = Op[SymbolsRequest, result.Symbols]{
	Name:  "symbols",
	Title: "Outline or search symbols",
	Doc:   "List what a file declares, or find where in the workspace a name is declared.",
	Class: Read,
}

// Outline returns what a file declares, as a tree.
var Outline = Op[SymbolsRequest, result.Symbols]{
	Name:  "outline",
	Title: "Outline of a file",
	Doc:   "List what a file declares, as a tree.",
	Class: Read,
}

// FindSymbol searches the workspace for a name.
var FindSymbol = Op[SymbolsRequest, result.Symbols]{
	Name:  "find_symbol",
	Title: "Find symbol",
	Doc:   "Find where in the workspace a name is declared, best match first.",
	Class: Read,
}
