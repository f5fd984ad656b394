package result

// A Source is the text of a declaration.
type Source struct {
	Head
	Symbol string `json:"symbol,omitempty"`
	Kind   string `json:"kind,omitempty"`
	Path   string `json:"path"`
	// Line and EndLine are 1-based, both included, of Code; SymbolLine and
	// SymbolEndLine those of the declaration without context.
	Line    uint32 `json:"line" jsonschema:"1-based line of the first line of code"`
	EndLine uint32 `json:"end_line"`
	Code    string `json:"code"`
}
