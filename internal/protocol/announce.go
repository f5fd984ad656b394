package protocol

import (
	lsp "go.lsp.dev/protocol"
)

// markup are the forms of text we can show.
var markup = []lsp.MarkupKind{"markdown", "plaintext"}

// The token types and modifiers of LSP 3.17, "Semantic Tokens". Servers leave
// out of their legend what is not announced.
var (
	tokenTypes = []string{
		"namespace", "type", "class", "enum", "interface", "struct", "typeParameter", "parameter", "variable",
		"property", "enumMember", "event", "function", "method", "macro", "keyword", "modifier", "comment",
		"string", "number", "regexp", "operator", "decorator",
	}
	tokenModifiers = []string{
		"declaration", "definition", "readonly", "static", "deprecated", "abstract", "async", "modification",
		"documentation", "defaultLibrary",
	}
)

// clientCapabilities is exactly what package lsp implements. Registrations are
// accepted for every method, and asked for only where a server has no other
// way or where its offer changes while it runs.
func clientCapabilities(announce Announce) lsp.ClientCapabilities {
	yes := new(true)
	diagnostics := lsp.DiagnosticsCapabilities{
		RelatedInformation: yes,
		TagSupport:         lsp.ClientDiagnosticsTagOptions{ValueSet: []lsp.DiagnosticTag{1, 2}},
	}
	text := &lsp.TextDocumentClientCapabilities{
		Synchronization: &lsp.TextDocumentSyncClientCapabilities{DidSave: yes},
		PublishDiagnostics: &lsp.PublishDiagnosticsClientCapabilities{
			DiagnosticsCapabilities: diagnostics, VersionSupport: yes,
		},
		FoldingRange: &lsp.FoldingRangeClientCapabilities{LineFoldingOnly: yes},
	}
	announceNavigation(text)
	announceInsight(text)
	announceChanges(text)
	workspace := &lsp.WorkspaceClientCapabilities{
		Configuration:          yes,
		WorkspaceFolders:       yes,
		Symbol:                 &lsp.WorkspaceSymbolClientCapabilities{SymbolKind: &lsp.ClientSymbolKindOptions{ValueSet: upTo[lsp.SymbolKind](26)}},
		DidChangeConfiguration: &lsp.DidChangeConfigurationClientCapabilities{DynamicRegistration: yes},
		DidChangeWatchedFiles: &lsp.DidChangeWatchedFilesClientCapabilities{
			DynamicRegistration: yes, RelativePatternSupport: yes,
		},
		ExecuteCommand: &lsp.ExecuteCommandClientCapabilities{DynamicRegistration: yes},
		ApplyEdit:      yes,
		WorkspaceEdit: &lsp.WorkspaceEditClientCapabilities{
			DocumentChanges: yes, ResourceOperations: []lsp.ResourceOperationKind{"create", "rename", "delete"},
			FailureHandling: lsp.FailureHandlingKindTransactional, NormalizesLineEndings: yes,
			ChangeAnnotationSupport: &lsp.ChangeAnnotationsSupportOptions{GroupsOnLabel: new(false)},
		},
		FileOperations: &lsp.FileOperationClientCapabilities{WillRename: yes, DidRename: yes},
	}
	if announce.Pull {
		text.Diagnostic = &lsp.DiagnosticClientCapabilities{
			DiagnosticsCapabilities: diagnostics, DynamicRegistration: yes, RelatedDocumentSupport: yes,
		}
		workspace.Diagnostics = &lsp.DiagnosticWorkspaceClientCapabilities{RefreshSupport: yes}
	}
	// Ours first: then no file has to be read to restate what is in it.
	encodings := []lsp.PositionEncodingKind{"utf-16", "utf-8", "utf-32"}
	if announce.OnlyUTF16 {
		encodings = encodings[:1]
	}
	return lsp.ClientCapabilities{
		Experimental: lsp.LSPAny(announce.Experimental),
		Workspace:    workspace,
		TextDocument: text,
		Window:       &lsp.WindowClientCapabilities{WorkDoneProgress: yes},
		General:      &lsp.GeneralClientCapabilities{PositionEncodings: encodings},
	}
}

// announceNavigation announces the requests that lead from one place to others.
func announceNavigation(text *lsp.TextDocumentClientCapabilities) {
	yes := new(true)
	text.DocumentSymbol = &lsp.DocumentSymbolClientCapabilities{HierarchicalDocumentSymbolSupport: yes}
	text.Definition = &lsp.DefinitionClientCapabilities{LinkSupport: yes}
	text.Declaration = &lsp.DeclarationClientCapabilities{LinkSupport: yes}
	text.TypeDefinition = &lsp.TypeDefinitionClientCapabilities{LinkSupport: yes}
	text.Implementation = &lsp.ImplementationClientCapabilities{LinkSupport: yes}
	text.References = &lsp.ReferenceClientCapabilities{}
	text.DocumentHighlight = &lsp.DocumentHighlightClientCapabilities{}
	text.CallHierarchy = &lsp.CallHierarchyClientCapabilities{}
	text.TypeHierarchy = &lsp.TypeHierarchyClientCapabilities{}
}

// codeActionKinds are those of LSP; servers have more, with more dots.
var codeActionKinds = []lsp.CodeActionKind{
	"", "quickfix", "refactor", "refactor.extract", "refactor.inline", "refactor.rewrite", "source", "source.organizeImports", "source.fixAll",
}

// announceChanges announces the requests that lead to changes of files.
func announceChanges(text *lsp.TextDocumentClientCapabilities) {
	yes := new(true)
	text.CodeAction = &lsp.CodeActionClientCapabilities{
		CodeActionLiteralSupport: lsp.ClientCodeActionLiteralOptions{
			CodeActionKind: lsp.ClientCodeActionKindOptions{ValueSet: codeActionKinds},
		},
		IsPreferredSupport: yes, DisabledSupport: yes, DataSupport: yes,
		ResolveSupport:          lsp.ClientCodeActionResolveOptions{Properties: []string{"edit", "command"}},
		HonorsChangeAnnotations: yes,
	}
	text.Rename = &lsp.RenameClientCapabilities{
		PrepareSupport: yes, PrepareSupportDefaultBehavior: lsp.PrepareSupportDefaultBehaviorIdentifier,
		HonorsChangeAnnotations: yes,
	}
	text.Formatting = &lsp.DocumentFormattingClientCapabilities{}
	text.RangeFormatting = &lsp.DocumentRangeFormattingClientCapabilities{}
}

// announceInsight announces the requests that explain a text.
func announceInsight(text *lsp.TextDocumentClientCapabilities) {
	yes, no := new(true), new(false)
	text.Hover = &lsp.HoverClientCapabilities{ContentFormat: markup}
	text.SignatureHelp = &lsp.SignatureHelpClientCapabilities{
		SignatureInformation: &lsp.ClientSignatureInformationOptions{
			DocumentationFormat:    markup,
			ParameterInformation:   &lsp.ClientSignatureParameterInformationOptions{LabelOffsetSupport: yes},
			ActiveParameterSupport: yes,
		},
	}
	text.Completion = &lsp.CompletionClientCapabilities{
		CompletionItem: &lsp.ClientCompletionItemOptions{
			SnippetSupport: yes, DocumentationFormat: markup, DeprecatedSupport: yes,
			TagSupport: lsp.CompletionItemTagOptions{ValueSet: []lsp.CompletionItemTag{1}},
		},
		CompletionItemKind: &lsp.ClientCompletionItemOptionsKind{ValueSet: upTo[lsp.CompletionItemKind](25)},
		ContextSupport:     no,
	}
	text.InlayHint = &lsp.InlayHintClientCapabilities{}
	text.SemanticTokens = lsp.SemanticTokensClientCapabilities{
		Requests:   lsp.ClientSemanticTokensRequestOptions{Range: lsp.Boolean(true), Full: lsp.Boolean(true)},
		TokenTypes: tokenTypes, TokenModifiers: tokenModifiers,
		Formats:                 []lsp.TokenFormat{"relative"},
		OverlappingTokenSupport: yes, MultilineTokenSupport: yes,
	}
}

// upTo returns the kinds 1 to n.
func upTo[Kind ~uint32](n int) []Kind {
	kinds := make([]Kind, n)
	for i := range kinds {
		kinds[i] = Kind(i + 1)
	}
	return kinds
}
