package diagnostics

import (
	"slices"

	"github.com/lspine/lspine/internal/protocol"
)

// A Verdict summarizes what a change did.
type Verdict string

const (
	// Clean: no new error, no new warning in the files that the change concerns, and every part of the answer is known.
	Clean Verdict = "clean"
	// WarningsOnly: new warnings, no errors.
	WarningsOnly Verdict = "warnings_only"
	// NewErrors: at least one new error.
	NewErrors Verdict = "new_errors"
	// BaselineError: there are errors, all of which were there before.
	BaselineError Verdict = "baseline_error"
	// Unknown: no new error was found, but some part of the answer is missing: a server timed out,
	// is still loading, gave a partial answer or was lost, or files that may be affected were not
	// checked.
	Unknown Verdict = "unknown"
	// LSPUnavailable: no server that applies could answer at all.
	LSPUnavailable Verdict = "lsp_unavailable"
)

// A Judgement is everything that a verdict depends on: what was found in the parts of an answer
// (files, dependants, late files), and whether every part is known. The zero Judgement has no
// parts; its verdict is LSPUnavailable.
type Judgement struct {
	// NewErrors, NewWarnings and OldErrors say that there is at least one.
	NewErrors, NewWarnings, OldErrors bool
	// Reached says that some server could be asked at all.
	Reached bool
	// Lacking says that some part is missing or incomplete.
	Lacking bool
}

// Verdict returns the verdict of the judgement. No other code chooses a verdict.
func (j Judgement) Verdict() Verdict {
	switch {
	case j.NewErrors:
		return NewErrors
	case !j.Reached:
		return LSPUnavailable
	case j.Lacking:
		return Unknown
	case j.OldErrors:
		return BaselineError
	case j.NewWarnings:
		return WarningsOnly
	}
	return Clean
}

// hasFindings reports whether something was found, whichever severities are shown.
func (j Judgement) hasFindings() bool { return j.NewErrors || j.NewWarnings || j.OldErrors }

// And returns the judgement of an answer that consists of the parts of both.
func (j Judgement) And(other Judgement) Judgement {
	return Judgement{
		NewErrors:   j.NewErrors || other.NewErrors,
		NewWarnings: j.NewWarnings || other.NewWarnings,
		OldErrors:   j.OldErrors || other.OldErrors,
		Reached:     j.Reached || other.Reached,
		Lacking:     j.Lacking || other.Lacking,
	}
}

// judgementOf judges one file by all findings, whichever severities are shown.
func judgementOf(answers []Answer, unseen, old []Diagnostic) Judgement {
	j := Judgement{
		NewErrors:   hasAny(unseen, protocol.SeverityError),
		NewWarnings: hasAny(unseen, protocol.SeverityWarning),
		OldErrors:   hasAny(old, protocol.SeverityError),
		Lacking:     len(answers) == 0,
	}
	for _, a := range answers {
		j.Reached = j.Reached || a.Freshness != Unavailable
		j.Lacking = j.Lacking || a.Freshness != Fresh && !a.Dispensable
	}
	return j
}

func hasAny(list []Diagnostic, s protocol.Severity) bool {
	return slices.ContainsFunc(list, func(d Diagnostic) bool { return d.Severity == s })
}
