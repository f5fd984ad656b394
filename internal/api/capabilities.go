package api

import "github.com/lspine/lspine/internal/result"

// A CapabilitiesRequest asks what servers can do.
type CapabilitiesRequest struct {
	Server   string `json:"server,omitempty" jsonschema:"id of one server, default all that run"`
	MaxBytes int    `json:"max_bytes,omitempty" jsonschema:"budget of the answer, default 12000"`
}

func (r CapabilitiesRequest) Budget() int { return r.MaxBytes }

// Capabilities returns what each running server can do.
var Capabilities = Op[CapabilitiesRequest, result.Capabilities]{
	Name:  "capabilities",
	Title: "Capabilities of the servers",
	Doc:   "List what each running server can do: operations, LSP methods, and its own capabilities.",
	Class: Read,
}
