package result

// A Command is what came of executing a command of a server.
type Command struct {
	Head
	Server  string `json:"server"`
	Command string `json:"command"`
	Summary string `json:"summary" jsonschema:"what came of it, in one line"`
	// Result is JSON as text, perhaps cut; "" for null.
	Result string `json:"result,omitempty" jsonschema:"what the server answered, as JSON text, perhaps shortened"`
	Edit   *Edit  `json:"edit,omitempty" jsonschema:"what the edits that it asked for did"`
}
