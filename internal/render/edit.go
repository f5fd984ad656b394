package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

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
	// Files are the changed ones, Others those that the edit broke or mended. Of
	// each only what is new is listed.
	Files  []File `json:"files" jsonschema:"the changed files: what is new in each"`
	Others []File `json:"others,omitempty" jsonschema:"other files that this edit broke or mended"`
	Late   []File `json:"late,omitempty" jsonschema:"files edited earlier whose answer came after its deadline"`
	// Unknown says what of the effects could not be found out; then no verdict is
	// clean.
	Unknown []string `json:"unknown,omitempty" jsonschema:"what the edit did elsewhere that could not be found out"`
	// Dependants says how many other files were looked at.
	Dependants Dependants `json:"dependants"`
	// Escalate says that the model was told of errors here too often already.
	Escalate bool `json:"escalate,omitempty" jsonschema:"errors were reported again and again without being resolved"`
	// Rounds is how often in a row.
	Rounds int `json:"rounds,omitempty" jsonschema:"how often in a row new errors were reported for these files"`

	Caps Caps `json:"-"`

	counted *tally // of the conclusion
}

// An Edited is what becomes of one file.
type Edited struct {
	Path         string `json:"path"`
	From         string `json:"from,omitempty" jsonschema:"where it was, if it is renamed"`
	Created      bool   `json:"created,omitempty"`
	Deleted      bool   `json:"deleted,omitempty"`
	Replacements int    `json:"replacements,omitempty"`
	Added        int    `json:"added" jsonschema:"lines"`
	Removed      int    `json:"removed" jsonschema:"lines"`
	// Hash is of the new content, for expect_hash.
	Hash string `json:"hash,omitempty" jsonschema:"of the new content, for expect_hash"`
}

// Dependants counts the files that use what an edit changes.
type Dependants struct {
	Found   int `json:"found" jsonschema:"files that use what the edit changes"`
	Checked int `json:"checked"`
	// Unchecked are the first of those left out.
	Unchecked []string `json:"unchecked,omitempty" jsonschema:"the first of those left out"`
}

// Fit implements [Reply]: the diff goes first, then findings, then other files, then
// files. What is wrong, or not known, is left out last, and stays counted.
func (e *Edit) Fit(limit int) {
	e.tally()
	const findings = "findings left out for the budget; check lists all, max_bytes allows more"
	perFile := 64
	fewer := func(least int) func() bool {
		return func() bool {
			if perFile <= least {
				return false
			}
			perFile /= 2
			for _, files := range [][]File{e.Files, e.Others, e.Late} {
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
		e.Cut = cmp.Or(e.Cut, "part of what is not known; max_bytes allows more")
	}))
}

// escalation says that the errors should be reported to a person.
func (e *Edit) escalation() string {
	return fmt.Sprintf("New errors were reported %d times in a row for these files without being resolved: "+
		"report them to the operator instead of trying again.", e.Rounds)
}

// tally counts the findings, once: what Fit leaves out stays counted.
func (e *Edit) tally() *tally {
	if e.counted == nil {
		t := tally{unseen: make(map[string]int), judged: 1} // an edit is always compared with what was before it
		for _, files := range [][]File{e.Files, e.Others} {
			for i := range files {
				t.add(&files[i], true)
			}
		}
		t.broken = 0 // how many files broke is said above those that the edit did not change
		t.others, t.late = len(broken(e.Others)), len(broken(e.Late))
		e.counted = &t
	}
	return e.counted
}

// outcome is what must be said of an edit whatever the budget is.
func (e *Edit) outcome() string {
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
func outcomeOf(e *Edit) string {
	if e == nil {
		return ""
	}
	return e.outcome()
}

// Brief implements [Reply] (03-diagnostics, section 6): facts, no orders. The success
// line is followed by one that states the verdict, if the edit was judged at all.
func (e *Edit) Brief() string {
	t := e.tally()
	return e.writeWith(e.outcome(), func(b *strings.Builder) {
		b.WriteString(e.Summary + "\n")
		b.WriteString(Printable(e.Diff))
		if conclusion := e.conclusion(); conclusion != "" {
			fmt.Fprintf(b, "\nLSP diagnostics after edit: %s.\n", conclusion)
		}
		blocks := &blocks{caps: e.Caps, left: e.Caps.TotalLines}
		for i := range e.Files {
			blocks.file(&e.Files[i])
		}
		b.WriteString(blocks.text.String())
		blocks.text.Reset()
		blocks.others("Other files that this edit broke", broken(e.Others), t.others)
		blocks.others("Edited earlier, answered late", broken(e.Late), t.late)
		b.WriteString(blocks.text.String() + mended(e.Late))
		if silent := e.silent(); silent != "" && e.Verdict == "new_errors" {
			fmt.Fprintf(b, "Not known: %s\n", silent)
		}
		if e.Escalate {
			fmt.Fprintln(b, e.escalation())
		}
	})
}

func namesOf(d Dependants) string {
	names := make([]string, len(d.Unchecked))
	for i, name := range d.Unchecked {
		names[i] = defused(name)
	}
	list := strings.Join(names, ", ")
	if more := d.Found - d.Checked - len(names); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// broken returns the files with something new.
func broken(files []File) []*File {
	var list []*File
	for i := range files {
		if len(files[i].Diagnostics) > 0 {
			list = append(list, &files[i])
		}
	}
	return list
}

// conclusion states the verdict, without a full stop; "" if nothing was judged.
func (e *Edit) conclusion() string {
	t := e.tally()
	found := strings.Join(t.parts(e.Verdict), ", ")
	switch e.Verdict {
	case "":
		return found
	case "lsp_unavailable":
		return "not available: " + e.silent()
	case "unknown":
		line := "not known yet: " + cmp.Or(e.silent(), "not every file that may be concerned was checked")
		if e.late() {
			line += " (late answers come with the next call)"
		}
		if t.fixed+t.older+t.standing > 0 {
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
	if n := e.Dependants.Checked; n > 0 && len(t.unseen) == 0 {
		found += fmt.Sprintf(" (%d %s checked)", n, plural(n, "dependant"))
	}
	return found
}

// late reports whether a server still works on what it owes.
func (e *Edit) late() bool {
	return slices.ContainsFunc(e.Files, func(f File) bool {
		return slices.ContainsFunc(f.Servers, func(a Answer) bool { return a.Freshness == "timeout" || a.Freshness == "indexing" })
	})
}

// silent says which files no server could judge, or not completely, and why, and what
// else is not known; "" if there is nothing.
func (e *Edit) silent() string {
	var list []string
	for _, f := range e.Files {
		if f.Error != nil {
			list = append(list, oneLine(f.Error.Message))
			continue
		}
		answers := f.unanswered()
		if f.Verdict == "lsp_unavailable" {
			answers = f.Servers
		}
		for _, a := range answers {
			line := fmt.Sprintf("%s: %s: %s", defused(f.Path), defused(a.Server), oneLine(a.Reason))
			if (a.Freshness == "partial" || a.Freshness == "unavailable") && a.Hint != "" {
				line += " (mend it: " + oneLine(a.Hint) + ")"
			}
			list = append(list, line)
		}
	}
	for _, unknown := range e.Unknown {
		list = append(list, oneLine(unknown))
	}
	if left := e.Dependants.left(); left != "" {
		list = append(list, left)
	}
	return strings.Join(list, "; ")
}
