package checking

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// dependants are the files besides the changed ones that an edition may break,
// where the servers do not report on them by themselves.
type dependants struct {
	reach   *impact.Reach // nil if nobody need be asked
	changes []impact.Change
	// files are to be judged; left are those beyond the limit.
	files []diagnostics.File
	left  []string
	found int
	// chosen are both, by path.
	chosen map[string]bool
}

// survey finds out, before any server hears of the changes, what the baseline is
// and which files use what changes.
func (ed *edition) survey(ctx context.Context, q *symbols.Inquiry) error {
	own, _ := ed.own(false, false)
	witnesses, _ := ed.witnesses(ctx, own)
	unknown := slices.DeleteFunc(append(slices.Clip(own), witnesses...), func(f diagnostics.File) bool { return ed.collector.Knows(f, !f.Narrow) })
	if err := ed.baseline(ctx, unknown, true); err != nil {
		return err
	}
	var changes, parts []impact.Change
	for _, c := range ed.changes {
		switch path := cmp.Or(c.From, c.Path); {
		case ed.searched(c):
			parts = append(parts, edited(c)...)
		case ed.mustAsk(path) || impact.SpreadsByText(path):
			changes = append(changes, edited(c)...)
		}
	}
	if len(changes) > 0 {
		if err := ed.surveyUsers(ctx, q, changes); err != nil {
			return err
		}
	}
	if err := ed.surveyElsewhere(ctx); err != nil {
		return err
	}
	return ed.surveyParts(ctx, parts)
}

// edited restates a change for the search for what it reaches.
func edited(c edit.Change) []impact.Change {
	switch {
	case c.Created:
		return []impact.Change{{Path: c.Path, After: c.After}}
	case c.From != "": // nobody finds it where it was, some perhaps where it is
		return []impact.Change{{Path: c.From, Before: c.Before}, {Path: c.Path, After: c.After}}
	}
	return []impact.Change{{Path: c.Path, Before: c.Before, After: c.After}}
}

// surveyUsers finds the files that use what changes, and what is wrong with them before.
func (ed *edition) surveyUsers(ctx context.Context, q *symbols.Inquiry, changes []impact.Change) error {
	bounded, cancel := ed.searching(ctx)
	defer cancel()
	texts := ed.textsFor(bounded, changes)
	if slices.ContainsFunc(changes, func(c impact.Change) bool { return ed.isLarge(filepath.Ext(c.Path)) }) {
		texts = texts.Alone()
	}
	reach, err := impact.Survey(bounded, q, texts, changes)
	if err := call.Canceled(ctx); err != nil {
		return err
	}
	if err != nil {
		ed.unknown = append(ed.unknown, "the search for files that use what changes ended early")
	}
	ed.notes, ed.cut = append(ed.notes, reach.Notes...), len(reach.Notes) > 0
	ed.unknown = append(ed.unknown, reach.Unknown...)
	ed.dependants.reach, ed.dependants.changes = reach, changes
	ed.dependants.files = ed.dependants.choose(ed, slices.Concat(reach.Files(), ed.beside(reach.Mute), ed.known()))
	possible := slices.Clone(ed.dependants.files)
	for _, path := range reach.Possible() {
		if f, ok := ed.dependant(path); ok && len(possible) < ed.opts.Config.Settings.MaxDependants {
			possible = append(possible, f)
		}
	}
	possible = ed.notKnown(possible)
	if err := ed.baseline(ctx, ed.openers(possible), false); err != nil {
		return err
	}
	return ed.baseline(ctx, possible, false)
}

// notKnown returns the files of which it is not known what is wrong before the edit.
func (ed *edition) notKnown(files []diagnostics.File) []diagnostics.File {
	return slices.DeleteFunc(slices.Clone(files), func(f diagnostics.File) bool { return f.Created || ed.collector.Knows(f, false) })
}

// reconfigures reports whether the edition is still to change what belongs to a project.
func (ed *edition) reconfigures() bool {
	return ed.plan != nil && slices.ContainsFunc(ed.changes, func(c edit.Change) bool {
		return impact.Configures(c.Path) || impact.Configures(c.From)
	})
}

// belonging returns the dependants without those that their projects leave out now that
// the edition may have changed what belongs to them.
func (ed *edition) belonging(ctx context.Context) []diagnostics.File {
	files := slices.Clip(ed.dependants.files)
	if !ed.reconfigures() {
		return files
	}
	ed.detection = ed.workspace.Detection()
	ed.members = ed.membership(ctx, ed.detection)
	return slices.DeleteFunc(slices.Clone(files), func(f diagnostics.File) bool { return ed.members.leftOut(f.Path) != "" })
}

// unheard notes of which projects it is not known what the changes broke there: a server
// that answers for open files only reads again what changed below its own root.
func (ed *edition) unheard(changes []impact.Change, f diagnostics.File) {
	for _, source := range f.Sources {
		if d, _ := ed.definition(source.Key.ID); d.Diagnostics.ClosedFiles != registry.ClosedOpen {
			continue
		}
		deaf := slices.ContainsFunc(changes, func(c impact.Change) bool {
			return !workspace.Below(source.Key.Root, c.Path) && slices.ContainsFunc(ed.detection.Candidates(c.Path), func(other workspace.Candidate) bool {
				return other.Definition.ID == source.Key.ID
			})
		})
		why := fmt.Sprintf("what the edit did to files in %s, which could not be judged: %s reads again only what changes below its own root; restart it, or run the compiler there",
			ed.names.Relative(source.Key.Root), source.Key.ID)
		if deaf && !slices.Contains(ed.unknown, why) {
			ed.unknown = append(ed.unknown, why)
		}
	}
}

// openers returns one file for each server that answers for closed files but has none
// open: without one it has no project to find them in. It is left open.
func (ed *edition) openers(files []diagnostics.File) (first []diagnostics.File) {
	busy := make(map[diagnostics.Key]bool)
	for _, s := range ed.workspace.Running() {
		busy[diagnostics.Key{ID: s.Definition().ID, Root: s.Root()}] = len(s.OpenDocuments()) > 0
	}
	for _, f := range files {
		for _, source := range f.Sources {
			d, _ := ed.definition(source.Key.ID)
			if answers := d.Diagnostics.ClosedFiles; busy[source.Key] || answers != registry.ClosedCommand && answers != registry.ClosedPull {
				continue
			}
			busy[source.Key] = true
			f.Closed = false
			first = append(first, f)
			break
		}
	}
	return first
}

// beside returns the documents that are open in the servers of files: where nobody
// says who uses what, they are asked about.
func (ed *edition) beside(mute []string) (paths []string) {
	for _, path := range mute {
		for _, s := range ed.workspace.Running() {
			if slices.ContainsFunc(ed.detection.Candidates(path), func(c workspace.Candidate) bool {
				return c.Definition.ID == s.Definition().ID && c.Key().Root == s.Root()
			}) {
				paths = append(paths, s.OpenDocuments()...)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// textsFor returns the files in which dependants are looked for by text, if it is of use
// for any of the changes.
func (ed *edition) textsFor(ctx context.Context, changes []impact.Change) impact.Texts {
	if !slices.ContainsFunc(changes, func(c impact.Change) bool { return impact.SpreadsByText(c.Path) || impact.FollowsText(c.Path) }) {
		return impact.Texts{}
	}
	paths := func() []string {
		all, _ := ed.workspace.Sources(ctx) // its end is noticed soon enough
		return all
	}
	if ed.texts == nil {
		ed.texts = &readTexts{checker: ed.Checker, texts: make(map[string][]byte)}
	}
	return impact.TextsOf(&ed.imported, impact.Tree{
		Paths: paths, Read: ed.texts.read, Touched: ed.touched,
		Stamp: func(path string) (impact.Stamp, bool) {
			if _, given := ed.overlay.Given(path); given {
				return impact.Stamp{}, false
			}
			return ed.stamp(path)
		},
	})
}

// touched returns the files that may be others than at a mark: those that changed on disk
// and those of which somebody gave a text.
func (ch *Checker) touched(mark uint64) (paths []string, now uint64, ok bool) {
	paths, now, ok = ch.workspace.Touched(mark)
	return append(paths, ch.overlay.AllGiven()...), now, ok
}

// stamp returns the state of a file, false if the next one may look the same.
func (ch *Checker) stamp(path string) (impact.Stamp, bool) {
	size, modified, pictured := ch.workspace.Stamp(path)
	if !pictured {
		info, err := os.Stat(path)
		if err != nil {
			return impact.Stamp{}, false
		}
		size, modified = info.Size(), info.ModTime()
	}
	return impact.Stamp{Size: size, Modified: modified.UnixNano()}, time.Since(modified) > unsettled
}

// unsettled is how long after a change a file may change again without a sign of it.
const unsettled = 2 * time.Second

// readTexts are the texts of the files that a search for dependants read, so that those
// that it finds are not read twice.
type readTexts struct {
	checker *Checker

	mu    sync.Mutex
	texts map[string][]byte
	size  int
}

// maxReadTexts bounds the bytes that are kept.
const maxReadTexts = 16 << 20

// read returns the text of a file, as a caller gave it or from disk.
func (r *readTexts) read(path string) ([]byte, error) {
	if text, given := r.checker.overlay.Given(path); given {
		return text, nil
	}
	r.mu.Lock()
	text, known := r.texts[path]
	r.mu.Unlock()
	if known {
		return text, nil
	}
	text, err := r.checker.workspace.Read(path)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size += len(text); r.size <= maxReadTexts {
		r.texts[path] = text
	}
	return text, nil
}

// baseline makes servers say what is wrong before the edit.
func (ed *edition) baseline(ctx context.Context, files []diagnostics.File, wide bool) error {
	if len(files) == 0 {
		return nil
	}
	_, err := ed.collector.Check(ctx, diagnostics.Request{
		Files: files, NoBaseline: true, Probe: true, OthersToo: wide, Timeout: ed.timeout, FirstTouch: ed.timeout, Follow: ed.patience.left(),
	})
	return err
}

// mustAsk reports whether dependants of a file must be looked for, because its
// server reports on no file that it is not asked about; or only when the change is
// on disk, where it may never come.
func (ed *edition) mustAsk(path string) bool {
	for _, c := range ed.detection.Candidates(path) {
		if c.Unavailable == nil && c.Definition.Role == registry.Primary {
			d := c.Definition.Diagnostics
			return d.ClosedFiles != registry.ClosedPushes || d.Disk != nil && ed.mode != api.Apply && !ed.trial
		}
	}
	return false
}

// known returns the files with known errors whose servers report on no file that
// they are not asked about: an edit may mend them.
func (ed *edition) known() (paths []string) {
	const most = 20
	for _, r := range ed.collector.Known(nil) {
		if len(paths) < most && ed.workspace.Contains(r.Path) && (ed.mustAsk(r.Path) || ed.inParts(r.Path)) {
			paths = append(paths, r.Path)
		}
	}
	return paths
}

// choose returns the files of paths that can be judged, without the changed ones
// and within the limit on all dependants of the edition.
func (d *dependants) choose(ed *edition, paths []string) (files []diagnostics.File) {
	if d.chosen = maps.Clone(d.chosen); d.chosen == nil { // what was copied of d stays as it is
		d.chosen = make(map[string]bool)
	}
	for _, path := range paths {
		if d.chosen[path] || ed.touches(path) {
			continue
		}
		left := ed.members.leftOut(path) != ""
		if left && !ed.reconfigures() {
			continue
		}
		f, ok := ed.dependant(path)
		if !ok {
			continue
		}
		f.Created = left // what was wrong in it was nothing of the project's
		d.chosen[path] = true
		d.found++
		if len(d.files)+len(files) >= ed.opts.Config.Settings.MaxDependants {
			d.left = append(slices.Clip(d.left), path)
			continue
		}
		if _, f.Narrow = ed.singly(path); f.Narrow {
			f.Reported = !slices.ContainsFunc(f.Sources, func(s diagnostics.Source) bool { return !ed.collector.Reports(s.Key) })
		}
		files = append(files, f)
		ed.unheard(d.changes, f)
	}
	return files
}

// forgetLeft drops what is known of the dependants beyond the limit, which the change may
// have made another: nobody asks about them, and their servers say nothing unasked.
func (ed *edition) forgetLeft() {
	for _, path := range ed.dependants.left {
		if ed.mustAsk(path) {
			ed.collector.Forget(path)
		}
	}
}

// touches reports whether the edition changes the file at path.
func (ed *edition) touches(path string) bool {
	for _, c := range ed.changes {
		if c.Path == path || c.From == path {
			return true
		}
	}
	return false
}

// dependant returns a file to be judged because of others, by the servers that
// answer for its language; false if there is none, or no such file.
func (ed *edition) dependant(path string) (diagnostics.File, bool) {
	if !ed.workspace.Contains(path) {
		return diagnostics.File{}, false
	}
	content, given := ed.overlay.Given(path)
	if !given {
		var err error
		read := ed.workspace.Read
		if ed.texts != nil {
			read = ed.texts.read
		}
		if content, err = read(path); err != nil {
			return diagnostics.File{}, false
		}
	}
	f := diagnostics.File{Path: path, Content: content, Closed: !given}
	f.Shown = filepath.Ext(path) == ".go" && ed.workspace.Built(path, content).Elsewhere
	ed.sources(&f)
	f.Failures = nil
	f.Sources = slices.DeleteFunc(f.Sources, func(s diagnostics.Source) bool {
		d, _ := ed.definition(s.Key.ID)
		return d.Role != registry.Primary
	})
	return f, len(f.Sources) > 0
}

// counted says how many dependants there were.
func (d *dependants) counted(ed *edition, checked int) result.Dependants {
	const listed = 5
	counts := result.Dependants{Found: d.found, Checked: checked}
	for _, path := range d.left[:min(listed, len(d.left))] {
		counts.Unchecked = append(counts.Unchecked, ed.names.Relative(path))
	}
	return counts
}

// definition returns what is known of a server.
func (ch *Checker) definition(id string) (registry.Definition, bool) {
	return ch.opts.Config.Servers.Get(id)
}
