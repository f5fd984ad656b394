package result

// A Command is what came of executing a command of a server.
type Command struct {
	Head
	Server  string `json:"server"`
	Command string `json:"command"`
	Summary string `json:"summary" jsonschema:"the outcome, in one line"`
	// Result is JSON as text, perhaps cut; "" for null.
	Result string `json:"result,omitempty" jsonschema:"the server's answer, as JSON text, possibly shortened"`
	Edit   *Edit  `json:"edit,omitempty" jsonschema:"the result of the edits that it requested"`
}
