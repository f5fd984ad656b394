package result

// A Hierarchy is who calls whom, or which type is which.
type Hierarchy struct {
	Head
	Symbol    string `json:"symbol"`
	Direction string `json:"direction" jsonschema:"callers, callees, supertypes or subtypes"`
	// Derived says that the server has no such hierarchy.
	Derived bool   `json:"derived,omitempty" jsonschema:"derived from references and outlines"`
	Total   int    `json:"total"`
	Nodes   []Node `json:"nodes"`
}

// A Node is a symbol in a hierarchy. Lines and columns are 1-based.
type Node struct {
	Name   string `json:"name"`
	Kind   string `json:"kind,omitempty"`
	Path   string `json:"path"`
	Line   uint32 `json:"line"`
	Column uint32 `json:"column"`
	// Sites are where the calls stand, as line:column in the file of the caller.
	Sites []string `json:"sites,omitempty" jsonschema:"line:column of the calls, in the caller's file"`
	// Concurrent says how a site starts something that runs beside it.
	Concurrent string `json:"concurrent,omitempty" jsonschema:"how the call runs concurrently with its caller"`
	Test       bool   `json:"test,omitempty"`
	Repeated   bool   `json:"repeated,omitempty" jsonschema:"its own callers are elsewhere in the tree"`
	Nodes      []Node `json:"nodes,omitempty"`
}
