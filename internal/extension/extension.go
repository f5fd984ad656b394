// Package extension keeps what programs add at compile time to what agents get for a language: tools,
// resources, subscriptions and prompts. A factory that is registered is not called before an MCP
// server is made.
package extension

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/lspine/lspine/internal/api"
)

// An Extension is what is added for one language. Names are of lower-case letters, digits, - and _,
// and each is used once in its list.
//
// A tool or prompt is offered as LANGUAGE_NAME, a resource as lspine://LANGUAGE/NAME; one that is built
// in and has this name, too, gives way to it. Where the NAME alone is that of a built-in tool, resource
// (diagnostics, hover, completions) or subscription (diagnostics), then the extension is asked
// first about files of its language, also under the built-in name; [ErrNext] leaves such a call to what
// is built in.
type Extension struct {
	Tools         []Tool
	Resources     []Resource
	Subscriptions []Subscription
	Prompts       []Prompt
}

// ErrNext is returned by what was asked in the place of something built in, and leaves the call to that.
var ErrNext = errors.New("the built-in one answers")

// A Call is what something of an extension is asked.
type Call struct {
	// Caller runs operations in the workspace, under the user's policy and as part of the session.
	Caller api.Caller
	// Root is the workspace root, File the file that the call is about as the client named it, ""
	// if it named none.
	Root, File string
	// Arguments are those of a tool, a JSON object, and URI is that of a resource, both as the client
	// gave them. Of a tool that is asked in the place of a built-in one they are for the operation
	// (docs/reference/operations.md).
	Arguments json.RawMessage
	URI       string
}

// An Answer is what a tool answers. Text is for the model, Data, if not nil, the same as a JSON object.
type Answer struct {
	Text string
	Data any
}

// A Tool may be called by a model.
type Tool struct {
	Name, Title, Description string
	// Input is the JSON schema of its arguments, an object; nil is one without arguments. An argument
	// "file" names the file that a call is about, "workspace" a folder that the user allows.
	Input json.RawMessage
	// Class is what it does itself to the world: the user's policy decides by it, and what it asks of
	// its Caller is decided besides.
	Class api.Class
	// Run answers. It must end with ctx. The model reads its error.
	Run func(ctx context.Context, call *Call) (Answer, error)
}

// A Resource may be read by a client.
type Resource struct {
	Name, Title, Description string
	// MIMEType is that of its text; "" is text/plain.
	MIMEType string
	// Files says that there is one for each file: lspine://LANGUAGE/NAME/PATH.
	Files bool
	Read  func(ctx context.Context, call *Call) (string, error)
}

// A Subscription tells when a resource changes: that of the extension with the same name, or the built-in
// one.
type Subscription struct {
	Name string
	// Watch calls changed after each change, until ctx ends, and returns then.
	Watch func(ctx context.Context, call *Call, changed func()) error
}

// A Prompt is a text that a user may give to the model.
type Prompt struct {
	Name, Title, Description string
	Arguments                []Argument
	Text                     func(ctx context.Context, values map[string]string) (string, error)
}

// An Argument is one of a prompt.
type Argument struct {
	Name, Description string
	Required          bool
}
