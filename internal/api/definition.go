package api

import "github.com/lspine/lspine/internal/result"

// A DefinitionRequest asks where a symbol is defined.
type DefinitionRequest struct {
	Selector
	// Kind is the relation: one operation of the default profile has them all.
	Kind       string `json:"kind,omitempty" jsonschema:"definition (default), declaration, type_definition or implementation"`
	WithSource bool   `json:"with_source,omitempty" jsonschema:"also the text of the declaration"`
	Limits
}

// The definition family.
var (
	Definition     = definitionOp("definition", "Go to definition", "Find where a symbol is defined.")
	Declaration    = definitionOp("declaration", "Go to declaration", "Find where a symbol is declared.")
	TypeDefinition = definitionOp("type_definition", "Go to type definition", "Find where the type of a symbol is defined.")
	Implementation = definitionOp("implementation", "Find implementations", "Find what implements an interface or a method.")
)

func definitionOp(name, title, doc string) Op[DefinitionRequest, result.Places] {
	return Op[DefinitionRequest, result.Places]{Name: name, Title: title, Doc: doc, Class: Read}
}
