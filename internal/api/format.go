package api

import "github.com/lspine/lspine/internal/result"

// A FormatRequest asks for a file, or lines of it, to be formatted.
type FormatRequest struct {
	Area
	Writing
}

// Format formats a file as its language server does.
var Format = Op[FormatRequest, result.Edit]{
	Name:  "format",
	Title: "Format a file",
	Doc:   "Format a file, or a range of it, with its language server.",
	Class: Edit,
}
