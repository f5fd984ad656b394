package api

import "github.com/lspine/lspine/internal/result"

// An InspectRequest asks what a symbol is.
type InspectRequest struct {
	Selector
	Parts []string `json:"parts,omitempty" jsonschema:"what to request: hover, definition; default: both"`
	Limits
}

// An ExploreRequest asks for everything about a symbol.
type ExploreRequest struct {
	Selector
	Limits
}

// Inspect returns type, documentation, signature and definition of a symbol in one answer.
var Inspect = Op[InspectRequest, result.Inspection]{
	Name:  "inspect",
	Title: "Inspect symbol",
	Doc:   "Show type, documentation, signature and definition of a symbol.",
	Class: Read,
}

// Explore returns all that is known about a symbol in one answer.
var Explore = Op[ExploreRequest, result.Inspection]{
	Name:  "explore",
	Title: "Explore symbol",
	Doc:   "Show all about a symbol: type, documentation, source, callers, references, tests.",
	Class: Read,
}
