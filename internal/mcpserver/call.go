package mcpserver

import (
	"bytes"
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
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// handler returns the function that runs a tool. A failure is a result that the model reads; only a
// call that the client itself canceled is a protocol error.
func (s *Server) handler(t *tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
		begun := time.Now()
		result = s.promptly(ctx, t, func(ctx context.Context) *mcp.CallToolResult {
			return legibly(s.worded(s.noting(ctx, t, req, func(ctx context.Context) *mcp.CallToolResult { return s.call(ctx, t, req) })))
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.log.Info("tool", "name", t.name, "error", result.IsError, "ms", time.Since(begun).Milliseconds())
		return result, nil
	}
}

// guarded converts a panic in a call to a failed result.
func (s *Server) guarded(t *tool, run func() *mcp.CallToolResult) (result *mcp.CallToolResult) {
	if failed := guard.Do(func() error { result = run(); return nil }); failed != nil {
		return s.failed(t.name, failed)
	}
	return result
}

// failed returns the result of a failed call of a tool, and logs where it panicked, if it did.
func (s *Server) failed(name string, err error) *mcp.CallToolResult {
	s.logFailure("tool", err, "name", name)
	return fail(fmt.Errorf("%s: %w", name, err), "")
}

// logFailure logs that something went wrong, and where it panicked.
func (s *Server) logFailure(what string, err error, about ...any) {
	about = append(about, "error", err)
	if stack := stackOf(err); stack != "" {
		about = append(about, "stack", stack)
	}
	s.log.Error(what, about...)
}

// stackOf returns the stack of a panic in this process or in an engine, "" if there was none.
func stackOf(err error) string {
	var p *guard.PanicError
	if errors.As(err, &p) {
		return p.Stack
	}
	if of := result.ErrorOf(err); of != nil {
		return of.Data.Stack
	}
	return ""
}

func (s *Server) call(ctx context.Context, t *tool, req *mcp.CallToolRequest) *mcp.CallToolResult {
	given, err := decode(req.Params.Arguments)
	if err != nil {
		return fail(err, "")
	}
	lean, err := t.leanFor(given)
	if err != nil {
		return fail(err, "")
	}
	hook, err := t.isHook(given)
	if err != nil {
		return fail(err, "")
	}
	answer := s.answer(ctx, t, req, given, lean, hook)
	if hook && answer.IsError {
		answer.IsError = false
		answer.Content = []mcp.Content{&mcp.TextContent{Text: render.Hook(nil)}}
	}
	return answer
}

// answer runs a tool with its arguments.
func (s *Server) answer(ctx context.Context, t *tool, req *mcp.CallToolRequest, given arguments, lean, hook bool) *mcp.CallToolResult {
	args, workspace, file, err := t.translate(given)
	if err != nil {
		return fail(err, "")
	}
	if t.own != nil {
		if refused := s.refused(ctx, t, req); refused != nil {
			return refused
		}
		result, err := t.own(s, req, args)
		if err != nil {
			return fail(err, "")
		}
		return s.asPeer(t, succeed(fmt.Sprint(result), result))
	}
	own, deed := s.session(req.Session), t.deed(args)
	warning, err := s.inPhase(own, t, deed)
	if err != nil {
		return fail(err, "")
	}
	answer := s.perform(ctx, t, req, translated{given, args, workspace, file}, lean, hook)
	if answer.InputRequests != nil { // nothing has been done yet
		return answer
	}
	if !answer.IsError {
		own.did(deed)
	}
	return s.warned(answer, warning)
}

// A translated call has the arguments as given and those of its operation, and the workspace and
// the file that they name, "" if none.
type translated struct {
	given, args     arguments
	workspace, file string
}

// perform runs the operation of a tool.
func (s *Server) perform(ctx context.Context, t *tool, req *mcp.CallToolRequest, call translated, lean, hook bool) *mcp.CallToolResult {
	given, args, workspace, file := call.given, call.args, call.workspace, call.file
	at, err := s.place(ctx, req.Session, req.ClientCapabilities(), workspace, file)
	if err == nil {
		err = at.checkFolders(t.op.Name, args)
	}
	if err != nil {
		return fail(err, "")
	}
	root := at.root
	noteOf(ctx).root = root
	ctx, cancel := context.WithTimeout(ctx, t.deadlineOf(args))
	defer cancel()
	caller, err := s.engine(ctx, at.root)
	if err != nil {
		return fail(err, "")
	}
	ctx = at.in(ctx, t, req.Session, req.ClientInfo())
	s.joinFeed(ctx, req.Session, root, caller)
	defer s.following(ctx, req, root, caller)()
	caller = s.asking(caller, t, req)
	if said := s.beforeBuiltin(ctx, t, req, caller, root, call); said != nil {
		return said
	}
	noteOf(ctx).seen = true
	replies, err := t.run(s.permitting(telling(ctx, req), t), caller, args)
	if question := asked(err); question != nil {
		return question
	}
	if s.nothingThere(t, err, args) {
		replies, err = []result.Result{t.op.New()}, nil
	}
	if err != nil {
		err = at.advised(t.retold(result.ErrorOf(err)))
		if stackOf(err) != "" {
			return s.failed(t.name, err)
		}
		if said := s.instead(t, root, args, result.ErrorOf(err)); said != nil {
			return said
		}
		search := ""
		if t.op.Name != "check" {
			search = textSearch(root, args)
		}
		return fail(err, search)
	}
	if t.finish != nil {
		switch result, err := t.finish(ctx, caller, given, replies); {
		case asked(err) != nil:
			return asked(err)
		case err != nil:
			return fail(err, "")
		case result != nil:
			return s.asPeer(t, result)
		}
	}
	if t.chooses && workspace != "" {
		s.session(req.Session).choose(root)
	}
	if check, ok := replies[0].(*result.Check); ok && hook {
		said := t.result(replies, -1, true)
		said.Content = []mcp.Content{&mcp.TextContent{Text: render.Hook(check)}}
		return said
	}
	s.follow(replies)
	result := s.fitting(t, replies, budgetOf(args), lean)
	t.save(result, root, replies)
	return result
}

// in returns the context of the calls of a client in a workspace, in a session, for a tool or, if it is nil, for what is no tool.
func (p *place) in(ctx context.Context, t *tool, ss *mcp.ServerSession, client *mcp.Implementation) context.Context {
	with := api.Call{Absolute: p.absolute, Client: clientOf(ctx, client), Session: conversation(ctx, ss)}
	if t != nil {
		with.Tool = t.name
	}
	return with.In(ctx)
}

// permitting returns the context of the calls of a tool, with the permission that the tool needs.
func (s *Server) permitting(ctx context.Context, t *tool) context.Context {
	with := api.CallOf(ctx)
	with.Permission = s.permissionOf(t)
	return with.In(ctx)
}

// decode reads the arguments of a call.
func decode(raw json.RawMessage) (arguments, error) {
	given := arguments{}
	if len(bytes.TrimSpace(raw)) == 0 {
		return given, nil
	}
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, &api.ArgumentError{Argument: "arguments", Reason: "they are no JSON object", Advice: `for example {"file":"src/a.go"}`}
	}
	return given, nil
}

// deadlineOf returns the time limit of a call, which exceeds the time-out that it asks for by at
// least five seconds.
func (t *tool) deadlineOf(args arguments) time.Duration {
	var asked int
	_ = json.Unmarshal(args["timeout_ms"], &asked) // the operation reports an invalid value
	return max(cmp.Or(t.deadline, callTimeout), time.Duration(asked)*time.Millisecond+5*time.Second)
}

// run calls the operation once, or once for each part of a call.
func (t *tool) run(ctx context.Context, caller api.Caller, args arguments) ([]result.Result, error) {
	parts := []arguments{args}
	if t.split != nil {
		parts = t.split(args)
	}
	var replies []result.Result
	for _, part := range parts {
		request, err := json.Marshal(part)
		if err != nil {
			return nil, err
		}
		reply := t.op.New()
		if err := caller.Call(ctx, t.op.Name, json.RawMessage(request), reply); err != nil {
			return nil, err
		}
		replies = append(replies, reply)
	}
	return replies, nil
}

// budgetOf returns the maximum length of an answer's text in bytes; -1 means no limit.
func budgetOf(args arguments) int {
	var asked int
	_ = json.Unmarshal(args["max_bytes"], &asked) // the operation reports an invalid value
	return cmp.Or(asked, render.DefaultBytes)
}

// structuredName is an argument of every tool that is left out of the listed schema, because every
// client would pay for it in every conversation.
const structuredName = "structured"

// leanFor reports whether a call gets the lean form of a result, and removes the argument that
// decides this.
func (t *tool) leanFor(given arguments) (bool, error) {
	raw, ok := given[structuredName]
	delete(given, structuredName)
	var said string
	switch _ = json.Unmarshal(raw, &said); {
	case !ok:
		return t.lean, nil
	case said == structuredLean, said == structuredFull:
		return said == structuredLean, nil
	}
	return false, &api.ArgumentError{Argument: structuredName, Reason: fmt.Sprintf("it is %.40s", raw), Advice: "it may be lean, full"}
}

// formatName is an unlisted argument of the tool check. It is for hooks that an agent's
// configuration defines as calls of an MCP tool.
const formatName = "format"

// isHook reports whether a call comes from an agent's hook, and removes the argument that says so.
func (t *tool) isHook(given arguments) (bool, error) {
	raw, ok := given[formatName]
	if !ok || t.operation != "check" || slices.ContainsFunc(t.parameters, func(p parameter) bool { return p.name == formatName }) {
		return false, nil
	}
	delete(given, formatName)
	if string(raw) != `"hook"` {
		return false, &api.ArgumentError{Argument: formatName, Reason: fmt.Sprintf("it is %.40s", raw), Advice: `"hook" is the only one; without it the answer is for a model`}
	}
	return true, nil
}

// fitting returns a result whose text fits a budget, even if the text is JSON, which takes more
// space than prose.
func (s *Server) fitting(t *tool, replies []result.Result, budget int, lean bool) *mcp.CallToolResult {
	for room := budget; ; {
		result := s.asPeer(t, t.result(replies, room, lean))
		text, ok := result.Content[0].(*mcp.TextContent)
		if !ok || budget <= 0 || len(text.Text) <= budget || room <= render.LeastBytes {
			return result
		}
		room = max(render.LeastBytes, min(room*budget/len(text.Text), room*3/4))
	}
}

func (t *tool) result(replies []result.Result, budget int, lean bool) *mcp.CallToolResult {
	var texts []string
	for _, r := range replies {
		if budget > 0 { // the parts together are not longer, with one line between each two
			render.Fit(r, (budget-len(replies)+1)/len(replies))
		}
		texts = append(texts, render.Brief(r))
	}
	text := strings.Join(texts, "\n")
	if _, has := render.Lean(replies[0]); has && lean && len(replies) == 1 {
		raw, err := render.LeanJSON(replies[0], text)
		if err != nil {
			return fail(err, "")
		}
		return succeed(text, raw)
	}
	var structured any = replies[0]
	if t.shape != nil {
		structured = t.shape.make(replies)
	}
	return succeed(text, structured)
}

func succeed(text string, structured any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: structured}
}
