package checking

import (
	"context"
	"maps"
	"slices"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/protocol"
)

// doubtIgnored takes back that errors of the own files are older where these use files that git ignores and that may have changed since
// the commit that the check compares with, such as generated code: nobody has the text that such a file had then.
func (ch *Checker) doubtIgnored(ctx context.Context, plan *checkPlan, report *diagnostics.Report) {
	isError := func(d diagnostics.Diagnostic) bool { return d.Severity == protocol.SeverityError }
	var users map[string]string
	for i := range report.Files[:plan.own] {
		r := &report.Files[i]
		if !plan.before.versioned || plan.request.NoBaseline || !r.Judgement.OldErrors {
			continue
		}
		if users == nil {
			users = make(map[string]string)
			if newer, err := ch.workspace.Git().IgnoredSince(ctx, plan.revision); err == nil && len(newer) > 0 {
				users = ch.finder.UsersOfIgnored(ctx, newer, plan.contents)
			}
		}
		if users[r.Path] == "" {
			continue
		}
		r.Remaining = slices.DeleteFunc(slices.Clone(r.Remaining), isError)
		r.Doubtful, r.Judgement.OldErrors, r.Judgement.Lacking = true, false, true
		r.Verdict = r.Judgement.Verdict()
	}
	plan.ignored = maps.Clone(users)
}
