package api

import "github.com/lspine/lspine/internal/result"

// A SourceRequest asks for the text of a declaration, with ContextLines more lines before and
// after it.
type SourceRequest struct {
	Selector
	ContextLines int `json:"context_lines,omitempty" jsonschema:"lines before and after"`
	Limits
}

// Source returns the text of the declaration that a selector names or stands in.
var Source = Op[SourceRequest, result.Source]{
	Name:  "source",
	Title: "Source of a symbol",
	Doc:   "Show the full text of the declaration at a position, with its doc comment.",
	Class: Read,
}
