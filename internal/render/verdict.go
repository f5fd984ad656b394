package render

import (
	"fmt"
	"strings"
)

// A tally counts what a result found, before anything is left out for a budget.
type tally struct {
	files     int
	broken    int            // files with new findings
	unseen    map[string]int // new findings by severity
	standing  int            // of earlier changes in this session
	fixed     int
	older     int
	judged    int // files that were compared with a baseline
	unjudged  int // files that were not judged completely
	others    int // other files with new findings, and late ones
	late      int
	countable bool // false for the zero value
}

// add counts a file. Of an edit all findings that are listed are new.
func (t *tally) add(f *File, allNew bool) {
	t.files++
	if f.Baseline != "" && f.Baseline != "none" {
		t.judged++
	}
	isBroken := false
	for i := range f.Diagnostics {
		switch d := &f.Diagnostics[i]; {
		case d.New || allNew:
			t.unseen[d.Severity]++
			isBroken = true
		case d.Standing:
			t.standing++
		default:
			t.older++
		}
	}
	if isBroken {
		t.broken++
	}
	t.older += f.Older
	t.standing += f.Standing
	t.fixed += len(f.Fixed)
}

// parts says in words what was counted; nothing of what is zero. That there are no new
// errors is only said where the verdict does not know better.
func (t *tally) parts(verdict string) (parts []string) {
	kind := "new "
	if t.judged == 0 {
		kind = "" // there is nothing that they would be new against
	}
	for _, severity := range []string{"error", "warning", "info", "hint"} {
		if n := t.unseen[severity]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s%s", n, kind, plural(n, severity)))
		}
	}
	if n := len(parts); n > 0 && t.broken > 1 {
		parts[n-1] += fmt.Sprintf(" in %d files", t.broken)
	}
	others := t.fixed+t.older+t.standing > 0
	switch {
	case verdict == "new_errors" && t.unseen["error"] == 0 && (others || len(parts) > 0):
		parts = append([]string{"new errors that are not listed"}, parts...)
	case len(parts) == 0 && others:
		parts = append(parts, "no new errors")
	}
	if t.standing > 0 {
		verb := "remain"
		if t.standing == 1 {
			verb = "remains"
		}
		parts = append(parts, fmt.Sprintf("%d %s %s", t.standing, plural(t.standing, "error"), verb))
	}
	if t.fixed > 0 {
		parts = append(parts, fmt.Sprintf("%d fixed", t.fixed))
	}
	if t.older > 0 {
		parts = append(parts, fmt.Sprintf("%d older %s not listed", t.older, plural(t.older, "error")))
	}
	return parts
}

// tally counts the findings of all files, once: what Fit leaves out stays counted.
func (c *Check) tally() *tally {
	if !c.counted.countable {
		c.counted = tally{unseen: make(map[string]int), countable: true}
		for _, files := range [][]File{c.Files, c.Others} {
			for i := range files {
				c.counted.add(&files[i], false)
			}
		}
		c.counted.files = len(c.Files)
		for i := range c.Files {
			if f := &c.Files[i]; f.Error != nil || len(f.unanswered()) > 0 || len(f.Servers) == 0 {
				c.counted.unjudged++
			}
		}
	}
	return &c.counted
}

// Conclusion states the verdict in one line. It never claims more than the verdict:
// what is not known is said to be so, and is never "no errors".
func (c *Check) Conclusion() string {
	t := c.tally()
	files := fmt.Sprintf("%d %s", t.files, plural(t.files, "file"))
	if n := len(c.Deleted); n > 0 {
		files += fmt.Sprintf(", %d deleted", n)
	}
	checked := files + " checked"
	if n := c.Dependants.Checked; n > 0 {
		checked = fmt.Sprintf("%s and %d %s checked", files, n, plural(n, "dependant"))
	}
	switch {
	case c.Verdict == "clean" && t.files+len(c.Deleted) == 0:
		return "nothing to check: no changed file that a server knows"
	case c.Verdict == "lsp_unavailable" && t.files == 0:
		return "not checked: no server has been asked about anything yet"
	case c.Verdict == "lsp_unavailable":
		return "not checked: no server could judge " + plural(t.files, "the file")
	case c.Incomplete || c.Verdict == "unknown":
		line := "not known yet: " + strings.Join(c.lacking(), "; ")
		if found := t.parts(c.Verdict); len(found) == 0 && c.Verdict == "new_errors" {
			line = notListed(c.Verdict) + "; " + line
		} else if len(found) > 0 && found[0] != "no new errors" {
			line = strings.Join(found, ", ") + "; " + line
		}
		return line
	}
	switch parts := t.parts(c.Verdict); {
	case len(parts) > 0:
		return fmt.Sprintf("%s (%s)", strings.Join(parts, ", "), checked)
	case filtered(c.Verdict):
		return fmt.Sprintf("%s (%s)", notListed(c.Verdict), checked)
	case c.Cut != "":
		return fmt.Sprintf("verdict %s (%s)", c.Verdict, checked)
	}
	return fmt.Sprintf("no errors (%s)", checked)
}

// filtered reports whether a verdict is about findings although none was listed: their
// severity was not asked for.
func filtered(verdict string) bool { return verdict == "new_errors" || verdict == "baseline_error" }

func notListed(verdict string) string {
	return "nothing of the severities that were asked for, but the verdict is " + verdict
}

// lacking says, of an incomplete check, what is missing. Which server owes which
// answer stands in the lines of [Check.Silence].
func (c *Check) lacking() (list []string) {
	if t := c.tally(); t.unjudged > 0 {
		list = append(list, fmt.Sprintf("%d of %d %s could not be judged completely", t.unjudged, t.files, plural(t.files, "file")))
	}
	for _, unknown := range c.Unknown {
		list = append(list, oneLine(unknown))
	}
	if left := c.Dependants.left(); left != "" {
		list = append(list, left)
	}
	if len(list) == 0 {
		list = append(list, "other files that a server has not finished with")
	}
	return list
}

// unanswered returns what is known of the servers that gave no complete answer about
// the file, but for those that nobody misses.
func (f *File) unanswered() (list []Answer) {
	for _, a := range f.Servers {
		if a.Freshness != "fresh" && !a.Dispensable {
			list = append(list, a)
		}
	}
	return list
}

// left says how many dependants were not checked, and names the first; "" if all were.
func (d *Dependants) left() string {
	if len(d.Unchecked) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d files that use what changed were not checked: %s", d.Found-d.Checked, d.Found, namesOf(*d))
}

// mended says of which files edited earlier the late answer is that nothing new is wrong,
// because their own answer could not say so; "" if there are none.
func mended(late []File) string {
	var names []string
	for i := range late {
		f := &late[i]
		known := f.Verdict == "clean" || f.Verdict == "warnings_only" || f.Verdict == "baseline_error"
		if known && len(f.Diagnostics) == 0 && len(f.Servers) > 0 && f.Servers[0].Version > 0 {
			names = append(names, defused(f.Path))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "Edited earlier, answered late: no new errors in " + strings.Join(names, ", ") + "\n"
}
