package mcpserver

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// The profile with the tools defined by Opta's plan: its names, descriptions and texts. Lines are
// 1-based and characters 0-based, in arguments and in answers. Paths are relative to the workspace.

const (
	// nothingFound is the text of an empty answer.
	nothingFound = "No results found."
)

// optaTools returns the tools of that plan.
func optaTools() []tool {
	path := parameter{name: "path", to: "file", kind: "string", required: true, description: "File path (relative to cwd)"}
	place := []parameter{
		path,
		{name: "line", kind: "number", required: true, description: "Line number (1-based)", atLeast: 1},
		{name: "character", to: "column", kind: "number", required: true, description: "Column number (0-based)", plus: 1},
	}
	at := func(more ...parameter) []parameter { return append(append([]parameter{}, place...), more...) }
	tools := []tool{
		{
			name: "lsp_definition", operation: "definition", title: "Go to definition",
			description: "Go to the definition of a symbol. Returns file path and line number.",
			parameters:  at(), shape: schemaAlone[navigated](), finish: saying(nothingFound, zeroBased),
		},
		{
			name: "lsp_references", operation: "references", title: "Find references",
			description: "Find all references to a symbol across the workspace.",
			parameters:  at(parameter{name: "include_declaration", kind: "boolean", description: "Include the declaration itself (default: true)"}),
			fixed:       map[string]string{"include_declaration": "true"},
			shape:       schemaAlone[navigated](), finish: saying(nothingFound, zeroBased),
		},
		{
			name: "lsp_hover", operation: "inspect", title: "Hover",
			description: "Get type information and documentation for a symbol at a position.",
			parameters:  at(), fixed: map[string]string{"parts": `["hover"]`},
			shape: schemaAlone[hovered](), finish: saying(nothingFound, hover),
		},
		{
			name: "lsp_symbols", operation: "find_symbol", title: "Workspace symbols",
			description: "Search for symbols (functions, classes, variables) across the workspace by name.",
			parameters:  []parameter{{name: "query", kind: "string", required: true, description: "Symbol name or partial name to search for"}},
			shape:       schemaAlone[listedSymbols](), finish: saying(nothingFound, declaredZeroBased),
		},
		{
			name: "lsp_document_symbols", operation: "outline", title: "Document symbols",
			description: "List all symbols (functions, classes, interfaces) defined in a file.",
			parameters:  []parameter{path}, shape: schemaAlone[listedSymbols](), finish: saying(nothingFound, declaredZeroBased),
		},
		{
			name: "lsp_rename", operation: "rename", title: "Rename symbol",
			description: "Rename a symbol across all files in the workspace. Returns a list of edits to apply.",
			parameters:  at(parameter{name: "new_name", kind: "string", required: true, description: "New name for the symbol"}),
			fixed:       map[string]string{"mode": `"preview"`}, reads: true,
			results: []string{"summary", "changes", "diff"}, finish: saying(nothingFound, previewed), permission: api.Permission{Action: api.Ask, Fallback: api.Deny},
		},
	}
	for i := range tools {
		tools[i].alone = true
	}
	return tools
}

// zeroBased returns places with 0-based characters, without duplicates.
func zeroBased(of result.Result) (text string, structured any) {
	_, all := places(of)
	out := navigated{Locations: []navigatedTo{}}
	seen := make(map[navigatedTo]bool)
	var b strings.Builder
	for _, at := range all.(navigated).Locations {
		if at.Character--; !seen[at] {
			seen[at] = true
			out.Locations = append(out.Locations, at)
			fmt.Fprintf(&b, "%s:%d:%d\n", legible.Line(at.File), at.Line, at.Character)
		}
	}
	return b.String(), out
}

// declaredZeroBased returns symbols with 0-based characters.
func declaredZeroBased(of result.Result) (text string, structured any) {
	_, all := declared(of)
	out := all.(listedSymbols)
	path := ""
	if found, ok := of.(*result.Symbols); ok {
		path = found.Path
	}
	var b strings.Builder
	for i := range out.Symbols {
		s := &out.Symbols[i]
		s.Range.Character--
		if s.File == "" {
			s.File = path
		}
		fmt.Fprintf(&b, "%s %s %s:%d:%d\n", s.Kind, legible.Line(s.Name), legible.Line(s.File), s.Range.Line, s.Range.Character)
	}
	return b.String(), out
}

// previewedEdits are the edits of a preview, for the client to apply.
type previewedEdits struct {
	Summary string          `json:"summary"`
	Changes []result.Edited `json:"changes"`
	Diff    string          `json:"diff"`
}

func previewed(of result.Result) (text string, structured any) {
	found, ok := of.(*result.Edit)
	if !ok || len(found.Changes) == 0 {
		return "", previewedEdits{Changes: []result.Edited{}}
	}
	return "Nothing was changed; these are the edits to apply:\n" + legible.Model(found.Diff), previewedEdits{found.Summary, found.Changes, found.Diff}
}

// instead answers a call that no server answers, because there is none, it cannot, it crashed or is not done in time, in the
// plan's wording, with a text search that the model can run instead. It returns nil for any other failure.
func (s *Server) instead(t *tool, root string, args arguments, of *result.Error) *mcp.CallToolResult {
	if s.opts.Profile != profileOpta {
		return nil
	}
	file := namedFile(args)
	ending := filepath.Ext(file)
	text := ""
	switch {
	case of.Kind == result.Unavailable && of.Data.Server != "":
		text = fmt.Sprintf("LSP server %q is not available.", of.Data.Server)
		if len(of.Data.Install) > 0 {
			text += "\nInstall it with: " + of.Data.Install[0]
		}
	case of.Kind == result.Unavailable && of.Data.Path != "":
		if ending == "" {
			ending = filepath.Base(file)
		}
		text = fmt.Sprintf("No LSP server configured for %s files", ending)
	case slices.Contains([]result.Kind{result.Unsupported, result.Crashed, result.Timeout, result.NotReady}, of.Kind):
		text = legible.Hanging(of.Message)
	default:
		return nil
	}
	if name := plainName(root, args); name != "" {
		pattern, _ := json.Marshal(searchPattern(t.operation, name))
		text += fmt.Sprintf("\n\nSuggested alternative: Use search_files to find %s:\n  search_files({ pattern: %s", sought(t.operation), pattern)
		if ending != "" && strings.HasPrefix(ending, ".") {
			text += fmt.Sprintf(", glob: %q", "*"+ending)
		}
		text += " })"
	}
	return &mcp.CallToolResult{
		IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}},
		StructuredContent: failure{result.Error{Kind: of.Kind, Message: text}},
	}
}

// sought describes what the text search for an operation should find.
func sought(operation string) string {
	switch operation {
	case "definition", "inspect", "find_symbol":
		return "definitions"
	}
	return "uses"
}

// searchPattern returns the regular expression that finds a name in text; for some operations, only
// where the name may be declared.
func searchPattern(operation, name string) string {
	name = strings.ReplaceAll(name, "$", `\$`)
	if sought(operation) == "definitions" {
		return `(function|class|interface|type|enum|const|let|var|def|func|fn|struct|trait)\s+` + name + `\b|` + name + `\s*[:=(]`
	}
	return `\b` + name + `\b`
}
