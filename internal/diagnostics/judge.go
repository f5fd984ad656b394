package diagnostics

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/lspine/lspine/internal/diagnostics/compare"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
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
		unseen, r.Remaining, fixed = divide(f.Content, answers, all, req.Renamed)
	} else if (f.Probed || len(f.Gone) > 0) && !req.NoBaseline {
		misses := func(d Diagnostic) bool { return missesAny(d.Message, f.Gone) || f.includesAt(d.Range.Start.Line) }
		unseen = filter(all, misses)
		r.Doubtful = hasAny(filter(all, func(d Diagnostic) bool { return !misses(d) }), protocol.SeverityError)
	}
	for _, a := range answers {
		r.Excused = append(r.Excused, merge([]Answer{{Server: a.Server, Items: a.Excused, wording: a.wording}})...)
	}
	r.Counts = countsOf(slices.Concat(r.Remaining, fixed), all)
	known := told(f.Path)
	isTold, _ := pair(slices.Concat(unseen, r.Remaining), known)
	r.Standing, _ = sorted(r.Remaining, isTold[len(unseen):])
	r.Judgement = judgementOf(answers, unseen, r.Remaining)
	if req.SinceBegan {
		// What was told when nobody knew what was wrong before counts as long as it is there.
		r.Judgement = judgementOf(answers, slices.Concat(unseen, r.Standing), r.Remaining)
		again, fresh := sorted(unseen, isTold[:len(unseen)])
		r.Remaining, r.Standing, unseen = slices.Concat(r.Remaining, again), slices.Concat(again, r.Standing), fresh
		fixed = append(fixed, goneSince(known, answers, slices.Concat(all, fixed), req.Renamed)...)
	}
	r.Judgement.Lacking = r.Judgement.Lacking || r.Doubtful
	r.Verdict = r.Judgement.Verdict()
	r.Diagnostics = filter(all, wanted)
	r.New, r.Remaining, r.Fixed = filter(unseen, wanted), filter(r.Remaining, wanted), filter(fixed, wanted)
	r.Standing = filter(r.Standing, wanted)
	return r
}

// includesAt reports whether a line has the name of a file that is gone, which the text includes.
func (f *File) includesAt(line uint32) bool {
	if len(f.Included) == 0 {
		return false
	}
	at := uint32(0)
	for text := range bytes.Lines(f.Content) {
		if at == line {
			return slices.ContainsFunc(f.Included, func(name string) bool { return bytes.Contains(text, []byte(name)) })
		}
		at++
	}
	return false
}

// goneSince returns the findings that were told, that servers do not report any longer, and that are
// not among those of the baseline that are fixed, but for names that were replaced.
func goneSince(told []Diagnostic, answers []Answer, listed []Diagnostic, renamed map[string]bool) []Diagnostic {
	return filter(told, func(d Diagnostic) bool {
		at := slices.IndexFunc(answers, func(a Answer) bool { return a.Server == d.Server && a.Freshness == Fresh })
		return at >= 0 && !slices.ContainsFunc(listed, func(o Diagnostic) bool {
			wording := answers[at].wording
			return compare.Plain(wording, o.Diagnostic, renamed) == compare.Plain(wording, d.Diagnostic, renamed)
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
	place protocol.Range
	words string
}

func identityOf(w registry.Wording, d protocol.Diagnostic) identity {
	d.Code = "" // two servers that say the same may give it two codes
	return identity{d.Range, compare.Words(w, d)}
}

// merge combines the findings of all servers, keeps one for each range and message, and sorts them
// by line, column, severity and message.
func merge(answers []Answer) []Diagnostic {
	seen := make(map[identity]bool)
	var all []Diagnostic
	for _, a := range answers {
		for _, d := range a.Items {
			id := identityOf(a.wording, d)
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

// divide divides the findings of a file into new and remaining ones, and also returns those of the baseline
// that are gone, provided that the server's answer is complete.
func divide(content []byte, answers []Answer, all []Diagnostic, renamed map[string]bool) (unseen, remaining, fixed []Diagnostic) {
	type finding struct {
		server string
		identity
	}
	old := make(map[finding]bool)
	for _, a := range answers {
		if !a.prior.known {
			continue
		}
		d := compare.Between(a.wording, compare.Text{Content: a.prior.text, Items: a.prior.items}, compare.Text{Content: content, Items: a.Items}, renamed)
		for _, item := range d.Remaining {
			old[finding{a.Server, identity{item.Range, item.Message}}] = true
		}
		for _, item := range d.Gone {
			if a.Freshness == Fresh && a.prior.isReal(item) {
				fixed = append(fixed, Diagnostic{Diagnostic: item, Server: a.Server})
			}
		}
	}
	isOld := func(d Diagnostic) bool { return old[finding{d.Server, identity{d.Range, d.Message}}] }
	return filter(all, func(d Diagnostic) bool { return !isOld(d) }), filter(all, isOld), fixed
}

// isReal reports whether a finding of the baseline was there for certain.
func (p *prior) isReal(d protocol.Diagnostic) bool {
	return !p.imagined || has(p.sure, d)
}

var quoted = lazyregexp.New("'[^']*'|\"[^\"]*\"|`[^`]*`")

// Unnamed returns a message in which quoted names are replaced, so that it is equal for errors that
// differ only in names.
func Unnamed(message string) string { return quoted.ReplaceAllString(message, "#") }
