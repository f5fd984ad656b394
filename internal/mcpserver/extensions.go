package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/extension"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// Extensions add to the default and the full profile. The other profiles imitate products that have
// no extensions.

// extensible reports whether the profile takes extensions.
func (o *Options) extensible() bool {
	return len(o.Extensions) > 0 && !o.Disabled && (o.Profile == "" || o.Profile == "default" || o.Profile == profileFull)
}

// toolName returns the name under which a tool or prompt of an extension is offered.
func toolName(language, name string) string { return language + "_" + name }

// takeExtensions removes the tools of extensions from the tools named in the options, because
// [choose] does not know them, and returns the extension tools to offer, by name.
func (o *Options) takeExtensions() map[string]*extension.Tool {
	offered := make(map[string]*extension.Tool)
	if !o.extensible() {
		o.Extensions = nil
		return offered
	}
	all := make(map[string]bool)
	o.ofExtensions = all
	for _, language := range o.Extensions.Languages() {
		x := o.Extensions[language]
		for i := range x.Tools {
			name := toolName(language, x.Tools[i].Name)
			all[name] = true
			if !o.NoNavigation && !slices.Contains(o.Without, name) && (len(o.Tools) == 0 || slices.Contains(o.Tools, name)) {
				offered[name] = &x.Tools[i]
			}
		}
	}
	isTheirs := func(name string) bool { return all[name] }
	o.Without = slices.DeleteFunc(slices.Clone(o.Without), isTheirs)
	left := slices.DeleteFunc(slices.Clone(o.Tools), isTheirs)
	o.theirsAlone = len(left) == 0 && len(o.Tools) > 0
	o.Tools = left
	return offered
}

// addExtensions registers what extensions add, after the built-in tools: if both use a name, it
// means the extension's tool.
func (s *Server) addExtensions(tools map[string]*extension.Tool) {
	for name, x := range tools {
		s.mcp.AddTool(listedExtension(name, x), s.extensionHandler(name, x))
	}
	for _, language := range s.opts.Extensions.Languages() {
		x := s.opts.Extensions[language]
		for i := range x.Resources {
			r := &x.Resources[i]
			uri := resourceURI(language, r.Name)
			read := func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return s.readExtension(ctx, req, r, strings.TrimPrefix(strings.TrimPrefix(req.Params.URI, uri), "/"))
			}
			kind := cmp.Or(r.MIMEType, textType)
			if r.Files {
				s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: uri + "/{+path}", Name: toolName(language, r.Name), Title: r.Title, Description: r.Description, MIMEType: kind}, read)
			} else {
				s.mcp.AddResource(&mcp.Resource{URI: uri, Name: toolName(language, r.Name), Title: r.Title, Description: r.Description, MIMEType: kind}, read)
			}
		}
		for i := range x.Prompts {
			s.addPrompt(language, &x.Prompts[i])
		}
	}
}

const textType = "text/plain"

func resourceURI(language, name string) string { return "lspine://" + language + "/" + name }

func (s *Server) addPrompt(language string, p *extension.Prompt) {
	listed := &mcp.Prompt{Name: toolName(language, p.Name), Title: p.Title, Description: p.Description}
	for _, a := range p.Arguments {
		listed.Arguments = append(listed.Arguments, &mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
	}
	s.mcp.AddPrompt(listed, func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		text, err := p.Text(ctx, req.Params.Arguments)
		if err != nil {
			return nil, invalid(err)
		}
		return &mcp.GetPromptResult{Description: p.Description, Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: shownText(text)}}}}, nil
	})
}

func listedExtension(name string, x *extension.Tool) *mcp.Tool {
	input := x.Input
	if len(input) == 0 {
		input = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	no, changes := false, x.Class == api.Edit || x.Class == api.Execute
	return &mcp.Tool{
		Name: name, Description: x.Description, InputSchema: input,
		Annotations: &mcp.ToolAnnotations{Title: x.Title, ReadOnlyHint: x.Class == api.Read, DestructiveHint: &changes, OpenWorldHint: &no},
	}
}

// extensionHandler returns the function that runs a tool of an extension.
func (s *Server) extensionHandler(name string, x *extension.Tool) mcp.ToolHandler {
	t := &tool{name: name, title: x.Title}
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		begun := time.Now()
		answer := legibly(s.guarded(t, func() *mcp.CallToolResult {
			return s.noting(ctx, t, req, func(ctx context.Context) *mcp.CallToolResult { return s.callExtension(ctx, t, x, req) })
		}))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.log.Info("tool", "name", t.name, "error", answer.IsError, "ms", time.Since(begun).Milliseconds())
		return answer, nil
	}
}

// callExtension runs a tool of an extension in the workspace that the call is about.
func (s *Server) callExtension(ctx context.Context, t *tool, x *extension.Tool, req *mcp.CallToolRequest) *mcp.CallToolResult {
	given, err := decode(req.Params.Arguments)
	if err != nil {
		return fail(err, "")
	}
	own, deed := s.session(req.Session), deedOfExtension(t.name, x)
	warning, err := s.inPhase(own, t, deed)
	if err != nil {
		return fail(err, "")
	}
	var workspace string
	_ = json.Unmarshal(given[toWorkspace], &workspace) // without a workspace, it is the session's
	file := namedFile(given)
	at, err := s.place(ctx, req.Session, req.ClientCapabilities(), workspace, file)
	if err != nil {
		return fail(err, "")
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	caller, err := s.engine(ctx, at.root)
	if err != nil {
		return fail(err, "")
	}
	noteOf(ctx).root = at.root
	ctx = at.in(ctx, t, req.Session, req.ClientInfo())
	s.joinFeed(ctx, req.Session, at.root, caller)
	defer s.following(ctx, req, at.root, caller)()
	raw, err := json.Marshal(given)
	if err != nil {
		return fail(err, "")
	}
	answer, err := s.runExtension(ctx, t, x, req, &extension.Call{Caller: s.asking(caller, t, req), Root: at.root, File: file, Arguments: raw})
	if errors.Is(err, extension.ErrNext) {
		return fail(fmt.Errorf("%s: the extension leaves this to what is built in, and there is nothing of that name", t.name), "")
	}
	answered := s.extensionAnswer(t, answer, err)
	if err == nil && answered.InputRequests == nil && !answered.IsError {
		own.did(deed)
	}
	return s.warned(answered, warning)
}

// deedOfExtension returns what a tool of an extension is to the phases of a skill: its own name or, if it changes
// files or runs something, the same as a built-in tool that does.
func deedOfExtension(name string, x *extension.Tool) string {
	switch x.Class {
	case api.Edit:
		return "edit.apply"
	case api.Execute:
		return "execute_command.apply"
	}
	return name
}

// beforeBuiltin runs the extension's tool that takes precedence over a built-in one for a file of
// its language. It returns nil if there is none, or if it leaves the call to the built-in tool.
func (s *Server) beforeBuiltin(ctx context.Context, t *tool, req *mcp.CallToolRequest, caller api.Caller, root string, call translated) *mcp.CallToolResult {
	x := s.opts.Extensions.Of(call.file).Tool(t.name)
	if x == nil {
		return nil
	}
	raw, err := json.Marshal(call.args)
	if err != nil {
		return fail(err, "")
	}
	answer, err := s.runExtension(ctx, t, x, req, &extension.Call{Caller: caller, Root: root, File: call.file, Arguments: raw})
	if errors.Is(err, extension.ErrNext) {
		return nil
	}
	return s.extensionAnswer(t, answer, err)
}

// runExtension runs a tool of an extension if the policy allows it.
func (s *Server) runExtension(ctx context.Context, t *tool, x *extension.Tool, req *mcp.CallToolRequest, call *extension.Call) (answer extension.Answer, err error) {
	decided, err := api.PolicyCheck.Do(api.Own(ctx), call.Caller, api.PolicyRequest{Operation: cmp.Or(t.operation, t.name), Class: x.Class.String(), Path: call.File})
	if err != nil {
		return answer, err
	}
	of := api.Permission{Action: api.Action(decided.Action), Fallback: api.Action(decided.Fallback), Source: decided.Why}
	for _, p := range []api.Permission{of, s.permissionOf(t)} {
		if err := s.refusal(ctx, t, req, p); err != nil {
			return answer, err
		}
	}
	err = guard.Do(func() error { answer, err = x.Run(ctx, call); return err })
	return answer, err
}

// extensionAnswer returns what the model reads from an extension's tool.
func (s *Server) extensionAnswer(t *tool, answer extension.Answer, err error) *mcp.CallToolResult {
	if question := asked(err); question != nil {
		return question
	}
	if stackOf(err) != "" {
		return s.failed(t.name, err)
	}
	if err != nil {
		return fail(err, "")
	}
	return succeed(render.Shortened(legible.Model(answer.Text), "", render.DefaultBytes), answer.Data)
}

// readExtension reads a resource of an extension.
func (s *Server) readExtension(ctx context.Context, req *mcp.ReadResourceRequest, r *extension.Resource, file string) (*mcp.ReadResourceResult, error) {
	at, err := s.place(ctx, req.Session, req.ClientCapabilities(), "", file)
	if err != nil {
		return nil, invalid(err)
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	caller, err := s.engine(ctx, at.root)
	if err != nil {
		return nil, err
	}
	text, err := r.Read(at.in(ctx, nil, req.Session, req.ClientInfo()), &extension.Call{Caller: caller, Root: at.root, File: file, URI: req.Params.URI})
	switch {
	case errors.Is(err, extension.ErrNext):
		return nil, err
	case err != nil && result.ErrorOf(err).Kind == result.NotFound:
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	case err != nil:
		return nil, invalid(err)
	}
	return contentOf(req, cmp.Or(r.MIMEType, textType), text), nil
}

// readBefore reads the extension's resource that takes precedence over a built-in one. It returns
// nil if there is none, or if it leaves the request to the built-in resource.
func (s *Server) readBefore(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	scheme, rest, _ := strings.Cut(req.Params.URI, ":///")
	file, _, _ := strings.Cut(rest, "?")
	r := s.opts.Extensions.Of(file).Resource(strings.TrimPrefix(scheme, "lsp-"))
	if r == nil {
		return nil, nil
	}
	answer, err := s.readExtension(ctx, req, r, file)
	if errors.Is(err, extension.ErrNext) {
		return nil, nil
	}
	return answer, err
}

// A follower is a running subscription of an extension. The server's mu guards sessions.
type follower struct {
	cancel   context.CancelFunc
	sessions map[*mcp.ServerSession]bool
}

// followed returns the extension's subscription that a URI is about, and the file that the URI
// names; nil if there is none.
func (s *Server) followed(uri string) (*extension.Subscription, string) {
	for language, x := range s.opts.Extensions {
		for i := range x.Subscriptions {
			one := &x.Subscriptions[i]
			own := resourceURI(language, one.Name)
			if file, is := strings.CutPrefix(uri, own+"/"); is || uri == own {
				return one, strings.TrimPrefix(file, own)
			}
		}
	}
	if scheme, file, is := strings.Cut(uri, ":///"); is {
		return s.opts.Extensions.Of(file).Subscription(strings.TrimPrefix(scheme, "lsp-")), file
	}
	return nil, ""
}

// followExtension adds a session to those that are notified of changes to a resource.
func (s *Server) followExtension(ctx context.Context, req *mcp.SubscribeRequest, of *extension.Subscription, file string) error {
	at, err := s.place(ctx, req.Session, req.ClientCapabilities(), "", file)
	if err != nil {
		return err
	}
	caller, err := s.engine(ctx, at.root)
	if err != nil {
		return err
	}
	uri := req.Params.URI
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return context.Canceled
	}
	if f := s.followers[uri]; f != nil {
		f.sessions[req.Session] = true
		return nil
	}
	f := &follower{sessions: map[*mcp.ServerSession]bool{req.Session: true}}
	var watching context.Context
	watching, f.cancel = context.WithCancel(s.ctx)
	s.followers[uri] = f
	changed := func() {
		_ = s.mcp.ResourceUpdated(watching, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // it logs its own failures
	}
	call := &extension.Call{Caller: caller, Root: at.root, File: file, URI: uri}
	s.tasks.Go(func() {
		err := guard.Do(func() error { return of.Watch(at.in(watching, nil, nil, req.ClientInfo()), call, changed) })
		if watching.Err() == nil {
			s.logFailure("a subscription of an extension ended", cmp.Or(err, errors.New("it returned")), "uri", uri)
		}
	})
	return nil
}

// leaveLocked removes a session from the followers of a URI, or of all URIs if uri is "". Followers
// without sessions end.
func (s *Server) leaveLocked(ss *mcp.ServerSession, uri string) {
	for of, f := range s.followers {
		if uri == "" || of == uri {
			delete(f.sessions, ss)
		}
		if len(f.sessions) == 0 {
			f.cancel()
			delete(s.followers, of)
		}
	}
}
