package result

// Signatures are the signatures that fit a call.
type Signatures struct {
	Head
	At         string      `json:"at"`
	Signatures []Signature `json:"signatures"`
	// Active is the 0-based index of the one that fits.
	Active int `json:"active"`
}

// A Signature is one signature of what is called.
type Signature struct {
	Label         string   `json:"label"`
	Documentation string   `json:"documentation,omitempty"`
	Parameters    []string `json:"parameters,omitempty"`
	// ActiveParameter is the label of the parameter at the place, if any.
	ActiveParameter string `json:"active_parameter,omitempty"`
}

// Completions are what may be written at a place.
type Completions struct {
	Head
	At    string       `json:"at"`
	Total int          `json:"total"`
	Items []Completion `json:"items"`
	// Incomplete says that more typing would give others.
	Incomplete bool `json:"incomplete,omitempty"`
}

// A Completion is one thing that may be written.
type Completion struct {
	Label  string `json:"label"`
	Kind   string `json:"kind,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Insert is what would be inserted, if that is not the label.
	Insert     string `json:"insert,omitempty"`
	Deprecated bool   `json:"deprecated,omitempty"`
}

// Hints are the inlay hints of a range: what an editor would show in between.
type Hints struct {
	Head
	Path  string `json:"path"`
	Total int    `json:"total"`
	Hints []Hint `json:"hints"`
}

// A Hint is one inlay hint, at a 1-based position.
type Hint struct {
	Line   uint32 `json:"line"`
	Column uint32 `json:"column"`
	Label  string `json:"label"`
	Kind   string `json:"kind,omitempty" jsonschema:"type or parameter"`
}

// Tokens are the semantic tokens of a range.
type Tokens struct {
	Head
	Path   string  `json:"path"`
	Total  int     `json:"total"`
	Tokens []Token `json:"tokens"`
}

// A Token is one semantic token, at a 1-based position; Length in UTF-16 code
// units.
type Token struct {
	Line      uint32   `json:"line"`
	Column    uint32   `json:"column"`
	Length    uint32   `json:"length"`
	Type      string   `json:"type"`
	Modifiers []string `json:"modifiers,omitempty"`
	Text      string   `json:"text,omitempty"`
}

// Folds are the parts of a file that an editor would fold.
type Folds struct {
	Head
	Path  string `json:"path"`
	Total int    `json:"total"`
	Folds []Fold `json:"folds"`
}

// A Fold is a range of 1-based lines, both included.
type Fold struct {
	Line    uint32 `json:"line"`
	EndLine uint32 `json:"end_line"`
	Kind    string `json:"kind,omitempty" jsonschema:"comment, imports or region"`
}
