package mcpserver

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// Questions of the policy are put to the user by elicitation. A client of an older revision gets a
// question while its call waits. In the newest revision, a server sends no requests: the call ends
// with the question as its result, and the client repeats the call with the answer.

// permissionOf returns the permission that a tool needs: the one in the options, or its own.
func (s *Server) permissionOf(t *tool) api.Permission {
	p, given := s.opts.Permissions[t.name]
	if !given {
		p = t.permission
	}
	if p.Action != "" {
		p.Source = "the permission of " + t.name
		p.Advice = fmt.Sprintf("the user can allow it: lspine mcp --profile %s --permission %s=allow", cmp.Or(s.opts.Profile, "default"), t.name)
	}
	return p
}

// ParsePermission parses "allow", "deny", "ask", or "ask:allow" (allow if the client cannot ask its
// user).
func ParsePermission(text string) (api.Permission, error) {
	action, fallback, named := strings.Cut(text, ":")
	p := api.Permission{Action: api.Action(action), Fallback: api.Deny}
	if named {
		p.Fallback = api.Action(fallback)
	}
	known := p.Action == api.Allow || p.Action == api.Ask || p.Action == api.Deny
	if !known || p.Fallback != api.Allow && p.Fallback != api.Deny || named && p.Action != api.Ask {
		return api.Permission{}, &api.ArgumentError{Argument: "permission", Reason: fmt.Sprintf("there is no rule %q", text), Advice: "rules are allow, deny, ask, and ask:allow, which allows it where the client cannot ask"}
	}
	return p, nil
}

// asks reports whether the client can ask its user.
func asks(req *mcp.CallToolRequest) bool {
	capabilities := req.ClientCapabilities()
	return capabilities != nil && capabilities.Elicitation != nil
}

// asking returns a caller that asks the user where the policy requires it, if the client supports
// that.
func (s *Server) asking(caller api.Caller, t *tool, req *mcp.CallToolRequest) api.Caller {
	if !asks(req) {
		return caller
	}
	return api.Asking{Caller: caller, Ask: func(ctx context.Context, q result.Question) (api.Said, error) { return s.elicit(ctx, t, req, q) }}
}

// A questionError ends a call so that the client can ask its user and repeat the call.
type questionError struct {
	id     string
	params *mcp.ElicitParams
	// said has the user's answers to earlier questions about the call.
	said map[string]api.Said
}

func (e *questionError) Error() string { return "the user has to be asked first" }

// asked returns the result of a call that ends with a question, nil for another error.
func asked(err error) *mcp.CallToolResult {
	var of *questionError
	if !errors.As(err, &of) {
		return nil
	}
	state, err := json.Marshal(of.said)
	if err != nil {
		return fail(err, "") // strings always encode
	}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{of.id: of.params}, RequestState: string(state)}
}

// elicit asks the user whether a call may go on. If nobody answers in time, or the client cannot
// ask after all, it returns api.Nothing.
func (s *Server) elicit(ctx context.Context, t *tool, req *mcp.CallToolRequest, q result.Question) (api.Said, error) {
	params := &mcp.ElicitParams{
		Message:         fmt.Sprintf("Allow %s with %s?\n%s", t.name, legible.JSON(fmt.Appendf(nil, "%.300s", req.Params.Arguments)), legible.Model(q.Text)),
		RequestedSchema: &schema{Type: "object", Properties: properties{}},
	}
	if p := req.Session.InitializeParams(); p == nil || p.ProtocolVersion >= newestEra {
		said := saidBefore(req)
		if answer, given := said[q.ID]; given {
			return answer, nil
		}
		return api.Nothing, &questionError{q.ID, params, said}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(q.TimeoutMS)*time.Millisecond)
	defer cancel()
	answer, err := req.Session.Elicit(ctx, params)
	if err != nil {
		s.log.Warn("the user could not be asked", "tool", t.name, "error", err)
		return api.Nothing, nil
	}
	return saidBy(answer), nil
}

// saidBefore returns the user's answers in earlier rounds of a call. They come from the client,
// which speaks for its user anyway.
func saidBefore(req *mcp.CallToolRequest) map[string]api.Said {
	said := make(map[string]api.Said)
	_ = json.Unmarshal([]byte(req.Params.RequestState), &said) // a state that is not ours has no answers
	for id, response := range req.Params.InputResponses {
		if answer, ok := response.(*mcp.ElicitResult); ok {
			said[id] = saidBy(answer)
		}
	}
	return said
}

func saidBy(answer *mcp.ElicitResult) api.Said {
	if answer.Action == "accept" {
		return api.Yes
	}
	return api.No
}

// refused returns the answer to a call of one of the server's own tools, which no engine knows, if
// the call is not permitted; nil if it is.
func (s *Server) refused(ctx context.Context, t *tool, req *mcp.CallToolRequest) *mcp.CallToolResult {
	err := s.refusal(ctx, t, req, s.permissionOf(t))
	if question := asked(err); question != nil {
		return question
	}
	if err != nil {
		return fail(err, "")
	}
	return nil
}

// refusal returns why a call is not permitted, or the question that must be asked first; nil if it
// is permitted.
func (s *Server) refusal(ctx context.Context, t *tool, req *mcp.CallToolRequest, p api.Permission) error {
	if p.Action == "" || p.Action == api.Allow {
		return nil
	}
	action := p.Action
	if action == api.Ask {
		action = p.Fallback
		if asks(req) {
			sum := sha256.Sum256(fmt.Appendf(nil, "%q %s %s", t.name, req.Params.Arguments, p.Source))
			said, err := s.elicit(ctx, t, req, result.Question{ID: hex.EncodeToString(sum[:12]), Text: p.Source + " asks first", TimeoutMS: ownAskTimeout.Milliseconds()})
			if err != nil {
				return err
			}
			if said != api.Nothing {
				action = map[api.Said]api.Action{api.Yes: api.Allow, api.No: api.Deny}[said]
			}
		}
	}
	if action == api.Allow {
		return nil
	}
	return &result.Error{Kind: result.Denied, Message: t.name + " is denied by " + p.Source, Hint: p.Advice}
}

// ownAskTimeout limits the question about one of the server's own tools.
const ownAskTimeout = 45 * time.Second
