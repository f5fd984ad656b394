package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// A tool is an operation under a name, with the arguments that are shown to a model.
type tool struct {
	name, title, description string
	// operation is the operation that the tool calls, "" for what the server itself does in own.
	operation string
	own       func(*Server, *mcp.CallToolRequest, arguments) (any, error)
	// inFull says, of a tool of the default profile, which tools of the full one do the same; for the texts of skills.
	inFull string
	// parameters are the listed arguments. All other arguments of the operation are accepted too,
	// under the operation's names.
	parameters []parameter
	// fixed are arguments of the operation that every call has, as JSON.
	fixed map[string]string
	// effect is the effect reported to clients, unless it is byClass.
	effect effect
	// split, if not nil, splits a call into several calls of the operation.
	split func(arguments) []arguments
	// results are the listed members of the result; nil means all.
	results []string
	// shape, if not nil, makes the structured result.
	shape *shape
	// lean selects the lean form of the structured result, if the result has one and the call does
	// not ask for everything.
	lean bool
	// finish, if not nil, makes the result of a call that asks for an unusual one, and returns nil
	// for other calls. It gets the arguments as given.
	finish func(ctx context.Context, caller api.Caller, given arguments, replies []result.Result) (*mcp.CallToolResult, error)
	// chooses makes the workspace that a call names the workspace of the session.
	chooses bool
	// alone means that calls cannot name a workspace, because there is only one.
	alone bool
	// reads means that calls change nothing, although the operation could.
	reads bool
	// permission is the permission that calls need unless the options say otherwise.
	permission api.Permission
	// saves means that the tool is meant to be used instead of reading a file.
	saves bool
	// deadline limits a call that sets no time-out; 0 means callTimeout.
	deadline time.Duration

	op api.Operation // looked up by the name of the operation
}

// An effect is what calls do to other people's files and servers.
type effect int

const (
	byClass      effect = iota // decided by the operation's class
	changes                    // repeating a call changes nothing more
	changesAgain               // every call changes something
)

// callTimeout limits every call. Operations have their own, shorter deadlines.
const callTimeout = 3 * time.Minute

// A parameter is an argument of a tool.
type parameter struct {
	name string
	// to is the operation's argument, "" if it has the same name. toWorkspace is the workspace of
	// the call; toNothing is for arguments that clients send and the operation does not need.
	to string
	// kind and items are JSON types; "" means the type of the operation's argument.
	kind, items string
	description string
	required    bool
	// values, if any, are the only allowed values, with what they mean to the operation.
	values []value
	// also are values that are accepted but not listed.
	also []value
	// advice, if not "", is given if the value is a different one.
	advice string
	// members are the listed members of the objects in a list; nil means all.
	members []string
	// listed wraps a single value in a list.
	listed bool
	// seconds means that the argument is in seconds and is converted to milliseconds for the
	// operation.
	seconds bool
	// plus is added to a number that the operation counts from another base. A number below atLeast
	// is first raised to atLeast.
	plus, atLeast int
	// refused, if not "", says what to do instead of giving the argument. The argument is not
	// listed, but clients that know it from elsewhere must learn that it has no effect.
	refused string
}

// maxSeconds limits a time-out given in seconds.
const maxSeconds = 3600

const (
	toWorkspace = "workspace"
	toNothing   = "-"
)

// A value of an argument, and what it means to the operation, as JSON.
type value struct{ name, means string }

func (p *parameter) target() string { return cmp.Or(p.to, p.name) }

// arguments are the arguments of a call, each as JSON.
type arguments map[string]json.RawMessage

// workspaceParameter is an argument of every tool.
var workspaceParameter = parameter{name: toWorkspace, kind: "string"}

// words describes arguments to a model, as briefly as possible, because every conversation pays for
// them.
var words = map[string]string{
	"at":                  "a.go:42 Load | T.Load",
	"severities":          "error (default), warning, info, hint",
	"baseline":            "what is not new: session (default), the commit (head), nothing",
	"include_declaration": "count it too",
	"query":               "or find this name in the workspace",
	"symbols":             "name paths",
	"git_range":           "main..HEAD",
	"edits.old_text":      "exact, found once",
	"edits.content":       "whole file",
	"edits.patch":         "unified diff or *** Begin Patch",
}

// schema is the part of JSON Schema that every client accepts.
type schema struct {
	Type        string     `json:"type"`
	Description string     `json:"description,omitempty"`
	Enum        []string   `json:"enum,omitempty"`
	Items       *schema    `json:"items,omitempty"`
	Properties  properties `json:"properties,omitzero"`
	Required    []string   `json:"required,omitempty"`
}

// properties are encoded even if there are none.
type properties map[string]*schema

// class returns the class of the tool's calls, given its fixed arguments.
func (t *tool) class() api.Class {
	if len(t.fixed) == 0 || t.op.ClassOf == nil {
		return t.op.Class
	}
	request := make(arguments)
	for name, value := range t.fixed {
		request[name] = json.RawMessage(value)
	}
	raw, _ := json.Marshal(request) // it is JSON, so this cannot fail; a test lists every tool
	return t.op.ClassOf(raw)
}

// listed returns the tool as reported to clients.
func (t *tool) listed() *mcp.Tool {
	class := t.class()
	no, edits := false, class == api.Edit || class == api.Execute
	readOnly := t.reads || t.effect == byClass && class == api.Read
	edits = edits && !t.reads
	return &mcp.Tool{
		Name: t.name, Description: t.description,
		InputSchema: t.input(), OutputSchema: t.output(),
		Annotations: &mcp.ToolAnnotations{
			Title: t.title, ReadOnlyHint: readOnly, DestructiveHint: &edits,
			IdempotentHint: t.effect != changesAgain, OpenWorldHint: &no,
		},
	}
}

func (t *tool) input() *schema {
	in := &schema{Type: "object", Properties: properties{}}
	for _, p := range append(slices.Clone(t.parameters), workspaceParameter) {
		if p.refused != "" || t.alone && p.name == toWorkspace {
			continue
		}
		s := &schema{Type: p.kind, Description: cmp.Or(p.description, words[p.name])}
		if p.items != "" {
			s.Items = &schema{Type: p.items}
			if p.items == "object" {
				s.Items.Properties = properties{}
			}
		}
		if of := t.property(&p); of != nil && s.Type == "" {
			s.Type = of.Type
			if of.Items != nil {
				s.Items = &schema{Type: of.Items.Type}
				if of.Items.Type == "object" {
					s.Items.Properties = properties{}
					for name, inner := range of.Items.Properties {
						if len(p.members) == 0 {
							s.Items.Properties[name] = &schema{Type: inner.Type, Description: inner.Description}
						} else if slices.Contains(p.members, name) {
							s.Items.Properties[name] = &schema{Type: inner.Type, Description: words[p.name+"."+name]}
						}
					}
				}
			}
		}
		if s.Type == "object" {
			s.Properties = properties{}
		}
		for _, v := range p.values {
			if s.Type != "boolean" {
				s.Enum = append(s.Enum, v.name)
			}
		}
		in.Properties[p.name] = s
		if p.required {
			in.Required = append(in.Required, p.name)
		}
	}
	return in
}

func (t *tool) output() *schema {
	if t.shape != nil {
		return t.shape.schema()
	}
	empty := t.op.New()
	out := shallow(empty)
	if form, has := render.Lean(empty); has && t.lean {
		out = shallow(form)
	}
	for name := range out.Properties {
		if len(t.results) > 0 && !slices.Contains(t.results, name) {
			delete(out.Properties, name)
		}
	}
	return out
}

// translate converts the arguments of a call to those of its operation, and returns the workspace
// and a file that they name.
func (t *tool) translate(given arguments) (out arguments, workspace, file string, err error) {
	given = t.gathered(given)
	out = make(arguments)
	for name, means := range t.fixed {
		out[name] = json.RawMessage(means)
	}
	known := append(slices.Clone(t.parameters), workspaceParameter)
	used := make(map[string]bool) // names of arguments that were given
	for i := range known {
		p := &known[i]
		name := t.spelled(p, given)
		used[name] = true
		raw, ok := given[name]
		if !ok || string(raw) == "null" {
			if p.required {
				return nil, "", "", p.wrong(fmt.Sprintf("it is missing; %s is needed", t.typeOf(p)))
			}
			continue
		}
		if err := t.pass(p, raw, out, &workspace); err != nil {
			return nil, "", "", err
		}
	}
	for name, raw := range given {
		if !used[name] {
			out[name] = raw // the operation accepts it, or reports which arguments it accepts
		}
	}
	if t.own == nil {
		out = t.op.Respell(out)
	}
	return out, workspace, namedFile(out), nil
}

// spelled returns the name that a call uses for a parameter: the tool's, the operation's, or
// another one that models use.
func (t *tool) spelled(p *parameter, given arguments) string {
	if _, ok := given[p.name]; ok || p.target() == toWorkspace || p.target() == toNothing {
		return p.name
	}
	for _, name := range api.Spellings(strings.TrimPrefix(p.target(), inEdits)) {
		_, ok := given[name]
		another := slices.ContainsFunc(t.parameters, func(other parameter) bool { return other.name == name })
		if ok && !another && (name == p.target() || t.op.Input().Properties[name] == nil) {
			return name
		}
	}
	return p.name
}

// pass stores one argument where the operation expects it.
func (t *tool) pass(p *parameter, raw json.RawMessage, out arguments, workspace *string) error {
	switch {
	case p.refused != "":
		return &api.ArgumentError{Argument: p.name, Reason: "it cannot be chosen here", Advice: p.refused}
	case p.seconds:
		var seconds float64
		if json.Unmarshal(raw, &seconds) != nil || seconds <= 0 || seconds > maxSeconds {
			return &api.ArgumentError{Argument: p.name, Reason: fmt.Sprintf("it is %.40s", raw), Advice: fmt.Sprintf("a number of seconds, at most %d, for example %s: 60", maxSeconds, p.name)}
		}
		out[p.target()] = strconv.AppendInt(nil, max(1, int64(seconds*1000)), 10)
	case p.plus != 0 || p.atLeast != 0:
		var n float64
		if json.Unmarshal(raw, &n) != nil || n < 0 || n > math.MaxInt32 || n != math.Trunc(n) {
			return &api.ArgumentError{Argument: p.name, Reason: fmt.Sprintf("it is %.40s", raw), Advice: fmt.Sprintf("a whole number, from %d", p.atLeast)}
		}
		out[p.target()] = strconv.AppendInt(nil, int64(max(int(n), p.atLeast)+p.plus), 10)
	case p.target() == toWorkspace:
		if json.Unmarshal(raw, workspace) != nil {
			return p.wrong("it is no string; the folder is needed")
		}
	case len(p.values) > 0:
		var said string
		if json.Unmarshal(raw, &said) != nil {
			said = string(bytes.TrimSpace(raw)) // true or false
		}
		var names []string
		for i, v := range slices.Concat(p.values, p.also) {
			if v.name == said {
				if p.target() == toNothing {
					return nil
				}
				if v.means != "" {
					out[p.target()] = json.RawMessage(v.means)
				} else {
					out[p.target()] = raw
				}
				return nil
			}
			if i < len(p.values) {
				names = append(names, v.name)
			}
		}
		return &api.ArgumentError{Argument: p.name, Reason: fmt.Sprintf("it is %.40s", raw), Advice: cmp.Or(p.advice, "it may be "+strings.Join(names, ", "))}
	case p.target() == toNothing:
	case p.listed && !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")):
		out[p.target()] = slices.Concat(json.RawMessage("["), raw, json.RawMessage("]"))
	default:
		out[p.target()] = raw
	}
	return nil
}

// typeOf returns the JSON type of an argument.
func (t *tool) typeOf(p *parameter) string {
	kind := p.kind
	if of := t.property(p); kind == "" && of != nil {
		kind = of.Type
	}
	if strings.ContainsAny(kind[:min(1, len(kind))], "aeio") {
		return "an " + kind
	}
	return "a " + kind
}

// examples has values of arguments that the operation names differently.
var examples = map[string]string{
	"file_path": `"src/a.go"`, "symbol_file": `"src/a.go"`, "line": "42", "column": "7",
	"symbol_path": `"Config.Load"`, "symbol": `"Config.Load"`, "files": `["src/a.go"]`, "changed_files": `["src/a.go"]`,
	"position_pattern": `"func @@Load("`, "root_dir": `"/home/you/project"`, "workspace_dir": `"/home/you/project"`,
	"path": `"/home/you/library"`, "level": `"warning"`, "consumer_roots": `["/home/you/app"]`, "language_id": `"go"`,
	"changes": `[{"file":"src/a.go","type":"changed"}]`, "query": `"Load"`,
}

func (p *parameter) wrong(reason string) error {
	advice := ""
	if shown, ok := examples[p.name]; ok {
		advice = "for example " + p.name + ": " + shown
	}
	return &api.ArgumentError{Argument: p.name, Reason: reason, Advice: advice}
}

// namedFile returns a path among the arguments of an operation, "" if there is none.
func namedFile(out arguments) string {
	var one string
	var many []string
	for _, name := range []string{"file", "at", inEdits + "file"} {
		if json.Unmarshal(out[name], &one) == nil && one != "" {
			return fileOf(one)
		}
	}
	if json.Unmarshal(out["files"], &many) == nil && len(many) > 0 {
		return many[0]
	}
	var edits []struct{ File string }
	if json.Unmarshal(out["edits"], &edits) == nil && len(edits) > 0 {
		return edits[0].File
	}
	return ""
}

// retold renames a wrong argument in an error to the name that the caller used.
func (t *tool) retold(err *result.Error) *result.Error {
	if err.Kind != result.Argument {
		return err
	}
	for i := range t.parameters {
		p := &t.parameters[i]
		if p.to != "" && p.to == err.Data.Argument {
			hint := strings.Replace(err.Hint, "for example "+p.to+":", "for example "+p.name+":", 1)
			return result.ErrorOf(&api.ArgumentError{Argument: p.name, Reason: err.Data.Reason, Advice: hint})
		}
	}
	return err
}

// A shape makes the structured result of a tool from the results of its operation, and has its
// schema.
type shape struct {
	schema func() *schema // always returns the same one
	make   func([]result.Result) any
}
