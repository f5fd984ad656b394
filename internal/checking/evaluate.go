package checking

import (
	"context"
	"errors"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// An Evaluation says how [Checker.Evaluate] judges changes.
type Evaluation struct {
	// Scope is one of package api's scopes; "" means [api.ScopeDependants].
	Scope      string
	Severities []string
	// OnDisk says that the files may be written to disk for the judgement, and rolled back, where a
	// server reads only the disk.
	OnDisk bool
	api.Limits
}

// An Evaluated is the judgement of one set of changes, and how far it can be relied on.
type Evaluated struct {
	// Edit says what the changes break. It need not say what they change.
	Edit result.Edit
	// Confidence is one of package result's confidences.
	Confidence string
	// Died says that a server crashed or was given up meanwhile, which makes the judgement unknown.
	Died bool
}

// Evaluate judges sets of changes that are not to be made, one after the other, each like a
// preview: against what is on disk. No plan may be empty. Evaluate calls judged after each set; an
// error from it ends the evaluation. When Evaluate returns, servers see again what is on disk, as
// they do between two sets if somebody waits for that. Evaluations that have no server in common
// run in parallel.
func (ch *Checker) Evaluate(ctx context.Context, how Evaluation, plans []*edit.Plan, judged func(Evaluated) error) error {
	defer ch.overlay.Tidy()
	with := ch.company(how, plans)
	for len(plans) > 0 {
		n, err := ch.evaluateSome(ctx, how, plans, with, judged)
		if other, ok := err.(*companyError); ok { // and is not joined with another error
			with = other.with
		} else if err != nil {
			return err
		}
		plans = plans[n:]
	}
	return nil
}

// evaluateSome judges the first set of changes, and as many of the next ones as can be shown to
// servers in its place. n is how many were judged, also if err is a *companyError.
func (ch *Checker) evaluateSome(ctx context.Context, how Evaluation, plans []*edit.Plan, with company, judged func(Evaluated) error) (n int, err error) {
	turn, ctx, release, err := ch.takeTurn(ctx, with)
	if err != nil {
		return 0, err
	}
	defer release()
	var row sequence
	defer func() { row.close() }()
	for {
		t, err := ch.newEvaluation(how)
		if err != nil {
			return 0, err
		}
		t.turn = turn
		if len(row) == 0 {
			if err := t.seeDisk(ctx); err != nil {
				return 0, err
			}
		}
		step, err := t.prepare(ctx, taking(plans[len(row)]))
		if err != nil {
			return 0, err
		}
		if err := with.suffices(turn); err != nil {
			step.close()
			return 0, err
		}
		fits := row.takes(ctx, step)
		if !fits && len(row) > 0 {
			step.close()
			return row.judge(ctx, with, judged)
		}
		row = append(row, step)
		switch {
		case !fits && turn != nil:
			return 0, &companyError{company{alone: true}}
		case !fits:
			return 1, row.carryOut(ctx, judged)
		case len(row) == len(plans):
			return row.judge(ctx, with, judged)
		}
	}
}

// newEvaluation returns a transaction that is judged but not kept.
func (ch *Checker) newEvaluation(how Evaluation) (*transaction, error) {
	t, err := ch.newTransaction(api.Writing{Mode: api.Preview, Severities: how.Severities, Limits: how.Limits})
	if err != nil {
		return nil, err
	}
	t.alone, t.tries, t.all = how.Scope == api.ScopeFile, how.OnDisk, how.Scope == api.ScopeWorkspace
	return t, nil
}

// A sequence consists of prepared transactions that can be shown to servers one in place of the
// other.
type sequence []*prepared

func (s sequence) close() {
	for _, step := range s {
		step.close()
	}
}

// takes reports whether a transaction can be the next one: servers can see it without the disk, and
// it changes all files that the one before it changes.
func (s sequence) takes(ctx context.Context, next *prepared) bool {
	if next.movesFiles() || next.seenOnDisk(ctx) || next.tries && next.judgedOnDisk() {
		return false
	}
	return len(s) == 0 || !slices.ContainsFunc(s[len(s)-1].changes.Paths(), func(path string) bool {
		return !slices.Contains(next.changes.Paths(), path)
	})
}

// carryOut takes the only transaction through all its states.
func (s sequence) carryOut(ctx context.Context, judged func(Evaluated) error) error {
	ended := s[0].watchServers()
	answer, err := s[0].carryOut(ctx)
	if err != nil {
		return err
	}
	return judged(s[0].evaluated(answer, ended()))
}

// judge shows the transactions to servers and has them judged, until a judgement is uncertain or
// somebody else waits; then servers are shown the disk again. n is how many were judged.
func (s sequence) judge(ctx context.Context, with company, judged func(Evaluated) error) (n int, err error) {
	all := s[len(s)-1]
	release, err := all.lockShown(ctx)
	if err != nil {
		return 0, err
	}
	defer release()
	before := all.show()
	var others []result.File
	for n < len(s) {
		step := s[n]
		step.limit = step.newWaitLimit(step.timeout, 0)
		drafted := step.show()
		drafted.documents, drafted.shown.since, drafted.asked, drafted.belongs = before.documents, before.shown.since, before.asked, before.belongs
		ended := step.watchServers()
		j, failed := drafted.judge(ctx, false)
		others = append(others, j.answer.Others...)
		if failed == nil {
			failed = with.suffices(step.turn)
		}
		if failed == nil {
			n++
			step.note(&j.answer)
			one := step.evaluated(j.answer, ended())
			failed = judged(one)
			if failed == nil && n < len(s) && one.Confidence == result.HighConfidence && !step.isWaitedFor() {
				before.asked, before.belongs = drafted.asked, drafted.belongs
				continue
			}
		}
		if err := drafted.takeBack(ctx, others); err != nil {
			return n, errors.Join(failed, err)
		}
		return n, failed
	}
	return n, nil
}

// evaluated returns an answer with its confidence. If a server died meanwhile, the verdict is
// unknown unless there are new errors.
func (t *transaction) evaluated(answer result.Edit, died bool) Evaluated {
	if died {
		answer.Unknown = append(answer.Unknown, "a server ended during the evaluation: evaluate again")
		if answer.Verdict != string(diagnostics.NewErrors) {
			answer.Verdict = string(diagnostics.Unknown)
		}
	}
	return Evaluated{answer, t.confidence(&answer), died}
}

// taking returns the drafter for changes that are already drafted.
func taking(drafted *edit.Plan) Drafter {
	return func(_ context.Context, _ *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
		plan.Take(drafted)
		return func([]edit.Change, bool) string { return "" }, nil
	}
}

// watchServers starts watching for servers of the transaction that crash or are given up; ended
// reports whether one did.
func (t *transaction) watchServers() (ended func() bool) {
	past, cancel := context.WithCancel(context.Background())
	cancel() // do not wait for events
	_, last, _ := t.workspace.Events(past, ^uint64(0))
	return func() bool {
		t.workspace.Running() // notices servers that have ended
		list, _, _ := t.workspace.Events(past, last)
		return slices.ContainsFunc(list, func(e workspace.Event) bool {
			return (e.Kind == workspace.Crashed || e.Kind == workspace.GivenUp) && (t.turn == nil || t.turn.Has(e.Key))
		})
	}
}

// confidence returns how far an answer can be relied on.
func (t *transaction) confidence(answer *result.Edit) string {
	switch verdict := diagnostics.Verdict(answer.Verdict); {
	case t.overdue, verdict == diagnostics.LSPUnavailable:
		return result.LowConfidence
	case verdict == diagnostics.Unknown, len(answer.Unknown)+len(answer.Dependants.Unchecked) > 0:
		return result.PartialConfidence
	}
	for _, f := range slices.Concat(answer.Files, answer.Others) {
		if f.Error != nil || slices.ContainsFunc(f.Servers, func(a result.Answer) bool {
			return !a.Dispensable && a.Freshness != string(diagnostics.Fresh)
		}) {
			return result.PartialConfidence
		}
	}
	return result.HighConfidence
}

// Keep writes changes that are already drafted, all or none, and reports what they broke. Once
// nobody else can write, it calls current; if that returns an error, nothing is written and Keep
// returns the error.
func (ch *Checker) Keep(ctx context.Context, how api.Writing, drafted *edit.Plan, current func() error) (result.Edit, error) {
	how.Mode = api.Apply
	return ch.Write(ctx, how, func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
		if err := current(); err != nil {
			return nil, err
		}
		return taking(drafted)(ctx, q, plan)
	})
}

// Draft drafts further changes on top of drafted ones. Meanwhile, servers see the drafted texts,
// and nobody else can ask them.
func (ch *Checker) Draft(ctx context.Context, limits api.Limits, drafted *edit.Plan, draft Drafter) (notes []string, err error) {
	t, err := ch.newTransaction(api.Writing{Mode: api.Preview, Limits: limits})
	if err != nil {
		return nil, err
	}
	defer ch.overlay.Tidy()
	release, err := t.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	made := drafted.Next() // draft modifies drafted itself
	texts := made.Texts()
	a := ch.view.Showing(texts).Access()
	defer a.Close()
	q := symbols.New(a)
	if len(texts) > 0 {
		planned, err := t.draft(ctx, q, taking(made))
		if err != nil {
			return nil, err
		}
		hide, err := planned.showAside(ctx)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, hide()) }()
	}
	_, err = draft(ctx, q, drafted)
	return append(q.Notes(), t.notes...), err
}

// showAside shows the texts to servers while nobody else may ask them; hide shows them the disk
// again.
func (p *planned) showAside(ctx context.Context) (hide func() error, err error) {
	staged, err := p.stage(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.overlay.Shown.Lock(ctx); err != nil {
		staged.release()
		return nil, err
	}
	d := staged.show()
	hide = func() error {
		defer staged.release()
		defer p.overlay.Shown.Unlock()
		return d.takeBack(ctx, nil)
	}
	if err := errors.Join(d.vacate(), d.showDrafted(ctx)); err != nil {
		return nil, errors.Join(err, hide())
	}
	return hide, nil
}

// showDrafted shows the texts to the primary servers of the changed files. A server that is
// unavailable reports that when it is asked.
func (d *shownDraft) showDrafted(ctx context.Context) error {
	var failures []error
	for _, c := range d.changes {
		if c.Deleted {
			continue
		}
		for _, candidate := range d.search.Detection().Candidates(c.Path) {
			unseen := (c.Created || c.From != "") && candidate.Definition.Has(registry.JudgesSaved)
			if candidate.Unavailable != nil || candidate.Definition.Role != registry.Primary || unseen {
				continue
			}
			if server, err := d.workspace.Server(ctx, candidate); err == nil {
				_, err = server.Sync(c.Path, c.After)
				failures = append(failures, err)
			}
		}
	}
	return errors.Join(failures...)
}
