package result

import "slices"

// The states of a simulation session.
const (
	SimulationCreated   = "created"   // it has no edits
	SimulationMutated   = "mutated"   // it has edits that were not evaluated
	SimulationEvaluated = "evaluated" // its edits as they are were evaluated
	SimulationDirty     = "dirty"     // a server ended during the evaluation: evaluate again
	SimulationCommitted = "committed" // its edits are on disk; it takes no more
	SimulationDiscarded = "discarded" // its edits are dropped; it takes no more
	SimulationDestroyed = "destroyed" // it is gone
)

// How far an evaluation can be relied on.
const (
	HighConfidence    = "high"    // every server answered completely
	PartialConfidence = "partial" // some part is not known
	LowConfidence     = "low"     // a server did not answer in time, or none could answer
)

// A Simulation is the result of one step with a session. Which members are set depends on the
// step. Paths are relative to the root, with slashes.
type Simulation struct {
	Head
	Action string `json:"action" jsonschema:"the requested action"`
	// SimulationSession is the session after the step; it is empty for list and preview.
	SimulationSession
	// Done says in one line what was done, where there is no evaluation.
	Done string `json:"done,omitempty" jsonschema:"what was done, in one line"`
	// Evaluation is that of evaluate and preview; of chain, of its last step.
	Evaluation *Evaluation `json:"evaluation,omitempty" jsonschema:"what the edits would break and fix"`
	Chain      *Chain      `json:"chain,omitempty" jsonschema:"the steps of a chain"`
	Diff       string      `json:"diff,omitempty" jsonschema:"with commit without apply, and with preview: all edits as a unified diff"`
	// Texts are what the files would hold, of commit without apply if they are asked for.
	Texts  []FileText `json:"texts,omitempty" jsonschema:"with commit without apply, if requested: what the files would contain"`
	Commit *Edit      `json:"commit,omitempty" jsonschema:"with commit and apply: what was written, and what this broke"`
	// Sessions are those of the caller, of list.
	Sessions []SimulationSession `json:"sessions,omitempty" jsonschema:"the existing sessions"`
}

// A SimulationSession is one session as it is.
type SimulationSession struct {
	Session string   `json:"session,omitempty" jsonschema:"its handle"`
	Label   string   `json:"label,omitempty"`
	Status  string   `json:"status,omitempty" jsonschema:"created, mutated, evaluated, dirty, committed, discarded or destroyed"`
	Steps   int      `json:"steps,omitempty" jsonschema:"number of edits added"`
	Changes []Edited `json:"changes,omitempty" jsonschema:"how all edits together change the files"`
	// IdleMS is how long nobody used it, of list.
	IdleMS int64 `json:"idle_ms,omitempty" jsonschema:"how long it has not been used"`
}

// An Evaluation says what edits would break and fix.
type Evaluation struct {
	Scope   string `json:"scope" jsonschema:"file, dependants or workspace"`
	Verdict string `json:"verdict" jsonschema:"clean, warnings_only, new_errors, baseline_error, unknown or lsp_unavailable; empty if no server judges the files"`
	// Reason says why it is lsp_unavailable, for hosts that know five classes; "" for others.
	Reason string `json:"reason,omitempty" jsonschema:"why it is lsp_unavailable, for hosts that know five classes"`
	// Confidence is never high where some part is not known; low says that a server did not
	// answer in time, or that none could.
	Confidence string        `json:"confidence" jsonschema:"high: all is known; partial; low: a server did not answer in time"`
	Introduced []FileFinding `json:"errors_introduced" jsonschema:"errors that the edits would cause"`
	Resolved   []FileFinding `json:"errors_resolved" jsonschema:"errors that the edits would fix"`
	// NetDelta is how many errors there would be more.
	NetDelta int `json:"net_delta" jsonschema:"by how much the number of errors would grow"`
	// Files are the changed ones, Others those that they would break or fix: of each only what
	// would be new.
	Files      []File     `json:"files" jsonschema:"the changed files: what would be new in each"`
	Others     []File     `json:"others,omitempty" jsonschema:"other files that would be broken or fixed"`
	Unknown    []string   `json:"unknown,omitempty" jsonschema:"what could not be found out"`
	Dependants Dependants `json:"dependants,omitzero"`
	TookMS     int64      `json:"took_ms" jsonschema:"how long it took"`
	Caps       Caps       `json:"caps,omitzero" jsonschema:"limits on the findings that the text shows"`
	// Counts are of all that was found; nil unless something of it was left out.
	Counts *Counts `json:"counts,omitempty" jsonschema:"how much was found, including what was left out for the budget"`
}

// Safe reports whether the edits are known to make no new error.
func (e *Evaluation) Safe() bool {
	harmless := []string{"", Clean, WarningsOnly, BaselineError}
	return slices.Contains(harmless, e.Verdict) && e.Confidence == HighConfidence
}

// A FileText is what a file holds; nothing if it is deleted.
type FileText struct {
	Path string `json:"path"`
	Text string `json:"text,omitempty"`
}

// A FileFinding is a finding with its file.
type FileFinding struct {
	File string `json:"file"`
	Diagnostic
}

// A Chain is a list of edits, each evaluated with those before it.
type Chain struct {
	Steps []ChainStep `json:"steps"`
	// SafeThrough is the last step after which all edits up to it make no new error and
	// all is known; 0 is none.
	SafeThrough int `json:"safe_to_apply_through_step" jsonschema:"the last step, counted from 1, up to which the edits cause no new error and everything is known; 0 if there is none"`
	// CumulativeDelta is the net delta of all steps that were made.
	CumulativeDelta int `json:"cumulative_delta" jsonschema:"by how much the number of errors would grow after all steps"`
}

// A ChainStep is one edit of a chain. Step counts from 1.
type ChainStep struct {
	Step int `json:"step"`
	// NetDelta is what this step adds to the errors, Introduced the errors that were not there
	// after the step before.
	NetDelta   int           `json:"net_delta"`
	Introduced []FileFinding `json:"errors_introduced"`
	Verdict    string        `json:"verdict" jsonschema:"verdict of all steps up to this one, compared with the disk"`
	Confidence string        `json:"confidence"`
	// Error says why the edit could not be made: the chain ends before it.
	Error *Error `json:"error,omitempty"`
}
