package api

import "github.com/lspine/lspine/internal/result"

// A PolicyRequest asks what the policy says of calls.
type PolicyRequest struct {
	Operation string `json:"operation" jsonschema:"name of an operation"`
	Class     string `json:"class,omitempty" jsonschema:"of a name that is no operation, as that of an extension's tool: read, edit, execute or admin"`
	Path      string `json:"path,omitempty" jsonschema:"a file or folder that it would be about"`
	Client    string `json:"client,omitempty" jsonschema:"who would ask: cli, or mcp with the name of its client, such as mcp/claude-code; default: whoever asks now"`
}

// PolicyCheck says what the policy would do with calls. No rule denies it.
var PolicyCheck = Op[PolicyRequest, result.Policy]{
	Name:  "policy",
	Title: "What the policy says",
	Doc:   "Say whether an operation would be allowed, asked about or denied, and which rule decides. Nothing is run.",
	Class: Read,
}
