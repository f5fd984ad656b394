// Package extension adds tools, resources, subscriptions and prompts for a language to what agents get
// over MCP, at compile time: a program registers them in an init function, and runs LSPine by way of
// package program.
//
//	func init() { extension.Register("go", func() extension.Extension { … }) }
//
//	func main() { os.Exit(program.Main(os.Args)) }
//
// The folder example has a whole one. Nothing is loaded while the program runs, and the factory is called
// for an MCP server alone: commands and hooks pay nothing for what is registered.
//
// What an extension does by way of [Call].Caller is decided by the user's policy and recorded in the evidence like
// any call; whether a tool may be called at all is decided by its name and class. What its code does itself is the
// program's own.
package extension

import "github.com/lspine/lspine/internal/extension"

// An Extension is what is added for one language; see its fields.
type Extension = extension.Extension

// What an extension has.
type (
	Tool         = extension.Tool
	Resource     = extension.Resource
	Subscription = extension.Subscription
	Prompt       = extension.Prompt
	Argument     = extension.Argument
)

// What goes in and out.
type (
	Call   = extension.Call
	Answer = extension.Answer
)

// ErrNext is returned by what was asked in the place of something built in, and leaves the call to that.
var ErrNext = extension.ErrNext

// Register adds the extension of a language, by the language id of LSP, such as "go". It is for init
// functions: it panics if the language has an extension, or is not known.
func Register(languageID string, factory func() Extension) { extension.Register(languageID, factory) }
