// Package session has simulations: sessions of edits that exist only in memory and are judged by
// language servers before they are on disk.
//
// A session is created, takes edits, and is evaluated; then its edits are either written (all or
// none) or dropped. Each of these steps is one [Request].
package session

import (
	"context"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// A Request is one step of a session. An Edit is one of its edits.
type (
	Request = api.SimulateRequest
	Edit    = api.SimulatedEdit
)

// The results of a step.
type (
	Simulation = result.Simulation
	// A Session describes the state of a session.
	Session     = result.SimulationSession
	Evaluation  = result.Evaluation
	FileFinding = result.FileFinding
	FileText    = result.FileText
	Chain       = result.Chain
	ChainStep   = result.ChainStep
)

// The actions of a [Request].
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

// Do carries out one step.
func Do(ctx context.Context, caller api.Caller, step Request) (Simulation, error) {
	return api.Simulate.Do(ctx, caller, step)
}
