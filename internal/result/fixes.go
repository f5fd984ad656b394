package result

import "encoding/json"

// Fixes are what servers offer to do about a part of a file or, if one action was
// applied, what that did.
type Fixes struct {
	Head
	Path string `json:"path,omitempty"`
	// Actions are numbered from 1, fixes first.
	Actions []FixAction `json:"actions" jsonschema:"what is offered; empty if one was applied"`
	Total   int         `json:"total" jsonschema:"how many are offered"`
	// Summary is for an action that changed nothing.
	Summary string `json:"summary,omitempty"`
	Edit    *Edit  `json:"edit,omitempty" jsonschema:"what the applied action changed"`
	// Then is what its command changed after its edit.
	Then *Edit `json:"then,omitempty" jsonschema:"what the command of the action changed after that"`
}

// A FixAction is one thing that a server offers to do.
type FixAction struct {
	Number    int    `json:"number" jsonschema:"number to give to apply"`
	Title     string `json:"title"`
	Kind      string `json:"kind,omitempty"`
	Preferred bool   `json:"preferred,omitempty" jsonschema:"the server recommends it"`
	Server    string `json:"server"`
	// Mends are diagnostics, as line:column message.
	Mends    []string `json:"mends,omitempty" jsonschema:"the diagnostics that it fixes"`
	Disabled string   `json:"disabled,omitempty" jsonschema:"why it cannot be applied"`
	// Command is run when the action is applied; what it changes is not known
	// before.
	Command string `json:"command,omitempty" jsonschema:"it is a command: what it changes shows only when it is applied"`
	// Arguments are those of the command, Edit is a WorkspaceEdit of LSP: both only if
	// they are asked for.
	Arguments []json.RawMessage `json:"arguments,omitempty" jsonschema:"arguments of the command"`
	Edit      json.RawMessage   `json:"edit,omitempty" jsonschema:"a WorkspaceEdit of LSP, 0-based"`
	Diff      string            `json:"diff,omitempty" jsonschema:"what it would change"`
	Problem   string            `json:"problem,omitempty" jsonschema:"why there is no diff"`
}
