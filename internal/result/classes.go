package result

import (
	"cmp"
	"slices"
	"strings"
)

// ClassOf returns the class of a verdict for hosts that know five: what is not known counts as not
// available.
func ClassOf(verdict string) string {
	if verdict == Unknown {
		return LSPUnavailable
	}
	return verdict
}

// freshAnswer is the freshness of a complete answer.
const freshAnswer = "fresh"

// WhyUnknown says why a file that is unknown or not available could not be judged.
func (f *File) WhyUnknown() string {
	if f.Error != nil {
		return f.Error.Message
	}
	var reasons []string
	for i := range f.Servers {
		if a := &f.Servers[i]; a.Freshness != freshAnswer && !a.Dispensable {
			reasons = append(reasons, a.Server+": "+cmp.Or(a.Reason, a.Freshness))
		}
	}
	return cmp.Or(strings.Join(reasons, "; "), "no server judges it")
}

// InFiveClasses restates a result for hosts that know five classes of verdicts: what is unknown is not available, with the
// reason, and so is a server that is broken. Nothing becomes clean by it.
func InFiveClasses(r Result) {
	switch r := r.(type) {
	case *Check:
		r.inFive()
	case *ClosedTurn:
		r.Check.inFive()
	case *Edit:
		r.inFive()
	case *Fixes:
		r.Edit.inFive()
		r.Then.inFive()
	case *Command:
		r.Edit.inFive()
	case *Simulation:
		r.Evaluation.inFive()
		r.Commit.inFive()
		if r.Chain != nil {
			for i := range r.Chain.Steps {
				step := &r.Chain.Steps[i]
				step.Verdict = ClassOf(step.Verdict)
			}
		}
	case *Status:
		for i := range r.Servers {
			r.Servers[i].State = stateInFive(r.Servers[i].State)
		}
	case *Servers:
		for i := range r.Servers {
			r.Servers[i].State = stateInFive(r.Servers[i].State)
		}
	}
}

// stateInFive returns the state of a server for hosts that know five classes.
func stateInFive(state string) string {
	if state == "broken" {
		return "unavailable"
	}
	return state
}

func (c *Check) inFive() {
	reasons := filesInFive(c.Files, c.Others, c.Late)
	c.Verdict, c.Reason = verdictInFive(c.Verdict, append(reasons, c.Unknown...))
}

func (e *Edit) inFive() {
	if e == nil {
		return
	}
	reasons := filesInFive(e.Files, e.Others, e.Late)
	e.Verdict, e.Reason = verdictInFive(e.Verdict, append(reasons, e.Unknown...))
}

func (e *Evaluation) inFive() {
	if e == nil {
		return
	}
	reasons := filesInFive(e.Files, e.Others)
	e.Verdict, e.Reason = verdictInFive(e.Verdict, append(reasons, e.Unknown...))
}

// filesInFive restates files, and returns the reasons of those that are not available, each once.
func filesInFive(lists ...[]File) (reasons []string) {
	for _, files := range lists {
		for i := range files {
			f := &files[i]
			if ClassOf(f.Verdict) != LSPUnavailable && f.Error == nil {
				continue
			}
			f.Verdict, f.Reason = LSPUnavailable, f.WhyUnknown()
			if !slices.Contains(reasons, f.Reason) {
				reasons = append(reasons, f.Reason)
			}
		}
	}
	return reasons
}

// verdictInFive returns the class of a verdict, and the reason if it is not available.
func verdictInFive(verdict string, reasons []string) (class, reason string) {
	if class = ClassOf(verdict); class == LSPUnavailable {
		reason = cmp.Or(strings.Join(reasons, "; "), "some part of the answer is not known")
	}
	return class, reason
}
