package result

// An EditingContext is what one must know before editing a file.
type EditingContext struct {
	Head
	Path string `json:"path"`
	// ETag names this state; asked for again with it, NotModified is the answer
	// as long as nothing changed.
	ETag        string `json:"etag"`
	NotModified bool   `json:"not_modified,omitempty"`
	// Imports are the lines that bring names from elsewhere.
	Imports []string `json:"imports,omitempty"`
	Symbols []Symbol `json:"symbols,omitempty"`
	// Callers are, by name path of a symbol in the file, its users elsewhere;
	// Callees what the file uses.
	Callers []Usage `json:"callers,omitempty"`
	Callees []Usage `json:"callees,omitempty"`
}

// A Usage is a symbol and those that use it, or that it uses.
type Usage struct {
	Symbol string `json:"symbol"`
	Others []User `json:"others"`
	// More is how many were left out.
	More int `json:"more,omitempty"`
}

// Documentation is what the language's own tool, or the server, says about a symbol.
type Documentation struct {
	Head
	Symbol   string `json:"symbol"`
	Language string `json:"language,omitempty"`
	// Source is the command that was run, or hover.
	Source    string `json:"source"`
	Signature string `json:"signature,omitempty"`
	Text      string `json:"doc"`
}
