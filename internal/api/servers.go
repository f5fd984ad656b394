package api

import "github.com/lspine/lspine/internal/result"

// A ServersRequest says what to do with the servers.
type ServersRequest struct {
	Action   string `json:"action" jsonschema:"list, detect, start, restart or stop"`
	Language string `json:"language,omitempty" jsonschema:"LSP language id; default all of the workspace"`
	Server   string `json:"server,omitempty" jsonschema:"id of one server"`
	Ahead    bool   `json:"ahead,omitempty" jsonschema:"with start: do not wait until they run; of the servers that the workspace mainly needs"`
	Connect  string `json:"connect,omitempty" jsonschema:"with start: only the server that somebody else runs at this address, which the user's own configuration must name"`
	File     string `json:"file,omitempty" jsonschema:"with list: only servers that know this file"`
	State    string `json:"state,omitempty" jsonschema:"with list: only those found, missing or disabled"`
	Limits
}

// Servers lists, detects, starts, restarts and stops servers.
var Servers = Op[ServersRequest, result.Servers]{
	Name:  "servers",
	Title: "Start and stop servers",
	Doc:   "List every known server, detect which the workspace needs, or start, restart or stop them.",
	Class: Admin,
	ClassOf: func(req ServersRequest) Class {
		if req.Action == "list" || req.Action == "detect" {
			return Read
		}
		return Admin
	},
}
