// Package extension adds tools, resources, subscriptions and prompts for a language to what agents
// get over MCP, at compile time: a program registers them in an init function, and runs LSPine with
// package program.
//
//	func init() { extension.Register("go", func() extension.Extension { … }) }
//
//	func main() { os.Exit(program.Main(os.Args)) }
//
// The folder example has a complete one. Nothing is loaded at run time, and the factory is called
// only for an MCP server: commands and hooks pay nothing for registered extensions.
//
// What an extension does through [Call].Caller is decided by the user's policy and recorded in the
// evidence like any call. Whether a tool may be called at all is decided by its name and class. The
// program is responsible for what its own code does.
package extension

import "github.com/lspine/lspine/internal/extension"

// An Extension is what is added for one language; see its fields.
type Extension = extension.Extension

// The parts of an extension.
type (
	Tool         = extension.Tool
	Resource     = extension.Resource
	Subscription = extension.Subscription
	Prompt       = extension.Prompt
	Argument     = extension.Argument
)

// Parameters and results.
type (
	Call   = extension.Call
	Answer = extension.Answer
)

// ErrNext is returned by a part of an extension that takes precedence over a built-in one, to leave
// the call to that.
var ErrNext = extension.ErrNext

// Register adds the extension for a language, given its LSP language ID, such as "go". It is meant
// for init functions: it panics if the language is unknown or already has an extension.
func Register(languageID string, factory func() Extension) { extension.Register(languageID, factory) }
