package api

import "github.com/lspine/lspine/internal/result"

// An AreaRequest names a range of a file.
type AreaRequest struct {
	Area
	Limits
}

// InlayHints lists the inferred types and parameter names that an editor would show in a range.
var InlayHints = Op[AreaRequest, result.Hints]{
	Name:  "inlay_hints",
	Title: "Inlay hints",
	Doc:   "Show inferred types and parameter names in a range of a file.",
	Class: Read,
}

// SemanticTokens returns the type and the modifiers of each word in a range.
var SemanticTokens = Op[AreaRequest, result.Tokens]{
	Name:  "semantic_tokens",
	Title: "Semantic tokens",
	Doc:   "Show the type and modifiers of each token in a range of a file.",
	Class: Read,
}

// A FileRequest names a file.
type FileRequest struct {
	File string `json:"file" jsonschema:"path"`
	Limits
}

// Folding lists the folding ranges of a file.
var Folding = Op[FileRequest, result.Folds]{
	Name:  "folding",
	Title: "Folding ranges",
	Doc:   "List the folding ranges of a file.",
	Class: Read,
}
