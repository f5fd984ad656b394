package api

import "github.com/lspine/lspine/internal/result"

// A StatusRequest says which servers are of interest.
type StatusRequest struct {
	Scope string `json:"scope,omitempty" jsonschema:"running; workspace (default): also those that the files need or the configuration names; or all"`
	// Measurements asks for what was measured of each server as well: there is more of it than a model needs.
	Measurements bool `json:"measurements,omitempty" jsonschema:"also list the memory of each running server, and its most recent answers"`
}

// Status lists known servers and their states.
var Status = Op[StatusRequest, result.Status]{
	Name:  "status",
	Title: "Status of the servers",
	Doc:   "List the language servers of the workspace and their states.",
	Class: Read,
}
