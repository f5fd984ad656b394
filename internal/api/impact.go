package api

import "github.com/lspine/lspine/internal/result"

// An ImpactRequest asks what a change of symbols reaches: those of files, those
// that are named, those that a diff touches, or all of these.
type ImpactRequest struct {
	Files      []string `json:"files,omitempty" jsonschema:"files whose symbols change"`
	Symbols    []string `json:"symbols,omitempty" jsonschema:"symbols that change, each as in at: src/a.go Config.Load"`
	GitRange   string   `json:"git_range,omitempty" jsonschema:"only what this diff touches: HEAD (uncommitted), HEAD~1.. or main..."`
	Transitive bool     `json:"transitive,omitempty" jsonschema:"also the users of the users"`
	Scope      string   `json:"scope,omitempty" jsonschema:"of files: exported (default) or all symbols"`
	Limits
}

// Impact returns who uses what was changed, or is about to be.
var Impact = Op[ImpactRequest, result.Impact]{
	Name:  "impact",
	Title: "Impact of a change",
	Doc:   "List what uses the symbols of files, or those that a diff touches: users, tests and risk of each.",
	Class: Read,
}
