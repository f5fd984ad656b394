package result

// An Inspection is what is known of a symbol: its type and documentation, its
// signature, where it is defined, and more if it was explored.
type Inspection struct {
	Head
	Symbol string `json:"symbol"`
	Kind   string `json:"kind,omitempty"`
	// At is the place that was asked about, as path:line:column.
	At string `json:"at"`
	// Hover is what the server says, in markdown.
	Hover     string `json:"hover,omitempty"`
	Signature string `json:"signature,omitempty"`
	// Definition is path:line:column.
	Definition string `json:"definition,omitempty"`
	// The rest is for explore.
	Source     *Source    `json:"source,omitempty"`
	Callers    *Hierarchy `json:"callers,omitempty"`
	References *Places    `json:"references,omitempty"`
	// Tests are the references in tests, counted; TestFiles their files.
	Tests     int      `json:"tests,omitempty"`
	TestFiles []string `json:"test_files,omitempty"`
}
