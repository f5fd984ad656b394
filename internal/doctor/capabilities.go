package doctor

import (
	"context"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/result"
)

// A need is an operation with alternative lists of LSP methods; supporting one list is enough.
type need struct {
	operation string
	methods   [][]string
}

// needs are the operations that depend on what a server supports. All others work with every
// server.
var needs = []need{
	{"definition", [][]string{{"textDocument/definition"}}},
	{"declaration", [][]string{{"textDocument/declaration"}}},
	{"type_definition", [][]string{{"textDocument/typeDefinition"}}},
	{"implementation", [][]string{{"textDocument/implementation"}}},
	{"references", [][]string{{"textDocument/references"}}},
	{"highlights", [][]string{{"textDocument/documentHighlight"}}},
	{"inspect", [][]string{{"textDocument/hover"}, {"textDocument/definition"}}},
	{"explore", [][]string{{"textDocument/hover"}, {"textDocument/definition"}}},
	{"outline", [][]string{{"textDocument/documentSymbol"}}},
	{"find_symbol", [][]string{{"workspace/symbol"}}},
	{"source", [][]string{{"textDocument/documentSymbol"}}},
	{"hierarchy", [][]string{{"textDocument/prepareCallHierarchy"}, {"textDocument/prepareTypeHierarchy"}, {"textDocument/references", "textDocument/documentSymbol"}}},
	{"signature_help", [][]string{{"textDocument/signatureHelp"}}},
	{"completions", [][]string{{"textDocument/completion"}}},
	{"inlay_hints", [][]string{{"textDocument/inlayHint"}}},
	{"semantic_tokens", [][]string{{"textDocument/semanticTokens"}}},
	{"folding", [][]string{{"textDocument/foldingRange"}}},
	{"rename", [][]string{{"textDocument/rename"}, {"workspace/willRenameFiles"}}},
	{"prepare_rename", [][]string{{"textDocument/prepareRename"}}},
	{"fixes", [][]string{{"textDocument/codeAction"}}},
	{"format", [][]string{{"textDocument/formatting"}, {"textDocument/rangeFormatting"}}},
	{"format_edits", [][]string{{"textDocument/formatting"}, {"textDocument/rangeFormatting"}}},
	{"code_lenses", [][]string{{"textDocument/codeLens"}}},
	{"execute_code_lens", [][]string{{"textDocument/codeLens", "workspace/executeCommand"}}},
	{"execute_command", [][]string{{"workspace/executeCommand"}}},
	{"impact", [][]string{{"textDocument/references", "textDocument/documentSymbol"}}},
	{"editing_context", [][]string{{"textDocument/documentSymbol"}}},
	{"assemble", [][]string{{"textDocument/definition"}, {"textDocument/documentSymbol"}}},
	{"cross_repo_references", [][]string{{"textDocument/references", "workspace/didChangeWorkspaceFolders"}}},
	{"workspace_folders", [][]string{{"workspace/didChangeWorkspaceFolders"}}},
}

// Capabilities returns which operations each running server does and does not support.
func (doc *Doctor) Capabilities(_ context.Context, req api.CapabilitiesRequest) (result.Capabilities, error) {
	answer := result.Capabilities{Servers: []result.ServerCapabilities{}}
	for _, s := range doc.opts.Workspace.Running() {
		if req.Server == "" || req.Server == s.Definition().ID {
			answer.Servers = append(answer.Servers, capabilitiesOf(s))
		}
	}
	if _, known := doc.opts.Config.Servers.Get(req.Server); req.Server != "" && !known {
		return result.Capabilities{}, &api.ArgumentError{Argument: "server", Reason: "no server " + req.Server + " is known", Advice: "known are " + strings.Join(doc.opts.Config.Servers.IDs(), ", ")}
	}
	if len(answer.Servers) == 0 {
		answer.Notes = []string{"a server starts when a file needs it; servers with action start does it at once"}
	}
	return answer, nil
}

func capabilitiesOf(s *lsp.Server) result.ServerCapabilities {
	info := s.Info()
	c := result.ServerCapabilities{
		ID: s.Definition().ID, Root: s.Root(), Name: info.Name, Version: info.Version,
		Operations: []string{}, Methods: s.Offered(), Raw: s.CapabilitiesJSON(),
	}
	for _, n := range needs {
		can := slices.ContainsFunc(n.methods, func(all []string) bool {
			return !slices.ContainsFunc(all, func(method string) bool { return !overlay.Offers(s, method) })
		})
		if can {
			c.Operations = append(c.Operations, n.operation)
		} else {
			c.Missing = append(c.Missing, n.operation)
		}
	}
	return c
}
