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
	// Scope is one of the api's; "" is [api.ScopeDependants].
	Scope      string
	Severities []string
	// OnDisk says that the files may be written to be judged, and taken back, where a server
	// sees nothing but the disk.
	OnDisk bool
	api.Limits
}

// Evaluate judges changes without making them, as a preview does. confidence is one of the
// confidences of package result. died reports that a server ended meanwhile: the judgement is
// then unknown.
func (ch *Checker) Evaluate(ctx context.Context, how Evaluation, plan *edit.Plan) (answer result.Edit, confidence string, died bool, err error) {
	t, err := ch.newTransaction(api.Writing{Mode: api.Preview, Severities: how.Severities, Limits: how.Limits})
	if err != nil {
		return result.Edit{}, "", false, err
	}
	t.alone, t.tries, t.all = how.Scope == api.ScopeFile, how.OnDisk, how.Scope == api.ScopeWorkspace
	ended := ch.watchServers()
	answer, err = t.carryOut(ctx, taking(plan))
	if died = ended(); died {
		answer.Unknown = append(answer.Unknown, "a server ended during the evaluation: evaluate again")
		if answer.Verdict != string(diagnostics.NewErrors) {
			answer.Verdict = string(diagnostics.Unknown)
		}
	}
	return answer, t.confidence(&answer), died, err
}

// taking returns the drafter of changes that are drafted already.
func taking(drafted *edit.Plan) Drafter {
	return func(_ context.Context, _ *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
		plan.Take(drafted)
		return func([]edit.Change, bool) string { return "" }, nil
	}
}

// watchServers begins to watch for servers that end by themselves; ended says whether one did.
func (ch *Checker) watchServers() (ended func() bool) {
	past, cancel := context.WithCancel(context.Background())
	cancel() // nothing is waited for
	_, last, _ := ch.workspace.Events(past, ^uint64(0))
	return func() bool {
		ch.workspace.Running() // notices who ended
		list, _, _ := ch.workspace.Events(past, last)
		return slices.ContainsFunc(list, func(e workspace.Event) bool { return e.Kind == workspace.Crashed || e.Kind == workspace.GivenUp })
	}
}

// confidence says how far an answer can be relied on.
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

// Keep writes changes that are drafted already, all or none, and reports what they broke. Once
// nobody else can write it calls current; an error of that is returned, and nothing is written.
func (ch *Checker) Keep(ctx context.Context, how api.Writing, drafted *edit.Plan, current func() error) (result.Edit, error) {
	how.Mode = api.Apply
	return ch.Write(ctx, how, func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
		if err := current(); err != nil {
			return nil, err
		}
		return taking(drafted)(ctx, q, plan)
	})
}

// Draft drafts further changes on top of drafted ones. Meanwhile the servers see the drafted
// texts, and nobody else asks them anything.
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
	made := drafted.Next() // the draft alters drafted itself
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

// showAside shows servers the texts while nobody else may ask; hide makes them see the disk again.
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

// showDrafted makes the primary servers of the changed files see the texts. One that cannot be
// had says so when it is asked.
func (d *shownDraft) showDrafted(ctx context.Context) error {
	var failures []error
	for _, c := range d.changes {
		if c.Deleted {
			continue
		}
		for _, candidate := range d.search.Detection().Candidates(c.Path) {
			if candidate.Unavailable != nil || candidate.Definition.Role != registry.Primary {
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
