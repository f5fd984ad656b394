package checking

import (
	"context"
	"errors"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/result"
)

// harmless reports whether changes are known to break nothing. Changes without a verdict concern
// only files that no server judges.
func (j *judged) harmless() bool {
	switch diagnostics.Verdict(j.answer.Verdict) {
	case "", diagnostics.Clean, diagnostics.WarningsOnly, diagnostics.BaselineError:
		return true
	}
	return false
}

// keep ends a transaction whose files are written, whether or not it could be judged.
func (j *judged) keep() result.Edit {
	if j.failed != nil {
		// The edit is kept; what it broke is not known.
		j.answer = result.Edit{
			Verdict: string(diagnostics.Unknown), Files: []result.File{},
			Unknown: []string{"what the edit broke, as it was not judged: " + j.failed.Error()},
		}
	}
	j.answer.Applied = true
	j.collector.Tell(j.session.name, j.reports)
	j.countRounds()
	return j.answer
}

// takeBack ends a transaction that is not on disk: servers are shown what is on disk again, and
// judge again what the changes affected, including those of the others on which they reported
// something. Otherwise somebody could be told of errors that do not exist.
func (d *shownDraft) takeBack(ctx context.Context, others []result.File) error {
	ctx = context.WithoutCancel(ctx)
	d.search.DetectAnew()
	var again, left []diagnostics.File
	if !d.tried {
		if again = d.concerned(others); d.sure {
			again = d.collector.Reinstate(d.shown.since, again)
		}
		left = again
	}
	failures := d.closeDrafts(left)
	if d.tried {
		d.look(ctx)
		d.search.DetectAnew()
		again = d.concerned(others)
	}
	for _, c := range d.changes {
		if c.Created {
			d.collector.Forget(c.Path)
		}
	}
	if len(again) == 0 {
		return errors.Join(failures...)
	}
	most := d.opts.Config.Settings.DiagnosticTimeout // a caller with a later deadline may be gone
	_, err := d.collect(ctx, diagnostics.Request{
		Session: d.session.name, Files: again, OthersToo: !d.alone, NoBaseline: true, Probe: true, Timeout: min(most, call.Left(ctx, most)),
	})
	failures = append(failures, d.showLeft(left)...)
	return errors.Join(append(failures, err)...)
}

// concerned returns the changed files, and those of the others that can be judged, with their texts
// on disk.
func (d *shownDraft) concerned(others []result.File) []diagnostics.File {
	files, _ := d.own(false, false)
	for _, o := range others {
		path, err := d.workspace.Resolve(d.names.Base(), o.Path)
		if err != nil || slices.ContainsFunc(files, func(f diagnostics.File) bool { return f.Path == path }) {
			continue
		}
		if f, ok := d.search.Dependant(path); ok {
			files = append(files, f)
		}
	}
	return files
}

// texts returns the texts of the changed files that are there afterwards.
func (t *transaction) texts() map[string][]byte {
	texts := make(map[string][]byte)
	for _, c := range t.changes {
		if !c.Deleted {
			texts[c.Path] = c.After
		}
	}
	return texts
}

// hideBeside has servers see on disk again what they do not judge.
func (ch *Checker) hideBeside() {
	for _, server := range ch.workspace.Running() {
		_ = server.ShowBeside(nil) // one that has ended has no text
	}
}

// closeDrafts shows servers the documents as they were, and closes those that were not open. It
// skips documents of the files in left that were open: these files are checked next, which shows
// their documents anyway, and a check of a text that it did not show itself would show it a second
// time.
func (d *shownDraft) closeDrafts(left []diagnostics.File) (failures []error) {
	d.collector.Recall(d.changes.Paths()...)
	was := make(map[string]document)
	for _, s := range d.documents {
		was[s.server.Root()+"\x00"+s.server.Definition().ID+"\x00"+s.path] = s
	}
	for _, server := range d.workspace.Running() {
		for _, path := range d.changes.Paths() {
			old := was[server.Root()+"\x00"+server.Definition().ID+"\x00"+path]
			var err error
			if old.open && old.server == server {
				if slices.ContainsFunc(left, func(f diagnostics.File) bool { return f.Path == path && askedOf(f, server) }) {
					continue
				}
				_, err = server.Sync(path, old.text)
			} else {
				_, err = server.CloseDocument(path)
			}
			failures = append(failures, err)
		}
	}
	d.workspace.NotReopened(d.changes.Paths())
	return failures
}

// showLeft shows servers the documents that closeDrafts skipped, in case no check could show them.
func (d *shownDraft) showLeft(left []diagnostics.File) (failures []error) {
	running := d.workspace.Running()
	for _, s := range d.documents {
		if s.open && slices.Contains(running, s.server) && slices.ContainsFunc(left, func(f diagnostics.File) bool { return f.Path == s.path }) {
			_, err := s.server.Sync(s.path, s.text)
			failures = append(failures, err)
		}
	}
	return failures
}

// askedOf reports whether a server is asked about a file.
func askedOf(f diagnostics.File, server *lsp.Server) bool {
	return slices.ContainsFunc(f.Sources, func(s diagnostics.Source) bool {
		return s.Key == diagnostics.Key{ID: server.Definition().ID, Root: server.Root()}
	})
}

// describe fills in what was changed.
func (t *transaction) describe(answer *result.Edit, summary string) {
	answer.Mode, answer.Summary = t.mode, summary
	for _, c := range t.changes {
		changed := result.Edited{
			Path: t.names.Relative(c.Path), Created: c.Created, Deleted: c.Deleted, Replacements: c.Replacements,
		}
		if c.From != "" {
			changed.From = t.names.Relative(c.From)
		}
		changed.Added, changed.Removed = c.Lines()
		if !c.Deleted {
			changed.Hash = edit.Hash(c.After)
		}
		answer.Changes = append(answer.Changes, changed)
	}
	if !answer.Applied {
		answer.Diff = t.plan.Diff(t.names.Relative)
		answer.Summary = "Preview, nothing is written: " + summary
		if t.mode == api.ApplyIfClean {
			answer.Summary = "Not applied, because it is not clean: " + summary
			if answer.Verdict != string(diagnostics.NewErrors) {
				answer.Summary = "Not applied, because it is not known to be clean: " + summary
			}
		}
	}
}
