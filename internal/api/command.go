package api

import (
	"encoding/json"

	"github.com/lspine/lspine/internal/result"
)

// A CommandRequest asks a server to execute one of its commands.
type CommandRequest struct {
	Command   string            `json:"command" jsonschema:"a command that a server declares; capabilities lists them"`
	Arguments []json.RawMessage `json:"arguments,omitempty" jsonschema:"JSON values, as the command expects them"`
	Server    string            `json:"server,omitempty" jsonschema:"id of the server"`
	File      string            `json:"file,omitempty" jsonschema:"instead of server: the server of this file, which is started if need be"`
	Confirm   bool              `json:"confirm,omitempty" jsonschema:"needed: a command may do anything, also run programs"`
	Writing
}

// ExecuteCommand executes a command of a server, and makes the edits that it asks
// for.
var ExecuteCommand = Op[CommandRequest, result.Command]{
	Name:  "execute_command",
	Title: "Execute a server's command",
	Doc:   "Execute a command that a language server declares; the edits that it requests are made, all or none, and judged.",
	Class: Execute,
	Edits: true,
}
