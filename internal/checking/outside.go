package checking

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// A change is handled in the same way whoever made it. A check of files that an agent, a shell
// command or git changed finds the text from before, treats the difference as an edit that has
// already been made, and also judges the files that it may affect.

// planBefore finds for each file the text to compare it with: the one given in the request, the one
// at a revision if that is the baseline, the one that was last judged, or the one in the commit at
// which the session began. Unless there is no baseline, texts that the servers do not know are to
// be shown to them first.
func (ch *Checker) planBefore(ctx context.Context, plan *checkPlan, req api.CheckRequest, baseline diagnostics.Baseline, all subjects, given map[string]string) error {
	revision := ch.revision(req)
	judged, outdated := make(map[string][]byte), make(map[string]bool)
	var asked []string
	ask := func(path string, sources []diagnostics.Source) {
		text, standing, known := ch.collector.LastText(ch.session.name, path, sources)
		if !known {
			text, known = ch.configuredBy(path)
			standing = known
		}
		if known && baseline != diagnostics.Head {
			judged[path], outdated[path] = text, !standing
		} else if _, ok := given[path]; !ok && (baseline == diagnostics.Head || !ch.wasAbsent(path)) {
			asked = append(asked, cmp.Or(all.from[path], path))
		}
	}
	if !plan.request.OthersToo && baseline == diagnostics.None && len(given) == 0 {
		return nil
	}
	for _, f := range slices.Concat(plan.request.Files, plan.silent) {
		ask(f.Path, f.Sources)
	}
	for _, path := range all.deleted {
		ask(path, ch.judges(plan.detection, path).Sources)
	}
	committed, versioned, err := ch.textsAt(ctx, revision, asked)
	if err != nil {
		if baseline == diagnostics.Head || ctx.Err() != nil {
			return err
		}
		committed, versioned = nil, false
	}
	if baseline == diagnostics.Head && !versioned {
		return &workspace.GitError{Args: []string{"rev-parse", revision}, Reason: "there is no such revision " + revision}
	}
	if versioned && len(req.Files) > 0 {
		if err := ch.findMoved(ctx, plan.request.Files, revision, &all, judged, committed); err != nil {
			return err
		}
	}
	from := all.movedHere(plan.request.Files, judged, committed)
	for i := range len(plan.request.Files) + len(plan.silent) {
		f := plan.changed(i)
		c := edit.Change{Path: f.Path, After: f.Content, From: from[f.Path]}
		source, again := diagnostics.Session, false
		if text, ok := given[f.Path]; ok {
			c.Before, source = []byte(text), diagnostics.Before
		} else if text, ok := judged[f.Path]; ok {
			c.Before, c.From = text, "" // already known under its new path
			again = outdated[f.Path]
		} else if text, ok := judged[c.From]; ok {
			c.Before = text
		} else if text, ok := committed[cmp.Or(c.From, f.Path)]; ok {
			c.Before, source = text, diagnostics.Head
		} else if versioned || ch.wasAbsent(f.Path) {
			c.Created = true
		}
		plan.compare(ch, f, c, source, baseline, again)
	}
	for _, path := range all.deleted {
		text, known := judged[path]
		if !known {
			text = committed[path]
		}
		renamed := slices.ContainsFunc(plan.changes, func(c edit.Change) bool { return c.From == path })
		if text != nil && !renamed {
			plan.changes = append(plan.changes, edit.Change{Path: path, Before: text, Deleted: true})
		}
	}
	plan.dropMixed(ch)
	plan.completeBefore(ch)
	return nil
}

// changed returns the file of that number, of those that servers judge and then of the silent ones.
func (p *checkPlan) changed(i int) *diagnostics.File {
	if i < len(p.request.Files) {
		return &p.request.Files[i]
	}
	return &p.silent[i-len(p.request.Files)]
}

// completeBefore adds the other changed files to those that are shown in their former text, if there are any: together
// with the new text of another file, a former text may have errors that never were, or that are new.
func (p *checkPlan) completeBefore(ch *Checker) {
	if len(p.before) == 0 {
		return
	}
	if texts, known := p.former(ch); known {
		p.before = append(p.before, slices.DeleteFunc(texts, func(f diagnostics.File) bool { return ch.finder.ReadsDisk(f) || p.isMixed(ch, f) })...)
	}
}

// findMoved adds the files deleted or renamed since a revision that may be former versions of named
// files which neither the session nor the revision knows: naming the new path of a moved file is
// enough to be told what the move broke. It adds their texts to committed.
func (ch *Checker) findMoved(ctx context.Context, files []diagnostics.File, revision string, all *subjects, judged, committed map[string][]byte) error {
	endings := make(map[string]bool)
	for _, f := range files {
		_, known := judged[f.Path]
		if _, was := committed[f.Path]; !known && !was && all.from[f.Path] == "" {
			endings[filepath.Ext(f.Path)] = true
		}
	}
	if len(endings) == 0 {
		return nil
	}
	changes, err := ch.workspace.ChangesSince(ctx, revision)
	if err != nil {
		return ctx.Err() // without changes, the files count as new
	}
	from := maps.Clone(changes.Renamed)
	maps.Copy(from, all.from)
	all.from = from
	var unread []string
	for _, path := range slices.Concat(changes.Deleted, slices.Collect(maps.Values(from))) {
		if _, read := committed[path]; !read && endings[filepath.Ext(path)] {
			unread = append(unread, path)
		}
	}
	texts, _, err := ch.textsAt(ctx, revision, unread)
	if err != nil {
		return ctx.Err()
	}
	maps.Copy(committed, texts)
	all.went = changes.Deleted
	return nil
}

// movedHere returns the former paths of files, by path: those that git reports and, because git
// does not know files that were not added to it, those of deleted files whose text is identical to
// that of a new file.
func (s *subjects) movedHere(files []diagnostics.File, judged, committed map[string][]byte) map[string]string {
	from := maps.Clone(s.from)
	if from == nil {
		from = make(map[string]string)
	}
	went := slices.DeleteFunc(slices.Concat(s.deleted, s.went), func(path string) bool {
		return slices.Contains(slices.Collect(maps.Values(from)), path)
	})
	for _, f := range files {
		_, known := judged[f.Path]
		if _, was := committed[f.Path]; known || was || from[f.Path] != "" || len(bytes.TrimSpace(f.Content)) == 0 {
			continue
		}
		i := slices.IndexFunc(went, func(path string) bool {
			text, known := judged[path]
			if !known {
				text = committed[path]
			}
			return filepath.Ext(path) == filepath.Ext(f.Path) && bytes.Equal(text, f.Content)
		})
		if i >= 0 {
			from[f.Path] = went[i]
			went = slices.Delete(went, i, i+1)
		}
	}
	return from
}

// dropMixed removes the baseline from files whose server reads other files, or its configuration,
// from disk: it would judge their former text together with the new texts of these. What a server
// has reported with configuration that this session has not had judged says nothing about the state
// before.
func (p *checkPlan) dropMixed(ch *Checker) {
	mixed := func(f diagnostics.File) bool { return p.isMixed(ch, f) }
	p.before = slices.DeleteFunc(p.before, mixed)
	for i := range p.request.Files {
		if f := &p.request.Files[i]; f.Baseline != "" && mixed(*f) {
			f.Baseline = ""
			own := slices.DeleteFunc(slices.Clone(p.changes), func(c edit.Change) bool { return c.Path != f.Path })
			p.uncompared = append(p.uncompared, ch.finder.ConfiguredOnDisk(*f, own)...)
		}
	}
}

// isMixed reports whether a server of a file would judge its former text together with the new texts
// of others, or with new configuration.
func (p *checkPlan) isMixed(ch *Checker, f diagnostics.File) bool {
	return len(p.changes) > 1 && ch.finder.ReadsDisk(f) || len(ch.finder.ConfiguredOnDisk(f, p.changes)) > 0
}

// textsAt is like [workspace.Workspace.TextsAt], but does not call git without paths.
func (ch *Checker) textsAt(ctx context.Context, revision string, paths []string) (map[string][]byte, bool, error) {
	if len(paths) == 0 {
		return make(map[string][]byte), true, nil
	}
	return ch.workspace.TextsAt(ctx, revision, paths)
}

// compare records how a file changed and what its baseline is. again says that the file was judged
// for another session since: then the servers are shown this session's text again.
func (p *checkPlan) compare(ch *Checker, f *diagnostics.File, c edit.Change, source, wanted diagnostics.Baseline, again bool) {
	same := c.Before != nil && c.From == "" && bytes.Equal(c.Before, c.After)
	f.From = c.From
	switch {
	case wanted == diagnostics.Session && source == diagnostics.Head && !same && ch.finder.ReportedFromDisk(f):
		f.Reported = true
	case wanted == diagnostics.None && source != diagnostics.Before: // no comparison
	case c.Created:
		if f.Created = true; wanted == diagnostics.Head {
			f.Baseline = diagnostics.Head
		}
	case source == diagnostics.Before, source == diagnostics.Head && (!same || wanted == diagnostics.Head), again:
		f.Baseline = source
		if len(f.Sources) > 0 && ch.workspace.Diagnosable(f.Path, c.Before) == nil {
			p.before = append(p.before, diagnostics.File{Path: cmp.Or(c.From, f.Path), Content: c.Before, Sources: f.Sources})
			p.before = append(p.before, placeholder(c, f.Sources)...)
		}
	}
	if !same {
		p.changes = append(p.changes, c)
	}
}

// placeholder returns a renamed file with a minimal text at its new path, for while the servers are shown it at its
// former path, so that nothing is declared twice; nothing for a file that was not renamed.
func placeholder(c edit.Change, sources []diagnostics.Source) []diagnostics.File {
	if c.From == "" || len(sources) == 0 {
		return nil
	}
	return []diagnostics.File{{Path: c.Path, Content: vacated(c.Path, c.After), Sources: sources}}
}

// judges returns a file that does not exist, with the servers that would judge it.
func (ch *Checker) judges(detection *workspace.Detection, path string) diagnostics.File {
	f := diagnostics.File{Path: path}
	ch.finder.AddSources(&f, workspace.Missed(detection.Candidates(path)))
	f.Failures = nil
	return f
}

// planConcerned finds the files that the changes may affect, where servers do not report on other
// files by themselves, and what must be shown to know what was wrong in them before.
func (ch *Checker) planConcerned(ctx context.Context, plan *checkPlan) error {
	if !plan.request.OthersToo {
		return nil
	}
	search := ch.finder.Made(plan.changes, plan.detection, plan.members)
	plan.search, plan.request.Renamed = search, plan.changes.RenamedWords()
	for i := range plan.request.Files {
		plan.request.Files[i].Narrow = search.InParts(plan.request.Files[i].Path)
	}
	var err error
	// Without a comparison, only the requested files are checked.
	if plan.asked, plan.later, err = search.FindMade(ctx, plan.request.Files, !plan.request.NoBaseline); err != nil {
		return err
	}
	controls, later := search.ControlFiles(ctx, plan.request.Files)
	plan.rest = append(slices.Clone(plan.request.Files[:plan.own]), later...)
	plan.request.Files = slices.Concat(plan.request.Files, search.Files, controls)
	plan.request.Apart = apart(plan.changes, plan.request.Files)
	plan.probe(ch, plan.request.Files[plan.own:])
	return nil
}

// probe adds what the servers must be shown first, so that it is known what was wrong in affected
// files before the changes, or so that servers can be asked for the users of what changed: the
// texts from before, together with these files.
func (p *checkPlan) probe(ch *Checker, concerned []diagnostics.File) {
	var unknown []diagnostics.File
	// Configuration and data are read from disk: what was wrong before they changed cannot be shown.
	configured := slices.ContainsFunc(p.changes, func(c edit.Change) bool { return impact.Configures(c.Path) || impact.IsData(c.Path) })
	for _, f := range concerned {
		if !p.request.NoBaseline && !configured && !ch.collector.Knows(f, f.Reported) && !dependants.Reports(f) && !ch.finder.ReadsDisk(f) && !p.isMixed(ch, f) && !ch.finder.MissesGone(f, gone(p.changes)) {
			unknown = append(unknown, f)
		}
	}
	if len(unknown)+len(p.asked) == 0 {
		return
	}
	texts, known := p.former(ch)
	if !known {
		return // there is no comparison
	}
	p.before = slices.Concat(p.before, texts, unknown)
}

// former returns the changed files that are not shown in their former text yet, in that text; known is false if that
// of one is not known.
func (p *checkPlan) former(ch *Checker) (texts []diagnostics.File, known bool) {
	for _, c := range p.changes {
		f := ch.judges(p.detection, cmp.Or(c.From, c.Path))
		if f.Content = c.Before; c.Before == nil && !c.Created {
			return nil, false
		}
		if c.Created {
			f.Content = vacated(c.Path, c.After) // it did not exist, and must declare nothing
		}
		shown := slices.ContainsFunc(p.before, func(b diagnostics.File) bool { return b.Path == f.Path })
		if !shown && len(f.Sources) > 0 && ch.workspace.Diagnosable(f.Path, c.Before) == nil {
			texts = append(append(texts, f), placeholder(c, f.Sources)...)
		}
	}
	return texts, true
}

// gone returns the paths that no longer exist after the changes.
func gone(changes dependants.Changes) (paths []string) {
	for _, c := range changes {
		if c.Deleted || c.From != "" {
			paths = append(paths, cmp.Or(c.From, c.Path))
		}
	}
	return paths
}

// showBefore makes the servers report what was wrong before the changes, asks for the users of what
// changed where only servers know these, and closes documents that are no longer on disk.
func (ch *Checker) showBefore(ctx context.Context, plan *checkPlan) error {
	if len(plan.before) == 0 {
		return nil
	}
	first := plan.request
	first.Files, first.NoBaseline, first.Probe, first.Follow = plan.before, true, true, plan.limit.left()
	first.Gone = gone(plan.changes)
	texts := make(map[string][]byte)
	for _, f := range plan.before {
		texts[f.Path] = f.Content
	}
	var known *diagnostics.Moment
	if len(first.Gone) > 0 {
		known = ch.collector.Now()
	}
	_, release := ch.overlay.Hold(texts)
	defer release()
	shown, err := ch.collector.Check(ctx, first)
	plan.late = shown.Late
	if err == nil && len(plan.asked) > 0 {
		err = ch.askUsers(ctx, plan, first)
	}
	// What servers report from here on may be about neither state: the former files are closed, and
	// the new ones are shown one after the other.
	plan.request.Since = ch.collector.Now()
	if len(first.Gone) > 0 {
		plan.request.Since.Imagined(known)
	}
	vanished := gone(plan.changes)
	ch.collector.Recall(vanished...)
	for _, path := range vanished {
		_, failed := ch.workspace.CloseDocument(path)
		err = errors.Join(err, failed)
	}
	return err
}

// forgetUncompared drops what servers have reported that is not about the state before the changes.
func (p *checkPlan) forgetUncompared(ch *Checker) {
	if len(p.uncompared) == 0 {
		return
	}
	if p.request.Since == nil {
		p.request.Since = ch.collector.Now()
	}
	p.request.Since.Forget(p.uncompared)
}

// askUsers asks the servers, which are shown the texts from before, for the users of what changed,
// and for what is wrong in these before the change.
func (ch *Checker) askUsers(ctx context.Context, plan *checkPlan, probe diagnostics.Request) error {
	texts := make(map[string][]byte)
	for _, c := range plan.asked {
		texts[cmp.Or(c.From, c.Path)] = c.Before
	}
	found, err := ch.usersOf(ctx, plan, texts, plan.asked)
	plan.request.Files = append(plan.request.Files, found...)
	probe.Files = slices.DeleteFunc(slices.Clone(found), func(f diagnostics.File) bool { return ch.collector.Knows(f, false) })
	if err != nil || plan.request.NoBaseline || len(probe.Files) == 0 {
		return err
	}
	probe.Follow = plan.limit.left()
	_, err = ch.collector.Check(ctx, probe)
	return err
}

// checkUsers checks the users of everything declared in files whose text from before is not known,
// where only their servers know these users. The servers see the files as they are now.
func (ch *Checker) checkUsers(ctx context.Context, plan *checkPlan, report *diagnostics.Report) error {
	if len(plan.later) == 0 {
		return nil
	}
	texts := make(map[string][]byte)
	var changes []edit.Change
	for _, c := range plan.later {
		texts[c.Path] = c.After
		changes = append(changes, edit.Change{Path: c.Path, Before: c.After}) // as if everything in it were removed
	}
	found, err := ch.usersOf(ctx, plan, texts, changes)
	if err != nil || len(found) == 0 {
		return err
	}
	further := plan.request
	further.Files, further.OthersToo, further.Follow = found, false, plan.limit.left()
	reports, err := ch.collector.Check(ctx, further)
	report.Files, report.Late = append(report.Files, reports.Files...), append(report.Late, reports.Late...)
	return err
}

// usersOf asks servers that are shown these texts for the users of what changes.
func (ch *Checker) usersOf(ctx context.Context, plan *checkPlan, texts map[string][]byte, changes []edit.Change) ([]diagnostics.File, error) {
	a := ch.view.Access()
	defer a.Close()
	return plan.search.UsersOf(ctx, symbols.New(a.Formerly(texts)), changes)
}
