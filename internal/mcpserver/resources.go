package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

const (
	diagnosticsScheme = "lsp-diagnostics"
	hoverScheme       = "lsp-hover"
	completionsScheme = "lsp-completions"
	statusURI         = "lspine://status"
	jsonType          = "application/json"
)

// addResources registers the resources and their templates.
func (s *Server) addResources() {
	s.mcp.AddResource(&mcp.Resource{
		URI: statusURI, Name: "status", Title: "Server status", MIMEType: jsonType,
		Description: "Every known language server and its state.",
	}, s.read)
	place := "?line={line}&column={column}&language_id={language_id}"
	for _, t := range []mcp.ResourceTemplate{
		{
			URITemplate: diagnosticsScheme + ":///{+path}", Name: "diagnostics", Title: "Diagnostics",
			Description: "What is wrong with a file; without a path, all that is known. Can be subscribed to.",
		},
		{
			URITemplate: hoverScheme + ":///{+path}" + place, Name: "hover", Title: "Hover",
			Description: "Type and documentation at a place.",
		},
		{
			URITemplate: completionsScheme + ":///{+path}" + place, Name: "completions", Title: "Completions",
			Description: "What may be written at a place.",
		},
	} {
		t.MIMEType = jsonType
		s.mcp.AddResourceTemplate(&t, s.read)
	}
}

// A subject is what the URI of a resource names.
type subject struct {
	scheme string
	at     place
	// file is an absolute path or one in the workspace; "" means all files.
	file   string
	line   int
	column int
}

// subjectOf parses a URI. A path is relative to the workspace if such a file exists, else absolute.
func (s *Server) subjectOf(ctx context.Context, ss *mcp.ServerSession, capabilities *mcp.ClientCapabilities, uri string) (subject, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return subject{}, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: legible.Hanging(err.Error())}
	}
	path := filepath.FromSlash(u.Path)
	if rest := strings.TrimPrefix(path, string(filepath.Separator)); filepath.IsAbs(rest) { // a drive letter
		path = rest
	}
	of := subject{scheme: u.Scheme}
	if of.at, err = s.place(ctx, ss, capabilities, "", ""); err != nil {
		return of, err
	}
	if u.Scheme == "lspine" {
		return of, nil
	}
	of.file = strings.TrimPrefix(path, string(filepath.Separator))
	if _, err := os.Stat(filepath.Join(of.at.root, of.file)); err != nil && filepath.IsAbs(path) {
		if _, err := os.Stat(path); err == nil {
			of.file = path
			if of.at, err = s.place(ctx, ss, capabilities, "", path); err != nil {
				return of, err
			}
		}
	}
	for name, to := range map[string]*int{"line": &of.line, "column": &of.column} {
		text := u.Query().Get(name)
		if text == "" && u.Scheme == diagnosticsScheme {
			continue
		}
		if *to, err = strconv.Atoi(text); err != nil || *to < 1 {
			return of, &api.ArgumentError{Argument: name, Reason: fmt.Sprintf("%q is no 1-based number", text), Advice: "for example " + name + "=1"}
		}
	}
	return of, nil
}

// read returns the content of a resource.
func (s *Server) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	if answer, err := s.readBefore(ctx, req); answer != nil || err != nil {
		return answer, err
	}
	content, err := s.content(ctx, req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f := fail(err, "").StructuredContent.(failure)
		if f.Error.Kind == result.NotFound {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		data, _ := json.Marshal(f.Error) // strings always encode
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: strings.TrimSpace(f.Error.Message + "\n" + f.Error.Hint), Data: data}
	}
	text, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: jsonType, Text: string(legible.JSON(text))}}}, nil
}

func (s *Server) content(ctx context.Context, req *mcp.ReadResourceRequest) (result.Result, error) {
	of, err := s.subjectOf(ctx, req.Session, req.ClientCapabilities(), req.Params.URI)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	caller, err := s.engine(ctx, of.at.root)
	if err != nil {
		return nil, err
	}
	ctx = of.at.in(ctx, nil, req.Session, req.ClientInfo())
	at := api.Selector{File: of.file, Line: api.OneBased(of.line), Column: api.OneBased(of.column)}
	switch of.scheme {
	case diagnosticsScheme:
		known := api.DiagnosticsRequest{Severities: allSeverities}
		if of.file != "" {
			known.Files = []string{of.file}
		}
		return ask(ctx, caller, api.Diagnostics, known)
	case hoverScheme:
		return ask(ctx, caller, api.Inspect, api.InspectRequest{Selector: at})
	case completionsScheme:
		return ask(ctx, caller, api.Completions, api.PlaceRequest{Selector: at})
	case "lspine":
		return ask(ctx, caller, api.Status, api.StatusRequest{})
	}
	return nil, mcp.ResourceNotFoundError(req.Params.URI)
}

var allSeverities = []string{"error", "warning", "info", "hint"}

// ask calls an operation and returns its result.
func ask[Req, Res any, P interface {
	*Res
	result.Result
}](ctx context.Context, caller api.Caller, op api.Op[Req, Res], req Req) (P, error) {
	result, err := op.Do(ctx, caller, req)
	return P(&result), err
}
