package api

import "github.com/lspine/lspine/internal/result"

// A DocumentationRequest asks for the documentation of a symbol, in the workspace
// or of a library.
type DocumentationRequest struct {
	Selector
	Format string `json:"format,omitempty" jsonschema:"text (default) or markdown"`
	Limits
}

// Documentation returns the documentation of a symbol from the language's own tool or, failing
// that, from its server.
var Documentation = Op[DocumentationRequest, result.Documentation]{
	Name:  "documentation",
	Title: "Documentation of a symbol",
	Doc:   "Documentation of a symbol by name, libraries included: go doc, pydoc, cargo doc, or the server's hover.",
	Class: Read,
}
