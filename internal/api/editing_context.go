package api

import "github.com/lspine/lspine/internal/result"

// An EditingContextRequest asks what one must know before editing a file.
type EditingContextRequest struct {
	File        string `json:"file" jsonschema:"path"`
	IfNoneMatch string `json:"if_none_match,omitempty" jsonschema:"etag of an earlier answer: if nothing has changed, the answer is not_modified"`
	Limits
}

// EditingContext returns what a file imports, declares and calls, and who uses it.
var EditingContext = Op[EditingContextRequest, result.EditingContext]{
	Name:  "editing_context",
	Title: "Editing context",
	Doc:   "Show what to know before editing a file: imports, symbols, callers and callees, with an etag.",
	Class: Read,
}
