package checking

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/registry"
)

// In a large project a server that reports on all files by itself needs seconds to say
// what a change did to them, and a fraction of that for the changed file and those that
// use it. So there the parts have an order (03-diagnostics, section 4): the edited file,
// the files that text shows to be concerned, and the rest only if the texts do not prove
// that there is none.

// slow is how long a server may need for all its files and still be waited for.
const slow = 2 * time.Second

// inParts reports whether changes of a file are judged in parts: its server can be asked
// about single files, and is known to be slow with all of them, or the project is large.
func (ed *edition) inParts(path string) bool {
	key, ok := ed.singly(path)
	return ok && (ed.collector.WideTime(key) > slow || ed.isLarge(filepath.Ext(path)))
}

// singly returns the server of a file that reports on all files by itself and can be asked
// about single ones as well, which text finds; false if there is none.
func (ed *edition) singly(path string) (diagnostics.Key, bool) {
	if !impact.FollowsText(path) || impact.SpreadsByText(path) {
		return diagnostics.Key{}, false
	}
	for _, c := range ed.detection.Candidates(path) {
		d := c.Definition.Diagnostics
		if c.Unavailable == nil && c.Definition.Role == registry.Primary && d.ClosedFiles == registry.ClosedPushes && slices.Contains(d.FileStrategies, registry.Pull) {
			return diagnostics.Key(c.Key()), true
		}
	}
	return diagnostics.Key{}, false
}

// searched reports whether the files that use what a change concerns are found by text and
// asked about one by one: where changes are judged in parts and, whatever the size, where
// files come and go, as gopls does not publish by itself that an import leads nowhere.
func (ed *edition) searched(c edit.Change) bool {
	if ed.inParts(c.Path) || c.From != "" && ed.inParts(c.From) {
		return true
	}
	_, singly := ed.singly(c.Path)
	return singly && (c.Created || c.Deleted || c.From != "")
}

// isLarge reports whether there are many files with an ending. They are counted once.
func (ch *Checker) isLarge(ending string) bool {
	ch.mu.Lock()
	large, counted := ch.large[ending]
	ch.mu.Unlock()
	if counted {
		return large
	}
	ctx, cancel := context.WithTimeout(context.Background(), ch.opts.Config.Settings.DiagnosticTimeout)
	defer cancel()
	files, err := ch.workspace.Sources(ctx)
	if err != nil {
		return false
	}
	n := 0
	for _, path := range files {
		if filepath.Ext(path) == ending {
			n++
		}
	}
	ch.mu.Lock()
	defer ch.mu.Unlock()
	ch.large[ending] = n >= ch.opts.Config.Settings.LargeProjectFiles
	return ch.large[ending]
}

// surveyParts finds the files that text shows to be concerned by changes that are judged
// in parts, and what is wrong with them before.
func (ed *edition) surveyParts(ctx context.Context, changes []impact.Change) error {
	if len(changes) == 0 {
		return nil
	}
	reach := impact.SurveyTexts(ed.textsFor(ctx, changes), changes)
	ed.unproven = reach.Unproven
	found := ed.dependants.choose(ed, slices.Concat(reach.Files(), ed.known()))
	ed.dependants.files = append(ed.dependants.files, found...)
	return ed.baseline(ctx, slices.DeleteFunc(slices.Clone(found), func(f diagnostics.File) bool {
		return ed.collector.Knows(f, false) || ed.reports(f)
	}), false)
}

// reports reports whether what a file's server published about it tells what was wrong
// with it before the change.
func (ch *Checker) reports(f diagnostics.File) bool { return f.Reported && f.Closed }

// grace is how long the rest is waited for, in relation to the other parts: they are ready.
const grace = 4

// quick is how long a server may have needed for all its files the last time to be waited
// for, however many there are.
const quick = 300 * time.Millisecond

// rest returns what the changes did to files beyond those that text showed, if it may be
// something and the server says so soon. What it says later comes with a later answer.
// The server is asked by way of the files that are its own.
func (ed *edition) rest(ctx context.Context, began time.Time, files []diagnostics.File) (found, late []diagnostics.FileReport, err error) {
	var wide []diagnostics.File
	for _, f := range files {
		if ed.inParts(f.Path) {
			f.Narrow = false
			wide = append(wide, f)
		}
	}
	inParts := slices.ContainsFunc(ed.changes, func(c edit.Change) bool { return ed.inParts(c.Path) || c.From != "" && ed.inParts(c.From) })
	if !ed.unproven || !inParts {
		return nil, nil, nil
	}
	const unknown = "what the change did to files that do not use it directly: their server is still at work on them (late answers come with the next call)"
	if len(wide) == 0 {
		ed.unknown = append(ed.unknown, "what the change did to files that do not use it directly: there is no file by which their server could be asked")
		return nil, nil, nil
	}
	wait := time.Since(began) / grace
	for _, f := range wide {
		if key, _ := ed.singly(f.Path); ed.collector.WideTime(key) < quick {
			wait = max(wait, grace*ed.collector.WideTime(key))
		}
	}
	if ed.opts.Once { // nobody can be told later
		wait = max(wait, ed.patience.left())
	}
	report, err := ed.collector.Check(ctx, diagnostics.Request{
		Files: wide, Besides: ed.dependants.files, Since: ed.since, OthersToo: true, Severities: ed.severities,
		Timeout: wait, FirstTouch: wait, Renamed: ed.renamed(),
	})
	for _, r := range report.Files {
		if r.Judgement.Lacking && !slices.Contains(ed.unknown, unknown) {
			ed.unknown = append(ed.unknown, unknown)
		}
	}
	return report.Others, report.Late, err
}
