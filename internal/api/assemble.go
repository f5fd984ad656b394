package api

import (
	"slices"
	"time"

	"github.com/lspine/lspine/internal/result"
)

// DefaultContextBytes is the budget of context items where a request names none.
const DefaultContextBytes = 8192

// ContextKinds are the kinds of context items, in the order in which they are worth their bytes.
var ContextKinds = []string{
	result.ContextType, result.ContextDefinition, result.ContextSignature, result.ContextSummary, result.ContextHints, result.ContextReferences,
	result.ContextDiagnostics,
}

// DefaultContextKinds returns the kinds of items that a request gets that names none: those that say what the focus does, and not
// what it does to others.
func DefaultContextKinds() []string {
	return slices.DeleteFunc(slices.Clone(ContextKinds), func(kind string) bool {
		return kind == result.ContextReferences || kind == result.ContextDiagnostics
	})
}

// An AssembleRequest asks for context items around a focus: files, ranges, what a diff touches, or
// symbols. Files, ranges and the lines of a diff count as in view; symbols and what a text names
// do not, and their source comes first.
type AssembleRequest struct {
	Files    []string `json:"files,omitempty" jsonschema:"whole files in focus"`
	Ranges   []Range  `json:"ranges,omitempty" jsonschema:"parts of files in focus"`
	Symbols  []string `json:"symbols,omitempty" jsonschema:"symbols to work on, each as in at: src/a.go Config.Load"`
	GitRange string   `json:"git_range,omitempty" jsonschema:"what this diff touches: HEAD (uncommitted), HEAD~1.. or main..."`
	Text     string   `json:"text,omitempty" jsonschema:"words of a task: the symbols of the workspace that they name are a focus, too"`
	InView   []Range  `json:"in_view,omitempty" jsonschema:"what the model already sees and must not be repeated"`
	// BudgetBytes bounds the texts of all items together, to the byte.
	BudgetBytes int      `json:"budget_bytes,omitempty" jsonschema:"size limit of all items together in bytes, default 8192"`
	Include     []string `json:"include,omitempty" jsonschema:"kinds of items: type, definition, signature, summary, hints, references, diagnostics; default: all but the last two"`
	TimeoutMS   int      `json:"timeout_ms,omitempty" jsonschema:"deadline, default as configured"`
}

// A Range is whole lines of a file, both included. Without EndLine it is the declaration around
// StartLine, without both the whole file.
type Range struct {
	File      string   `json:"file" jsonschema:"path"`
	StartLine OneBased `json:"start_line,omitempty" jsonschema:"from 1; alone: the declaration around it"`
	EndLine   OneBased `json:"end_line,omitempty"`
}

// Deadline returns how long the call may take; 0 means as configured.
func (r AssembleRequest) Deadline() time.Duration { return Milliseconds(r.TimeoutMS) }

// Assemble returns what a model should know of the surroundings of a focus.
var Assemble = Op[AssembleRequest, result.Context]{
	Name:  "assemble",
	Title: "Assemble context",
	Doc:   "Collect what the code in focus uses but does not show: types, definitions, summaries of files, signatures and hints, within a budget, each with the record of its query.",
	Class: Read,
}

// A RevalidateRequest asks whether context items are still true, before they are given to a model.
type RevalidateRequest struct {
	Items     []result.ContextItem `json:"items" jsonschema:"items of assemble, as they were returned"`
	TimeoutMS int                  `json:"timeout_ms,omitempty" jsonschema:"deadline, default as configured"`
}

// Deadline returns how long the call may take; 0 means as configured.
func (r RevalidateRequest) Deadline() time.Duration { return Milliseconds(r.TimeoutMS) }

// Revalidate returns the same items: those whose files changed are asked for again or, where that
// fails, marked as stale. None is left out, and none gets longer.
var Revalidate = Op[RevalidateRequest, result.Context]{
	Name:  "revalidate",
	Title: "Revalidate context",
	Doc:   "Bring context items up to date: those whose files changed are queried again, or marked as stale.",
	Class: Read,
}
