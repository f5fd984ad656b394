package result

// A Head is what every answer may say beside its content.
type Head struct {
	// State says which server was not ready: the answer may be incomplete.
	State []string `json:"state,omitempty" jsonschema:"servers that were not ready: the answer may be incomplete"`
	// Notes say how the request was understood where it was not exact.
	Notes []string `json:"notes,omitempty" jsonschema:"how the request was understood"`
	// Completeness says whether an answer about all of a project has all that there is, "" for
	// other answers.
	Completeness Completeness `json:"completeness,omitempty" jsonschema:"complete, loaded (complete for what the server loaded), indexed (complete if the index that it comes from is) or unknown"`
	// Cut says what was left out for the budget, and how to get it.
	Cut string `json:"cut,omitempty" jsonschema:"what was left out and how to get it"`
	// Next is the call that usually follows.
	Next string `json:"next,omitempty" jsonschema:"the call that usually follows"`

	// Budget bounds the text where leaving out parts of the result is not enough; 0 is
	// no bound.
	Budget int `json:"budget,omitempty" jsonschema:"size limit of the text in bytes, if leaving out parts was not enough"`
}

// A Completeness says how much of what there is an answer has.
type Completeness string

const (
	// Complete: all of it.
	Complete Completeness = "complete"
	// OfLoaded: all in the files that the server loaded; there are others that it cannot load.
	OfLoaded Completeness = "loaded"
	// Indexed: all that an imported index says, in which every place is accounted for that has the name. Who made the index
	// may have been wrong.
	Indexed Completeness = "indexed"
	// NotKnown: whether it has all of it is not known.
	NotKnown Completeness = "unknown"
)

// Heading returns the head of the answer that it is part of.
func (h *Head) Heading() *Head { return h }
