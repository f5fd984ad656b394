package api

import "github.com/lspine/lspine/internal/result"

// A BuildRequest asks for a run of a language's own tool.
type BuildRequest struct {
	Path     string `json:"path,omitempty" jsonschema:"folder to build or test, default the whole workspace"`
	Language string `json:"language,omitempty" jsonschema:"go, rust, typescript, python, java, c or cpp; default: from the files of the project"`
	Limits
}

// Build compiles with the language's own tool.
var Build = Op[BuildRequest, result.Build]{
	Name:  "build",
	Title: "Build",
	Doc:   "Build with the language's own tool, whose arguments are fixed; no shell.",
	Class: Execute,
}

// Test runs tests with the language's own tool.
var Test = Op[BuildRequest, result.Build]{
	Name:  "test",
	Title: "Run tests",
	Doc:   "Run tests with the language's own tool, whose arguments are fixed; no shell.",
	Class: Execute,
}
