package result

// A PreparedRename says what a rename would rename. Lines and columns are 1-based,
// columns in UTF-16 units.
type PreparedRename struct {
	Head
	Path      string `json:"path"`
	Line      uint32 `json:"line"`
	Column    uint32 `json:"column"`
	EndLine   uint32 `json:"end_line"`
	EndColumn uint32 `json:"end_column" jsonschema:"exclusive"`
	// Placeholder is the name as it would be edited.
	Placeholder string `json:"placeholder" jsonschema:"the present name"`
}
