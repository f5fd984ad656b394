package api

import "github.com/lspine/lspine/internal/result"

// A SessionsRequest asks who is at work.
type SessionsRequest struct {
	After     uint64 `json:"after,omitempty" jsonschema:"the number of the last known change: wait until something has changed after it"`
	TimeoutMS int    `json:"timeout_ms,omitempty" jsonschema:"how long to wait for a change"`
}

// Sessions reports who works with the servers of the workspace, or waits until that changes. What fronts ask for themselves does not
// count.
var Sessions = Op[SessionsRequest, result.Sessions]{
	Name:  "sessions",
	Title: "Sessions of all clients",
	Doc:   "List the sessions of all clients of the workspace and their simulations; wait for a change after a known one.",
	Class: Read,
}
