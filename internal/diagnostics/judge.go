package diagnostics

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
)

func compareKeys(a, b Key) int {
	return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Root, b.Root))
}

func compareText(a, b string) int { return cmp.Compare(a, b) }

// judge merges the answers for a file, divides the findings into new and old ones, and computes the
// verdict.
func judge(f File, req Request, answers []Answer, told func(path string) []Diagnostic) FileReport {
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
	} else if f.Probed && !req.NoBaseline {
		r.Doubtful, unseen = filter(all, wanted), nil
	}
	for _, a := range answers {
		r.Excused = append(r.Excused, merge([]Answer{{Server: a.Server, Items: a.Excused}})...)
	}
	known := told(f.Path)
	isTold := func(d Diagnostic) bool { return saysAny(known, d) }
	r.Standing = filter(r.Remaining, isTold)
	if req.SinceBegan {
		again := filter(unseen, isTold)
		r.Judgement = judgementOf(answers, slices.Concat(unseen, r.Standing), r.Remaining)
		r.Remaining, r.Standing = append(r.Remaining, again...), append(again, r.Standing...)
		unseen = filter(unseen, func(d Diagnostic) bool { return !isTold(d) })
		fixed = append(fixed, goneSince(known, answers, slices.Concat(all, fixed), req.Renamed)...)
	} else {
		r.Judgement = judgementOf(answers, unseen, r.Remaining)
	}
	r.Judgement.Lacking = r.Judgement.Lacking || len(r.Doubtful) > 0
	r.Verdict = r.Judgement.Verdict()
	r.Diagnostics = filter(all, wanted)
	r.New, r.Remaining, r.Fixed = filter(unseen, wanted), filter(r.Remaining, wanted), filter(fixed, wanted)
	r.Standing = filter(r.Standing, wanted)
	return r
}

// goneSince returns the findings that were told, that servers do not report any longer, and that are
// not among those of the baseline that are fixed, but for names that were replaced.
func goneSince(told []Diagnostic, answers []Answer, listed []Diagnostic, renamed map[string]bool) []Diagnostic {
	return filter(told, func(d Diagnostic) bool {
		fresh := slices.ContainsFunc(answers, func(a Answer) bool { return a.Server == d.Server && a.Freshness == Fresh })
		return fresh && !slices.ContainsFunc(listed, func(o Diagnostic) bool {
			return o.Code == d.Code && plain(o.Message, renamed) == plain(d.Message, renamed)
		})
	})
}

// baselineOf returns the baseline that the answers can be compared with.
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

// merge combines the findings of all servers, keeps one for each range and message, and sorts them
// by line, column, severity and message.
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

// compare divides findings into new and remaining ones, and also returns those of the baseline that
// are gone, provided that the server's answer is complete. Old ranges are mapped to the new text by
// a line diff: what only moved is not new.
func compare(content []byte, answers []Answer, all []Diagnostic, renamed map[string]bool) (unseen, remaining, fixed []Diagnostic) {
	var old []moved
	last := lastLine(content)
	for _, a := range answers {
		if !a.prior.known {
			continue
		}
		var lines *edit.LineMap
		if a.prior.text != nil && len(a.prior.items) > 0 { // otherwise it is another file, and only its ranges are known
			lines = edit.NewLineMap(a.prior.text, content)
		}
		lastThen := lastLine(a.prior.text)
		seen := make(map[identity]bool) // duplicates are listed once, as in merge
		for _, d := range a.prior.items {
			id := identity{d.Range, unrooted(d.Message)}
			if seen[id] {
				continue
			}
			seen[id] = true
			o := moved{Diagnostic: Diagnostic{Diagnostic: d, Server: a.Server}, place: d.Range, stands: true, lines: lines, complete: a.Freshness == Fresh && a.prior.isReal(d)}
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
	// The explanation of an error, and the order of what it lists, may change without the error.
	take(func(o *moved, d Diagnostic) bool {
		return o.stands && o.place == d.Range && explained(o.Message) == explained(d.Message) &&
			unordered(plain(unexplained(o.Message), renamed)) == unordered(plain(unexplained(d.Message), renamed))
	})
	// Where the text was rewritten, the message has to do.
	take(func(o *moved, d Diagnostic) bool {
		return o.mayBe(d) && unqualified(o.Message) == unqualified(d.Message)
	})
	// Where names were replaced, columns shift, and messages contain other names and explain the
	// error by others.
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

// moved is a finding of the baseline, with its range in the new text.
type moved struct {
	Diagnostic
	place  protocol.Range
	stands bool
	// end says that it was reported at the end of the text, which remains the end whatever comes
	// before it: parsers report there when something is not closed.
	end bool
	// last says that it was reported on the last line that is not empty, which some parsers do as
	// well; lastNow is that line in the new text.
	last    bool
	lastNow int
	// lines maps the old text to the new one; nil if the old text is not known.
	lines *edit.LineMap
	// complete says that if it is absent now, it is gone.
	complete bool
}

// mayBe reports whether d may be the old finding if their messages are the same. It may if the old
// text is not known, if both begin at the top of the file, or if the old range was rewritten or was
// the end of the text, and d is in new text or on the line where the old finding began.
func (m *moved) mayBe(d Diagnostic) bool {
	if m.lines == nil {
		return true
	}
	if top := (protocol.Position{}); m.Range.Start == top && d.Range.Start == top {
		return true // it is about the file as a whole
	}
	line, began := m.lines.Line(int(m.Range.Start.Line))
	end := m.end || m.last && int(d.Range.Start.Line) == m.lastNow
	return (end || !m.stands) && (m.lines.Inserted(d.Range) || began && line == int(d.Range.Start.Line))
}

// isReal reports whether a finding of the baseline was there for certain.
func (p *prior) isReal(d protocol.Diagnostic) bool {
	return !p.imagined || has(p.sure, d)
}

// lastLine returns the number of the last line of a text that is not empty.
func lastLine(text []byte) int { return bytes.Count(bytes.TrimRight(text, " \t\r\n"), []byte("\n")) }

// kindOf reports whether the codes allow d to be the old finding. TypeScript gives an error another
// code when it adds a suggestion.
func (m *moved) kindOf(d Diagnostic) bool {
	return m.Code == d.Code || hinted(m.Message) != hinted(d.Message)
}

// hinted reports whether a message contains a suggestion.
func hinted(message string) bool {
	return strings.Contains(message, didYouMean) || strings.Contains(message, declaresLocally) || strings.Contains(message, butMeant)
}

// didYouMean is part of errors that suggest something. TypeScript stops suggesting after ten
// suggestions, wherever they are, so whether there is one says nothing about the error.
const didYouMean = ". Did you mean "

// butMeant is part of clang's errors that suggest something. Clang stops suggesting after fifty
// errors in a file and its includes, and suggests no name that is too different.
const butMeant = "; did you mean "

// declaresLocally is part of TypeScript's errors about importing what a module declares but does
// not export.
const declaresLocally = " locally, but it is "

var (
	suggestion = lazyregexp.New(`\. Did you mean (?:to use |the )?['"][^'"\n]*['"]\?`)
	// exported matches the beginning of an error about a module that comes with a suggestion.
	exported = lazyregexp.New(`^'("[^"\n]*")' has no exported member named `)
	// fixable matches the suffix of a clangd error for which a fix exists: whether it exists
	// depends on what clangd has indexed by then.
	fixable = lazyregexp.New(` \(fix(?:es)? available\)`)
	// instead matches a suggestion of clang.
	instead = lazyregexp.New(`; did you mean (?:simply )?'[^'\n]*'\?`)
	// local matches an error about what a module does not export.
	local = lazyregexp.New(`^(Module '"[^"\n]*"') declares ('[^'\n]*') locally, but it is (?:not exported|exported as '[^'\n]*')\.`)
)

// unsuggested returns a message as it would be without a suggestion or a note that a fix is
// available.
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
	// ofMember matches an error that a union lacks a property, and the explanation by one of its
	// members, which may be any of them.
	ofMember = lazyregexp.New(`(Property '[^'\n]*' does not exist on type '[^'\n]*'\.)\n +Property '[^'\n]*' does not exist on type '[^'\n]*'\.`)
	quoted   = lazyregexp.New("'[^']*'|\"[^\"]*\"|`[^`]*`")
	word     = lazyregexp.New(`[\pL_$][\pL\pN_$]*`)
	// qualifier matches a Go package's full path in front of one of its names.
	qualifier = lazyregexp.New(`"(?:[^"\s]*/)?([\pL_][\pL\pN_]*)(?:[./]v[0-9]+)?"\.([\pL_])`)
	// toCreate matches a file that rustc suggests creating.
	toCreate = lazyregexp.New(`((?:create file|or) )"[^"\n]*/([^"/\n]+)"`)
)

// unqualified returns a message without suggestions and without the member that explains an error
// about a union, and with Go packages under their short names: Go's type checker uses full paths
// while two packages that it knows have the same name. None of this is part of the error.
func unqualified(message string) string {
	message = unrooted(unsuggested(message))
	if strings.Contains(message, ".\n") && strings.Contains(message, "' does not exist on type '") {
		message = ofMember.ReplaceAllString(message, "$1")
	}
	if !strings.Contains(message, `".`) {
		return message // the usual case; messages are compared pair by pair
	}
	return qualifier.ReplaceAllString(message, "$1.$2")
}

// unrooted returns a message in which files to create have no folder: a compiler names them
// relative to the folder it runs in, so running it in two folders gives two messages for the same
// error.
func unrooted(message string) string {
	if !strings.Contains(message, `create file "`) {
		return message
	}
	return toCreate.ReplaceAllString(message, `$1"$2"`)
}

// Unnamed returns a message in which quoted names are replaced, so that it is equal for errors that
// differ only in names.
func Unnamed(message string) string { return quoted.ReplaceAllString(message, "#") }

// explained reports whether a message goes on with indented lines. There, TypeScript explains why types do not match, by
// the first reason that it finds, which may be another one each time.
func explained(message string) bool {
	lines := strings.Split(strings.TrimSpace(message), "\n")[1:]
	return len(lines) > 0 && !slices.ContainsFunc(lines, func(line string) bool { return !strings.HasPrefix(line, "  ") })
}

// unexplained returns a message without the explanation that follows its first line.
func unexplained(message string) string {
	if explained(message) {
		return firstLine(message)
	}
	return message
}

// unordered returns a message with its words sorted if it names a union, such as 'A | B': TypeScript
// lists the members of the same union in one order or another.
func unordered(message string) string {
	if !strings.Contains(message, " | ") {
		return message
	}
	words := strings.FieldsFunc(message, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("',;|(){}[]<>", r) })
	slices.Sort(words)
	return strings.Join(words, " ")
}

// plain returns a message without its numbers, because lines that it mentions may have moved, and
// without the names that the edit itself changed.
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
