package render

import (
	"fmt"
	"maps"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func newCounts() *result.Counts {
	return &result.Counts{New: make(map[string]int), Uncompared: make(map[string]int)}
}

// countFile counts a file. Of an edit all findings that are listed are new.
func countFile(t *result.Counts, f *result.File, allNew bool) {
	t.Files++
	if isCompared(f) {
		t.Judged++
	}
	isBroken := false
	for i := range f.Diagnostics {
		switch d := &f.Diagnostics[i]; {
		case d.New || allNew:
			t.New[d.Severity]++
			if isBroken = true; !isCompared(f) && !allNew {
				t.Uncompared[d.Severity]++
			}
		case d.Standing:
			t.Standing++
		case f.Doubtful || !isCompared(f):
			t.Doubtful++
		default:
			t.Older++
		}
	}
	if isBroken {
		t.Broken++
	}
	t.Older += f.Older
	t.Standing += f.Standing
	t.Fixed += len(f.Fixed)
}

// isCompared reports whether the findings of a file were compared with earlier ones.
func isCompared(f *result.File) bool { return f.Baseline != "" && f.Baseline != uncompared }

// An age says since when a finding is there, as far as that is known.
type age int

const (
	isUncompared age = iota // nobody knows
	isNew
	isOlder
)

// ageOf returns the age of a finding of a file. Errors that remain of earlier changes of a session are older.
func ageOf(f *result.File, d *result.Diagnostic) age {
	switch {
	case !isCompared(f), f.Doubtful && !d.New && !d.Standing:
		return isUncompared
	case d.New:
		return isNew
	}
	return isOlder
}

// uncompared is the baseline of a file that was compared with nothing.
const uncompared = "none"

// partsOf says in words what was counted; nothing of what is zero. What there is nothing to compare with is not called new. That
// there are no new errors is only said where the verdict does not know better.
func partsOf(t *result.Counts, verdict string) (parts []string) {
	for _, severity := range []string{"error", "warning", "info", "hint"} {
		uncompared := t.Uncompared[severity]
		if n := t.New[severity] - uncompared; n > 0 {
			parts = append(parts, fmt.Sprintf("%d new %s", n, plural(n, severity)))
		}
		if uncompared > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", uncompared, plural(uncompared, severity)))
		}
	}
	if n := len(parts); n > 0 && t.Broken > 1 {
		parts[n-1] += fmt.Sprintf(" in %d files", t.Broken)
	}
	others := t.Fixed+t.Older+t.Standing > 0
	switch {
	case verdict == "new_errors" && t.New["error"] == 0 && t.Standing == 0 && (others || len(parts) > 0):
		parts = append([]string{"new errors that are not listed"}, parts...)
	case len(parts) == 0 && others && !(verdict == "new_errors" && t.Standing > 0):
		parts = append(parts, "no new errors")
	}
	if t.Standing > 0 {
		verb := "remain"
		if t.Standing == 1 {
			verb = "remains"
		}
		parts = append(parts, fmt.Sprintf("%d %s %s", t.Standing, plural(t.Standing, "error"), verb))
	}
	if t.Fixed > 0 {
		parts = append(parts, fmt.Sprintf("%d fixed", t.Fixed))
	}
	if t.Older > 0 {
		parts = append(parts, fmt.Sprintf("%d older %s not listed", t.Older, plural(t.Older, "error")))
	}
	return parts
}

// partsOfCheck says in words what a check found; nothing of what is zero.
func partsOfCheck(c *result.Check, t *result.Counts) []string {
	counted, own := *t, 0
	if c.CountOlder {
		own += olderOf(c.Files)
	}
	if c.AllErrors {
		own += olderOf(c.Others)
	}
	if (c.CountOlder || c.AllErrors) && t.Doubtful > 0 { // they are listed, like others that are compared with nothing
		counted.New, counted.Uncompared = withMore(t.New, "error", t.Doubtful), withMore(t.Uncompared, "error", t.Doubtful)
	}
	own = min(own, counted.Older)
	counted.Older -= own
	verdict := c.Verdict
	if own > 0 && verdict == "new_errors" {
		verdict = "baseline_error" // errors that are not new count as well
	}
	parts := partsOf(&counted, verdict)
	if own > 0 {
		parts = append(parts, fmt.Sprintf("%d older %s", own, plural(own, "error")))
		if parts[0] == "no new errors" {
			parts = parts[1:]
		}
	}
	if n := c.OlderElsewhere; n > 0 {
		none, older := "no new errors", "older "
		if counted.Judged == 0 && len(c.Files) > 0 { // there is nothing that they would be older than
			none, older = "no errors", ""
		}
		if len(parts) == 0 && c.Verdict == "new_errors" {
			none = "new errors that are not listed"
		}
		if len(parts) == 0 {
			parts = append(parts, none)
		}
		parts = append(parts, fmt.Sprintf("%d %s%s in %d other %s not listed (all_errors lists them)",
			n, older, plural(n, "error"), c.OlderFiles, plural(c.OlderFiles, "file")))
	}
	return parts
}

// withMore returns counts with some more of one kind.
func withMore(counts map[string]int, kind string, more int) map[string]int {
	counts = maps.Clone(counts)
	if counts == nil {
		counts = make(map[string]int)
	}
	counts[kind] += more
	return counts
}

// olderOf counts the findings of files that were there before.
func olderOf(files []result.File) (n int) {
	for i := range files {
		for j := range files[i].Diagnostics {
			if d := &files[i].Diagnostics[j]; !d.New && !d.Standing && isCompared(&files[i]) && !files[i].Doubtful {
				n++
			}
		}
	}
	return n
}

// tallyOfCheck counts the findings of all files; what Fit left out stays counted.
func tallyOfCheck(c *result.Check) *result.Counts {
	if c.Counts != nil {
		return c.Counts
	}
	t := newCounts()
	for _, files := range [][]result.File{c.Files, c.Others} {
		for i := range files {
			countFile(t, &files[i], false)
		}
	}
	t.Files = len(c.Files)
	for i := range c.Files {
		if f := &c.Files[i]; f.Error != nil || len(unanswered(f)) > 0 || len(f.Servers) == 0 && !f.ByUsers {
			t.Unjudged++
		}
	}
	return t
}

// Conclusion states the verdict in one line. It never claims more than the verdict:
// what is not known is said to be so, and is never "no errors".
func Conclusion(c *result.Check) string {
	t := tallyOfCheck(c)
	files := fmt.Sprintf("%d %s", t.Files, plural(t.Files, "file"))
	if n := len(c.Deleted); n > 0 {
		files += fmt.Sprintf(", %d deleted", n)
	}
	checked := files + " checked"
	if n := c.Dependants.Checked; n > 0 {
		checked = fmt.Sprintf("%s and %d %s checked", files, n, plural(n, "dependant"))
	}
	switch {
	case c.Verdict == "clean" && t.Files+len(c.Deleted) == 0:
		return "nothing to check: no changed file that a server knows"
	case c.Verdict == "lsp_unavailable" && t.Files == 0:
		return "not checked: no server has been asked about anything yet"
	case c.Verdict == "lsp_unavailable":
		return "not checked: no server could judge " + plural(t.Files, "the file")
	case c.Incomplete || c.Verdict == "unknown":
		line := "not known yet: " + strings.Join(lacking(c), "; ")
		if found := partsOfCheck(c, t); len(found) == 0 && c.Verdict == "new_errors" {
			line = notListed(c.Verdict) + "; " + line
		} else if len(found) > 0 && found[0] != "no new errors" {
			line = strings.Join(found, ", ") + "; " + line
		}
		return line
	}
	switch parts := partsOfCheck(c, t); {
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
	if verdict == "new_errors" {
		return "there are new errors, but of other severities than those asked for"
	}
	return "no new errors; older ones are not listed"
}

// lacking says, of an incomplete check, what is missing. Which server owes which
// answer stands in the lines of [Silence].
func lacking(c *result.Check) (list []string) {
	if t := tallyOfCheck(c); t.Unjudged > 0 {
		list = append(list, fmt.Sprintf("%d of %d %s could not be judged completely", t.Unjudged, t.Files, plural(t.Files, "file")))
	}
	for _, unknown := range c.Unknown {
		list = append(list, oneLine(unknown))
	}
	if left := uncheckedOf(&c.Dependants); left != "" {
		list = append(list, left)
	}
	if len(list) == 0 {
		list = append(list, "other files that a server has not finished with")
	}
	return list
}

// unanswered returns what is known of the servers that gave no complete answer about
// the file, but for those that nobody misses.
func unanswered(f *result.File) (list []result.Answer) {
	for _, a := range f.Servers {
		if a.Freshness != "fresh" && !a.Dispensable {
			list = append(list, a)
		}
	}
	return list
}

// uncheckedOf says how many dependants were not checked, and names the first; "" if all were.
func uncheckedOf(d *result.Dependants) string {
	if len(d.Unchecked) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d files that use what changed were not checked: %s", d.Found-d.Checked, d.Found, namesOf(*d))
}

// lateClean names the files edited earlier whose late answer is that nothing new is wrong, which
// the answer to their edit could not say; "" if there are none.
func lateClean(late []result.File) string {
	var names []string
	for i := range late {
		f := &late[i]
		known := f.Verdict == "clean" || f.Verdict == "warnings_only" || f.Verdict == "baseline_error"
		if known && len(f.Diagnostics) == 0 && len(f.Servers) > 0 && f.Servers[0].Version > 0 {
			names = append(names, legible.Line(f.Path))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "Edited earlier, answered late: no new errors in " + strings.Join(names, ", ") + "\n"
}
