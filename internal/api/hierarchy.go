package api

import "github.com/lspine/lspine/internal/result"

// A HierarchyRequest asks who calls whom, or which type is which.
type HierarchyRequest struct {
	Selector
	Direction string `json:"direction,omitempty" jsonschema:"callers (default), callees, supertypes or subtypes"`
	Depth     int    `json:"depth,omitempty" jsonschema:"levels, 1 (default) to 10"`
	// CrossConcurrent marks calls that run beside their caller.
	CrossConcurrent bool `json:"cross_concurrent,omitempty" jsonschema:"mark calls that start a goroutine, thread or task"`
	Limits
}

// Hierarchy returns the callers, callees, supertypes or subtypes of a symbol.
var Hierarchy = Op[HierarchyRequest, result.Hierarchy]{
	Name:  "hierarchy",
	Title: "Call and type hierarchy",
	Doc:   "List the callers, callees, supertypes or subtypes of a symbol.",
	Class: Read,
}
