package checking

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// Shown changes are seen by servers, or will be when these are asked about the files: those
// of a transaction, and those that others made.
type shown struct {
	*Checker
	terms
	search *dependants.Search
	// renamed are the words that the changes renamed.
	renamed map[string]bool
	// since is the moment before the servers heard of the changes.
	since *diagnostics.Moment
}

// ask is the question what the changes did to files.
func (s *shown) ask(files []diagnostics.File) diagnostics.Request {
	return diagnostics.Request{
		Session: s.session.name, Files: files, Since: s.since, Severities: s.severities, Timeout: s.timeout, FirstTouch: s.timeout,
		Follow: s.limit.left(), Renamed: s.renamed,
	}
}

// grace is how long the rest is waited for, in relation to the other parts: they are ready.
const grace = 4

// quick is how long a server may have needed for all its files the last time to be waited
// for, however many there are.
const quick = 300 * time.Millisecond

// rest returns what the changes did to files beyond those that text showed, if it may be
// something and the server says so soon. What it says later comes with a later answer.
// The server is asked by way of the files that are its own.
func (s *shown) rest(ctx context.Context, began time.Time, files []diagnostics.File) (found, late []diagnostics.FileReport, err error) {
	if !s.search.Unproven || !s.search.AnyInParts() {
		return nil, nil, nil
	}
	var wide []diagnostics.File
	for _, f := range files {
		if s.search.InParts(f.Path) {
			f.Narrow = false
			wide = append(wide, f)
		}
	}
	if len(wide) == 0 {
		s.search.NotKnown("what the change did to files that do not use it directly: there is no file by which their server could be asked")
		return nil, nil, nil
	}
	wait := s.restTime(time.Since(began))
	for _, f := range wide {
		if key, _ := s.search.Singly(f.Path); s.collector.WideTime(key) < quick {
			wait = max(wait, grace*s.collector.WideTime(key))
		}
	}
	ask := s.ask(wide)
	ask.Besides, ask.OthersToo, ask.Timeout, ask.FirstTouch, ask.Follow = s.search.Files, true, wait, wait, 0
	report, err := s.collect(ctx, ask)
	if slices.ContainsFunc(report.Files, func(r diagnostics.FileReport) bool { return r.Judgement.Lacking }) {
		s.search.NotKnown("what the change did to files that do not use it directly: their server is still at work on them (late answers come with the next call)")
	}
	return report.Others, report.Late, err
}

// restTime returns how long the rest is waited for, after the other parts took so long. Where
// nobody can be told later, that is as long as there is time.
func (s *shown) restTime(took time.Duration) time.Duration {
	wait := took / grace
	if s.once {
		wait = max(wait, s.limit.left())
	}
	if s.passing {
		wait = max(wait, s.timeout-took)
	}
	return wait
}

// A shownDraft is a transaction whose texts servers see, or will when they are asked.
type shownDraft struct {
	*staged
	shown shown
	// documents are those of the changed files as they were.
	documents []document
	// late is what came late of earlier changes, whichever of the checks was told it.
	late []diagnostics.FileReport
	// tried says that the files were written to be judged, and may be taken back.
	tried bool
	// sure says that servers judged the changes completely: none is at work on them any more.
	sure bool
	// asked are the files that servers were asked about: for the changes that these take the
	// place of, and then for these.
	asked []diagnostics.File
	// belongs is of the files that were last asked about, whichever of these changes it was.
	belongs belonging
}

// A document is one of a server as it was before the changes.
type document struct {
	server *lsp.Server
	path   string
	text   []byte
	open   bool
}

// show begins to show servers the changes: from here on what they say is of these.
func (s *staged) show() *shownDraft {
	d := &shownDraft{staged: s, shown: shown{
		Checker: s.Checker, terms: s.terms, search: s.search, renamed: s.changes.RenamedWords(), since: s.collector.Now(),
	}}
	for _, server := range s.workspace.Running() {
		for _, path := range s.changes.Paths() {
			_, text, open := server.Document(path)
			d.documents = append(d.documents, document{server, path, text, open})
		}
	}
	return d
}

// movesFiles reports whether files go, or get another name.
func (s *staged) movesFiles() bool {
	return slices.ContainsFunc(s.changes, func(c edit.Change) bool { return c.Deleted || c.From != "" })
}

// seenOnDisk reports whether servers see the changes only when they are on disk: of the
// changed files, or of what others bring in.
func (s *staged) seenOnDisk(ctx context.Context) bool {
	return s.usersReadDisk() || s.findsCreatedOnDisk() || slices.ContainsFunc(s.changes, func(c edit.Change) bool { return s.search.Detection().SeenOnDisk(ctx, c.Path) })
}

// usersReadDisk reports whether other files are concerned whose server reads what they
// bring in as it was saved: it judges them by the text from before the edit.
func (s *staged) usersReadDisk() bool {
	return (len(s.search.Using()) > 0 || len(s.changes) > 1) && slices.ContainsFunc(s.changes, func(c edit.Change) bool {
		return slices.ContainsFunc(s.search.Detection().Candidates(c.Path), func(candidate workspace.Candidate) bool {
			return candidate.Unavailable == nil && candidate.Definition.Has(registry.ReadsSaved)
		})
	})
}

// findsCreatedOnDisk reports whether a new file, or one that may bring it in, is judged by a
// server that finds it only on disk.
func (s *staged) findsCreatedOnDisk() bool {
	var created []string
	for _, c := range s.changes {
		if c.Created {
			created = append(created, c.Path)
		}
		if c.Created && slices.ContainsFunc(s.search.Detection().Candidates(c.Path), func(candidate workspace.Candidate) bool {
			return candidate.Unavailable == nil && candidate.Definition.Has(registry.JudgesSaved)
		}) {
			return true
		}
	}
	own, _ := s.own(true, false)
	return slices.ContainsFunc(slices.Concat(own, s.search.Using()), func(f diagnostics.File) bool {
		others := slices.DeleteFunc(slices.Clone(created), func(path string) bool { return path == f.Path })
		return s.finder.MissesGone(f, others)
	})
}

// missesGone reports whether a preview may not show what it breaks that files go: others use
// them, or nobody looked for those. Where they leave next to nothing, an import of them still
// leads somewhere.
func (s *staged) missesGone() bool {
	return len(s.search.Using()) > 0 || slices.ContainsFunc(s.changes, func(c edit.Change) bool {
		path := cmp.Or(c.From, c.Path)
		judged := slices.ContainsFunc(s.search.Detection().Candidates(path), func(candidate workspace.Candidate) bool { return candidate.Unavailable == nil })
		return (c.Deleted || c.From != "") && judged && (s.alone || !s.search.MustAsk(path))
	})
}

// vacate makes the servers see next to nothing where a preview takes files away, so that
// what a renamed file declares is not there twice.
func (d *shownDraft) vacate() error {
	var failures []error
	for _, c := range d.changes {
		path := cmp.Or(c.From, c.Path)
		if !c.Deleted && c.From == "" {
			continue
		}
		for _, server := range d.workspace.Running() {
			if slices.ContainsFunc(d.search.Detection().Candidates(path), func(candidate workspace.Candidate) bool {
				return candidate.Unavailable == nil && candidate.Key() == workspace.Key{ID: server.Definition().ID, Root: server.Root()}
			}) {
				_, err := server.Sync(path, vacated(path, c.Before))
				failures = append(failures, err)
			}
		}
	}
	return errors.Join(failures...)
}

// vacated returns the least that a file may hold without being wrong: nothing or, where its
// language wants that, its package clause.
func vacated(path string, text []byte) []byte {
	if least := language.Of(path).Least; least != nil {
		return append(slices.Clone(least.Find(text)), '\n')
	}
	return nil
}

// write puts the changes on disk, tells the servers, and has them judged. It fails only if
// the files could not be written; the servers may see the new texts all the same, and what
// is returned holds what these broke in others.
func (d *shownDraft) write(ctx context.Context) (*judged, error) {
	if d.canJudgeWhileWriting(ctx) {
		return d.judgeWhileWriting(ctx)
	}
	if err := d.commit(ctx); err != nil {
		return &judged{shownDraft: d}, err
	}
	d.tellMoved(false)
	d.look(ctx)
	d.finder.Unload(ctx, d.search.Loaded)
	return d.judgeOnDisk(ctx), nil
}

// canJudgeWhileWriting reports whether the servers can judge the texts while they are being
// written: all documents keep their places, and no server waits for the disk.
func (d *shownDraft) canJudgeWhileWriting(ctx context.Context) bool {
	own, _ := d.own(true, false)
	return len(d.search.Loaded) == 0 && !d.search.Reconfigures() && !d.onlySeenWritten(ctx) && !slices.ContainsFunc(own, d.finder.AwaitsSave)
}

// onlySeenWritten reports whether files come and go, or servers see them only on disk: what
// was before cannot be shown then, nor what is not yet written.
func (t *transaction) onlySeenWritten(ctx context.Context) bool {
	return slices.ContainsFunc(t.changes, func(c edit.Change) bool {
		return c.Created || c.Deleted || c.From != "" || t.search.Detection().SeenOnDisk(ctx, c.Path) || len(t.finder.Readers(c.Path)) > 0
	})
}

// judgeWhileWriting shows the servers the texts while they are being written.
func (d *shownDraft) judgeWhileWriting(ctx context.Context) (*judged, error) {
	texts := make(map[string][]byte)
	for _, c := range d.changes {
		texts[c.Path] = c.After
	}
	defer d.overlay.Expect(texts)() // they are those of everybody who asks meanwhile
	written := guard.Begin(func() error { return d.commit(ctx) })
	j, err := d.judge(ctx, false)
	if failed := written(); failed != nil {
		return j, failed
	}
	return j.afterOthers(ctx, err), nil
}

// tellMoved tells the servers which files were renamed, or, with back, that they have
// their old names again: before they hear that files came and went, and are asked what is
// wrong.
func (t *transaction) tellMoved(back bool) {
	var moved []lsp.FileRename
	for _, c := range t.changes {
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
	for _, s := range t.workspace.Running() {
		within := slices.DeleteFunc(slices.Clone(moved), func(r lsp.FileRename) bool {
			return !t.workspace.Within(s.Definition(), r.From) || !t.workspace.Within(s.Definition(), r.To)
		})
		if err := s.DidRenameFiles(within); err != nil {
			t.notes = append(t.notes, "not told of the rename: "+err.Error())
		}
	}
}

// look makes the servers see what was written, and returns what they learnt. From here on
// a caller that goes away is told nothing, but they are.
func (s *staged) look(ctx context.Context) workspace.Swept {
	ctx, cancel := s.looking(ctx)
	defer cancel()
	disk, err := s.workspace.Look(ctx, s.held)
	s.overlay.Noticed(disk)
	if err != nil || slices.ContainsFunc(disk.Changed, s.bringsServers) {
		s.search.DiskChanged()
	}
	if err != nil {
		s.notes = append(s.notes, "not every server could be told what changed on disk: "+err.Error())
	}
	return disk
}

// bringsServers reports whether a changed file may bring servers, or take some away.
func (t *transaction) bringsServers(path string) bool {
	return !t.changes.Rewrite(path) || t.workspace.IsMarker(path)
}

// apply writes the changes and keeps them. If they could not be written, the servers see
// again what is on disk; seen is what is known of other files besides.
func (d *shownDraft) apply(ctx context.Context, seen []result.File) (result.Edit, error) {
	j, err := d.write(ctx)
	if err != nil {
		return result.Edit{}, errors.Join(err, d.takeBack(ctx, slices.Concat(j.answer.Others, seen)))
	}
	d.noteConfigured(d.changes)
	return j.keep(), nil
}

// maxAhead bounds the files that are asked about ahead after one edit.
const maxAhead = 4

// outlineAhead asks for the outlines of what was changed, where the next edit needs
// them, of the servers that have the files open.
func (t *transaction) outlineAhead() {
	if t.opts.Once {
		return
	}
	asked := 0
	for _, c := range t.changes {
		if !c.Deleted && asked < maxAhead && t.search.MustAsk(c.Path) && t.overlay.OutlineAhead(c.Path, t.names.Relative(c.Path), protocol.Text(c.After)) {
			asked++
		}
	}
}
