package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// A Visitor is whoever a request over HTTP comes from, as known by whoever let it in. It is not
// changed after it is made.
type Visitor struct {
	// Name replaces the name that the client gives itself, in rules of the policy and in the
	// evidence; "" leaves that. A session belongs to the name that began it.
	Name string
	// Roots are the only folders that may be used, as far as the server's other options allow them
	// too; nil means that these decide alone.
	Roots []string
	// Workspace is the workspace of calls that name none and whose session chose none, "" if the
	// server's options decide. It is absolute, with symbolic links resolved.
	Workspace string
	// Permission returns what the visitor's own rules say of an operation; the zero Permission is
	// nothing. nil means that there are no rules. It must be safe for concurrent use.
	Permission func(operation string, class api.Class) api.Permission
	// Alone says that there is no other visitor from whom something is to be kept: who works here, above all.
	Alone bool
}

type visitorKey struct{}

// In returns a context of requests that come from the visitor.
func (v *Visitor) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, visitorKey{}, v)
}

// visitorOf returns the visitor that a request comes from; the zero Visitor if nobody let it in.
func visitorOf(ctx context.Context) *Visitor {
	if v, ok := ctx.Value(visitorKey{}).(*Visitor); ok {
		return v
	}
	return &Visitor{}
}

// visitorMember is where the SDK carries a visitor, from the request of HTTP to that of MCP: the
// contexts of sessions have nothing of the requests.
const visitorMember = "lspine.visitor"

// carried returns a handler behind which requests of MCP have the visitor of their request of HTTP, see
// [fromHTTP].
func carried(next http.Handler) http.Handler {
	carry := auth.RequireBearerToken(func(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		v := visitorOf(ctx)
		info := &auth.TokenInfo{UserID: v.Name}
		put(&info.Extra, visitorMember, any(v))
		return info, nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Context().Value(visitorKey{}) == nil {
			next.ServeHTTP(w, r)
			return
		}
		of := *r
		of.Header = r.Header.Clone()
		of.Header.Set("Authorization", "Bearer let-in") // the SDK carries nothing without a token
		carry.ServeHTTP(w, &of)
	})
}

// put adds a member to a map, which it makes if there is none.
func put[V any](to *map[string]V, name string, value V) {
	if *to == nil {
		*to = make(map[string]V)
	}
	(*to)[name] = value
}

// fromHTTP returns the context of a request with the visitor that it comes from.
func fromHTTP(ctx context.Context, req mcp.Request) context.Context {
	extra := req.GetExtra()
	if extra == nil || extra.TokenInfo == nil {
		return ctx
	}
	if v, ok := extra.TokenInfo.Extra[visitorMember].(*Visitor); ok {
		return v.In(ctx)
	}
	return ctx
}

// visit restricts the folders of a session to those that a visitor may use, and makes the workspace
// that the visitor asked for the base.
func (g *ground) visit(v *Visitor) {
	if v.Roots != nil {
		own := ground{}
		for _, root := range v.Roots {
			own.allow(root)
		}
		both := slices.DeleteFunc(slices.Clone(g.allowed), func(dir string) bool { return own.around(dir) == "" })
		for _, root := range own.allowed {
			if g.around(root) != "" && !slices.Contains(both, root) {
				both = append(both, root)
			}
		}
		g.allowed = both
		if len(both) == 0 && g.refused == "" {
			g.refused = "none of the folders of this token is served"
		}
	}
	if v.Workspace != "" && g.around(v.Workspace) != "" {
		g.allowed = append([]string{v.Workspace}, slices.DeleteFunc(g.allowed, func(dir string) bool { return dir == v.Workspace })...)
		g.fixed = true
	}
}

// MayUse reports whether the visitor of a context may use a folder, which is absolute with symbolic
// links resolved.
func (s *Server) MayUse(ctx context.Context, folder string) bool {
	g := s.ground(ctx, nil, nil)
	return g.around(folder) != ""
}

// engine returns the engine of a workspace, as a visitor may use it.
func (s *Server) engine(ctx context.Context, root string) (api.Caller, error) {
	caller, err := s.opts.Engines.Engine(ctx, root)
	if err != nil {
		return nil, err
	}
	if s.opts.Observe != nil {
		caller = observed{caller, s.opts.Observe}
	}
	if v := visitorOf(ctx); v.Permission != nil {
		caller = visited{Caller: caller, visitor: v}
	}
	return caller, nil
}

// An observed caller has somebody told of its calls.
type observed struct {
	api.Caller
	observe func(operation, outcome string)
}

// Call implements [api.Caller].
func (c observed) Call(ctx context.Context, name string, req, res any) error {
	err := c.Caller.Call(ctx, name, req, res)
	if isOwn(ctx, name) {
		return err
	}
	outcome := "ok"
	if err != nil {
		outcome = cmp.Or(string(result.ErrorOf(err).Kind), "failed")
	}
	c.observe(name, outcome)
	return err
}

// A visited caller follows the rules of a visitor.
type visited struct {
	api.Caller
	visitor *Visitor
	// always says that each call is for the visitor, also those that a front makes by itself.
	always bool
}

// Call implements [api.Caller]. What the server asks for itself, for all its sessions, follows no rules.
func (c visited) Call(ctx context.Context, name string, req, res any) error {
	if isOwn(ctx, name) && !c.always {
		return c.Caller.Call(ctx, name, req, res)
	}
	with := api.CallOf(ctx)
	for _, of := range deedsOf(name, req) {
		with.Permission = stricter(with.Permission, c.visitor.permission(of.operation, of.class))
	}
	return c.Caller.Call(with.In(ctx), name, req, res)
}

// permission returns what holds for a visitor and an operation, besides the policy. What is run can do whatever the user can, so a
// visitor that may use some folders alone may run nothing, unless a rule of its own allows it.
func (v *Visitor) permission(operation string, class api.Class) api.Permission {
	if operation == api.Sessions.Name && !v.Alone {
		return api.Permission{
			Action: api.Deny, Source: "the token " + v.Name + ", one of several",
			Advice: "what other clients do is shown to who runs the server",
		}
	}
	p := v.Permission(operation, class)
	if p.Action == "" && class == api.Execute && v.Roots != nil {
		return api.Permission{
			Action: api.Deny, Source: "the workspaces of the token " + v.Name,
			Advice: "what is run is not kept in them; a rule of the token that allows the class execute allows it",
		}
	}
	return p
}

// isOwn reports whether the server makes a call for itself, to notice what changes.
func isOwn(ctx context.Context, name string) bool {
	return api.CallOf(ctx).Own || name == api.Events.Name
}

// operations has the operations by name.
var operations = sync.OnceValue(func() map[string]api.Operation {
	all := make(map[string]api.Operation)
	for _, op := range api.Operations() {
		all[op.Name] = op
	}
	return all
})

// A classed operation is one that a request contains, with what it may do.
type classed struct {
	operation string
	class     api.Class
}

// deedsOf returns everything that a request of an operation needs permission for.
func deedsOf(name string, req any) []classed {
	of, known := operations()[name]
	if !known {
		return []classed{{name, api.Admin}}
	}
	raw, ok := req.(json.RawMessage)
	if !ok {
		raw, _ = json.Marshal(req) // what cannot be read may do the most
	}
	all := []classed{{name, of.ClassOf(raw)}}
	if of.Edits {
		all = append(all, classed{name, api.Edit})
	}
	for _, part := range of.Parts(raw) {
		all = append(all, classed{part, operations()[part].Class})
	}
	return all
}

// stricter returns the stricter of two permissions, the first if they are equally strict.
func stricter(a, b api.Permission) api.Permission {
	rank := func(p api.Permission) int {
		switch {
		case p.Action == api.Deny:
			return 4
		case p.Action == api.Ask && p.Fallback != api.Allow:
			return 3
		case p.Action == api.Ask:
			return 2
		case p.Action != "":
			return 1
		}
		return 0
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// clientOf returns the name of the client, as the rules of the policy use it.
func clientOf(ctx context.Context, info *mcp.Implementation) string {
	name := visitorOf(ctx).Name
	if name == "" && info != nil {
		name = info.Name
	}
	if name == "" {
		return "mcp"
	}
	return "mcp/" + strings.ReplaceAll(name, "/", "-")
}
