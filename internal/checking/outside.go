package checking

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
)

// A change is handled in the same way whoever made it. A check of files that an agent, a shell
// command or git changed finds the text from before, treats the difference as an edit that has
// already been made, and also judges the files that it may affect.

// planBefore finds for each file the text to compare it with: the one given in the request, the one
// at the revision, or, where there is no version control, the one that the session saw first.
func (ch *Checker) planBefore(ctx context.Context, plan *checkPlan, req api.CheckRequest, baseline diagnostics.Baseline, all subjects, given map[string]string) error {
	if !plan.request.OthersToo && baseline == diagnostics.None && len(given) == 0 {
		return nil
	}
	revision := ch.revision(req)
	var asked []string
	for _, f := range slices.Concat(plan.request.Files, plan.silent) {
		if _, ok := given[f.Path]; !ok {
			asked = append(asked, cmp.Or(all.from[f.Path], f.Path))
		}
	}
	asked = append(asked, all.deleted...)
	for _, c := range plan.changes { // of manifests
		if _, ok := given[c.Path]; !ok {
			asked = append(asked, c.Path)
		}
	}
	committed, versioned, err := ch.textsAt(ctx, revision, asked)
	if err != nil {
		if baseline == diagnostics.Head && req.Revision != "" || ctx.Err() != nil {
			return err
		}
		committed, versioned = nil, false
	}
	if len(asked) == 0 { // git was not asked
		versioned = ch.session.began != "" || baseline == diagnostics.Head
	}
	if baseline == diagnostics.Head && !versioned {
		if req.Revision != "" {
			return &git.Error{Args: []string{"rev-parse", revision}, Reason: "there is no such revision " + revision}
		}
		baseline, plan.before.noCommit = diagnostics.None, len(given) == 0
		plan.request.NoBaseline = plan.before.noCommit
	}
	if versioned && len(req.Files) > 0 {
		if err := ch.findMoved(ctx, plan, revision, &all, committed); err != nil {
			return err
		}
	}
	plan.before.byTexts, plan.before.versioned = versioned || len(given) > 0, versioned
	plan.completeManifests(ch, given, committed, versioned)
	ignored, err := ch.ignored(ctx, plan, committed, versioned)
	if err != nil {
		return err
	}
	from := all.movedHere(plan.request.Files, committed)
	for i := range len(plan.request.Files) + len(plan.silent) {
		f := plan.changed(i)
		c := edit.Change{Path: f.Path, After: f.Content, From: from[f.Path]}
		source := diagnostics.Session
		if text, ok := given[f.Path]; ok {
			c.Before, source = []byte(text), diagnostics.Before
		} else if text, ok := committed[cmp.Or(c.From, f.Path)]; ok {
			c.Before, source = text, diagnostics.Head
		} else if text, ok := ch.firstSeen(f.Path); ok && !versioned {
			c.Before = text
		} else if ignored[f.Path] { // nobody knows what it was: everything that it declares may be new
			if !plan.given[f.Path] {
				ch.see(f.Path, f.Content)
			}
		} else if versioned {
			c.Created = true
		} else if len(given) > 0 { // only the given texts are known to have changed
			c.Before = f.Content
		} else if !plan.given[f.Path] {
			ch.see(f.Path, f.Content)
		}
		if source == diagnostics.Before && !versioned {
			ch.see(f.Path, c.Before)
		}
		plan.compare(ch, f, c, source, baseline)
	}
	for _, path := range all.deleted {
		text, known := committed[path]
		if !known {
			text, _ = ch.firstSeen(path)
		}
		renamed := slices.ContainsFunc(plan.changes, func(c edit.Change) bool { return c.From == path })
		if (text != nil || slices.Contains(all.gone, path)) && !renamed {
			plan.changes = append(plan.changes, edit.Change{Path: path, Before: text, Deleted: true})
		}
	}
	return nil
}

// changed returns the file of that number, of those that servers judge and then of the silent ones.
func (p *checkPlan) changed(i int) *diagnostics.File {
	if i < len(p.request.Files) {
		return &p.request.Files[i]
	}
	return &p.silent[i-len(p.request.Files)]
}

// findMoved adds the files deleted or renamed since a revision that may be former versions of named
// files which neither the session nor the revision knows: naming the new path of a moved file is
// enough to be told what the move broke. It adds their texts to committed.
func (ch *Checker) findMoved(ctx context.Context, plan *checkPlan, revision string, all *subjects, committed map[string][]byte) error {
	endings := make(map[string]bool)
	for _, f := range plan.request.Files {
		if _, was := committed[f.Path]; !was && all.from[f.Path] == "" {
			endings[filepath.Ext(f.Path)] = true
		}
	}
	if len(endings) == 0 {
		return nil
	}
	changes := plan.listing()
	if changes.err != nil {
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
// does not know files that were not added to it, those of deleted files whose text is that of a
// new file or the most similar to it.
func (s *subjects) movedHere(files []diagnostics.File, committed map[string][]byte) map[string]string {
	from := maps.Clone(s.from)
	if from == nil {
		from = make(map[string]string)
	}
	went := slices.DeleteFunc(slices.Concat(s.deleted, s.went), func(path string) bool {
		return slices.Contains(slices.Collect(maps.Values(from)), path)
	})
	for _, f := range files {
		if _, was := committed[f.Path]; was || from[f.Path] != "" || len(bytes.TrimSpace(f.Content)) == 0 {
			continue
		}
		best, most := -1, 0.5 // git's own limit
		for i, path := range went {
			if filepath.Ext(path) != filepath.Ext(f.Path) {
				continue
			}
			if s := similarity(committed[path], f.Content); s > most {
				best, most = i, s
			}
		}
		if best >= 0 {
			from[f.Path] = went[best]
			went = slices.Delete(went, best, best+1)
		}
	}
	return from
}

// similarity returns which part of the lines of the longer of two texts is in both, from 0 to 1.
func similarity(a, b []byte) float64 {
	if bytes.Equal(a, b) {
		return 1
	}
	left, lines, common := make(map[string]int), 0, 0
	for line := range bytes.Lines(a) {
		left[string(line)]++
		lines++
	}
	others := 0
	for line := range bytes.Lines(b) {
		if others++; left[string(line)] > 0 {
			left[string(line)]--
			common++
		}
	}
	return float64(common) / float64(max(lines, others, 1))
}

// textsAt is like [workspace.Workspace.TextsAt], but does not call git without paths.
func (ch *Checker) textsAt(ctx context.Context, revision string, paths []string) (map[string][]byte, bool, error) {
	if len(paths) == 0 {
		return make(map[string][]byte), true, nil
	}
	return ch.workspace.Git().TextsAt(ctx, revision, paths)
}

// compare records how a file changed and what its baseline is.
func (p *checkPlan) compare(ch *Checker, f *diagnostics.File, c edit.Change, source, wanted diagnostics.Baseline) {
	same := c.Before != nil && c.From == "" && bytes.Equal(c.Before, c.After)
	f.From, f.Former, f.NoFormer = c.From, c.Before, c.Before == nil && !c.Created
	switch {
	case wanted == diagnostics.None && source != diagnostics.Before: // no comparison
		f.Former, f.NoFormer = nil, true
	case c.Created:
		if f.Created = true; wanted == diagnostics.Head {
			f.Baseline = diagnostics.Head
		}
	case source != diagnostics.Session && (!same || wanted == diagnostics.Head || source == diagnostics.Before):
		f.Baseline = source
	}
	if !same {
		f.Reported = f.Reported || ch.finder.JudgedOnDisk(f)
		p.changes = append(p.changes, c)
	}
}

// judges returns a file that does not exist, with the servers that would judge it.
func (ch *Checker) judges(detection *roots.Detection, path string) diagnostics.File {
	f := diagnostics.File{Path: path}
	ch.finder.AddSources(&f, roots.Missed(detection.Candidates(path)))
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
	plan.search, plan.request.Renamed, search.Former = search, plan.changes.RenamedWords(), plan.before.all
	search.Includers = plan.includers
	if plan.unlimited {
		search.Unlimited()
	}
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
	return nil
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
// changed where only servers know these, and shows the present texts again.
func (ch *Checker) showBefore(ctx context.Context, plan *checkPlan) error {
	if len(plan.probes) == 0 {
		plan.request.Since = ch.momentBefore(plan)
		return nil
	}
	first := plan.request
	first.Files, first.NoBaseline, first.Probe, first.Same, first.Follow = plan.probes, true, true, false, plan.limit.left()
	first.Gone = slices.DeleteFunc(slices.Clone(plan.before.gone), func(path string) bool {
		_, shown := plan.before.shown[path]
		return !shown
	})
	first.Beside = plan.before.shown
	texts := make(map[string][]byte)
	for _, f := range plan.probes {
		texts[f.Path] = f.Content
	}
	var known *diagnostics.Moment
	if len(first.Gone) > 0 {
		known = ch.collector.AtWith(plan.before.texts, plan.before.untold)
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
	plan.request.Since = ch.momentBefore(plan)
	if len(first.Gone) > 0 {
		plan.request.Since.Imagined(known)
	}
	return errors.Join(err, ch.showPresent(plan))
}

// showPresent takes back the texts from before of files that the check itself does not show, and closes
// documents that are no longer on disk.
func (ch *Checker) showPresent(plan *checkPlan) error {
	paths := slices.Clone(plan.before.gone)
	for _, f := range plan.probes {
		if _, own := plan.contents[f.Path]; !own {
			paths = append(paths, f.Path)
		}
	}
	ch.collector.Recall(paths...)
	ch.hideBeside() // whoever asks next may not be a check
	return ch.workspace.Restore(paths, ch.overlay.Given)
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
	probe.Files = slices.DeleteFunc(slices.Clone(found), func(f diagnostics.File) bool { return ch.collector.Knows(plan.before.all, f, false) })
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

// changedTogether tells servers that read other files from disk that several of their files have
// changed there. A look at the disk does not report files that the check shows to a server itself;
// but being shown one file does not tell a server that files it includes have changed as well.
func (ch *Checker) changedTogether(changes []edit.Change) {
	for _, s := range ch.workspace.Running() {
		d := s.Definition()
		theirs := 0
		for _, c := range changes {
			if _, speaks := d.LanguageID(c.Path); speaks {
				theirs++
			}
		}
		if theirs > 1 && d.Has(registry.ReadsSaved) {
			s.RereadsDisk()
		}
	}
}
