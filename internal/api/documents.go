package api

import "github.com/lspine/lspine/internal/result"

// An OpenRequest opens a document, perhaps with a text that is not on disk.
type OpenRequest struct {
	File string `json:"file" jsonschema:"path"`
	// Text counts instead of the disk until the document is closed.
	Text *string `json:"text,omitempty" jsonschema:"text that replaces the file on disk until close"`
}

// Open opens a document in its server. If the request has a text, that replaces the one on disk
// until the document is closed.
var Open = Op[OpenRequest, result.Done]{
	Name:  "open",
	Title: "Open document",
	Doc:   "Open a document in its server; a given text replaces the one on disk until it is closed.",
	Class: Read,
}

// Close closes a document: from then on its text is the one on disk again.
var Close = Op[FileRequest, result.Done]{
	Name:  "close",
	Title: "Close document",
	Doc:   "Close a document; servers then see the file on disk.",
	Class: Read,
}
