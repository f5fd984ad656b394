// Package evidence reads the log of what was requested, decided, answered and changed: JSON lines,
// each with the hash of the previous line.
package evidence

import "github.com/lspine/lspine/internal/evidence"

// A Record is one line; its Decode returns the event.
type (
	Record = evidence.Record
	Kind   = evidence.Kind
	Event  = evidence.Event
)

// What [Verify] found out about the log, and what [VerifyAgainst] looks for.
type (
	Report  = evidence.Report
	Problem = evidence.Problem
	Kept    = evidence.Kept
)

// The kinds of events that are about calls, files and servers.
const (
	KindQueryBatch  = evidence.KindQueryBatch
	KindToolCall    = evidence.KindToolCall
	KindValidation  = evidence.KindValidation
	KindRegression  = evidence.KindRegression
	KindGivenUp     = evidence.KindGivenUp
	KindLifecycle   = evidence.KindLifecycle
	KindPolicy      = evidence.KindPolicy
	KindTrust       = evidence.KindTrust
	KindEditApplied = evidence.KindEditApplied
	KindSimulation  = evidence.KindSimulation
)

// The events.
type (
	QueryBatch = evidence.QueryBatch
	ToolCall   = evidence.ToolCall
	Validation = evidence.Validation
	Regression = evidence.Regression
	GivenUp    = evidence.GivenUp
	Lifecycle  = evidence.Lifecycle
	Decision   = evidence.Decision
	Trust      = evidence.Trust
	Applied    = evidence.Applied
	Replaced   = evidence.Replaced
	Simulated  = evidence.Simulated
)

// ErrEnough ends a [Read] without an error.
var ErrEnough = evidence.ErrEnough

// Read calls f for each record of a log, oldest first, including those of older files. It skips
// lines that are not records.
func Read(path string, f func(*Record) error) error { return evidence.Read(path, f) }

// Verify checks the chain of a log. Problems with the log are in the report and are not an error.
func Verify(path string) (Report, error) { return evidence.Verify(path) }

// VerifyAgainst does what [Verify] does, and also reports whether a record is missing or changed whose
// hash, and perhaps number, was kept elsewhere.
func VerifyAgainst(path string, kept Kept) (Report, error) { return evidence.VerifyAgainst(path, kept) }
