package result

// A Build is what a language's own tool said when it built or tested.
type Build struct {
	Head
	Command  string    `json:"command" jsonschema:"what was run"`
	Success  bool      `json:"success"`
	Problems []Finding `json:"problems" jsonschema:"problems with their places, from the output"`
	// Failed are the tests that failed, by name.
	Failed []string `json:"failed,omitempty" jsonschema:"tests that failed, by name"`
	Output string   `json:"output" jsonschema:"output of the tool; the end of it, if it is long"`
}

// A Finding is a place that a tool speaks of. Line and Column are 1-based; Column
// is 0 if the tool names none.
type Finding struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}
