package api

import (
	"time"

	"github.com/lspine/lspine/internal/result"
)

// A DiagnosticsRequest asks for the state that is known.
type DiagnosticsRequest struct {
	Files      []string `json:"files,omitempty" jsonschema:"paths to bring up to date first; without any, all files with known diagnostics are listed"`
	Severities []string `json:"severities,omitempty" jsonschema:"error, warning, info, hint; default: as configured"`
	// Refresh asks the servers about the files with known diagnostics as they are now.
	Refresh    bool   `json:"refresh,omitempty" jsonschema:"check the files with known diagnostics again before they are listed"`
	AfterEpoch uint64 `json:"after_epoch,omitempty" jsonschema:"wait until something has happened after this epoch"`
	TimeoutMS  int    `json:"timeout_ms,omitempty" jsonschema:"how long to wait"`
	MaxBytes   int    `json:"max_bytes,omitempty" jsonschema:"budget of the answer, default 12000; -1 is none"`
}

func (r DiagnosticsRequest) Budget() int { return r.MaxBytes }

// Deadline returns how long the call may take if it checks files first, 0 otherwise: the wait for
// something to happen has a time-out of its own.
func (r DiagnosticsRequest) Deadline() time.Duration {
	if len(r.Files) == 0 {
		return 0
	}
	return Milliseconds(r.TimeoutMS)
}

// Diagnostics reports every file for which some server holds diagnostics.
var Diagnostics = Op[DiagnosticsRequest, result.Check]{
	Name:  "diagnostics",
	Title: "Known diagnostics",
	Doc:   "Report the known diagnostics of the workspace; files that are named are brought up to date first.",
	Class: Read,
}
