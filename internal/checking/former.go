package checking

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/project"
)

// What was wrong before a change is what servers say of the texts from before, whenever they said it:
// the collector's ledger has it, or they are shown these texts now.

// completeManifests finds the former texts of the manifests that a check is about. Those that did not
// change are no part of it.
func (p *checkPlan) completeManifests(ch *Checker, given map[string]string, committed map[string][]byte, versioned bool) {
	var changes dependants.Changes
	for _, c := range p.changes {
		seen, isSeen := ch.firstSeen(c.Path)
		if before, ok := given[c.Path]; ok {
			c.Before = []byte(before)
		} else if text, ok := committed[c.Path]; ok {
			c.Before = text
		} else if versioned {
			c.Created = true
		} else if isSeen {
			c.Before = seen
		} else if len(given) > 0 { // only the given texts are known to have changed
			c.Before = c.After
		} else {
			ch.see(c.Path, c.After)
		}
		if c.Before == nil || !bytes.Equal(c.Before, c.After) {
			changes = append(changes, c)
		}
	}
	p.changes = changes
}

// A listing is what git says has changed, or why it says nothing.
type listing struct {
	git.Changes
	err error
}

// listChanges returns a function that returns what has changed since the revision of a request. If it
// will be needed, git begins at once, in parallel with the rest of the planning; listed waits for it.
func (ch *Checker) listChanges(ctx context.Context, req api.CheckRequest, baseline diagnostics.Baseline, alone bool) (changes func() listing, listed func()) {
	list := func() listing {
		changes, err := ch.workspace.Git().ChangesSince(ctx, ch.revision(req))
		return listing{changes, err}
	}
	if alone || baseline == diagnostics.None || len(req.Before) > 0 {
		return sync.OnceValue(list), func() {}
	}
	changes = sync.OnceValue(guard.Begin(list))
	return changes, func() { changes() }
}

// ignored returns those of the files of a check that git does not look at.
func (ch *Checker) ignored(ctx context.Context, plan *checkPlan, committed map[string][]byte, versioned bool) (map[string]bool, error) {
	ignored := make(map[string]bool)
	for _, f := range plan.request.Files {
		if _, was := committed[f.Path]; versioned && !was {
			ignored[f.Path] = true
		}
	}
	if len(ignored) == 0 {
		return nil, nil
	}
	changes := plan.listing()
	if changes.err != nil {
		return nil, ctx.Err()
	}
	for _, path := range changes.Present {
		delete(ignored, path)
	}
	for path := range ignored {
		if fspath.Missing(path) { // it is only a given text
			delete(ignored, path)
		}
	}
	return ignored, nil
}

// looksBeside reports whether files that a request does not name and that changed as well matter: it compares with the texts of a
// commit.
func (p *checkPlan) looksBeside(req api.CheckRequest, baseline diagnostics.Baseline, all *subjects) bool {
	return !all.alone && p.before.byTexts && baseline != diagnostics.None && !p.request.NoBaseline && len(req.Before) == 0
}

// changedBeside returns the former texts of files that the request does not name and that changed as
// well, by path, nil for one that did not exist: what was wrong before is what was wrong before all of it.
func (ch *Checker) changedBeside(ctx context.Context, plan *checkPlan, req api.CheckRequest) (map[string][]byte, error) {
	changes := plan.listing()
	if changes.err != nil {
		return nil, ctx.Err()
	}
	var paths []string
	deciding := make(map[string][]*diagnostics.File) // what each file decides about
	var included []string
	decide := ch.deciders(ctx, plan.before.mayConcern)
	for _, path := range slices.Concat(changes.Present, changes.Deleted) {
		if plan.changes.Touch(path) || slices.ContainsFunc(plan.request.Files, func(f diagnostics.File) bool { return f.Path == path || f.From == path }) {
			continue
		}
		if len(ch.judges(plan.detection, path).Sources) > 0 && ch.readingOf(plan, path) > language.ReadsNothing {
			paths = append(paths, path)
		}
		if len(plan.includers.Of(path)) > 0 {
			included = append(included, path)
		}
		decides := decide(path)
		for i := range plan.request.Files {
			if f := &plan.request.Files[i]; decides(f) {
				deciding[path] = append(deciding[path], f)
			}
		}
	}
	if len(paths) > maxBeside {
		for _, files := range deciding {
			withoutFormer(files)
		}
		return nil, nil
	}
	texts, _, err := ch.textsAt(ctx, ch.revision(req), slices.Concat(paths, included, slices.Sorted(maps.Keys(deciding))))
	if err != nil {
		return nil, ctx.Err()
	}
	for _, path := range included {
		now, err := ch.workspace.Searched(path, maxIncluded)
		c := edit.Change{Path: path, Before: texts[path], After: now, Deleted: fspath.Missing(path), Created: texts[path] == nil}
		if err == nil || c.Deleted {
			plan.include(ch, c)
		}
	}
	plan.before.decided = make(map[string][]byte)
	beside := make(map[string][]byte)
	for path, files := range deciding {
		if filepath.Base(path) == language.CargoLock && texts[path] == nil { // cargo makes it where it is missing, which changes nothing
			continue
		}
		now, err := ch.workspace.Read(path)
		if err == nil && decidesTheSame(edit.Change{Path: path, Before: texts[path], After: now}) {
			continue
		}
		if err == nil && project.DecidesTheSame(path, texts[path], now) {
			files = slices.DeleteFunc(files, func(f *diagnostics.File) bool { return plan.changes.Touch(f.Path) && !ch.bringsIn(plan, f, path) })
		}
		if shownTo := plan.besideServers(ch, path, texts[path]); len(shownTo) > 0 {
			beside[path] = texts[path]
			files = slices.DeleteFunc(files, func(f *diagnostics.File) bool {
				return !slices.ContainsFunc(f.Sources, func(s diagnostics.Source) bool { return !slices.Contains(shownTo, s.Key.ID) })
			})
		}
		if len(files) > 0 {
			plan.before.decided[path] = texts[path]
			withoutFormer(files)
		}
	}
	for _, path := range paths {
		text, was := texts[path]
		if content, err := ch.workspace.Read(path); was && err == nil &&
			(bytes.Equal(content, text) || ch.readingOf(plan, path) < language.ReadsContent) {
			continue
		} else if !was {
			text = orEmpty(vacated(path, content))
		}
		beside[path] = text
	}
	return beside, nil
}

// withoutFormer notes of files that it is not known what was wrong with them before.
func withoutFormer(files []*diagnostics.File) {
	for _, f := range files {
		f.NoFormer = true
	}
}

// readingOf returns what of another file can matter to what is said of the files that a check is about.
func (ch *Checker) readingOf(plan *checkPlan, path string) (most language.Reading) {
	if len(plan.request.Files) == 0 {
		return language.ReadsContent
	}
	for i := range plan.request.Files {
		most = max(most, ch.finder.ReadingOf(&plan.request.Files[i], path))
	}
	return most
}

// maxBeside limits the changed files beside those that a check is about that are taken into account.
const maxBeside = 200

// planFormer finds out which texts the changed files had, as servers are to be shown them.
func (p *checkPlan) planFormer(ch *Checker, others map[string][]byte) {
	p.before.texts, p.before.known, p.before.absent = make(map[string][]byte), true, nil
	p.before.gone = gone(p.changes)
	for _, c := range p.changes {
		switch {
		case p.isIncluded(c.Path) && !p.isJudged(c.Path) && language.Imported(c.Path) == 0 && !language.IsFragment(c.Path): // those that include it are judged
		case c.Created: // it did not exist, and must declare nothing
			p.before.texts[c.Path], p.before.absent = orEmpty(vacated(c.Path, c.After)), append(p.before.absent, c.Path)
		case c.Before == nil:
			p.before.known = false
		case decidesTheSame(c) && (!p.isJudged(c.Path) || len(ch.finder.ConfiguredOnDisk(ch.judges(p.detection, c.Path), dependants.Changes{c})) > 0):
		case c.From != "":
			p.before.texts[c.From], p.before.texts[c.Path] = c.Before, orEmpty(vacated(c.Path, c.After))
			p.before.absent = append(p.before.absent, c.Path)
		default:
			p.before.texts[c.Path] = c.Before
		}
	}
	for path, text := range others {
		if _, own := p.before.texts[path]; own {
			continue
		}
		if p.before.texts[path] = text; fspath.Missing(path) {
			p.before.gone = append(p.before.gone, path)
		}
	}
	if len(p.before.texts) == 0 { // all is as it was
		return
	}
	p.before.untold = ch.collector.Untold(slices.DeleteFunc(slices.Clone(p.request.Files), func(f diagnostics.File) bool {
		_, changed := p.before.texts[f.Path]
		return changed
	}))
	p.before.all = maps.Clone(p.before.untold)
	maps.Copy(p.before.all, p.before.texts)
}

// changedBeside reports whether a file changed, but is not one of the changes that are judged.
func (f *formerState) changedBeside(path string, changes dependants.Changes) bool {
	if f == nil {
		return false
	}
	_, changed := f.texts[path]
	return changed && !changes.Touch(path)
}

// planMissing finds out what servers said while the files that did not exist were missing. It must be
// called before servers are told of these files.
func (p *checkPlan) planMissing(ch *Checker) {
	if len(p.before.absent) == 0 || !p.before.known {
		return
	}
	texts := maps.Clone(p.before.all)
	for _, path := range p.before.absent {
		texts[path] = nil
	}
	p.before.missing = ch.collector.At(texts)
}

// readsSeveral reports whether what is said of a file can depend on the content of more than one of some texts.
func (ch *Checker) readsSeveral(f *diagnostics.File, texts map[string][]byte) bool {
	read := 0
	for path := range texts {
		if ch.finder.ReadingOf(f, path) == language.ReadsContent {
			read++
		}
	}
	return read > 1
}

// isJudged reports whether a server judges a file that the check is about.
func (p *checkPlan) isJudged(path string) bool {
	return slices.ContainsFunc(p.request.Files, func(f diagnostics.File) bool { return f.Path == path && len(f.Sources) > 0 })
}

// orEmpty returns a text that is empty, and not missing, for nil.
func orEmpty(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}

// probe adds what the servers must be shown first, so that it is known what was wrong before the
// changes, or so that servers can be asked for the users of what changed: the texts from before,
// together with the files about which servers have not said yet what is wrong with them among these.
func (p *checkPlan) probe(ctx context.Context, ch *Checker) {
	if !p.before.known || len(p.before.texts) == 0 {
		return // there is no comparison, or nothing to compare with
	}
	texts := p.formerFiles(ch)
	p.before.shown, p.before.shownTo = make(map[string][]byte), make(map[string][]string)
	for _, f := range texts {
		p.before.shown[f.Path] = f.Content
		for _, s := range f.Sources {
			p.before.shownTo[f.Path] = append(p.before.shownTo[f.Path], s.Key.ID)
		}
	}
	for path, text := range p.before.texts {
		if shownTo := p.besideServers(ch, path, text); len(shownTo) > 0 {
			p.before.shown[path], p.before.shownTo[path] = text, append(p.before.shownTo[path], shownTo...)
		}
	}
	// A server that must be asked for the users of what changed is shown the former texts anyway.
	disk := func(f *diagnostics.File) bool { return len(p.asked) == 0 && ch.finder.ReadsDisk(*f) }
	missesGone := ch.finder.MissingGone(ctx, p.before.gone, p.before.texts)
	replaced := ch.finder.Replaced(ctx, p.before.gone, p.before.texts)
	var unknown []diagnostics.File
	probed, deciding := false, p.deciding()
	for i := range p.request.Files {
		f := &p.request.Files[i]
		if p.request.NoBaseline || !p.before.byTexts || f.Created || f.NoFormer {
			continue
		}
		if replaced[f.Path] {
			f.NoFormer, f.Gone = true, dependants.Missing(p.before.gone)
			continue
		}
		if f.NoFormer = slices.ContainsFunc(p.changes, func(c edit.Change) bool {
			hidden := func(path string) bool { return ch.bringsIn(p, f, path) && !p.before.isShown(f, path) }
			return (hidden(c.Path) || hidden(c.From)) && !saysTheSame(c)
		}); f.NoFormer {
			continue
		}
		own := i < p.own
		before := diagnostics.File{Path: cmp.Or(f.From, f.Path), Content: f.Content, Sources: f.Sources, Closed: f.Closed, Shown: f.Shown, Narrow: f.Narrow}
		if f.Former != nil {
			before.Content = f.Former
		}
		changed := slices.ContainsFunc(p.changes, func(c edit.Change) bool { return c.Path == f.Path })
		missed := !changed && missesGone(*f)
		if missed {
			f.Gone = dependants.Missing(p.before.gone)
		}
		mixed := disk(f) && (ch.readsSeveral(f, p.before.texts) || !changed) || len(ch.finder.ConfiguredOnDisk(*f, deciding)) > 0
		switch {
		case own && len(f.Sources) == 0, ch.workspace.Diagnosable(before.Path, before.Content) != nil:
			continue
		case ch.collector.Knows(p.textsFor(ch, f), before, (p.request.OthersToo && !f.Narrow && !f.Closed || f.Closed && f.Reported) && !ch.finder.ChecksDisk(*f)):
			continue
		case changed && p.isConfigured(f):
			f.NoFormer = true
			continue
		case mixed, changed && p.includesChanged(f.Path), ch.finder.JudgedOnDisk(f), !changed && (p.isConfigured(f) || ch.readsHidden(f, &p.before)), dependants.Reports(*f), missed && (!own || slices.Contains(p.told, f.Path)):
			continue // it cannot be shown, or need not be
		}
		f.Probed = true
		if probed = probed || !missed; !changed && !missed { // the answer would be about neither state
			unknown = append(unknown, before)
		}
	}
	for _, path := range p.doubted {
		if f, can := p.formerly(ch, path); can {
			unknown, probed = append(unknown, f), true
		}
	}
	if !probed && len(p.asked) == 0 {
		return
	}
	p.probes = append(texts, unknown...)
	p.request.Probed = probed
}

// isConfigured reports whether a change configures how a file is understood. Configuration is read from disk: what was wrong before it changed
// cannot be shown.
func (p *checkPlan) isConfigured(f *diagnostics.File) bool {
	return slices.ContainsFunc(p.changes, func(c edit.Change) bool {
		return !p.before.isShown(f, c.Path) && mayConfigure(c, f.Path) && p.before.mayConcern(f.Path, c.Path)
	})
}

// textsFor returns the former texts that matter to what is said of a file that did not change: those that servers can be shown, if
// the others do not matter.
func (p *checkPlan) textsFor(ch *Checker, f *diagnostics.File) map[string][]byte {
	if p.changes.Touch(f.Path) || len(f.Sources) != 1 || ch.readsHidden(f, &p.before) {
		return p.before.all
	}
	texts := maps.Clone(p.before.untold)
	if key := f.Sources[0].Key; p.before.needsIncluded(key, f.Path) {
		maps.Copy(texts, p.before.allBy(key))
		return texts
	}
	maps.Copy(texts, p.before.shownBy(f.Sources[0].Key))
	return texts
}

// formerFiles returns the changed files in their former texts, as far as servers can be shown them. In a large project, what servers then
// say of all other files is wanted only if it is not known which of these the changes concern.
func (p *checkPlan) formerFiles(ch *Checker) (files []diagnostics.File) {
	deciding := p.deciding()
	for _, path := range slices.Sorted(maps.Keys(p.before.texts)) {
		f := ch.judges(p.detection, path)
		f.Content, f.Narrow = p.before.texts[path], p.search != nil && !p.search.Unproven && p.search.InParts(path)
		mixed := len(p.before.texts) > 1 && len(p.asked) == 0 && ch.finder.ReadsDisk(f) || len(ch.finder.ConfiguredOnDisk(f, deciding)) > 0
		if len(f.Sources) > 0 && ch.workspace.Diagnosable(path, f.Content) == nil && !mixed {
			files = append(files, f)
		}
	}
	return files
}

// momentBefore returns the moment before the changes.
func (ch *Checker) momentBefore(plan *checkPlan) *diagnostics.Moment {
	start := ch.startOf()
	switch {
	case plan.before.byTexts && plan.before.known:
		// The nearest one comes first: to ask about a file that is gone leads to a world of which nothing has been said.
		nearest := ch.collector.AtEach(plan.before.shown, plan.before.shownBy, plan.before.untold)
		before := ch.collector.AtEach(plan.before.texts, plan.before.allBy, plan.before.untold)
		if plan.before.shown != nil {
			before.Nearest(nearest, ch.isIndependent(&plan.before), plan.before.lacksEmbedded)
		}
		before.Missing(plan.before.missing)
		return before
	case !plan.before.byTexts && start != nil:
		return start.Reread(ch.collector.Epoch())
	}
	return ch.collector.Never()
}
