package result

// Symbols are what a file declares, in its order, or what a search found, best
// first.
type Symbols struct {
	Head
	// Path is the file, or Query what was searched for.
	Path   string `json:"path,omitempty"`
	Query  string `json:"query,omitempty"`
	Total  int    `json:"total" jsonschema:"number of symbols in the file, or found"`
	Offset int    `json:"offset,omitempty"`
	// Symbols of a file have children, those found have a path.
	Symbols []Symbol `json:"symbols"`
}

// A Symbol is a declaration. Lines and columns are 1-based.
type Symbol struct {
	Name   string `json:"name" jsonschema:"name path"`
	Kind   string `json:"kind"`
	Detail string `json:"detail,omitempty"`
	Path   string `json:"path,omitempty"`
	// Line and Column are of the name, EndLine of the whole.
	Line      uint32   `json:"line"`
	Column    uint32   `json:"column"`
	EndLine   uint32   `json:"end_line,omitempty"`
	Container string   `json:"container,omitempty"`
	Children  []Symbol `json:"children,omitempty"`
}
