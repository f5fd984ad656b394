package diagnostics

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
)

func compareKeys(a, b Key) int {
	return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Root, b.Root))
}

func compareText(a, b string) int { return cmp.Compare(a, b) }

// judge merges the answers for a file, divides the findings into new and old,
// and gives the verdict.
func judge(f File, req Request, answers []Answer) FileReport {
	r := FileReport{Path: f.Path, Answers: answers, Baseline: None}
	severities := req.Severities
	if len(severities) == 0 {
		severities = []protocol.Severity{protocol.SeverityError}
	}
	wanted := func(d Diagnostic) bool { return slices.Contains(severities, d.Severity) }
	all := merge(answers)
	unseen, fixed := all, []Diagnostic(nil)
	if source := baselineOf(f, req, answers); source != None {
		r.Baseline = source
		unseen, r.Remaining, fixed = compare(f.Content, answers, all, req.Renamed)
		if len(unseen) > 0 && slices.ContainsFunc(answers, func(a Answer) bool { return a.prior.overdue }) {
			r.Baseline = None // it may be new because of the change before
		}
	}
	for _, a := range answers {
		r.Excused = append(r.Excused, merge([]Answer{{Server: a.Server, Items: a.Excused}})...)
	}
	r.Standing = standing(f.Content, answers, r.Remaining)
	r.Judgement = judgementOf(answers, unseen, r.Remaining)
	r.Verdict = r.Judgement.Verdict()
	r.Diagnostics = filter(all, wanted)
	r.New, r.Remaining, r.Fixed = filter(unseen, wanted), filter(r.Remaining, wanted), filter(fixed, wanted)
	r.Standing = filter(r.Standing, wanted)
	return r
}

// baselineOf returns what the answers can be judged against.
func baselineOf(f File, req Request, answers []Answer) Baseline {
	if req.NoBaseline {
		return None
	}
	for _, a := range answers {
		if a.prior.known {
			return cmp.Or(f.Baseline, Session)
		}
	}
	return None
}

// An identity is what makes two findings of one file the same.
type identity struct {
	place   protocol.Range
	message string
}

// merge puts the findings of all servers together: each range and message
// once, by line, column, severity and message.
func merge(answers []Answer) []Diagnostic {
	seen := make(map[identity]bool)
	var all []Diagnostic
	for _, a := range answers {
		for _, d := range a.Items {
			id := identity{d.Range, unrooted(d.Message)}
			if !seen[id] {
				seen[id] = true
				all = append(all, Diagnostic{Diagnostic: d, Server: a.Server})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
			cmp.Compare(a.Range.Start.Character, b.Range.Start.Character),
			cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return all
}

func filter(list []Diagnostic, keep func(Diagnostic) bool) []Diagnostic {
	var kept []Diagnostic
	for _, d := range list {
		if keep(d) {
			kept = append(kept, d)
		}
	}
	return kept
}

// compare divides findings into those that are new and those that were there,
// and returns those of the baseline that are gone, as far as the server's answer
// is complete. Old places are carried to the new text by a line diff: what only
// moved is old.
func compare(content []byte, answers []Answer, all []Diagnostic, renamed map[string]bool) (unseen, remaining, fixed []Diagnostic) {
	var old []moved
	last := lastLine(content)
	for _, a := range answers {
		if !a.prior.known {
			continue
		}
		var lines *edit.LineMap
		if a.prior.text != nil && len(a.prior.items) > 0 { // else another file: its places are all that is known
			lines = edit.NewLineMap(a.prior.text, content)
		}
		lastThen := lastLine(a.prior.text)
		seen := make(map[identity]bool) // what is said twice is listed once, then as now
		for _, d := range a.prior.items {
			id := identity{d.Range, unrooted(d.Message)}
			if seen[id] {
				continue
			}
			seen[id] = true
			o := moved{Diagnostic: Diagnostic{Diagnostic: d, Server: a.Server}, place: d.Range, stands: true, lines: lines, complete: a.Freshness == Fresh && !a.prior.imagined}
			if lines != nil {
				o.place, o.stands = lines.Range(d.Range)
				o.end = int(d.Range.Start.Line) >= bytes.Count(a.prior.text, []byte("\n"))
				o.last, o.lastNow = int(d.Range.Start.Line) == lastThen, last
			}
			old = append(old, o)
		}
	}
	unmatched := slices.Clone(all)
	used := make([]bool, len(old))
	take := func(same func(o *moved, d Diagnostic) bool) {
		unmatched = slices.DeleteFunc(unmatched, func(d Diagnostic) bool {
			for i := range old {
				if o := &old[i]; !used[i] && o.Server == d.Server && o.kindOf(d) && same(o, d) {
					used[i] = true
					remaining = append(remaining, d)
					return true
				}
			}
			return false
		})
	}
	take(func(o *moved, d Diagnostic) bool {
		return o.stands && o.place == d.Range && plain(o.Message, renamed) == plain(d.Message, renamed)
	})
	// Where the text was rewritten, the message has to do.
	take(func(o *moved, d Diagnostic) bool {
		return o.mayBe(d) && unqualified(o.Message) == unqualified(d.Message)
	})
	// Where names were replaced, columns move and messages name others, and explain it by others.
	take(func(o *moved, d Diagnostic) bool {
		return len(renamed) > 0 && o.mayBe(d) && plain(firstLine(o.Message), renamed) == plain(firstLine(d.Message), renamed)
	})
	for i, o := range old {
		if !used[i] && o.complete {
			fixed = append(fixed, o.Diagnostic)
		}
	}
	slices.SortStableFunc(remaining, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
	return unmatched, remaining, fixed
}

// moved is a finding of the baseline, with where its place is now.
type moved struct {
	Diagnostic
	place  protocol.Range
	stands bool
	// end says that it was said of the end of the text, which stands whatever is
	// before it: parsers go there when something has no end.
	end bool
	// last says that it was said of the last line that is not empty, which parsers may do as well:
	// lastNow is that of the text at hand.
	last    bool
	lastNow int
	// lines carries the text it was in to the one at hand; nil: none is known.
	lines *edit.LineMap
	// complete says that its absence means that it is gone.
	complete bool
}

// mayBe reports whether the message alone can tell that d is the old finding: its
// place was rewritten, or the end, and d is where the text is new, or where the old one began.
func (m *moved) mayBe(d Diagnostic) bool {
	if m.lines == nil {
		return true
	}
	if top := (protocol.Position{}); m.Range.Start == top && d.Range.Start == top {
		return true // it is said of the file as a whole, whatever its first line is
	}
	line, began := m.lines.Line(int(m.Range.Start.Line))
	end := m.end || m.last && int(d.Range.Start.Line) == m.lastNow
	return (end || !m.stands) && (m.lines.Inserted(d.Range) || began && line == int(d.Range.Start.Line))
}

// lastLine returns the number of the last line of a text that is not empty.
func lastLine(text []byte) int { return bytes.Count(bytes.TrimRight(text, " \t\r\n"), []byte("\n")) }

// kindOf reports whether the codes do not tell d from the old finding: with a suggestion
// TypeScript's errors have another code.
func (m *moved) kindOf(d Diagnostic) bool {
	return m.Code == d.Code || hinted(m.Message) != hinted(d.Message)
}

// hinted reports whether a message says more than what is wrong: what may be meant instead.
func hinted(message string) bool {
	return strings.Contains(message, didYouMean) || strings.Contains(message, declaresLocally) || strings.Contains(message, butMeant)
}

// didYouMean is in errors that suggest something. TypeScript stops suggesting after ten of
// them, wherever these are: it says nothing of the error whether there is a suggestion.
const didYouMean = ". Did you mean "

// butMeant is in errors of clang that suggest something. It stops after fifty of them in a file
// and what that includes, and finds no name that is too unlike.
const butMeant = "; did you mean "

// declaresLocally is in TypeScript's errors about an import of what the module has and does not export.
const declaresLocally = " locally, but it is "

var (
	suggestion = lazyregexp.New(`\. Did you mean (?:to use |the )?['"][^'"\n]*['"]\?`)
	// exported is the beginning of an error about a module that has a suggestion.
	exported = lazyregexp.New(`^'("[^"\n]*")' has no exported member named `)
	// fixable is what clangd says of an error for which it has a fix, behind what is wrong: whether
	// it has one depends on what its index knows by then.
	fixable = lazyregexp.New(` \(fix(?:es)? available\)`)
	// instead is the suggestion of clang.
	instead = lazyregexp.New(`; did you mean (?:simply )?'[^'\n]*'\?`)
	// local is one about what the module does not export.
	local = lazyregexp.New(`^(Module '"[^"\n]*"') declares ('[^'\n]*') locally, but it is (?:not exported|exported as '[^'\n]*')\.`)
)

// unsuggested returns a message as it is without a suggestion, and without word of a fix.
func unsuggested(message string) string {
	if strings.Contains(message, " available)") {
		message = fixable.ReplaceAllString(message, "")
	}
	switch {
	case strings.Contains(message, butMeant):
		return instead.ReplaceAllString(message, "")
	case strings.Contains(message, declaresLocally):
		return local.ReplaceAllString(message, "$1 has no exported member $2.")
	case !strings.Contains(message, didYouMean):
		return message
	}
	return exported.ReplaceAllString(suggestion.ReplaceAllString(message, "."), "Module '$1' has no exported member ")
}

var (
	numbers = lazyregexp.New(`[0-9]+`)
	// ofMember explains that a union has no such property by one of its members, any of them.
	ofMember = lazyregexp.New(`(Property '[^'\n]*' does not exist on type '[^'\n]*'\.)\n +Property '[^'\n]*' does not exist on type '[^'\n]*'\.`)
	quoted   = lazyregexp.New("'[^']*'|\"[^\"]*\"|`[^`]*`")
	word     = lazyregexp.New(`[\pL_$][\pL\pN_$]*`)
	// qualifier is a Go package that is named by its whole path, in front of a name of it.
	qualifier = lazyregexp.New(`"(?:[^"\s]*/)?([\pL_][\pL\pN_]*)(?:[./]v[0-9]+)?"\.([\pL_])`)
	// toCreate is a file that rustc suggests to create.
	toCreate = lazyregexp.New(`((?:create file|or) )"[^"\n]*/([^"/\n]+)"`)
)

// unqualified returns a message without a suggestion, without the member of a union that it is
// explained by, and in which packages are named shortly: Go's type checker names them by their
// paths while any that it knows share a name. None of that is wrong at the place.
func unqualified(message string) string {
	message = unrooted(unsuggested(message))
	if strings.Contains(message, ".\n") && strings.Contains(message, "' does not exist on type '") {
		message = ofMember.ReplaceAllString(message, "$1")
	}
	if !strings.Contains(message, `".`) {
		return message // nearly all, and each is compared with each
	}
	return qualifier.ReplaceAllString(message, "$1.$2")
}

// unrooted returns a message in which files to create have no folder: a compiler names them from
// the folder that it was run in, and one that is run in two says the same in two ways.
func unrooted(message string) string {
	if !strings.Contains(message, `create file "`) {
		return message
	}
	return toCreate.ReplaceAllString(message, `$1"$2"`)
}

// Unnamed returns a message without the names that stand in quotes in it: two errors that differ
// in names alone are the same by it.
func Unnamed(message string) string { return quoted.ReplaceAllString(message, "#") }

// plain returns a message without its numbers, because lines it speaks of move too,
// and without the names that the edit itself changed.
func plain(message string, renamed map[string]bool) string {
	message = unqualified(message)
	if len(renamed) > 0 {
		message = word.ReplaceAllStringFunc(message, func(w string) string {
			if renamed[w] {
				return "#"
			}
			return w
		})
	}
	return numbers.ReplaceAllString(message, "#")
}
