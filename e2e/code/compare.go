package code

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/e2e/judge"
)

// A Mismatch is one thing in which an answer and the compiler differ.
type Mismatch struct {
	kind, file, detail string
}

// The kinds of mismatches. The first three are the worst: something is broken, and it
// is not said.
const (
	missed    = "missed"           // errors that the compiler finds new are not said
	VerdictOf = "verdict"          // the verdict does not fit
	unwhole   = "clean, not whole" // the verdict says that nothing is broken, and the answer that a part is not known
	invented  = "invented"         // errors are said to be new that the compiler has not
	OldAsNew  = "old as new"       // errors are said to be new that were there
	count     = "count"            // more or fewer new errors in a file than the compiler's
	Unfixed   = "fix not said"     // the compiler's errors went, and nothing was said
	Unbroken  = "fix invented"     // what is said to be fixed was not broken
	standing  = "errors of a file" // all errors of a changed file, new or not
)

func (m Mismatch) String() string { return m.kind + " in " + m.file + ": " + m.detail }

// Mismatches are those of an answer.
type Mismatches []Mismatch

// Lines has a line for each.
func (ms Mismatches) Lines() string {
	var lines []string
	for _, m := range ms {
		lines = append(lines, m.String())
	}
	return strings.Join(lines, "\n")
}

// Without leaves out those of some kinds.
func (ms Mismatches) Without(kinds ...string) Mismatches {
	return slices.DeleteFunc(ms, func(m Mismatch) bool { return slices.Contains(kinds, m.kind) })
}

// Indented moves lines to the right.
func Indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}

var (
	digits = regexp.MustCompile(`\d+`)
	quoted = regexp.MustCompile(`"(?:[\w.-]+/)+(\w+)"\.`)
	given  = regexp.MustCompile(`(\w)X+\b`)
	hidden = regexp.MustCompile(`\b(?:_|hidden)+(\w)`)
	// TypeScript makes ten suggestions, and then no more; that of gcc may be the name without its X.
	suggestion = regexp.MustCompile(`\. Did you mean [^\n]*\?`)
	meant      = regexp.MustCompile(`; did you mean '[^'\n]*'\?`)
	exported   = regexp.MustCompile(`'("[^"\n]*")' has no exported member named `)
	// What a module has and does not export is known where its source is looked at, and not its declarations.
	local = regexp.MustCompile(`(Module '"[^"\n]*"') declares ('[^'\n]*') locally, but it is [^\n]*?\.(\n|$)`)
)

// Ask returns what the compiler says, without numbers: lines that messages speak of
// move, too. Two type checkers that got to the same text by different ways do not agree on
// whether to name a Go package by its path. And an older error is no new one because
// what it names has another name: without the X and the _ that changes add.
func (w *Tree) Ask(t *testing.T) judge.Findings {
	t.Helper()
	plain := make(judge.Findings)
	for file, messages := range w.Judge.Ask(t, w.Root) {
		for message, n := range messages {
			message = given.ReplaceAllString(quoted.ReplaceAllString(message, "$1."), "$1")
			message = exported.ReplaceAllString(suggestion.ReplaceAllString(meant.ReplaceAllString(message, ""), "."), "Module '$1' has no exported member ")
			message = local.ReplaceAllString(message, "$1 has no exported member $2.$3")
			message = digits.ReplaceAllString(hidden.ReplaceAllString(message, "$1"), "#")
			for range n {
				plain.Add(file, message)
			}
		}
	}
	return plain
}

// AsMoved returns what was found before as if the moved files had been where they are now.
func AsMoved(found judge.Findings, c Change) judge.Findings {
	found = maps.Clone(found)
	for to, from := range c.Moved {
		delete(found, to)
		if was, ok := found[from]; ok {
			found[to] = was
			delete(found, from)
		}
	}
	return found
}

// Compare holds an answer against what the compiler said before and says now.
func (w *Tree) Compare(a *Answer, c Change, before, after judge.Findings) (wrongs Mismatches) {
	want, mended := after.Beyond(before), before.Beyond(after)
	note := func(kind, file, format string, args ...any) {
		wrongs = append(wrongs, Mismatch{kind, file, fmt.Sprintf(format, args...)})
	}
	files := make(map[string]bool)
	for _, names := range [][]string{slices.Collect(maps.Keys(want)), slices.Collect(maps.Keys(mended)), slices.Collect(maps.Keys(a.Files))} {
		for _, name := range names {
			files[name] = true
		}
	}
	broken, beyond := false, false // errors that the compiler has, or did not get to
	delete(files, judge.Everywhere)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if text, changed := c.Texts[file]; changed && text == nil {
			continue // nobody asks about what is gone
		}
		said := a.Files[file]
		if said == nil {
			said = &Word{}
		}
		broken = broken || want[file] > 0 || a.CountsOlder && said.changed && after.Count(file) > 0
		// Where the compiler gave up, only what made it do so can be compared.
		ended := before.Ended(file) || after.Ended(file)
		if ended && (want[file] == 0 || said.fresh > 0) {
			beyond = beyond || said.fresh > 0
			continue
		}
		unsure := len(a.Unknown) > 0 || said.blind
		told := !w.untold[file] // nobody need hear that what they were never told of is mended
		w.untold[file] = after.Count(file) > 0 && said.fresh == 0 && (!told || unsure && want[file] > 0)
		same := !after.Concerns(file, before)
		switch {
		case said.blind && said.all > 0 && after.Count(file) > 0: // old and new are not told apart, and that is said
		case said.fresh < want[file] && said.fresh == 0 && !unsure:
			note(missed, file, "%v", newIn(after, before, file))
		case said.fresh > 0 && want[file] == 0 && after.Count(file) == 0 && (same || w.Judge.Counts):
			note(invented, file, "%d: %s", said.fresh, strings.Join(said.news, "; "))
		case said.fresh > 0 && want[file] == 0 && said.changed && !told && said.fresh <= after.Count(file):
			beyond = true // it is said for the first time, of a file that changed since
		case said.fresh > 0 && want[file] == 0 && (same || w.Judge.Counts):
			note(OldAsNew, file, "%d: %s: %v", said.fresh, strings.Join(said.news, "; "), after[file])
		case w.Judge.Counts && !unsure && (said.fresh > want[file] || said.fresh+said.excused < want[file]):
			note(count, file, "%d new, not %d: %v", want[file], said.fresh, newIn(after, before, file))
		}
		switch {
		case !w.Judge.Counts && said.fresh > 0 && after.Count(file) > 0: // another compiler stops elsewhere in what stays broken
		case said.fixed == 0 && mended[file] > 0 && !unsure && told:
			note(Unfixed, file, "%v", newIn(before, after, file))
		case said.fixed > 0 && mended[file] == 0 && (same || w.Judge.Counts):
			note(Unbroken, file, "%d: %s: %v", said.fixed, strings.Join(said.mends, "; "), after[file])
		}
		if n := after.Count(file); said.changed && !unsure && (n > 0) != (said.all > 0) && !after.Includes(file) {
			note(standing, file, "%d, not %d: %v", n, said.all, after[file])
		} else if said.changed && !unsure && w.Judge.Counts && n != said.all {
			note(standing, file, "%d, not %d: %v", n, said.all, after[file])
		}
	}
	claimsBroken, claimsWhole := a.claims()
	lost := after.Ended(judge.Everywhere) && !before.Ended(judge.Everywhere)
	if claimsWhole && broken && len(a.Unknown) == 0 {
		note(VerdictOf, "all", "%s, but there are new errors", a.Verdict)
	} else if claimsWhole && broken {
		note(unwhole, "all", "%s, but there are new errors, and it is known that not all is known", a.Verdict)
	}
	if claimsWhole && !broken && lost && len(a.Unknown) == 0 {
		note(VerdictOf, "all", "%s, but the compiler does not get at the sources any more", a.Verdict)
	}
	if claimsBroken && !broken && !beyond && !before.Ended(judge.Everywhere) && !after.Ended(judge.Everywhere) && !slices.ContainsFunc(wrongs, func(m Mismatch) bool { return m.kind == invented || m.kind == OldAsNew }) && !anyBlind(a) && w.Judge.Counts {
		note(VerdictOf, "all", "%s, but there are none", a.Verdict)
	}
	return wrongs
}

func anyBlind(a *Answer) bool {
	for _, said := range a.Files {
		if said.blind && said.all > 0 {
			return true
		}
	}
	return false
}

// newIn lists the messages of a file that the one has more often than the other.
func newIn(one, other judge.Findings, file string) (messages []string) {
	for _, message := range slices.Sorted(maps.Keys(one[file])) {
		if one[file][message] > other[file][message] {
			messages = append(messages, message)
		}
	}
	return messages
}

// What becomes of a step.
const (
	Right     = "right"
	NotKnown  = "not known"
	Explained = "limit"
	PendingIs = "pending"
	Wrong     = "WRONG"
)

// Sort decides what became of an answer, and counts it.
func (w *Tree) Sort(project string, text string, a *Answer, wrongs Mismatches) string {
	kind := Right
	if len(a.Unknown) > 0 || anyBlind(a) {
		kind = NotKnown
	}
	for _, m := range wrongs {
		l := w.tainted[m.file]
		if l == nil {
			l = limitOf(w.Server, project, a.By, text, m)
		}
		if l == nil && m.kind == VerdictOf {
			l = w.followed(project, text, a, wrongs)
		}
		switch {
		case l == nil:
			kind = Wrong
		case kind == Wrong:
		case l.pending:
			kind = PendingIs
		case kind != PendingIs:
			kind = Explained
		}
		if l != nil {
			l.Met = true
			w.tainted[m.file] = l
		}
	}
	w.Tally.add(kind)
	return kind
}

// followed returns the entry that a verdict follows from, as it explains every error that is missed;
// nil if one is not explained, or none is missed.
func (w *Tree) followed(project, text string, a *Answer, wrongs Mismatches) (l *Limit) {
	for _, m := range wrongs {
		if m.kind != missed {
			continue
		}
		if l = limitOf(w.Server, project, a.By, text, m); l == nil {
			return nil
		}
	}
	return l
}

// Relieve forgets which files wrong things were said of, of those that the answer was
// right about.
func (w *Tree) Relieve(a *Answer, wrongs Mismatches) {
	for file := range w.tainted {
		if _, said := a.Files[file]; said && !slices.ContainsFunc(wrongs, func(m Mismatch) bool { return m.file == file }) {
			delete(w.tainted, file)
		}
	}
	if len(wrongs) == 0 {
		delete(w.tainted, "all")
	}
}

// A Tally counts steps by what became of them.
type Tally map[string]int

func (c *Tally) add(kind string) {
	if *c == nil {
		*c = make(Tally)
	}
	(*c)[kind]++
}
