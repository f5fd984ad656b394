package result

// A Policy is what the policy would do with calls of an operation.
type Policy struct {
	Head
	Operation string `json:"operation"`
	Class     string `json:"class" jsonschema:"read, edit, execute or admin: the most that the operation may do"`
	Path      string `json:"path,omitempty"`
	Client    string `json:"client,omitempty"`
	Mode      string `json:"mode" jsonschema:"interactive, non-interactive or sensitive"`
	Action    string `json:"action" jsonschema:"allow, ask or deny"`
	Fallback  string `json:"fallback,omitempty" jsonschema:"with ask: what happens if nobody can be asked or nobody answers"`
	// Why names the rule that decides.
	Why    string `json:"why" jsonschema:"the rule that decides, and where it is"`
	Number int    `json:"number,omitempty" jsonschema:"position of the rule in your policy, from 1; absent for a built-in rule"`
	Source string `json:"source,omitempty" jsonschema:"FILE:LINE of the rule"`
	Reason string `json:"reason,omitempty" jsonschema:"the reason given in the rule"`
}
