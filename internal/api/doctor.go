package api

import "github.com/lspine/lspine/internal/result"

// A DoctorRequest asks why servers say what they say, or nothing.
type DoctorRequest struct {
	Files []string `json:"files,omitempty" jsonschema:"paths to explain, absolute or relative to the root; default the whole workspace"`
	Limits
}

// Doctor starts every server that fits, apart from those that run, shows it a file,
// and tells what came of each step, with the command to type where one failed.
var Doctor = Op[DoctorRequest, result.Doctor]{
	Name:  "doctor",
	Title: "Explain silence",
	Doc:   "Try the servers for the workspace or for files: what was found, started and answered, and the next command for each problem.",
	Class: Read,
}
