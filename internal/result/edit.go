package result

// An Edit is the result of an operation that changes files: what was done, and
// what it broke. Paths are relative to the root, with slashes.
type Edit struct {
	Head
	Mode    string   `json:"mode" jsonschema:"apply, preview or apply_if_clean"`
	Applied bool     `json:"applied" jsonschema:"whether the files were written"`
	Summary string   `json:"summary" jsonschema:"what was done, in one line"`
	Changes []Edited `json:"changes" jsonschema:"the files that change"`
	Diff    string   `json:"diff,omitempty" jsonschema:"what would change, if it is not applied"`
	// Verdict is the worst of Files and Others.
	Verdict string `json:"verdict" jsonschema:"clean, warnings_only, new_errors, baseline_error, unknown or lsp_unavailable; empty if nothing was to be judged"`
	// Reason says why it is lsp_unavailable, for hosts that know five classes; "" for others.
	Reason string `json:"reason,omitempty" jsonschema:"why it is lsp_unavailable, for hosts that know five classes"`
	// Files are the changed ones, Others those that the edit broke or fixed. Of
	// each only what is new is listed.
	Files  []File `json:"files" jsonschema:"the changed files: what is new in each"`
	Others []File `json:"others,omitempty" jsonschema:"other files that this edit broke or fixed"`
	Late   []File `json:"late,omitempty" jsonschema:"files edited earlier whose answer came after its deadline"`
	// Unknown says what of the effects could not be found out; then no verdict is
	// clean.
	Unknown []string `json:"unknown,omitempty" jsonschema:"what the edit did elsewhere that could not be found out"`
	// Dependants says how many other files were looked at.
	Dependants Dependants `json:"dependants"`
	// Escalate says that errors in these files were reported again and again without being
	// resolved: somebody else should decide.
	Escalate bool `json:"escalate,omitempty" jsonschema:"errors were reported again and again without being resolved"`
	// Rounds is how often in a row.
	Rounds int `json:"rounds,omitempty" jsonschema:"how many times in a row new errors were reported for these files"`

	// Caps bound how many findings the text shows.
	Caps Caps `json:"caps,omitzero" jsonschema:"limits on the findings that the text shows"`
	// Counts are of all that was found; nil unless something of it was left out.
	Counts *Counts `json:"counts,omitempty" jsonschema:"how much was found, including what was left out for the budget"`
}

// An Edited is what becomes of one file.
type Edited struct {
	Path         string `json:"path"`
	From         string `json:"from,omitempty" jsonschema:"its former path, if it is renamed"`
	Created      bool   `json:"created,omitempty"`
	Deleted      bool   `json:"deleted,omitempty"`
	Replacements int    `json:"replacements,omitempty"`
	Added        int    `json:"added" jsonschema:"number of lines"`
	Removed      int    `json:"removed" jsonschema:"number of lines"`
	// Hash is of the new content, for expect_hash.
	Hash string `json:"hash,omitempty" jsonschema:"hash of the new content, for expect_hash"`
}

// Dependants counts the files that use what an edit changes.
type Dependants struct {
	Found   int `json:"found" jsonschema:"files that use what the edit changes"`
	Checked int `json:"checked"`
	// Unchecked are the first of those left out.
	Unchecked []string `json:"unchecked,omitempty" jsonschema:"the first of those left out"`
}
