package api

import "github.com/lspine/lspine/internal/result"

// A PlaceRequest names an exact place in a file.
type PlaceRequest struct {
	Selector
	Limits
}

// SignatureHelp lists the signatures that fit the call around a place.
var SignatureHelp = Op[PlaceRequest, result.Signatures]{
	Name:  "signature_help",
	Title: "Signature help",
	Doc:   "Show the signatures of the call around a position.",
	Class: Read,
}

// Completions lists what could be written at a place.
var Completions = Op[PlaceRequest, result.Completions]{
	Name:  "completions",
	Title: "Completions",
	Doc:   "List the completions at a position.",
	Class: Read,
}
