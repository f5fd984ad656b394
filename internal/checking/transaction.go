package checking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// A set of drafted changes is a transaction with states, each of which is a type:
//
//	planned   the changes are drafted, and nothing else has happened
//	staged    their documents are held, and their files are staged next to those they replace
//	prepared  it is also known which files they affect, and what was wrong there before
//	shown     servers see the changed texts: in place of the disk, while they are written, or on it
//	judged    servers have reported what the changes break;
//	          then the transaction is kept or rolled back
//
// Changes that others made are already on disk when they are checked: they enter as shown.

// A transaction is what all states of one set of drafted changes share.
type transaction struct {
	*Checker
	terms
	mode string
	// alone says that only the changed files are judged; all, that every dependant is, however many
	// there are; tries, that the changes may be on disk for the judgement, for servers that see
	// nothing else, although they are not kept there.
	alone, tries, all bool
	// overdue says that some server did not answer in time.
	overdue bool
	// turn covers the servers that are to be shown the changes while others may be shown other
	// changes; nil if nobody else may change files or show any.
	turn    *overlay.Turn
	plan    *edit.Plan
	changes dependants.Changes
	// search looks for the files that the changes affect.
	search *dependants.Search
	notes  []string
}

// terms say what servers are asked about changes, and how long they are waited for.
type terms struct {
	severities []protocol.Severity
	timeout    time.Duration // of each collection; 0 means as configured
	limit      waitLimit
	// passing says that servers may see the changes only during the judgement: what they report
	// later is told to nobody.
	passing bool
}

// Write drafts changes, then writes, previews or refuses them as how says, and reports what they
// break. Writes run one at a time.
func (ch *Checker) Write(ctx context.Context, how api.Writing, draft Drafter) (result.Edit, error) {
	t, err := ch.newTransaction(how)
	if err != nil {
		return result.Edit{}, err
	}
	return t.carryOut(ctx, draft)
}

// carryOut takes a transaction through its states.
func (t *transaction) carryOut(ctx context.Context, draft Drafter) (result.Edit, error) {
	defer t.overlay.Tidy()
	release, err := t.begin(ctx)
	if err != nil {
		return result.Edit{}, err
	}
	defer release()
	ready, err := t.prepare(ctx, draft)
	if err != nil {
		return result.Edit{}, err
	}
	defer ready.close()
	return ready.carryOut(ctx)
}

// A prepared transaction is staged, and it is known which files it affects and what was wrong in
// them before. Its owner must close it.
type prepared struct {
	*staged
	inquiry *symbols.Inquiry
	summary edit.Summarizer
	close   func()
}

// prepare drafts the changes and finds out what must be known before any server is told of them.
// The caller must hold the writers' lock or have a turn.
func (t *transaction) prepare(ctx context.Context, draft Drafter) (*prepared, error) {
	var ends []func()
	end := func() {
		for _, f := range slices.Backward(ends) {
			f()
		}
	}
	ready := false
	defer func() {
		if !ready {
			end()
		}
	}()
	a := t.view.Access()
	ends = append(ends, a.Close)
	q := symbols.New(a)
	planned, err := t.draft(ctx, q, draft)
	if err != nil {
		return nil, err
	}
	staged, err := planned.stage(ctx)
	if err != nil {
		return nil, err
	}
	ends = append(ends, staged.release, staged.abandon)
	if err := staged.findDependants(ctx, q); err != nil {
		return nil, err
	}
	ready = true
	return &prepared{staged, q, planned.summary, end}, nil
}

// carryOut takes the transaction to its end.
func (p *prepared) carryOut(ctx context.Context) (result.Edit, error) {
	answer, err := p.end(ctx)
	if err != nil {
		return result.Edit{}, err
	}
	if answer.Applied {
		p.outlineAhead()
	}
	p.describe(&answer, p.summary(p.changes, answer.Applied))
	p.note(&answer)
	return answer, nil
}

// note fills in the notes on the judgement, and how much of it to show.
func (p *prepared) note(answer *result.Edit) {
	answer.Notes = slices.Concat(p.inquiry.Notes(), p.notes, answer.Notes)
	answer.State = p.inquiry.States()
	settings := p.opts.Config.Settings
	answer.Caps = result.Caps{
		PerFile: settings.MaxDiagnosticsPerFile, OtherFiles: settings.MaxProjectDiagnosticsFiles, TotalLines: settings.MaxTotalLines,
	}
}

// begin waits until no other writer is at work, and brings servers up to date with the disk, so
// that what others changed is not attributed to this transaction.
func (t *transaction) begin(ctx context.Context) (release func(), err error) {
	if err := t.overlay.Writers.Lock(ctx); err != nil {
		return nil, err
	}
	if err := t.seeDisk(ctx); err != nil {
		t.overlay.Writers.Unlock()
		return nil, err
	}
	return t.overlay.Writers.Unlock, nil
}

// seeDisk brings servers up to date with the disk.
func (t *transaction) seeDisk(ctx context.Context) error {
	untold, err := t.Checker.seeDisk(ctx, nil)
	t.notes = append(t.notes, untold...)
	return err
}

func (ch *Checker) newTransaction(how api.Writing) (*transaction, error) {
	if err := how.Limits.Valid(); err != nil {
		return nil, err
	}
	severities, err := ch.severitiesOf(how.Severities)
	if err != nil {
		return nil, err
	}
	timeout := time.Duration(how.TimeoutMS) * time.Millisecond
	t := &transaction{
		Checker: ch, mode: cmp.Or(how.Mode, api.Apply), plan: edit.NewPlan(ch.files),
		terms: terms{severities: severities, timeout: timeout, limit: ch.newWaitLimit(timeout, 0)},
	}
	t.passing = t.mode != api.Apply
	switch t.mode {
	case api.Apply, api.Preview, api.ApplyIfClean:
		return t, nil
	}
	return nil, &api.ArgumentError{Argument: "mode", Reason: fmt.Sprintf("%q is no mode", how.Mode), Advice: "modes are apply, preview and apply_if_clean"}
}

// A planned transaction has its changes.
type planned struct {
	*transaction
	summary edit.Summarizer
}

// draft drafts the changes.
func (t *transaction) draft(ctx context.Context, q *symbols.Inquiry, draft Drafter) (*planned, error) {
	summary, err := draft(ctx, q, t.plan)
	if err != nil {
		return nil, err
	}
	t.changes = t.plan.Changes()
	if len(t.changes) == 0 {
		return nil, &edit.NothingToChangeError{}
	}
	if t.permit != nil {
		if err := t.permit(ctx, t.changes.Paths()); err != nil {
			return nil, err
		}
	}
	t.seeFormer(ctx)
	t.search = t.finder.Drafted(ctx, t.changes, t.mode == api.Apply || t.tries && t.judgedOnDisk())
	if t.all {
		t.search.Unlimited()
	}
	return &planned{t, summary}, nil
}

// seeFormer keeps the texts from before the changes, with which later checks of the session compare
// where there is no version control.
func (t *transaction) seeFormer(ctx context.Context) {
	if t.once || t.session.began != "" || t.workspace.Git().Commit(ctx) != "" {
		return
	}
	for _, c := range t.changes {
		if c.Before != nil {
			t.see(cmp.Or(c.From, c.Path), c.Before)
		}
	}
}

// A staged transaction holds the documents that it changes until release; looks at the disk leave
// these alone.
type staged struct {
	*transaction
	held    []string
	release func()
	// waiting waits for the staged files, which are ready to be moved into place; nil if none are
	// staged.
	waiting func() waiting
}

// waiting is an edit whose files are staged next to those they replace, or the reason why they are
// not.
type waiting struct {
	*edit.Staged
	err error
}

// stage holds the documents and, if the changes are certain to be written, begins to write the
// staged files in parallel with the search for what the changes break.
func (p *planned) stage(ctx context.Context) (*staged, error) {
	contents := make(map[string][]byte)
	for _, c := range p.changes {
		if text, opened := p.overlay.Given(c.Path); opened && string(text) != string(c.Before) {
			return nil, &OpenedError{p.names.Relative(c.Path)}
		}
		if !c.Deleted { // so that a look finds a deleted file gone, and closes it
			contents[c.Path] = c.After
		}
	}
	s := &staged{transaction: p.transaction}
	s.held, s.release = p.overlay.Hold(contents)
	if p.mode == api.Apply {
		s.waiting = guard.Begin(func() waiting { // commit or abandon waits for it
			files, err := edit.Stage(call.Caller(ctx), p.plan, p.journal)
			return waiting{files, err}
		})
	}
	return s, nil
}

// commit writes the files and calls wrote.
func (s *staged) commit(ctx context.Context) error {
	err := s.moveIntoPlace(ctx)
	if err == nil && s.wrote != nil {
		s.wrote(s.changes)
	}
	return err
}

// moveIntoPlace writes the files, even if the deadline has passed meanwhile: this does not wait for
// a server.
func (s *staged) moveIntoPlace(ctx context.Context) error {
	ctx = call.Caller(ctx)
	if s.waiting == nil {
		return edit.Commit(ctx, s.plan, s.journal)
	}
	files := s.waiting()
	s.waiting = nil
	if files.err != nil {
		return files.err
	}
	return files.Commit(ctx)
}

// abandon removes staged files that were not committed.
func (s *staged) abandon() {
	if s.waiting == nil {
		return
	}
	if files := s.waiting(); files.err == nil {
		files.Abandon()
	}
}

// findDependants finds out, before any server is told of the changes, what was wrong before and
// which files use what changes.
func (s *staged) findDependants(ctx context.Context, q *symbols.Inquiry) error {
	own, _ := s.own(false, false)
	controls, _ := s.search.ControlFiles(ctx, own)
	var unknown []diagnostics.File
	for _, f := range append(own, controls...) {
		if !s.collector.Knows(nil, f, !f.Narrow) {
			unknown = append(unknown, f)
		}
	}
	if err := s.baseline(ctx, unknown, !s.alone); err != nil || s.alone {
		return err
	}
	users, err := s.search.Users(ctx, q)
	if err != nil {
		return err
	}
	if err := s.baseline(ctx, s.search.Openers(users), false); err != nil {
		return err
	}
	if err := s.baseline(ctx, users, false); err != nil {
		return err
	}
	if err := s.baseline(ctx, s.search.BuiltElsewhere(), false); err != nil {
		return err
	}
	return s.baseline(ctx, s.search.UsersByText(ctx), false)
}

// baseline makes servers report what is wrong before the changes.
func (t *transaction) baseline(ctx context.Context, files []diagnostics.File, wide bool) error {
	if len(files) == 0 {
		return nil
	}
	_, err := t.collect(ctx, diagnostics.Request{
		Session: t.session.name, Files: files, NoBaseline: true, Probe: true, OthersToo: wide, Timeout: t.timeout, FirstTouch: t.timeout, Follow: t.limit.left(),
	})
	return err
}

// end shows the changes to the servers, has them judged, and keeps or rolls them back, depending on
// the mode.
func (s *staged) end(ctx context.Context) (result.Edit, error) {
	drafted := s.show()
	if s.mode == api.Apply {
		return drafted.apply(ctx, nil)
	}
	// The servers see a text that is not on disk, so nobody else may ask them meanwhile.
	if err := s.overlay.Shown.Lock(ctx); err != nil {
		return result.Edit{}, err
	}
	defer s.overlay.Shown.Unlock()
	moves, readsDisk := s.movesFiles(), s.seenOnDisk(ctx)
	if s.mayTry() && (moves || readsDisk) || s.tries && s.judgedOnDisk() { // only the disk shows what the changes break
		return drafted.try(ctx, nil)
	}
	if server := s.judgedOnceWritten(); server != "" {
		return drafted.unjudged(server), nil
	}
	if moves {
		if s.missesGone() {
			s.search.NotKnown("what deleting and renaming files breaks, which is only seen when it is done")
		}
		if err := drafted.vacate(); err != nil {
			return result.Edit{}, errors.Join(err, drafted.takeBack(ctx, nil))
		}
	}
	if readsDisk {
		s.search.Unknown = append(s.search.Unknown, "what the edit breaks in other files: their server reads it from disk, so apply it to know")
	}
	j, err := drafted.judge(ctx, false)
	switch {
	case err != nil:
		return result.Edit{}, errors.Join(err, drafted.takeBack(ctx, j.answer.Others))
	case s.mayTry() && j.onlyOnDisk():
		return drafted.try(ctx, j.answer.Others)
	case s.mode == api.ApplyIfClean && j.harmless():
		return drafted.apply(ctx, j.answer.Others)
	}
	return j.answer, drafted.takeBack(ctx, j.answer.Others)
}

// mayTry reports whether the changes may be on disk for the judgement.
func (t *transaction) mayTry() bool { return t.mode == api.ApplyIfClean || t.tries }
