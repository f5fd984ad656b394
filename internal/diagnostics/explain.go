package diagnostics

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/lspine/lspine/internal/diagnostics/compare"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/trace"
)

// traceJudgement notes why the findings of each answer about a file are new or older. It concludes nothing of its own: judge
// compares the same texts.
func (c *Collector) traceJudgement(f File, req Request, answers []Answer) {
	if c.opts.Trace == nil {
		return
	}
	for i := range answers {
		c.opts.Trace.Judge(explainAnswer(f, req, &answers[i]))
	}
}

func explainAnswer(f File, req Request, a *Answer) *trace.Judged {
	j := &trace.Judged{
		File: f.Path, Server: a.Server, Text: shortHash(f.Content), Freshness: string(a.Freshness), Reason: a.Reason,
		Baseline: string(baselineOf(f, req, []Answer{*a})),
	}
	if !a.prior.known || req.NoBaseline {
		j.Findings = appendFindings(nil, "uncompared", a.Items)
		return j
	}
	known := len(a.prior.items)
	j.Known = &known
	if a.prior.text != nil {
		j.Before = shortHash(a.prior.text)
	}
	d := compare.Between(a.wording, compare.Text{Content: a.prior.text, Items: a.prior.items}, compare.Text{Content: f.Content, Items: a.Items}, req.Renamed)
	j.Findings = appendFindings(appendFindings(nil, "new", d.New), "older", d.Remaining)
	for i, reason := range d.Reasons {
		older := &j.Findings[len(d.New)+i]
		older.Was, older.Rule = &reason.Was.Range.Start.Line, reason.Rule
	}
	slices.SortStableFunc(j.Findings, func(a, b trace.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	j.Findings = appendFindings(j.Findings, "gone", d.Gone)
	return j
}

func appendFindings(all []trace.Finding, state string, items []protocol.Diagnostic) []trace.Finding {
	for _, d := range items {
		all = append(all, trace.Finding{
			State: state, Severity: d.Severity.String(), Line: d.Range.Start.Line, Column: d.Range.Start.Character, Code: d.Code, Message: d.Message,
		})
	}
	return all
}

// shortHash returns what tells texts apart in a trace.
func shortHash(text []byte) string {
	if text == nil { // nobody has read it
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}
