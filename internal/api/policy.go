package api

import "github.com/lspine/lspine/internal/result"

// A PolicyRequest asks what the policy says of calls.
type PolicyRequest struct {
	Operation string `json:"operation" jsonschema:"name of an operation"`
	Class     string `json:"class,omitempty" jsonschema:"if the name is not an operation, such as a tool of an extension: read, edit, execute or admin"`
	Path      string `json:"path,omitempty" jsonschema:"the file or folder that the operation would be about"`
	Client    string `json:"client,omitempty" jsonschema:"who would ask: cli, or mcp with the name of its client, such as mcp/claude-code; default: the present caller"`
}

// PolicyCheck says what the policy would do with calls. No rule denies it.
var PolicyCheck = Op[PolicyRequest, result.Policy]{
	Name:  "policy",
	Title: "What the policy says",
	Doc:   "Show whether an operation would be allowed, asked about or denied, and by which rule. Nothing is run.",
	Class: Read,
}
