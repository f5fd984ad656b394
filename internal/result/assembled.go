package result

import "time"

// The kinds of context items.
const (
	ContextType        = "type"        // the type or signature of what the focus uses
	ContextDefinition  = "definition"  // an excerpt of a declaration that is not in view
	ContextSummary     = "summary"     // what a file that is not in view declares
	ContextSignature   = "signature"   // the signature of a call
	ContextHints       = "hints"       // the inlay hints of the focus
	ContextReferences  = "references"  // who uses what the focus declares
	ContextDiagnostics = "diagnostics" // what is wrong with a file
)

// What every context item is, as hosts classify it.
const (
	LSPSemantic = "lsp_semantic" // the source: what language servers say
	Supporting  = "supporting"   // the priority: below the text of files, above guesses
	Impure      = "impure"       // the purity: the same question may be answered differently later
)

// A Context is what a model should know of the surroundings of its focus. Paths are relative to
// the root, with slashes.
type Context struct {
	Head
	// Items are complete texts; put one after the other they have Bytes bytes, BudgetBytes at most.
	Items       []ContextItem `json:"items" jsonschema:"texts for the model; together they have as many bytes as stated below"`
	Bytes       int           `json:"bytes" jsonschema:"bytes of the texts of all items"`
	BudgetBytes int           `json:"budget_bytes,omitempty" jsonschema:"size limit of the items in bytes"`
	// Left counts the items that there was no room for.
	Left int `json:"left,omitempty" jsonschema:"items for which there was no room"`
	// Failures are questions that were not answered; there is no item in their place.
	Failures []ContextFailure `json:"failures,omitempty" jsonschema:"queries that failed; nothing replaces their items"`
}

// A ContextItem is one text for a model, and where it is from.
type ContextItem struct {
	Kind string `json:"kind" jsonschema:"type, definition, summary, signature, hints or diagnostics"`
	// Name is the symbol that it is about, "" if it is about a file or a part of it.
	Name string `json:"name,omitempty"`
	// Text ends with a line break.
	Text       string        `json:"text"`
	SourceType string        `json:"source_type" jsonschema:"lsp_semantic"`
	Priority   string        `json:"priority" jsonschema:"supporting"`
	Purity     string        `json:"purity" jsonschema:"impure"`
	Record     ContextRecord `json:"record"`
}

// A ContextRecord says where a context item is from, and how true it is.
type ContextRecord struct {
	Server  string `json:"server"`
	Version string `json:"version,omitempty"`
	// Query is the LSP method; "diagnostics" for findings, which servers send in several ways.
	Query  string       `json:"query" jsonschema:"LSP method, or diagnostics"`
	Target ContextPlace `json:"target" jsonschema:"what the server was asked about"`
	// QueriedAt is when the server was asked for what the text says, also if that is stale.
	QueriedAt time.Time `json:"queried_at"`
	// Files are those that the text depends on: the one that was asked about, and that of the
	// declaration.
	Files []ContextFile `json:"files"`
	// Stale says that a file changed since, and that the server could not be asked again; Reason
	// says why it could not.
	Stale  bool   `json:"stale,omitempty" jsonschema:"a file has changed since, and the server could not be asked again"`
	Reason string `json:"reason,omitempty" jsonschema:"why the server could not be asked again"`
}

// A ContextPlace is a place in a file; 1-based, columns in UTF-16 code units, 0 for the whole file.
type ContextPlace struct {
	Path    string `json:"path"`
	Line    uint32 `json:"line,omitempty"`
	Column  uint32 `json:"column,omitempty"`
	EndLine uint32 `json:"end_line,omitempty"`
}

// A ContextFile is a file as it was when a server was asked and as it was when the item was last
// found to be true or stale.
type ContextFile struct {
	Path        string    `json:"path"`
	AtQuery     FileState `json:"at_query"`
	AtInjection FileState `json:"at_injection"`
}

// A FileState names a content of a file: nothing of it is set if the file is not there.
type FileState struct {
	Modified time.Time `json:"modified,omitzero"`
	Hash     string    `json:"hash,omitempty" jsonschema:"SHA-256 of all bytes"`
}

// A ContextFailure is a question that was not answered.
type ContextFailure struct {
	Server string       `json:"server,omitempty"`
	Query  string       `json:"query" jsonschema:"LSP method, or diagnostics"`
	Target ContextPlace `json:"target"`
	// Count is how many questions failed like this one; Target is that of the first.
	Count     int       `json:"count" jsonschema:"queries that failed in this way; the target is that of the first"`
	QueriedAt time.Time `json:"queried_at"`
	Error     Error     `json:"error"`
}
