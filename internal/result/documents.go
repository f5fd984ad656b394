package result

import "encoding/json"

// Done is the answer of an operation that returns no data: it says what was done.
type Done struct {
	Head
	// Path is the file, if it was about one.
	Path string `json:"path,omitempty"`
	Done string `json:"done"`
}

// Folders are the folders that servers were told of.
type Folders struct {
	Head
	Root    string   `json:"root"`
	Folders []Folder `json:"folders"`
}

// A Folder is a workspace folder.
type Folder struct {
	Path string `json:"path"`
	// Servers are the ids of the running servers that were told of it.
	Servers []string `json:"servers"`
	// Refused says which servers cannot take it, and why.
	Refused []string `json:"refused,omitempty"`
}

// Capabilities are what the running servers offer.
type Capabilities struct {
	Head
	Servers []ServerCapabilities `json:"servers"`
}

// ServerCapabilities are what one server offers.
type ServerCapabilities struct {
	ID      string `json:"id"`
	Root    string `json:"root"`
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`
	// Operations are ours that it can do; Missing those that it cannot.
	Operations []string `json:"operations"`
	Missing    []string `json:"missing,omitempty"`
	// Methods are LSP's that it declared.
	Methods []string `json:"methods"`
	// Raw is the capabilities member of its answer to initialize.
	Raw json.RawMessage `json:"raw,omitempty"`
}

// Servers are language servers and what was done with them.
type Servers struct {
	Head
	Action string `json:"action"`
	// Languages are those of the workspace, if servers were detected.
	Languages []string      `json:"languages,omitempty" jsonschema:"languages of the workspace that some server knows"`
	Servers   []ServerState `json:"servers"`
}

// A ServerState is one server for one root.
type ServerState struct {
	ID        string   `json:"id"`
	Languages []string `json:"languages"`
	Root      string   `json:"root"`
	State     string   `json:"state" jsonschema:"found, missing or disabled in a list; else installed, active, stopped, unavailable, …"`
	// Tested is "proven" if the project's own tests run the server, else "listed";
	// in a list alone.
	Tested string `json:"tested,omitempty" jsonschema:"proven by the tests of the project, or listed from documentation"`
	// Files is how many files of the workspace need it.
	Files   int      `json:"files,omitempty"`
	Binary  string   `json:"binary,omitempty"`
	Version string   `json:"version,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Install []string `json:"install,omitempty" jsonschema:"commands that would install it"`
}

// CrossReferences are the uses of a symbol, by repository.
type CrossReferences struct {
	Head
	Symbol       string           `json:"symbol"`
	Total        int              `json:"total"`
	Repositories []RepositoryUses `json:"repositories"`
}

// RepositoryUses are the uses in one repository.
type RepositoryUses struct {
	// Root is absolute; the workspace comes first.
	Root  string      `json:"root"`
	Total int         `json:"total"`
	Files []PlaceFile `json:"files"`
}
