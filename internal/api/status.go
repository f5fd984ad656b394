package api

import "github.com/lspine/lspine/internal/result"

// A StatusRequest says which servers are of interest.
type StatusRequest struct {
	Scope string `json:"scope,omitempty" jsonschema:"running; workspace (default): also those that the files need or the configuration names; or all"`
}

// Status lists known servers and their states.
var Status = Op[StatusRequest, result.Status]{
	Name:  "status",
	Title: "Status of the servers",
	Doc:   "List the language servers of the workspace and their states.",
	Class: Read,
}
