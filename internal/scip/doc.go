// Package scip reads and writes indexes of code in the SCIP format: a message of Protocol Buffers (https://github.com/scip-code/scip,
// scip.proto). It decodes by hand what we use of it, a document at a time, and treats each index as a stranger's: everything is
// bounded, and what is not well-formed is an error. Whether an index tells the truth it does not know.
package scip

// Metadata says who made an index.
type Metadata struct {
	ToolName, ToolVersion string
	// ProjectRoot is the URI of the folder that the paths of documents are relative to.
	ProjectRoot string
}

// An Encoding is what the characters of ranges count.
type Encoding int32

// The encodings of positions, as the format numbers them.
const (
	UnknownEncoding Encoding = 0
	UTF8            Encoding = 1
	UTF16           Encoding = 2
	UTF32           Encoding = 3
)

// A Document is what an index says of one file.
type Document struct {
	// Path is relative to the root of the project, with slashes.
	Path, Language string
	Encoding       Encoding
	// Text is the text that the index describes, if HasText.
	Text    []byte
	HasText bool
	// Hash is the SHA-256 of the text, in hexadecimal digits, "" if the index does not say it. Only our indexes do.
	Hash        string
	Occurrences []Occurrence
	Symbols     []SymbolInformation
}

// An Occurrence is a range that a symbol stands at.
type Occurrence struct {
	// Range is the line and the character of its start, and those of its end, from 0.
	Range  [4]int32
	Symbol string
	Roles  Role
	// Enclosing is the range of the node of syntax around it, as Range is, if HasEnclosing.
	Enclosing    [4]int32
	HasEnclosing bool
}

// A Role is a set of bits that say what a symbol does at a place.
type Role int32

// Definition says that the symbol is defined at the place.
const Definition Role = 1

// SymbolInformation is what an index says of a symbol.
type SymbolInformation struct {
	Symbol, DisplayName string
	Relationships       []Relationship
}

// A Relationship says how one symbol is related to another one.
type Relationship struct {
	Symbol                                          string
	Reference, Implementation, TypeDefinition, Same bool // Same: is_definition
}

// Bounds of one index. What is beyond one of them is an error, not cut.
const (
	MaxDocuments     = 200_000
	MaxDocument      = 64 << 20 // bytes of a message
	MaxOccurrences   = 1 << 20  // of a document
	MaxRelationships = 10_000   // of a symbol
	MaxSymbol        = 8 << 10  // bytes
	MaxPath          = 4 << 10  // bytes
)
