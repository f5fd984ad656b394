package api

import "github.com/lspine/lspine/internal/result"

// What a [SimulateRequest] may ask for.
const (
	SimulateCreate   = "create"
	SimulateEdit     = "edit"
	SimulateEvaluate = "evaluate"
	SimulateChain    = "chain"
	SimulateCommit   = "commit"
	SimulateDiscard  = "discard"
	SimulateDestroy  = "destroy"
	SimulateList     = "list"
	SimulatePreview  = "preview"
)

// Which files an evaluation judges.
const (
	ScopeFile       = "file"       // those that the edits change
	ScopeDependants = "dependants" // also those that use what changes, as an edit does
	ScopeWorkspace  = "workspace"  // all of those, without a limit
)

// A SimulateRequest is one step with a session of edits that exist in memory alone. Which
// members are taken depends on the action.
type SimulateRequest struct {
	Action     string          `json:"action" jsonschema:"create, edit, evaluate, chain, commit, discard, destroy, list or preview"`
	Session    string          `json:"session,omitempty" jsonschema:"the session, as create returned it; not for create, list and preview"`
	Label      string          `json:"label,omitempty" jsonschema:"with create: what it is for, shown by list"`
	Edits      []SimulatedEdit `json:"edits,omitempty" jsonschema:"with edit, chain and preview: edits as in edit, made in this order on the texts of the session; chain evaluates after each"`
	Scope      string          `json:"scope,omitempty" jsonschema:"with evaluate, chain and preview: file, dependants (default) or workspace"`
	OnDisk     bool            `json:"on_disk,omitempty" jsonschema:"with evaluate, chain and preview: where a server reads only the disk, write the files while it judges them, then roll them back"`
	Apply      bool            `json:"apply,omitempty" jsonschema:"with commit: write the files, all or none; otherwise it returns the patch"`
	WithTexts  bool            `json:"with_texts,omitempty" jsonschema:"with commit without apply: also return what each file would contain"`
	Severities []string        `json:"severities,omitempty" jsonschema:"error, warning, info, hint; default: as configured"`
	Limits
}

// A SimulatedEdit is one step of a session: an edit of files, or one that a server drafts.
type SimulatedEdit struct {
	FileEdit
	Rename     *RenameRequest     `json:"rename,omitempty" jsonschema:"the arguments of rename, without mode"`
	EditSymbol *EditSymbolRequest `json:"edit_symbol,omitempty" jsonschema:"the arguments of edit_symbol, without mode"`
	Fix        *FixesRequest      `json:"fix,omitempty" jsonschema:"the arguments of fixes, with apply and without mode"`
}

// Simulate holds edits in memory and judges them, before any of them is on disk.
var Simulate = Op[SimulateRequest, result.Simulation]{
	Name:  "simulate",
	Title: "Judge edits in memory",
	Doc:   "Hold edits in memory, in sessions, and report which errors they would cause and fix, in the edited files and in files that use what changes; then commit all edits of a session or none.",
	Class: Edit,
	ClassOf: func(req SimulateRequest) Class {
		if req.Action == SimulateCommit || req.OnDisk {
			return Edit
		}
		return Read
	},
}
