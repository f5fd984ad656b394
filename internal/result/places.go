package result

// Places are where something is: definitions, references, highlights.
type Places struct {
	Head
	// Symbol is what was asked about, What what the places are: "reference".
	Symbol string `json:"symbol" jsonschema:"the symbol that was asked about"`
	What   string `json:"what" jsonschema:"what the places are: definition, reference and so on"`
	// From says where the answer comes from if no server was asked, "" if one was.
	From string `json:"from,omitempty" jsonschema:"where the answer comes from if no server was asked"`
	// Total is the number of places, FileCount that of their files; what was cut
	// is counted.
	Total     int         `json:"total"`
	FileCount int         `json:"file_count"`
	Files     []PlaceFile `json:"files" jsonschema:"by path; paths are relative to the workspace root"`
}

// PlaceFile are the places in one file, by line and column.
type PlaceFile struct {
	Path string `json:"path"`
	// Count is the number of places; there are fewer in Places if they were cut.
	Count  int     `json:"count"`
	Places []Place `json:"places,omitempty"`
}

// A Place is a position; 1-based, columns in UTF-16 code units.
type Place struct {
	Line   uint32 `json:"line"`
	Column uint32 `json:"column"`
	// EndLine and EndColumn are of definitions and the like; EndColumn is that
	// behind the last character.
	EndLine   uint32 `json:"end_line,omitempty"`
	EndColumn uint32 `json:"end_column,omitempty"`
	// Text is the line, trimmed, if it was asked for.
	Text string `json:"text,omitempty" jsonschema:"the line's text"`
	// Kind is read, write or text, for a highlight.
	Kind   string  `json:"kind,omitempty"`
	Source *Source `json:"source,omitempty" jsonschema:"the declaration, if it was asked for"`
}
