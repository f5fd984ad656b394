package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/lspine/lspine/internal/result"
)

// A Class says what an operation may do to the world; policy decides by it.
type Class int

const (
	Read  Class = iota // reads files and asks language servers
	Edit               // may write files inside the workspace
	Admin              // starts, stops or reconfigures servers
)

// An Op is one thing the product can do, declared once. Its name is the MCP
// tool, the RPC method and the CLI verb; its doc is the help text of all three.
type Op[Req, Res any] struct {
	Name string
	// Title is for people, Doc for models; both are one line.
	Title string
	Doc   string
	Class Class
	run   func(context.Context, *Engine, Req) (Res, error)
}

// A Caller runs operations by name: an *Engine in this process, or a client of
// a daemon. req is the operation's request, or its JSON as json.RawMessage; res
// points to its result. An error of Call is or wraps a [*result.Error]; callers decide by
// its kind. Call is safe for concurrent use. If ctx is canceled first, the error wraps
// ctx.Err() and its kind is [result.Canceled].
type Caller interface {
	Call(ctx context.Context, name string, req, res any) error
}

// Do runs the operation through c.
func (op Op[Req, Res]) Do(ctx context.Context, c Caller, req Req) (Res, error) {
	var res Res
	err := c.Call(ctx, op.Name, req, &res)
	return res, err
}

// An UnknownOperationError names an operation the catalog does not hold.
type UnknownOperationError struct{ Name string }

func (e *UnknownOperationError) Error() string { return fmt.Sprintf("no operation %q", e.Name) }

// An ArgumentError says what is wrong with a request. Hint shows a right one.
type ArgumentError struct {
	Argument, Reason, Advice string
}

func (e *ArgumentError) Error() string { return e.Argument + ": " + e.Reason }

// Hint says what to do.
func (e *ArgumentError) Hint() string { return e.Advice }

// An Operation is what fronts need to know of an Op.
type Operation struct {
	Name, Title, Doc string
	Class            Class
	// Input and Output are the JSON schemas of request and result. They are
	// shared: a caller that changes one must clone it.
	Input, Output *jsonschema.Schema
	// New returns a new, zero result for [Caller.Call].
	New func() result.Result
}

// declared is an Op without its types.
type declared interface {
	name() string
	call(ctx context.Context, e *Engine, req, res any) error
	operation() Operation
}

func (op Op[Req, Res]) name() string { return op.Name }

func (op Op[Req, Res]) operation() Operation {
	return Operation{
		Name: op.Name, Title: op.Title, Doc: op.Doc, Class: op.Class,
		Input: schemaOf[Req](), Output: schemaOf[Res](),
		New: func() result.Result { return any(new(Res)).(result.Result) }, // a test sees that each is one
	}
}

func (op Op[Req, Res]) call(ctx context.Context, e *Engine, req, res any) error {
	request, ok := req.(Req)
	if raw, isRaw := req.(json.RawMessage); !ok && isRaw {
		if err := decode(raw, &request, schemaOf[Req]); err != nil {
			return err
		}
	} else if !ok {
		return fmt.Errorf("%s: request is %T, want %T", op.Name, req, request)
	}
	target, ok := res.(*Res)
	if !ok {
		return fmt.Errorf("%s: result is %T, want %T", op.Name, res, target)
	}
	result, err := op.perform(ctx, e, request)
	if err == nil {
		*target = result
	}
	return err
}

// catalog holds every operation once.
func catalog() []declared {
	return []declared{
		Check, EditFiles, EditSymbol, Build, Test, Rename, PrepareRename, Fixes, Format, FormatEdits, ExecuteCommand, CodeLenses, ExecuteLens, Diagnostics, Definition, Declaration, TypeDefinition, Implementation, References, Highlights,
		Inspect, Explore, Symbols, Outline, FindSymbol, Source, Hierarchy, SignatureHelp, Completions,
		InlayHints, SemanticTokens, Folding, Open, Close, Status,
		Impact, TestsFor, CrossRepoReferences, Documentation, EditingContext,
		Capabilities, WorkspaceFolders, NotifyChanged, Servers, Doctor, Events,
	}
}

// Operations returns every operation of the catalog, in its order.
func Operations() []Operation {
	var list []Operation
	for _, op := range catalog() {
		list = append(list, op.operation())
	}
	return list
}

// Call implements [Caller].
func (e *Engine) Call(ctx context.Context, name string, req, res any) error {
	for _, op := range catalog() {
		if op.name() == name {
			return restated(op.call(ctx, e, req, res))
		}
	}
	return restated(&UnknownOperationError{name})
}
