package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/lspine/lspine/internal/policy"
	"github.com/lspine/lspine/internal/result"
)

// A Class says what an operation may do to the world; policy decides by it.
type Class int

const (
	Read    Class = iota // reads files and asks language servers
	Edit                 // may write files inside the workspace
	Execute              // runs programs: builds, tests, commands of servers
	Admin                // starts, stops or reconfigures servers
)

// String returns the word for it, as rules of a policy write it.
func (c Class) String() string { return string(policy.Classes[c]) }

// An Op is one thing the product can do, declared once. Its name is the MCP
// tool, the RPC method and the CLI verb; its doc is the help text of all three.
type Op[Req, Res any] struct {
	Name string
	// Title is for people, Doc for models; both are one line.
	Title string
	Doc   string
	// Class is the most that the operation may do.
	Class Class
	// ClassOf, if not nil, returns what one request may do; it is never more than Class.
	ClassOf func(Req) Class
	// Waits says that the operation waits for what others do, and does nothing itself.
	Waits bool
	// Edits says that what it executes may change files, too: it needs what an edit needs.
	Edits bool
}

// ClassFor returns what one request may do: Class unless ClassOf says less.
func (op Op[Req, Res]) ClassFor(req Req) Class {
	if op.ClassOf == nil {
		return op.Class
	}
	return op.ClassOf(req)
}

// A Caller runs operations by name: an engine in this process, or a client of one at the
// other end of a stream. req is the operation's request, or its JSON as json.RawMessage; res
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

// An UnknownOperationError names an operation that is not in the catalog.
type UnknownOperationError struct{ Name string }

func (e *UnknownOperationError) Error() string { return fmt.Sprintf("no operation %q", e.Name) }

// An ArgumentError says what is wrong with a request: which argument, why, and (Advice) how it is
// right.
type ArgumentError struct {
	Argument, Reason, Advice string
}

func (e *ArgumentError) Error() string { return e.Argument + ": " + e.Reason }

// Hint says what to do.
func (e *ArgumentError) Hint() string { return e.Advice }

// An EditError says which of several edits could not be made, as edits[0] for the first.
type EditError struct {
	Argument string
	Err      error
}

func (e *EditError) Error() string { return e.Argument + ": " + e.Err.Error() }
func (e *EditError) Unwrap() error { return e.Err }

// ErrorOfEdit returns err, which the edit with the given index failed with, as an [*EditError] if
// there are several edits. One that names an argument already, and nil, are returned as they are.
func ErrorOfEdit(err error, index, edits int) error {
	var argument *ArgumentError
	var named *EditError
	if err == nil || edits < 2 || errors.As(err, &argument) || errors.As(err, &named) {
		return err
	}
	return &EditError{fmt.Sprintf("edits[%d]", index), err}
}

// An Operation is what fronts need to know of an Op.
type Operation struct {
	Name, Title, Doc string
	// Class is the most that the operation may do. ClassOf returns what one request may do; for
	// a request that cannot be read it returns Class.
	Class   Class
	ClassOf func(request json.RawMessage) Class
	// Waits says that the operation waits for what others do, and does nothing itself.
	Waits bool
	// Edits says that what it executes may change files, too.
	Edits bool
	// Parts returns what one request contains, as [PartsOf] does; for one that cannot be read, what every request of
	// the operation contains.
	Parts func(request json.RawMessage) []string
	// Input and Output return the JSON schemas of request and result, which are made when they are
	// first asked for. They are shared: a caller that changes one must clone it.
	Input, Output func() *jsonschema.Schema
	// New returns a new, zero result for [Caller.Call].
	New func() result.Result
}

// Operation returns what fronts need to know of it.
func (op Op[Req, Res]) Operation() Operation {
	return Operation{
		Name: op.Name, Title: op.Title, Doc: op.Doc, Class: op.Class, Edits: op.Edits,
		ClassOf: func(raw json.RawMessage) Class {
			var request Req
			if Decode(raw, &request) != nil {
				return op.Class
			}
			return op.ClassFor(request)
		},
		Parts: func(raw json.RawMessage) []string {
			var request Req
			if Decode(raw, &request) != nil {
				return PartsOf(op.Name, nil)
			}
			return PartsOf(op.Name, request)
		},
		Input: schemaOf[Req], Output: schemaOf[Res],
		New: func() result.Result { return any(new(Res)).(result.Result) }, // a test sees that each is one
	}
}

// Request returns the request of a call: as it is, or decoded from a json.RawMessage. What
// is wrong with one is an *[ArgumentError].
func (op Op[Req, Res]) Request(given any) (request Req, err error) {
	if raw, isRaw := given.(json.RawMessage); isRaw {
		err = Decode(raw, &request)
		return request, err
	}
	request, ok := given.(Req)
	if !ok {
		err = fmt.Errorf("%s: request is %T, want %T", op.Name, given, request)
	}
	return request, err
}
