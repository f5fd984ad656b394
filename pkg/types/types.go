// Package types has the types that requests and results are made of, for Go programs: plain data
// that is the same in one process, over a stream and as JSON.
//
// The types are those that LSPine itself works with, under stable names: docs/reference/go.md says
// what may change.
package types

import (
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// A Caller runs operations by name: an engine in this process (package host), or one at the other
// end of a stream (package hostclient).
type Caller = api.Caller

// A Call is what accompanies a request. It is passed in the context.
type Call = api.Call

// A Class says what an operation may do to the world. The user's policy uses it to decide.
type Class = api.Class

// The classes.
const (
	ReadClass    = api.Read
	EditClass    = api.Edit
	ExecuteClass = api.Execute
	AdminClass   = api.Admin
)

// Requests of operations.
type (
	CheckRequest       = api.CheckRequest
	EditRequest        = api.EditRequest
	FileEdit           = api.FileEdit
	RenameRequest      = api.RenameRequest
	DefinitionRequest  = api.DefinitionRequest
	ReferencesRequest  = api.ReferencesRequest
	InspectRequest     = api.InspectRequest
	SymbolsRequest     = api.SymbolsRequest
	SourceRequest      = api.SourceRequest
	HierarchyRequest   = api.HierarchyRequest
	ImpactRequest      = api.ImpactRequest
	StatusRequest      = api.StatusRequest
	DiagnosticsRequest = api.DiagnosticsRequest
	AssembleRequest    = api.AssembleRequest
	RevalidateRequest  = api.RevalidateRequest
	BeginTurnRequest   = api.BeginTurnRequest
	CloseTurnRequest   = api.CloseTurnRequest
	// A Range is a range of whole lines of a file, 1-based.
	Range = api.Range
	// Selector and Limits are members of several requests.
	Selector = api.Selector
	Limits   = api.Limits
)

// What a check is about: files with their diagnostics.
type (
	Check      = result.Check
	File       = result.File
	Diagnostic = result.Diagnostic
	Answer     = result.Answer
	Counts     = result.Counts
)

// What an edit did.
type (
	Edit       = result.Edit
	Edited     = result.Edited
	Dependants = result.Dependants
)

// Results of navigation.
type (
	Places     = result.Places
	PlaceFile  = result.PlaceFile
	Place      = result.Place
	Symbols    = result.Symbols
	Symbol     = result.Symbol
	Inspection = result.Inspection
	Source     = result.Source
	Hierarchy  = result.Hierarchy
	Impact     = result.Impact
)

// Language servers and their states.
type (
	Status = result.Status
	Server = result.Server
)

// Context for a model's turn, each item with its record.
type (
	Context        = result.Context
	ContextItem    = result.ContextItem
	ContextRecord  = result.ContextRecord
	ContextPlace   = result.ContextPlace
	ContextFile    = result.ContextFile
	ContextFailure = result.ContextFailure
	FileState      = result.FileState
)

// Turns of a model.
type (
	Turn       = result.Turn
	ClosedTurn = result.ClosedTurn
	TurnFile   = result.TurnFile
)

// The outcomes of a turn.
const (
	TurnClosed      = result.TurnClosed
	TurnSelfCorrect = result.TurnSelfCorrect
	TurnEscalate    = result.TurnEscalate
)

// Verdicts, from best to worst.
const (
	Clean          = result.Clean
	WarningsOnly   = result.WarningsOnly
	BaselineError  = result.BaselineError
	Unknown        = result.Unknown
	LSPUnavailable = result.LSPUnavailable
	NewErrors      = result.NewErrors
)

// How calls fail.
type (
	Error = result.Error
	Kind  = result.Kind
	Data  = result.Data
	Rule  = result.Rule
	// A Question is a question that the user's policy requires a person to answer; Said is the
	// answer.
	Question = result.Question
	Said     = api.Said
)

// The possible answers to a question. Nothing also means that the person did not answer in time.
const (
	Yes     = api.Yes
	No      = api.No
	Nothing = api.Nothing
)

// ErrorOf returns an error of a call as data; nil for nil.
func ErrorOf(err error) *Error { return result.ErrorOf(err) }

// ClassOf returns the class of a verdict for hosts that know five classes: an unknown result is
// [LSPUnavailable], never [Clean].
func ClassOf(verdict string) string { return result.ClassOf(verdict) }
