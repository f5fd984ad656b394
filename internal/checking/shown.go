package checking

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/roots"

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

// Shown changes are seen by servers, or will be once these are asked about the files: those of a
// transaction, and those that others made.
type shown struct {
	*Checker
	terms
	search  *dependants.Search // nil if only the changed files matter
	changes dependants.Changes
	// renamed are the words that the changes renamed, and unknown is what was not found out of them.
	renamed map[string]bool
	unknown []string
	// before is the state before, nil for drafts: they are asked about while that is on disk.
	before *formerState
	// ignored are files of which it is not known which errors are older; see [checkPlan].
	ignored map[string]string
	// since is the moment before the servers were told of the changes.
	since *diagnostics.Moment
	// beside are the texts of drafts, for servers that do not judge these files.
	beside map[string][]byte
}

// ask returns the request that asks what the changes did to files.
func (s *shown) ask(files []diagnostics.File) diagnostics.Request {
	return diagnostics.Request{
		Session: s.session.name, Files: files, Since: s.since, Severities: s.severities, Timeout: s.timeout, FirstTouch: s.timeout,
		Follow: s.limit.left(), Renamed: s.renamed, Passing: s.passing, Beside: s.beside,
	}
}

// grace divides the time that the other parts took to give the time that the rest is waited for:
// the other parts are ready to be reported.
const grace = 4

// quick is how long a server may last have needed for all its files to be waited for in any case.
const quick = 300 * time.Millisecond

// rest returns what the changes did to files beyond those that a search of the texts found, if
// there may be any and the server reports soon enough. What it reports later comes with a later
// answer. The server is asked by way of those of files that are its own.
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

// inBrokenModules returns what is known of the files that use what changes and that their server may not have loaded, which the
// reports show.
func (s *shown) inBrokenModules(ctx context.Context, reports []diagnostics.FileReport) ([]diagnostics.FileReport, error) {
	files := s.search.InBrokenModules(ctx, reports)
	if len(files) == 0 {
		return nil, nil
	}
	report, err := s.collect(ctx, s.ask(files))
	return report.Files, err
}

// restTime returns how long to wait for the rest, given how long the other parts took. If nothing
// can be reported later, it is all the time that is left.
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

// A shownDraft is a transaction whose texts servers see, or will once they are asked.
type shownDraft struct {
	*staged
	shown shown
	// documents are the servers' documents of the changed files, as they were before.
	documents []document
	// late are the late answers about earlier changes, from all checks of the transaction.
	late []diagnostics.FileReport
	// tried says that the files were written for the judgement, and may be rolled back.
	tried bool
	// sure says that servers have judged the changes completely: none is still working on them.
	sure bool
	// asked are the files that were checked: for the changes that these replace, and then for
	// these.
	asked []diagnostics.File
	// belongs holds the notes on the files last checked, for any of the changes that replace each
	// other.
	belongs belonging
}

// A document is a server's document as it was before the changes.
type document struct {
	server *lsp.Server
	path   string
	text   []byte
	open   bool
}

// show begins the showing of the changes to servers: from here on, what they report is about these.
func (s *staged) show() *shownDraft {
	d := &shownDraft{staged: s, shown: shown{
		Checker: s.Checker, terms: s.terms, search: s.search, changes: s.changes, renamed: s.changes.RenamedWords(), since: s.collector.Now(),
	}}
	for _, server := range s.workspace.Running() {
		for _, path := range s.changes.Paths() {
			_, text, open := server.Document(path)
			d.documents = append(d.documents, document{server, path, text, open})
		}
	}
	return d
}

// movesFiles reports whether files are deleted or renamed.
func (s *staged) movesFiles() bool {
	return slices.ContainsFunc(s.changes, func(c edit.Change) bool { return c.Deleted || c.From != "" })
}

// seenOnDisk reports whether servers see some of the changes only on disk: those of the changed
// files, or of files that others import.
func (s *staged) seenOnDisk(ctx context.Context) bool {
	return s.usersReadDisk() || s.findsCreatedOnDisk() || slices.ContainsFunc(s.changes, func(c edit.Change) bool { return s.search.SeenOnDisk(ctx, c.Path) })
}

// usersReadDisk reports whether other files are affected whose server reads what they import from
// disk: it would judge them by the text from before the edit.
func (s *staged) usersReadDisk() bool {
	if s.anySeesOthersOnDisk(s.seesOthersOnDisk) {
		return true
	}
	return (len(s.search.Using()) > 0 || len(s.changes) > 1) && slices.ContainsFunc(s.changes, func(c edit.Change) bool {
		return slices.ContainsFunc(s.search.Detection().Candidates(c.Path), func(candidate roots.Candidate) bool {
			return candidate.Unavailable == nil && candidate.Definition.Has(registry.ReadsSaved)
		})
	})
}

// anySeesOthersOnDisk reports whether a changed file, or one that uses what changes, sees others of the changes on disk.
func (t *transaction) anySeesOthersOnDisk(sees func(f diagnostics.File) bool) bool {
	own, _ := t.own(true, false)
	return slices.ContainsFunc(slices.Concat(own, t.search.Using()), sees)
}

// seesOthersOnDisk reports whether a server of a file cannot be shown another changed file that it may read; see [transaction.readsForeign].
func (t *transaction) seesOthersOnDisk(f diagnostics.File) bool {
	return t.readsForeign(f, func(d *registry.Definition, c edit.Change) bool { return !lsp.CanShowBeside(d, c.Path, c.After) })
}

// readsOthersOnDisk reports whether a server of a file is not shown another changed file that it may read as one of its own.
func (t *transaction) readsOthersOnDisk(f diagnostics.File) bool {
	return t.readsForeign(f, func(*registry.Definition, edit.Change) bool { return true })
}

// readsForeign reports whether a server of a file may read another changed file that meets a condition: one of a language
// that it does not judge, such as the scripts that a component imports, and the components that a script does, or data, or one that the
// file includes by its name.
func (t *transaction) readsForeign(f diagnostics.File, meets func(d *registry.Definition, c edit.Change) bool) bool {
	if t.search.Includes(f.Path) {
		return true
	}
	family := language.Of(f.Path).Family
	return family != 0 && slices.ContainsFunc(f.Sources, func(s diagnostics.Source) bool {
		d, known := t.finder.Definition(s.Key.ID)
		return known && d.Role == registry.Primary && slices.ContainsFunc(t.changes, func(c edit.Change) bool {
			_, shown := d.LanguageID(c.Path)
			return !shown && cmp.Or(language.Of(c.Path).Family, language.Imported(c.Path)) == family && meets(&d, c)
		})
	})
}

// findsCreatedOnDisk reports whether a new file, or a file that may import it, is judged by a
// server that finds it only on disk.
func (s *staged) findsCreatedOnDisk() bool {
	var created []string
	for _, c := range s.changes {
		if c.Created {
			created = append(created, c.Path)
		}
	}
	if s.judgedOnceWritten() != "" {
		return true
	}
	own, _ := s.own(true, false)
	return slices.ContainsFunc(slices.Concat(own, s.search.Using()), func(f diagnostics.File) bool {
		others := slices.DeleteFunc(slices.Clone(created), func(path string) bool { return path == f.Path })
		return s.finder.MissesGone(f, others)
	})
}

// judgedOnceWritten returns the server that must not be shown one of the changes before it is on disk, because the file is not
// there yet; "" if there is none.
func (t *transaction) judgedOnceWritten() string {
	for _, c := range t.changes {
		for _, candidate := range t.search.Detection().Candidates(c.Path) {
			if (c.Created || c.From != "") && candidate.Unavailable == nil && candidate.Definition.Has(registry.JudgesSaved) {
				return candidate.Definition.ID
			}
		}
	}
	return ""
}

// unjudged is the answer about a preview that a server must not be shown.
func (d *shownDraft) unjudged(server string) result.Edit {
	d.search.NotKnown("what the edit breaks: " + server + " judges a new file, and what is open beside it, only once it is on disk; apply it if it is clean to know")
	j := &judged{shownDraft: d, answer: result.Edit{Files: []result.File{}}}
	j.fill(reports{}, nil)
	return j.answer
}

// missesGone reports whether a preview may fail to show what the removal of files breaks: other
// files use them, or users were not looked for. Since a minimal text is shown in their place,
// imports of them still resolve.
func (s *staged) missesGone() bool {
	return len(s.search.Using()) > 0 || slices.ContainsFunc(s.changes, func(c edit.Change) bool {
		path := cmp.Or(c.From, c.Path)
		judged := slices.ContainsFunc(s.search.Detection().Candidates(path), func(candidate roots.Candidate) bool { return candidate.Unavailable == nil })
		return (c.Deleted || c.From != "") && judged && (s.alone || !s.search.MustAsk(path))
	})
}

// vacate shows the servers a minimal text for files that a preview removes, so that what a renamed
// file declares is not declared twice.
func (d *shownDraft) vacate() error {
	var failures []error
	for _, c := range d.changes {
		path := cmp.Or(c.From, c.Path)
		if !c.Deleted && c.From == "" {
			continue
		}
		for _, server := range d.workspace.Running() {
			if slices.ContainsFunc(d.search.Detection().Candidates(path), func(candidate roots.Candidate) bool {
				return candidate.Unavailable == nil && candidate.Key() == roots.Key{ID: server.Definition().ID, Root: server.Root()}
			}) {
				_, err := server.Sync(path, vacated(path, c.Before))
				failures = append(failures, err)
			}
		}
	}
	return errors.Join(failures...)
}

// write writes the changes to disk, tells the servers, and judges the changes. It fails only if the
// files could not be written; servers may have seen the new texts even then, and the result holds
// what these broke in other files.
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
// written: no document changes its path, and no server needs the files on disk.
func (d *shownDraft) canJudgeWhileWriting(ctx context.Context) bool {
	own, _ := d.own(true, false)
	return len(d.search.Loaded) == 0 && !d.search.Reconfigures() && !d.onlySeenWritten(ctx) && !slices.ContainsFunc(own, d.finder.AwaitsSave)
}

// onlySeenWritten reports whether files are created, deleted or renamed, or servers see the changes
// only on disk: then neither the state before nor unwritten changes can be shown.
func (t *transaction) onlySeenWritten(ctx context.Context) bool {
	return t.anySeesOthersOnDisk(t.readsOthersOnDisk) || slices.ContainsFunc(t.changes, func(c edit.Change) bool {
		return c.Created || c.Deleted || c.From != "" || t.search.SeenOnDisk(ctx, c.Path) || len(t.finder.Readers(c.Path)) > 0
	})
}

// judgeWhileWriting shows the servers the texts while they are being written.
func (d *shownDraft) judgeWhileWriting(ctx context.Context) (*judged, error) {
	defer d.overlay.Expect(d.texts())() // meanwhile, these are the texts for every caller
	written := guard.Begin(func() error { return d.commit(ctx) })
	j, err := d.judge(ctx, false)
	if failed := written(); failed != nil {
		return j, failed
	}
	return j.afterOthers(ctx, err), nil
}

// tellMoved tells the servers which files were renamed or, with back, that the renames were undone.
// It must be called before they are told of created and deleted files, and before they are asked
// what is wrong.
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

// look tells the servers what was written, and returns what changed on disk. It goes on if the
// caller goes away.
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

// bringsServers reports whether a changed file may add or remove servers.
func (t *transaction) bringsServers(path string) bool {
	return !t.changes.Rewrite(path) || t.workspace.IsMarker(path)
}

// apply writes the changes and keeps them. If they could not be written, servers are shown again
// what is on disk; seen are other files on which something was reported before.
func (d *shownDraft) apply(ctx context.Context, seen []result.File) (result.Edit, error) {
	d.shown.passing = false
	j, err := d.write(ctx)
	if err != nil {
		return result.Edit{}, errors.Join(err, d.takeBack(ctx, slices.Concat(j.answer.Others, seen)))
	}
	return j.keep(), nil
}

// maxAhead limits the files whose outlines are requested ahead after one edit.
const maxAhead = 4

// outlineAhead requests the outlines of the changed files, which the next edit is likely to need,
// from the servers that have the files open.
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
