package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// editOf returns what an evaluation says as the edit that is not made.
func editOf(e *result.Evaluation) *result.Edit {
	return &result.Edit{
		Verdict: e.Verdict, Files: e.Files, Others: e.Others, Unknown: e.Unknown, Dependants: e.Dependants, Caps: e.Caps, Counts: e.Counts,
	}
}

// conclusionOfEvaluation states what edits would do, without a full stop.
func conclusionOfEvaluation(e *result.Evaluation) string {
	found := conclusionOfEdit(editOf(e))
	if found == "" {
		found = "no server judges these files"
	}
	return fmt.Sprintf("%s; net delta %s, confidence %s", found, signed(e.NetDelta), legible.Line(e.Confidence))
}

// outcomeOfSimulation is what must be said whatever the budget is.
func outcomeOfSimulation(s *result.Simulation) string {
	var parts []string
	if s.Session != "" {
		parts = append(parts, cut(legible.Line(s.Session)+" "+s.Status, 18))
	}
	if s.Chain != nil {
		parts = append(parts, fmt.Sprintf("safe through step %d", s.Chain.SafeThrough))
	}
	switch {
	case s.Evaluation != nil:
		parts = append(parts, "verdict "+s.Evaluation.Verdict+", confidence "+cut(s.Evaluation.Confidence, 10))
	case s.Commit != nil:
		parts = append(parts, outcomeOfEdit(s.Commit))
	}
	return strings.Join(parts, "; ")
}

func briefSimulation(s *result.Simulation) string {
	return writeWith(&s.Head, outcomeOfSimulation(s), func(b *strings.Builder) {
		if s.Session != "" {
			writeSession(b, &s.SimulationSession)
		}
		if s.Done != "" {
			fmt.Fprintln(b, oneLine(s.Done))
		}
		for i := range s.Sessions {
			writeSession(b, &s.Sessions[i])
		}
		if s.Chain != nil {
			writeChain(b, s.Chain)
		}
		if s.Evaluation != nil {
			writeEvaluation(b, s.Evaluation)
		}
		if s.Commit != nil {
			b.WriteString(Brief(s.Commit) + "\n")
		}
		b.WriteString(legible.Model(s.Diff))
	})
}

func writeSession(b *strings.Builder, s *result.SimulationSession) {
	fmt.Fprintf(b, "%s: %s, %d %s", legible.Line(s.Session), s.Status, s.Steps, plural(s.Steps, "edit"))
	if n := len(s.Changes); n > 0 {
		names := make([]string, min(n, 8))
		for i := range names {
			names[i] = legible.Line(s.Changes[i].Path)
		}
		fmt.Fprintf(b, " of %s", strings.Join(names, ", "))
		if more := n - len(names); more > 0 {
			fmt.Fprintf(b, " and %d more", more)
		}
	}
	if s.Label != "" {
		fmt.Fprintf(b, " (%s)", oneLine(s.Label))
	}
	if s.IdleMS >= 60_000 {
		fmt.Fprintf(b, ", unused for %d min", s.IdleMS/60_000)
	}
	b.WriteString("\n")
}

func writeChain(b *strings.Builder, c *result.Chain) {
	for i := range c.Steps {
		step := &c.Steps[i]
		if step.Error != nil {
			fmt.Fprintf(b, "step %d could not be made: %s\n", step.Step, oneLine(step.Error.Message))
			continue
		}
		fmt.Fprintf(b, "step %d: net delta %s, verdict so far %s, confidence %s\n",
			step.Step, signed(step.NetDelta), step.Verdict, legible.Line(step.Confidence))
		for j := range step.Introduced {
			d := &step.Introduced[j]
			fmt.Fprintf(b, "  %s %s\n", attribute(d.File), findingLine(&d.Diagnostic))
		}
	}
	fmt.Fprintf(b, "Safe to apply through step %d of %d; net delta of all %s.\n", c.SafeThrough, len(c.Steps), signed(c.CumulativeDelta))
}

func writeEvaluation(b *strings.Builder, e *result.Evaluation) {
	edit := editOf(e)
	fmt.Fprintf(b, "Diagnostics if this were written (scope %s): %s.\n", legible.Line(e.Scope), conclusionOfEvaluation(e))
	blocks := &blocks{caps: e.Caps, left: e.Caps.TotalLines}
	for i := range e.Files {
		blocks.file(&e.Files[i])
	}
	b.WriteString(blocks.text.String())
	blocks.text.Reset()
	blocks.others("Other files that it would break", broken(e.Others), tallyOfEdit(edit).Others)
	b.WriteString(blocks.text.String())
	if silent := silentOf(edit); silent != "" && e.Verdict == result.NewErrors {
		fmt.Fprintf(b, "Not known: %s\n", silent)
	}
}

// fitSimulation shortens: the diff goes first, then what a commit says, then findings, then files.
func fitSimulation(s *result.Simulation, limit int) {
	limit = budgetOf(limit)
	e := s.Evaluation
	if e == nil {
		e = &result.Evaluation{}
	}
	e.Counts = tallyOfEdit(editOf(e))
	defer func() {
		if s.Cut == "" {
			e.Counts = nil
		}
	}()
	const findings = "findings left out for the budget; max_bytes allows more"
	fewer := func(perFile int) func() bool {
		return once(func() {
			for _, files := range [][]result.File{e.Files, e.Others} {
				brokenFirst(files)
				cutFindings(files, perFile)
			}
			e.Introduced, e.Resolved = first(e.Introduced, perFile), first(e.Resolved, perFile)
			if s.Chain != nil {
				for i := range s.Chain.Steps {
					s.Chain.Steps[i].Introduced = first(s.Chain.Steps[i].Introduced, perFile)
				}
			}
			s.Cut = findings
		})
	}
	fit(limit, s, func() bool {
		had := s.Diff != "" || s.Texts != nil
		if s.Diff, s.Texts = "", nil; had {
			s.Cut = "the diff was left out for the budget; max_bytes allows more"
		}
		return had
	}, once(func() {
		if s.Commit != nil {
			Fit(s.Commit, limit/2)
		}
	}), fewer(8), fewer(2), func() bool {
		n := len(e.Others) + len(e.Files) + len(s.Sessions) + len(s.Changes)
		e.Others, e.Files = e.Others[:halve(len(e.Others))], e.Files[:halve(len(e.Files))]
		s.Sessions, s.Changes, s.Cut = s.Sessions[:halve(len(s.Sessions))], s.Changes[:halve(len(s.Changes))], findings
		return n > 0
	}, once(func() {
		e.Unknown, e.Dependants.Unchecked = few(e.Unknown), few(e.Dependants.Unchecked)
	}))
}

// first returns the first of a list.
func first[T any](list []T, most int) []T { return list[:min(len(list), most)] }

// leanSimulation is the lean form of a simulation.
type leanSimulation struct {
	Verdict    string   `json:"verdict,omitempty"`
	Confidence string   `json:"confidence,omitempty"`
	NetDelta   int      `json:"net_delta,omitempty"`
	Session    string   `json:"session,omitempty"`
	Status     string   `json:"status,omitempty"`
	Safe       *int     `json:"safe_to_apply_through_step,omitempty"`
	Steps      []string `json:"steps,omitempty"`
	Done       string   `json:"done,omitempty"`
	Judged     string   `json:"diagnostics,omitempty"`
	Introduced branches `json:"errors_introduced,omitempty"`
	Others     branches `json:"others,omitempty"`
	Silent     string   `json:"not_known,omitempty"`
	Sessions   []string `json:"sessions,omitempty"`
	// Commit is what a commit did.
	Commit *leanEdit `json:"commit,omitempty"`
	Diff   string    `json:"diff,omitempty"`
	result.Head
}

func leanFormOfSimulation(s *result.Simulation) any {
	lean := leanSimulation{
		Session: s.Session, Status: s.Status, Done: s.Done, Commit: leanOfEdit(s.Commit), Diff: legible.Model(s.Diff), Head: s.Head,
		Sessions: linesOf(func(b *strings.Builder) {
			for i := range s.Sessions {
				writeSession(b, &s.Sessions[i])
			}
		}),
	}
	if e := s.Evaluation; e != nil {
		edit := editOf(e)
		lean.Verdict, lean.Confidence, lean.NetDelta, lean.Judged = e.Verdict, e.Confidence, e.NetDelta, conclusionOfEdit(edit)
		lean.Introduced, lean.Others = findings(e.Files, true), findings(e.Others, true)
		if e.Verdict == result.NewErrors {
			lean.Silent = silentOf(edit)
		}
	}
	if s.Chain != nil {
		lean.Safe = &s.Chain.SafeThrough
		lean.Steps = linesOf(func(b *strings.Builder) { writeChain(b, s.Chain) })
	}
	return lean
}

// signed writes a difference with its sign, but for 0.
func signed(n int) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", n)
}
