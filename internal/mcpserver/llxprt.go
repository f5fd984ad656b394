package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// The profile with the navigation tools of LLxprt's LSP service: its names and texts. Lines and
// columns are 1-based; paths are relative to the workspace.

const (
	// navigationServer is the name of that service's MCP server.
	navigationServer = "lsp-navigation"
	// DefaultAnswer is the time after which the navigation tools for LLxprt answer at the latest,
	// because LLxprt waits 250 ms.
	DefaultAnswer = 200 * time.Millisecond
	// outsideText is the answer about a file that may not be used.
	outsideText = "Error: File is outside workspace boundary"
	// latest limits the work of a call that was answered before it finished.
	latest = 30 * time.Second
)

type (
	navigated struct {
		Locations []navigatedTo `json:"locations"`
	}
	navigatedTo struct {
		File      string `json:"file"`
		Line      uint32 `json:"line"`
		Character uint32 `json:"character"`
	}
	hovered struct {
		Content string `json:"content"`
	}
	listedSymbols struct {
		Symbols []listedSymbol `json:"symbols"`
	}
	listedSymbol struct {
		Name  string      `json:"name"`
		Kind  string      `json:"kind"`
		File  string      `json:"file,omitempty"`
		Range symbolRange `json:"range"`
	}
	symbolRange struct {
		Line      uint32 `json:"line"`
		Character uint32 `json:"character"`
		EndLine   uint32 `json:"endLine,omitempty"`
	}
	listedDiagnostics struct {
		Diagnostics map[string][]result.Diagnostic `json:"diagnostics"`
	}
)

// llxprtTools returns the tools of that service.
func llxprtTools() []tool {
	file := parameter{name: "file", kind: "string", required: true, description: "path, relative to the workspace"}
	position := []parameter{
		file,
		{name: "line", required: true, description: "from 1"},
		{name: "character", to: "column", required: true, description: "from 1"},
	}
	tools := []tool{
		{
			name: "lsp_goto_definition", operation: "definition", title: "Go to definition",
			description: "Navigate to the definition of a symbol at a given position",
			parameters:  position, shape: schemaAlone[navigated](), finish: saying("No definition found", places),
		},
		{
			name: "lsp_find_references", operation: "references", title: "Find references",
			description: "Find all references to a symbol at a given position",
			parameters:  position, shape: schemaAlone[navigated](), finish: saying("No references found", places),
		},
		{
			name: "lsp_hover", operation: "inspect", title: "Hover",
			description: "Get type information and documentation for a symbol at a given position",
			parameters:  position, fixed: map[string]string{"parts": `["hover"]`},
			shape: schemaAlone[hovered](), finish: saying("No hover information available", hover),
		},
		{
			name: "lsp_document_symbols", operation: "outline", title: "Document symbols",
			description: "List all symbols (functions, classes, variables) in a file",
			parameters:  []parameter{file}, shape: schemaAlone[listedSymbols](), finish: saying("No symbols found", declared),
		},
		{
			name: "lsp_workspace_symbols", operation: "find_symbol", title: "Workspace symbols",
			description: "Search for symbols across the entire workspace",
			parameters:  []parameter{{name: "query", kind: "string", required: true, description: "a name, or a part of it"}},
			shape:       schemaAlone[listedSymbols](), finish: saying("No symbols found", declared),
		},
		{
			name: "lsp_diagnostics", operation: "diagnostics", title: "Diagnostics",
			description: "Retrieve current diagnostics for all known files",
			fixed:       map[string]string{"refresh": "true", "max_bytes": "-1"},
			shape:       schemaAlone[listedDiagnostics](), finish: saying("No diagnostics", currentDiagnostics),
		},
	}
	for i := range tools {
		tools[i].alone = true
	}
	return tools
}

// schemaAlone returns a shape of which only the schema is used.
func schemaAlone[S any]() *shape { return &shape{schema: schemaOf[S]()} }

// A sayer returns the text of an answer, "" if there is nothing to report, and the answer as data.
type sayer func(result.Result) (text string, structured any)

// saying returns the function that makes the result of a tool. An empty answer uses the profile's
// wording, unless a server was not ready.
func saying(nothing string, say sayer) func(context.Context, api.Caller, arguments, []result.Result) (*mcp.CallToolResult, error) {
	return func(_ context.Context, _ api.Caller, _ arguments, replies []result.Result) (*mcp.CallToolResult, error) {
		text, structured := say(replies[0])
		text = strings.TrimRight(text, "\n")
		if text == "" {
			text = nothing
		}
		if headed, ok := replies[0].(interface{ Heading() *result.Head }); ok {
			head := headed.Heading()
			for _, state := range head.State {
				text += "\n(not known yet: " + legible.Line(state) + "; ask again)"
			}
			if head.Cut != "" {
				text += "\n(" + head.Cut + ")"
			}
		}
		return succeed(text, structured), nil
	}
}

func places(of result.Result) (text string, structured any) {
	out := navigated{Locations: []navigatedTo{}}
	found, ok := of.(*result.Places)
	if !ok {
		return "", out
	}
	var b strings.Builder
	for _, f := range found.Files {
		for _, p := range f.Places {
			out.Locations = append(out.Locations, navigatedTo{f.Path, p.Line, p.Column})
			fmt.Fprintf(&b, "%s:%d:%d\n", legible.Line(f.Path), p.Line, p.Column)
		}
	}
	return b.String(), out
}

func hover(of result.Result) (text string, structured any) {
	found, ok := of.(*result.Inspection)
	if !ok {
		return "", hovered{}
	}
	return legible.Model(found.Hover), hovered{found.Hover}
}

func declared(of result.Result) (text string, structured any) {
	out := listedSymbols{Symbols: []listedSymbol{}}
	found, ok := of.(*result.Symbols)
	if !ok {
		return "", out
	}
	var b strings.Builder
	var add func(list []result.Symbol)
	add = func(list []result.Symbol) {
		for i := range list {
			s := &list[i]
			out.Symbols = append(out.Symbols, listedSymbol{s.Name, s.Kind, s.Path, symbolRange{s.Line, s.Column, s.EndLine}})
			b.WriteString(legible.Line(s.Name) + " - ")
			if s.Path != "" {
				b.WriteString(legible.Line(s.Path) + ":")
			}
			fmt.Fprintf(&b, "%d:%d\n", s.Line, s.Column)
			add(s.Children)
		}
	}
	add(found.Symbols)
	return b.String(), out
}

func currentDiagnostics(of result.Result) (text string, structured any) {
	out := listedDiagnostics{Diagnostics: map[string][]result.Diagnostic{}}
	found, ok := of.(*result.Check)
	if !ok {
		return "", out
	}
	files := slices.Clone(found.Files)
	slices.SortFunc(files, func(a, b result.File) int { return strings.Compare(a.Path, b.Path) })
	var b strings.Builder
	for i := range files {
		f := &files[i]
		if len(f.Diagnostics) == 0 {
			continue
		}
		out.Diagnostics[f.Path] = f.Diagnostics
		for _, d := range f.Diagnostics {
			fmt.Fprintf(&b, "%s:%d:%d %s\n", legible.Line(f.Path), d.Line, d.Column, render.Escaped(d.Message))
		}
	}
	return b.String(), out
}

// outsideFirst answers a failure about a file that may not be used in the way that service does. It
// returns false for other failures.
func (s *Server) outsideFirst(answer *mcp.CallToolResult) (*mcp.CallToolResult, bool) {
	f, failed := answer.StructuredContent.(failure)
	if s.opts.Profile != profileLLXPRT || !failed || f.Error.Kind != result.Outside {
		return answer, false
	}
	answer.Content = []mcp.Content{&mcp.TextContent{Text: outsideText}}
	return answer, true
}

// promptly runs a call whose client does not wait long. If the call takes longer, the answer says
// so, and the call continues in the background so that the next call finds the server ready.
func (s *Server) promptly(ctx context.Context, t *tool, run func(context.Context) *mcp.CallToolResult) *mcp.CallToolResult {
	if s.opts.Answer <= 0 {
		return s.guarded(t, func() *mcp.CallToolResult { return run(ctx) })
	}
	timer := time.NewTimer(s.opts.Answer)
	defer timer.Stop()
	answered := make(chan *mcp.CallToolResult, 1)
	s.tasks.Go(func() {
		working, cancel := context.WithTimeout(context.WithoutCancel(ctx), latest)
		defer cancel()
		defer context.AfterFunc(s.ctx, cancel)()
		answered <- s.guarded(t, func() *mcp.CallToolResult { return run(working) })
	})
	select {
	case answer := <-answered:
		return answer
	case <-ctx.Done():
		return nil // there is nobody to answer
	case <-timer.C:
	}
	loading := result.Error{
		Kind:    result.NotReady,
		Message: fmt.Sprintf("Still loading: no language server has answered within %d ms", s.opts.Answer.Milliseconds()),
		Hint:    "ask again in a moment: it goes on with this question",
	}
	return &mcp.CallToolResult{
		IsError: true, StructuredContent: failure{loading},
		Content: []mcp.Content{&mcp.TextContent{Text: loading.Message + "; " + loading.Hint}},
	}
}

// nothingThere reports whether a call failed because there is no symbol at its position, which
// counts as an answer in this profile.
func (s *Server) nothingThere(t *tool, err error, args arguments) bool {
	of := result.ErrorOf(err)
	if s.opts.Profile != profileLLXPRT && s.opts.Profile != profileOpta || of == nil || t.finish == nil {
		return false
	}
	_, asksAt := args["column"]
	return asksAt && of.Kind == result.NotFound && of.Data.Path == ""
}
