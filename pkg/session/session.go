// Package session is simulations: sessions of edits that exist in memory alone, judged by language
// servers before they are on disk.
//
// A session is created, takes edits, is evaluated, and then its edits are written, all or none, or
// dropped; each of that is one [Request].
package session

import (
	"context"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// A Request is one step with a session. An Edit is one of its edits.
type (
	Request = api.SimulateRequest
	Edit    = api.SimulatedEdit
)

// What a step comes to.
type (
	Simulation = result.Simulation
	// A Session is one as it is.
	Session     = result.SimulationSession
	Evaluation  = result.Evaluation
	FileFinding = result.FileFinding
	FileText    = result.FileText
	Chain       = result.Chain
	ChainStep   = result.ChainStep
)

// What a [Request] may ask for.
const (
	Create   = api.SimulateCreate
	Add      = api.SimulateEdit
	Evaluate = api.SimulateEvaluate
	Chained  = api.SimulateChain
	Commit   = api.SimulateCommit
	Discard  = api.SimulateDiscard
	Destroy  = api.SimulateDestroy
	List     = api.SimulateList
	// Preview judges edits without a session.
	Preview = api.SimulatePreview
)

// How far an evaluation can be relied on.
const (
	HighConfidence    = result.HighConfidence
	PartialConfidence = result.PartialConfidence
	LowConfidence     = result.LowConfidence
)

// Do takes one step.
func Do(ctx context.Context, caller api.Caller, step Request) (Simulation, error) {
	return api.Simulate.Do(ctx, caller, step)
}
