package result

import "time"

// A Turn is what a model does between two words of its user.
type Turn struct {
	Head
	Turn  string    `json:"turn" jsonschema:"name of the turn, for close_turn"`
	Began time.Time `json:"began"`
	// Commit is the one that was checked out, "" without one.
	Commit string `json:"commit,omitempty"`
	// Files counts the files that there are, Kept those whose texts are kept because no commit has
	// them.
	Files int `json:"files" jsonschema:"files of the workspace"`
	Kept  int `json:"kept" jsonschema:"files whose texts are kept because no commit has them"`
}

// What becomes of a turn that is to be closed.
const (
	TurnClosed      = "closed"       // it is over
	TurnSelfCorrect = "self_correct" // it goes on: it introduced errors, which the model is to fix
	TurnEscalate    = "escalate"     // it is over, and a person should decide about its errors
)

// How a file changed in a turn.
const (
	TurnCreated  = "created"
	TurnModified = "modified"
	TurnDeleted  = "deleted"
)

// A ClosedTurn is what a turn did. Paths are relative to the root, with slashes.
type ClosedTurn struct {
	Head
	Turn    string `json:"turn"`
	Outcome string `json:"outcome" jsonschema:"closed, self_correct (fix the new errors and close it again) or escalate (a person should decide)"`
	// Round is how often the turn was to be closed and had new errors, Limit how often that is
	// handed back to the model.
	Round int `json:"round" jsonschema:"how many attempts to close it found new errors"`
	Limit int `json:"limit" jsonschema:"rounds of self-correction before a person should decide"`
	// Class is the worst of the files', for hosts that know five: a verdict that is not known is
	// lsp_unavailable.
	Class string `json:"class" jsonschema:"clean, warnings_only, baseline_error, lsp_unavailable or new_errors: the worst"`
	// Files are those that changed; what is wrong with them, and with others, is in Check.
	Files []TurnFile `json:"files" jsonschema:"every file that changed in the turn"`
	Check Check      `json:"check" jsonschema:"what is wrong with the changed files, and with others because of them"`
	// Items are for the model: the findings, and what the code around new errors uses.
	Items []ContextItem `json:"items,omitempty" jsonschema:"context items for the model, with their records"`
}

// A TurnFile is a file that changed in a turn.
type TurnFile struct {
	Path   string `json:"path"`
	Change string `json:"change" jsonschema:"created, modified or deleted"`
	// Class is "" for files that no server judges. Reason says why one is lsp_unavailable.
	Class    string `json:"class,omitempty" jsonschema:"clean, warnings_only, baseline_error, lsp_unavailable or new_errors; none where no server judges such files"`
	Reason   string `json:"reason,omitempty" jsonschema:"why it is lsp_unavailable"`
	Baseline string `json:"baseline,omitempty" jsonschema:"what its errors are compared with: head (the commit), before (its text when the turn began), session or none"`
}
