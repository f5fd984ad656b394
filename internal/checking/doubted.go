package checking

import (
	"cmp"
	"context"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/diagnostics"
)

// Servers report errors in files that nobody asked about. Where nobody has said what was wrong in one of these before, it is not known
// whether they are new: the check is then made once more, and the file is asked about while servers are shown the former texts.

// maxDoubted limits the files that a check is made once more for.
const maxDoubted = 50

// unknownBefore returns the other files in which a report has errors and of which it is not known what was wrong in them before, although servers
// can be asked.
func (p *checkPlan) unknownBefore(ch *Checker, report *diagnostics.Report) (paths []string) {
	if p.request.NoBaseline || !p.before.byTexts || !p.before.known || len(p.before.texts) == 0 {
		return nil
	}
	for i := range report.Others {
		o := &report.Others[i]
		if o.Baseline != diagnostics.None || !o.Judgement.NewErrors && !o.Doubtful || o.Apart() {
			continue
		}
		if _, can := p.formerly(ch, o.Path); can && len(paths) < maxDoubted {
			paths = append(paths, o.Path)
		}
	}
	return paths
}

// formerly returns a file that did not change, to be asked about while servers are shown the former texts of those that did; can is false if
// what servers then say is not what was wrong in it before.
func (p *checkPlan) formerly(ch *Checker, path string) (f diagnostics.File, can bool) {
	if _, changed := p.before.texts[path]; changed || p.changes.Touch(path) {
		return f, false
	}
	f, err := ch.planFile(p, path, path, api.CheckRequest{})
	readsDisk := err != nil || len(f.Sources) == 0 || ch.finder.ReadsDisk(f) || ch.finder.JudgedOnDisk(&f) || len(ch.finder.ConfiguredOnDisk(f, p.deciding())) > 0
	return f, !readsDisk && !ch.readsHidden(&f, &p.before) && !p.isConfigured(&f) && !ch.finder.MissesGone(f, p.before.gone)
}

// hasTime reports whether there is as much time left as a check that began then has taken.
func (ch *Checker) hasTime(ctx context.Context, req api.CheckRequest, began time.Time) bool {
	all := cmp.Or(api.Milliseconds(req.TimeoutMS), ch.opts.Config.Settings.FirstTouchTimeout)
	taken := time.Since(began)
	return taken < call.Left(ctx, all-taken)
}
