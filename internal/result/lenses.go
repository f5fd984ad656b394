package result

import "encoding/json"

// Lenses are the commands that servers offer in a file, in its order.
type Lenses struct {
	Head
	Path   string `json:"path"`
	Total  int    `json:"total"`
	Lenses []Lens `json:"lenses"`
}

// A Lens is one command at a place. Lines and columns are 1-based.
type Lens struct {
	Number  int    `json:"number" jsonschema:"number to give to execute_code_lens"`
	Line    uint32 `json:"line"`
	Column  uint32 `json:"column"`
	EndLine uint32 `json:"end_line"`
	Title   string `json:"title"`
	Server  string `json:"server"`
	Command string `json:"command,omitempty"`
	// Arguments are JSON values.
	Arguments []json.RawMessage `json:"arguments,omitempty" jsonschema:"arguments of the command"`
	Problem   string            `json:"problem,omitempty" jsonschema:"why it cannot be executed here"`
}

// Formatting is how a file would be formatted: edits that nobody made yet.
type Formatting struct {
	Head
	Path  string     `json:"path"`
	Edits []TextEdit `json:"edits" jsonschema:"edits of the file as it is now; empty if it is formatted"`
}

// A TextEdit replaces a stretch of text. Lines and columns are 1-based, columns in
// UTF-16; the end is not included.
type TextEdit struct {
	StartLine   uint32 `json:"start_line"`
	StartColumn uint32 `json:"start_column"`
	EndLine     uint32 `json:"end_line"`
	EndColumn   uint32 `json:"end_column"`
	NewText     string `json:"new_text"`
}
