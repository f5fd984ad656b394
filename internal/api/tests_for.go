package api

import "github.com/lspine/lspine/internal/result"

// A TestsRequest asks which tests belong to files.
type TestsRequest struct {
	Files []string `json:"files" jsonschema:"paths"`
	Limits
}

// TestsFor finds the tests of files, by their names and by who uses what the
// files declare.
var TestsFor = Op[TestsRequest, result.Tests]{
	Name:  "tests_for",
	Title: "Tests of files",
	Doc:   "Find the tests for files, by naming rules and by use of what the files declare.",
	Class: Read,
}
