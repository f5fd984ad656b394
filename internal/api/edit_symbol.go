package api

import "github.com/lspine/lspine/internal/result"

// An EditSymbolRequest changes one declaration.
type EditSymbolRequest struct {
	Selector
	Action string `json:"action" jsonschema:"replace (with its doc comment), replace_body, insert_before, insert_after or delete"`
	Code   string `json:"code,omitempty" jsonschema:"new text; its indentation is fitted"`
	Writing
}

// EditSymbol changes one declaration as a whole.
var EditSymbol = Op[EditSymbolRequest, result.Edit]{
	Name:  "edit_symbol",
	Title: "Edit a declaration",
	Doc:   "Replace, extend or delete one declaration; delete refuses while it is used. Reports the new errors that this caused, here and elsewhere.",
	Class: Edit,
}
