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
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// An edition is one set of changes on its way.
type edition struct {
	*Checker
	mode       string
	severities []protocol.Severity
	timeout    time.Duration // of each collection; 0: as configured
	patience   patience
	plan       *edit.Plan
	changes    []edit.Change
	dependants dependants
	// detection is where servers for files are looked for: anew when something changed on
	// disk that they may depend on.
	detection *workspace.Detection
	// staging gets the files as they wait to be moved into place; nil if they are not
	// written yet.
	staging func() staged
	// held are the paths whose text is ours meanwhile.
	held []string
	// since is the moment before the servers heard of the changes.
	since   *diagnostics.Moment
	members *membership
	// texts are those that a search for dependants read, nil if there was none.
	texts *readTexts
	// loaded are Go files of which gopls knows what changes only from when it loaded them.
	loaded []string
	// late is what came late of earlier changes, whichever of the checks was told it.
	late []diagnostics.FileReport
	// older are the diagnostics that are not listed, by path.
	older map[string][]result.Diagnostic
	notes []string
	// unknown says what of the edition's effects could not be found out; cut, that
	// some were left out because they were too many.
	unknown []string
	cut     bool
	// unproven says that changes that are judged in parts may concern more files than text
	// shows.
	unproven bool
	// trial says that it is on disk to be judged, and may be taken back.
	trial bool
}

// Write drafts changes, makes them as asked, and reports what they broke. One
// writer is at work at a time.
func (ch *Checker) Write(ctx context.Context, how api.Writing, draft Drafter) (result.Edit, error) {
	ed, err := ch.newEdition(how)
	if err != nil {
		return result.Edit{}, err
	}
	ed.members = ch.membership(ctx, ed.detection)
	defer ch.overlay.Tidy()
	if err := ch.overlay.Writers.Lock(ctx); err != nil {
		return result.Edit{}, err
	}
	defer ch.overlay.Writers.Unlock()
	if err := ch.overlay.Remember(ctx); err != nil {
		return result.Edit{}, err
	}
	// What others did to the disk is not what this edit does.
	disk, err := ch.workspace.Look(ctx, ch.overlay.Held())
	ch.overlay.Noticed(disk)
	if err != nil {
		ed.notes = append(ed.notes, "not every server could be told what changed on disk: "+err.Error())
	}
	a := ch.view.Access()
	defer a.Close()
	q := symbols.New(a)
	summary, err := draft(ctx, q, ed.plan)
	if err != nil {
		return result.Edit{}, err
	}
	if ed.changes = ed.plan.Changes(); len(ed.changes) == 0 {
		return result.Edit{}, &edit.NothingToChangeError{}
	}
	release, err := ed.hold()
	if err != nil {
		return result.Edit{}, err
	}
	defer release()
	ed.stage(ctx)
	defer ed.abandon()
	if err := ed.survey(ctx, q); err != nil {
		return result.Edit{}, err
	}
	answer, err := ed.run(ctx)
	if err != nil {
		return result.Edit{}, err
	}
	if answer.Applied {
		ed.outlineAhead()
	}
	ed.describe(&answer, summary(ed.changes, answer.Applied))
	answer.Notes = append(append(q.Notes(), ed.notes...), answer.Notes...)
	answer.State = q.States()
	return answer, nil
}

func (ch *Checker) newEdition(how api.Writing) (*edition, error) {
	if err := how.Limits.Valid(); err != nil {
		return nil, err
	}
	severities, err := ch.severities(how.Severities)
	if err != nil {
		return nil, err
	}
	ed := &edition{
		Checker: ch, mode: cmp.Or(how.Mode, api.Apply), severities: severities,
		timeout: time.Duration(how.TimeoutMS) * time.Millisecond, plan: edit.NewPlan(ch.files), detection: ch.workspace.Detection(),
	}
	ed.patience = ch.newPatience(ed.timeout, 0)
	switch ed.mode {
	case api.Apply, api.Preview, api.ApplyIfClean:
		return ed, nil
	}
	return nil, &api.ArgumentError{Argument: "mode", Reason: fmt.Sprintf("%q is no mode", how.Mode), Advice: "modes are apply, preview and apply_if_clean"}
}

// hold keeps looks at the disk away from the documents of the edition until
// release.
func (ed *edition) hold() (release func(), err error) {
	contents := make(map[string][]byte)
	for _, c := range ed.changes {
		if text, opened := ed.overlay.Given(c.Path); opened && string(text) != string(c.Before) {
			return nil, &OpenedError{ed.names.Relative(c.Path)}
		}
		if !c.Deleted { // else a look shall find it gone, and close it
			contents[c.Path] = c.After
		}
	}
	ed.held, release = ed.overlay.Hold(contents)
	return release, nil
}

// seenWhenDone is what a preview does not know.
const seenWhenDone = "what deleting and renaming files breaks is only seen when it is done"

// run makes the changes as the mode says.
func (ed *edition) run(ctx context.Context) (result.Edit, error) {
	ed.since = ed.collector.Now()
	shown := ed.show()
	if ed.mode == api.Apply {
		result, err := ed.apply(ctx)
		return ed.orRestored(ctx, shown, result, err)
	}
	// The servers see a text that is not on disk: nobody else may ask meanwhile.
	if err := ed.overlay.Shown.Lock(ctx); err != nil {
		return result.Edit{}, err
	}
	defer ed.overlay.Shown.Unlock()
	moves := slices.ContainsFunc(ed.changes, func(c edit.Change) bool { return c.Deleted || c.From != "" })
	read := ed.usersReadDisk() || slices.ContainsFunc(ed.changes, func(c edit.Change) bool { return ed.detection.SeenOnDisk(ctx, c.Path) })
	if ed.mode == api.ApplyIfClean && (moves || read) { // only the disk shows what that breaks
		ed.trial = true
		return ed.onTrial(ctx, shown, &result.Edit{})
	}
	if moves {
		ed.notes = append(ed.notes, seenWhenDone)
		if err := ed.vacate(); err != nil {
			return result.Edit{}, errors.Join(err, ed.restore(ctx, shown, &result.Edit{}))
		}
	}
	if read {
		ed.unknown = append(ed.unknown, "what the edit breaks in other files: their server reads it from disk, so apply it to know")
	}
	result, err := ed.judge(ctx, false)
	if err == nil && ed.mode == api.ApplyIfClean && ed.onlyOnDisk(&result) {
		return ed.onTrial(ctx, shown, &result)
	}
	if err == nil && ed.mode == api.ApplyIfClean && harmless(&result) {
		others := result.Others
		if result, err = ed.apply(ctx); err != nil {
			result.Others = append(result.Others, others...)
		}
		return ed.orRestored(ctx, shown, result, err)
	}
	return result, errors.Join(err, ed.restore(ctx, shown, &result))
}

// usersReadDisk reports whether other files are concerned whose server reads what they
// bring in as it was saved: it judges them by the text from before the edit.
func (ed *edition) usersReadDisk() bool {
	return (len(ed.dependants.files) > 0 || len(ed.changes) > 1) && slices.ContainsFunc(ed.changes, func(c edit.Change) bool {
		return slices.ContainsFunc(ed.detection.Candidates(c.Path), func(candidate workspace.Candidate) bool {
			return candidate.Unavailable == nil && candidate.Definition.Has(registry.ReadsSaved)
		})
	})
}

// orRestored returns the result of an edit, or, if it could not be written, the error,
// when the servers see again what is on disk.
func (ed *edition) orRestored(ctx context.Context, shown []showing, answer result.Edit, err error) (result.Edit, error) {
	if err != nil {
		return result.Edit{}, errors.Join(err, ed.restore(ctx, shown, &answer))
	}
	return answer, nil
}

// harmless reports whether an edit is known to break nothing. An edit without a
// verdict changes only files that no server judges.
func harmless(result *result.Edit) bool {
	switch diagnostics.Verdict(result.Verdict) {
	case "", diagnostics.Clean, diagnostics.WarningsOnly, diagnostics.BaselineError:
		return true
	}
	return false
}

// apply writes the files, tells the servers, and reports. It fails only if they could
// not be written; the servers may see the new texts all the same, and the result
// holds what these broke in others.
func (ed *edition) apply(ctx context.Context) (result.Edit, error) {
	if ed.meanwhile(ctx) {
		return ed.applyMeanwhile(ctx)
	}
	if err := ed.commit(ctx); err != nil {
		return result.Edit{}, err
	}
	ed.tellMoved(false)
	ed.look(ctx)
	ed.unload(ctx, ed.loaded)
	result, err := ed.judge(ctx, true)
	return ed.settled(ctx, result, err), nil
}

// meanwhile reports whether the servers can judge the texts while they are being
// written: all documents keep their places, and no server waits for the disk.
func (ed *edition) meanwhile(ctx context.Context) bool {
	own, _ := ed.own(true, false)
	if len(ed.loaded) > 0 || ed.reconfigures() {
		return false
	}
	for _, c := range ed.changes {
		if c.Created || c.Deleted || c.From != "" || ed.detection.SeenOnDisk(ctx, c.Path) || len(ed.readers(c.Path)) > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(own, func(f diagnostics.File) bool { return ed.awaitsSave(f) })
}

// awaitsSave reports whether a server of a file judges what is saved on disk.
func (ch *Checker) awaitsSave(f diagnostics.File) bool {
	return slices.ContainsFunc(f.Sources, func(s diagnostics.Source) bool {
		d, known := ch.definition(s.Key.ID)
		return !known || d.AwaitsSave()
	})
}

// applyMeanwhile shows the servers the texts while they are being written.
func (ed *edition) applyMeanwhile(ctx context.Context) (result.Edit, error) {
	defer ed.expect()()
	written := guard.Begin(func() error { return ed.commit(ctx) })
	result, err := ed.judge(ctx, false)
	if failed := written(); failed != nil {
		return result, failed
	}
	return ed.settled(ctx, result, err), nil
}

// A staged is an edit that waits beside the files it changes, or why it does not.
type staged struct {
	*edit.Staged
	err error
}

// stage begins to write what is surely to be written, beside the search for what it
// breaks.
func (ed *edition) stage(ctx context.Context) {
	if ed.mode != api.Apply {
		return
	}
	ed.staging = guard.Begin(func() staged { // commit or abandon waits for it
		s, err := edit.Stage(call.Caller(ctx), ed.plan, ed.journal)
		return staged{s, err}
	})
}

// commit writes the files. What is drafted is written also when the deadline has come
// meanwhile: that does not wait for a server.
func (ed *edition) commit(ctx context.Context) error {
	ctx = call.Caller(ctx)
	if ed.staging == nil {
		return edit.Commit(ctx, ed.plan, ed.journal)
	}
	s := ed.staging()
	ed.staging = nil
	if s.err != nil {
		return s.err
	}
	return s.Commit(ctx)
}

// abandon takes away what waits and was not committed.
func (ed *edition) abandon() {
	if ed.staging == nil {
		return
	}
	if s := ed.staging(); s.err == nil {
		s.Abandon()
	}
}

// expect makes the new texts those of everybody who asks meanwhile.
func (ed *edition) expect() (written func()) {
	texts := make(map[string][]byte)
	for _, c := range ed.changes {
		texts[c.Path] = c.After
	}
	return ed.overlay.Expect(texts)
}

// tellMoved tells the servers which files were renamed, or, with back, that they have
// their old names again: before they hear that files came and went, and are asked what is
// wrong.
func (ed *edition) tellMoved(back bool) {
	var moved []lsp.FileRename
	for _, c := range ed.changes {
		switch {
		case c.From != "" && back:
			moved = append(moved, lsp.FileRename{From: c.Path, To: c.From})
		case c.From != "":
			moved = append(moved, lsp.FileRename{From: c.From, To: c.Path})
		}
	}
	if len(moved) == 0 {
		return
	}
	for _, s := range ed.workspace.Running() {
		if err := s.DidRenameFiles(moved); err != nil {
			ed.notes = append(ed.notes, "not told of the rename: "+err.Error())
		}
	}
}

// look makes the servers see what was written, and returns what they learnt. From here on
// a caller that goes away is told nothing, but they are.
func (ed *edition) look(ctx context.Context) workspace.Swept {
	ctx, cancel := ed.looking(ctx)
	defer cancel()
	disk, err := ed.workspace.Look(ctx, ed.held)
	ed.overlay.Noticed(disk)
	if err != nil || slices.ContainsFunc(disk.Changed, func(path string) bool { return !ed.rewrites(path) || ed.workspace.IsMarker(path) }) {
		ed.detection, ed.texts = ed.workspace.Detection(), nil
	}
	if err != nil {
		ed.notes = append(ed.notes, "not every server could be told what changed on disk: "+err.Error())
	}
	return disk
}

// rewrites reports whether a path is that of a file that the edition gives another text,
// and nothing else.
func (ed *edition) rewrites(path string) bool {
	return slices.ContainsFunc(ed.changes, func(c edit.Change) bool {
		return c.Path == path && c.From == "" && !c.Created && !c.Deleted
	})
}

// settled returns the result of an edit that is written and was judged.
func (ed *edition) settled(ctx context.Context, result result.Edit, err error) result.Edit {
	return ed.finished(ed.quiet(ctx, result, err))
}

// finished returns the result of an edit that is written, whether or not it could
// be judged.
func (ed *edition) finished(answer result.Edit, err error) result.Edit {
	if err != nil {
		// The edit stands; what it broke is not known.
		answer = result.Edit{
			Verdict: string(diagnostics.Unknown), Files: []result.File{},
			Unknown: []string{"what the edit broke, as it was not judged: " + err.Error()},
		}
	}
	answer.Applied = true
	ed.count(&answer)
	return answer
}

// maxAhead bounds the files that are asked about ahead after one edit.
const maxAhead = 4

// outlineAhead asks for the outlines of what was changed, where the next edit needs
// them, of the servers that have the files open.
func (ed *edition) outlineAhead() {
	if ed.opts.Once {
		return
	}
	asked := 0
	for _, c := range ed.changes {
		if !c.Deleted && asked < maxAhead && ed.mustAsk(c.Path) && ed.overlay.OutlineAhead(c.Path, ed.names.Relative(c.Path), protocol.Text(c.After)) {
			asked++
		}
	}
}

// Diagnose returns all that the servers of a file say of a text of it now.
func (ch *Checker) Diagnose(ctx context.Context, path string, content []byte, timeout time.Duration) ([]diagnostics.Diagnostic, error) {
	file := diagnostics.File{Path: path, Content: content}
	ch.sources(&file)
	all, err := ch.severities([]string{"error", "warning", "info", "hint"})
	if err != nil {
		return nil, err
	}
	report, err := ch.collector.Check(ctx, diagnostics.Request{
		Files: []diagnostics.File{file}, Severities: all, NoBaseline: true, Aside: true, Timeout: timeout, FirstTouch: timeout,
	})
	if err != nil {
		return nil, err
	}
	return report.Files[0].Diagnostics, nil
}
