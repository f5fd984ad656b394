package protocol

import (
	"encoding/json"
	"slices"
)

// An offer says how a server declares a request.
type offer struct {
	provider string // the member of ServerCapabilities
	option   string // the member of its options that must say yes, "" for none
	method   string // that of a registration of it, "" for the request itself
}

const (
	registeredCalls  = "textDocument/prepareCallHierarchy"
	registeredTypes  = "textDocument/prepareTypeHierarchy"
	registeredTokens = "textDocument/semanticTokens"
)

// offers are the requests that a server can declare.
var offers = map[string]offer{
	"textDocument/declaration":          {provider: "declarationProvider"},
	"textDocument/definition":           {provider: "definitionProvider"},
	"textDocument/typeDefinition":       {provider: "typeDefinitionProvider"},
	"textDocument/implementation":       {provider: "implementationProvider"},
	"textDocument/references":           {provider: "referencesProvider"},
	"textDocument/hover":                {provider: "hoverProvider"},
	"textDocument/documentSymbol":       {provider: "documentSymbolProvider"},
	"textDocument/foldingRange":         {provider: "foldingRangeProvider"},
	"textDocument/selectionRange":       {provider: "selectionRangeProvider"},
	"textDocument/linkedEditingRange":   {provider: "linkedEditingRangeProvider"},
	"textDocument/moniker":              {provider: "monikerProvider"},
	"textDocument/documentColor":        {provider: "colorProvider"},
	"textDocument/colorPresentation":    {provider: "colorProvider", method: "textDocument/documentColor"},
	"textDocument/documentLink":         {provider: "documentLinkProvider"},
	"documentLink/resolve":              {"documentLinkProvider", "resolveProvider", "textDocument/documentLink"},
	"textDocument/codeLens":             {provider: "codeLensProvider"},
	"codeLens/resolve":                  {"codeLensProvider", "resolveProvider", "textDocument/codeLens"},
	"textDocument/codeAction":           {provider: "codeActionProvider"},
	"codeAction/resolve":                {"codeActionProvider", "resolveProvider", "textDocument/codeAction"},
	"textDocument/diagnostic":           {provider: "diagnosticProvider"},
	"workspace/diagnostic":              {"diagnosticProvider", "workspaceDiagnostics", "textDocument/diagnostic"},
	"workspace/symbol":                  {provider: "workspaceSymbolProvider"},
	"workspaceSymbol/resolve":           {"workspaceSymbolProvider", "resolveProvider", "workspace/symbol"},
	"workspace/executeCommand":          {provider: "executeCommandProvider"},
	"textDocument/rename":               {provider: "renameProvider"},
	"textDocument/prepareRename":        {"renameProvider", "prepareProvider", "textDocument/rename"},
	"textDocument/formatting":           {provider: "documentFormattingProvider"},
	"textDocument/rangeFormatting":      {provider: "documentRangeFormattingProvider"},
	"textDocument/onTypeFormatting":     {provider: "documentOnTypeFormattingProvider"},
	"textDocument/signatureHelp":        {provider: "signatureHelpProvider"},
	"textDocument/completion":           {provider: "completionProvider"},
	"completionItem/resolve":            {"completionProvider", "resolveProvider", "textDocument/completion"},
	"textDocument/inlineCompletion":     {provider: "inlineCompletionProvider"},
	"textDocument/documentHighlight":    {provider: "documentHighlightProvider"},
	"textDocument/inlayHint":            {provider: "inlayHintProvider"},
	"inlayHint/resolve":                 {"inlayHintProvider", "resolveProvider", "textDocument/inlayHint"},
	"textDocument/inlineValue":          {provider: "inlineValueProvider"},
	"textDocument/semanticTokens/full":  {"semanticTokensProvider", "full", registeredTokens},
	"textDocument/semanticTokens/range": {"semanticTokensProvider", "range", registeredTokens},
	"textDocument/prepareCallHierarchy": {provider: "callHierarchyProvider"},
	"callHierarchy/incomingCalls":       {provider: "callHierarchyProvider", method: registeredCalls},
	"callHierarchy/outgoingCalls":       {provider: "callHierarchyProvider", method: registeredCalls},
	"textDocument/prepareTypeHierarchy": {provider: "typeHierarchyProvider"},
	"typeHierarchy/supertypes":          {provider: "typeHierarchyProvider", method: registeredTypes},
	"typeHierarchy/subtypes":            {provider: "typeHierarchyProvider", method: registeredTypes},
}

// holds reports whether the options of a provider or registration say yes.
func (o offer) holds(options json.RawMessage) bool {
	if o.option == "" {
		return true
	}
	var members map[string]json.RawMessage
	return json.Unmarshal(options, &members) == nil && declared(members[o.option])
}

// Supports reports whether the server declared the request statically. A
// method this table does not know counts as undeclared.
func (c *Capabilities) Supports(method string) bool {
	if method == "workspace/didChangeWorkspaceFolders" {
		return c.FolderChanges
	}
	_, ok := c.Options(method)
	return ok
}

// Options returns what the server declared statically for a request (true, or
// an object), and whether it did.
func (c *Capabilities) Options(method string) (json.RawMessage, bool) {
	if fileOperations[method] != "" {
		options := c.fileOperation(method)
		return options, declared(options)
	}
	o, ok := offers[method]
	if !ok {
		return nil, false
	}
	options := c.providers[o.provider]
	return options, declared(options) && o.holds(options)
}

// Offers reports whether the registration declares a request, itself or as one
// of its family.
func (r Registration) Offers(method string) bool {
	o, known := offers[method]
	switch {
	case r.Method == method:
		return true
	case known && o.method != "":
		return r.Method == o.method && o.holds(r.Options)
	}
	return false
}

// Offered returns every method that the server declared, statically or by the
// registrations, sorted, each once.
func (c *Capabilities) Offered(registered []Registration) []string {
	var methods []string
	if c.FolderChanges {
		methods = append(methods, "workspace/didChangeWorkspaceFolders")
	}
	for method := range offers {
		if c.Supports(method) || slices.ContainsFunc(registered, func(r Registration) bool { return r.Offers(method) }) {
			methods = append(methods, method)
		}
	}
	for method := range fileOperations {
		if c.Supports(method) {
			methods = append(methods, method)
		}
	}
	for _, r := range registered {
		if r.Method != registeredTokens { // the name of a family, not of a method
			methods = append(methods, r.Method)
		}
	}
	slices.Sort(methods)
	return slices.Compact(methods)
}
