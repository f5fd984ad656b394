package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// fitEdit shortens: the diff goes first, then findings, then other files, then
// files. What is wrong, or not known, is left out last, and stays counted.
func fitEdit(e *result.Edit, limit int) {
	e.Counts = tallyOfEdit(e)
	defer func() {
		if e.Cut == "" {
			e.Counts = nil
		}
	}()
	const findings = "findings left out for the budget; check lists all, max_bytes allows more"
	perFile := 64
	fewer := func(least int) func() bool {
		return func() bool {
			if perFile <= least {
				return false
			}
			perFile /= 2
			for _, files := range [][]result.File{e.Files, e.Others, e.Late} {
				brokenFirst(files)
				cutFindings(files, perFile)
			}
			e.Cut = findings
			return true
		}
	}
	fit(limit, e, func() bool {
		if e.Diff == "" {
			return false
		}
		e.Diff, e.Cut = "", "the diff was left out for the budget; max_bytes allows more"
		return true
	}, fewer(4), func() bool {
		n := len(e.Others) + len(e.Late)
		e.Others, e.Late, e.Cut = e.Others[:halve(len(e.Others))], e.Late[:halve(len(e.Late))], findings
		return n > 0
	}, fewer(1), func() bool {
		n := len(e.Files)
		e.Files, e.Cut = e.Files[:halve(n)], findings
		return n > 1
	}, once(func() {
		e.Unknown, e.Dependants.Unchecked = few(e.Unknown), few(e.Dependants.Unchecked)
	}))
}

// escalation says that the errors should be reported to a person.
func escalation(e *result.Edit) string {
	return fmt.Sprintf("New errors were reported %d times in a row for these files without being resolved: "+
		"report them to the operator instead of trying again.", e.Rounds)
}

// tallyOfEdit counts the findings; what Fit left out stays counted.
func tallyOfEdit(e *result.Edit) *result.Counts {
	if e.Counts != nil {
		return e.Counts
	}
	t := &result.Counts{New: make(map[string]int), Judged: 1} // an edit is always compared with what was before it
	for _, files := range [][]result.File{e.Files, e.Others} {
		for i := range files {
			countFile(t, &files[i], true)
		}
	}
	t.Broken = 0 // how many files broke is said above those that the edit did not change
	t.Others, t.Late = len(broken(e.Others)), len(broken(e.Late))
	return t
}

// outcomeOfEdit is what must be said of an edit whatever the budget is.
func outcomeOfEdit(e *result.Edit) string {
	done := "not applied"
	if e.Applied {
		done = "applied"
	}
	if e.Verdict == "" {
		return done
	}
	return done + ", verdict " + e.Verdict
}

// outcomeOf is the outcome of an edit, if there was one.
func outcomeOf(e *result.Edit) string {
	if e == nil {
		return ""
	}
	return outcomeOfEdit(e)
}

// briefEdit returns the text of an edit: facts, no orders. The line that says what was done is
// followed by one that states the verdict, if the edit was judged at all.
func briefEdit(e *result.Edit) string {
	t := tallyOfEdit(e)
	return writeWith(&e.Head, outcomeOfEdit(e), func(b *strings.Builder) {
		b.WriteString(legible.Line(e.Summary) + "\n")
		b.WriteString(legible.Model(e.Diff))
		if conclusion := conclusionOfEdit(e); conclusion != "" {
			fmt.Fprintf(b, "\nLSP diagnostics after edit: %s.\n", conclusion)
		}
		blocks := &blocks{caps: e.Caps, left: e.Caps.TotalLines}
		for i := range e.Files {
			blocks.file(&e.Files[i])
		}
		b.WriteString(blocks.text.String())
		blocks.text.Reset()
		blocks.others("Other files that this edit broke", broken(e.Others), t.Others)
		blocks.others("Edited earlier, answered late", broken(e.Late), t.Late)
		b.WriteString(blocks.text.String() + lateClean(e.Late))
		if silent := silentOf(e); silent != "" && e.Verdict == "new_errors" {
			fmt.Fprintf(b, "Not known: %s\n", silent)
		}
		if e.Escalate {
			fmt.Fprintln(b, escalation(e))
		}
	})
}

func namesOf(d result.Dependants) string {
	names := make([]string, len(d.Unchecked))
	for i, name := range d.Unchecked {
		names[i] = legible.Line(name)
	}
	list := strings.Join(names, ", ")
	if more := d.Found - d.Checked - len(names); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// broken returns the files with something new.
func broken(files []result.File) []*result.File {
	var list []*result.File
	for i := range files {
		if len(files[i].Diagnostics) > 0 {
			list = append(list, &files[i])
		}
	}
	return list
}

// conclusionOfEdit states the verdict, without a full stop; "" if nothing was judged.
func conclusionOfEdit(e *result.Edit) string {
	t := tallyOfEdit(e)
	found := strings.Join(partsOf(t, e.Verdict), ", ")
	switch e.Verdict {
	case "":
		return found
	case "lsp_unavailable":
		return "not available: " + silentOf(e)
	case "unknown":
		line := "not known yet: " + cmp.Or(silentOf(e), "not every file that may be concerned was checked")
		if isLate(e) {
			line += " (late answers come with the next call)"
		}
		if t.Fixed+t.Older+t.Standing > 0 {
			line = found + " so far; " + line
		}
		return line
	}
	switch {
	case found == "" && filtered(e.Verdict):
		return notListed(e.Verdict)
	case found == "":
		found = "no new errors"
	}
	if n := e.Dependants.Checked; n > 0 && len(t.New) == 0 {
		found += fmt.Sprintf(" (%d %s checked)", n, plural(n, "dependant"))
	}
	return found
}

// isLate reports whether a server still works on what it owes.
func isLate(e *result.Edit) bool {
	return slices.ContainsFunc(e.Files, func(f result.File) bool {
		return slices.ContainsFunc(f.Servers, func(a result.Answer) bool { return a.Freshness == "timeout" || a.Freshness == "indexing" })
	})
}

// silentOf says which files no server could judge, or not completely, and why, and what
// else is not known; "" if there is nothing.
func silentOf(e *result.Edit) string {
	var list []string
	for _, f := range e.Files {
		if f.Error != nil {
			list = append(list, oneLine(f.Error.Message))
			continue
		}
		answers := unanswered(&f)
		if f.Verdict == "lsp_unavailable" {
			answers = f.Servers
		}
		for _, a := range answers {
			line := fmt.Sprintf("%s: %s: %s", legible.Line(f.Path), legible.Line(a.Server), oneLine(a.Reason))
			if (a.Freshness == "partial" || a.Freshness == "unavailable") && a.Hint != "" {
				line += " (to fix it: " + oneLine(a.Hint) + ")"
			}
			list = append(list, line)
		}
	}
	for _, unknown := range e.Unknown {
		list = append(list, oneLine(unknown))
	}
	if left := uncheckedOf(&e.Dependants); left != "" {
		list = append(list, left)
	}
	return strings.Join(list, "; ")
}
