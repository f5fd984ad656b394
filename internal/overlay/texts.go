// Package overlay keeps the texts that servers see and the disk does not have: texts that callers
// opened files with, texts of checks and edits in progress, and files outside the workspace that
// are open for one question. Questions to servers go through it, so that no answer comes from a
// text that only somebody else's edit shows.
package overlay

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// Options configure an overlay.
type Options struct {
	Workspace *workspace.Workspace
	// Collector is told what was found on disk.
	Collector *diagnostics.Collector
	Settings  *config.Settings
	// Beyond returns a search, for one request, for the files that may use what others declare; see
	// [symbols.Access]. nil finds none.
	Beyond func() BeyondSearch
	// Once says that the process runs one operation only: nothing changes on disk behind the
	// servers.
	Once bool
}

// A BeyondSearch looks for the files that [symbols.Access] calls beyond the project of a file, or within it. It is
// safe for concurrent use.
type BeyondSearch func(ctx context.Context, path, name string, within bool) (files []symbols.Beyond, all bool)

// Texts are the texts of one workspace that servers see instead of those on disk. They are safe
// for concurrent use. Close them when nobody uses them any more.
type Texts struct {
	// Writers is held by the one operation at a time that changes files, and shared by those
	// who have a [Turn].
	Writers *call.Lock
	// Shown is held alone by whoever shows servers texts that are not on disk, or by the group of
	// those who do so in their turns; and shared by those who ask servers questions.
	Shown *call.Lock

	opts     Options
	outlines *outlines
	turns    turns

	mu sync.Mutex
	// held counts the checks and edits at work on a path, whose text is then theirs.
	held map[string]int
	// opened are the texts that callers opened files with, pending those that are being
	// written to disk right now.
	opened, pending map[string][]byte
	// changes counts how often any of these began or ended, and when servers had heard of that.
	changes uint64
	// outside counts the questions that need a file outside the workspace open.
	outside map[outsider]int
}

// An outsider is a file outside the workspace that is open in a server.
type outsider struct {
	server *lsp.Server
	path   string
}

// Why a lock is held, as those are told who waited for it in vain.
const (
	BeingWritten = "another operation was changing files"
	BeingShown   = "the servers were being shown texts that are not on disk, or answered other questions"
)

// New returns an overlay that has no texts yet.
func New(opts Options) *Texts {
	return &Texts{
		opts: opts, Writers: call.NewLock(BeingWritten), Shown: call.NewLock(BeingShown),
		outlines: newOutlines(opts.Settings.RequestTimeout), turns: turns{locks: make(map[roots.Key]*call.Lock)},
		held: make(map[string]int), opened: make(map[string][]byte), pending: make(map[string][]byte), outside: make(map[outsider]int),
	}
}

// beyond begins a search for one request.
func (t *Texts) beyond() BeyondSearch {
	if t.opts.Beyond == nil {
		return func(context.Context, string, string, bool) ([]symbols.Beyond, bool) { return nil, true }
	}
	return t.opts.Beyond()
}

// Wanted reports whether somebody waits to change files, to ask servers, or to show them texts.
func (t *Texts) Wanted() bool { return t.Writers.Wanted() || t.Shown.Wanted() }

// Close ends the requests that were sent in advance, and waits for them.
func (t *Texts) Close() { t.outlines.close() }

// Given returns the text that counts for a file instead of the one on disk: one that is about to
// be written, or one that a caller opened the file with.
func (t *Texts) Given(path string) ([]byte, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text, ok := t.pending[path]; ok {
		return text, true
	}
	text, ok := t.opened[path]
	return text, ok
}

// AllGiven returns the paths of the files for which [Texts.Given] has a text.
func (t *Texts) AllGiven() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.AppendSeq(slices.Collect(maps.Keys(t.opened)), maps.Keys(t.pending))
}

// give makes a text count instead of the disk, until it is taken back.
func (t *Texts) give(path string, text []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.opened[path] = text
	t.changes++
}

// takeBack ends that a text counts. No check that nobody waits for any longer shows it from then on.
func (t *Texts) takeBack(path string) {
	t.mu.Lock()
	delete(t.opened, path)
	t.changes++
	t.mu.Unlock()
	t.opts.Collector.Recall(path)
}

// Expect makes the given texts, by path, count for everybody until written is called: the disk
// may still have the old ones, and no server may be shown those again.
func (t *Texts) Expect(texts map[string][]byte) (written func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.Copy(t.pending, texts)
	t.changes++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.changes++
		for path := range texts {
			delete(t.pending, path)
		}
	}
}

// Hold keeps looks at the disk from changing the documents of some files until release is called.
// It returns the paths of all files that anybody holds.
func (t *Texts) Hold(contents map[string][]byte) (held []string, release func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for path := range contents {
		t.held[path]++
	}
	t.changes++
	return t.heldLocked(), func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.changes++
		for path := range contents {
			if t.held[path]--; t.held[path] == 0 {
				delete(t.held, path)
			}
		}
	}
}

// Held returns the paths of files whose text in servers is not the one on disk: those that
// somebody holds, and those that a caller opened with a text.
func (t *Texts) Held() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.heldLocked()
}

// Holds reports whether Held has a path.
func (t *Texts) Holds(path string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, opened := t.opened[path]
	return opened || t.held[path] > 0
}

func (t *Texts) heldLocked() []string {
	return slices.AppendSeq(slices.Collect(maps.Keys(t.held)), maps.Keys(t.opened))
}

// Remember takes the first picture of the disk, with which later ones are compared. It must be
// called before the first server starts.
func (t *Texts) Remember(ctx context.Context) error {
	if t.opts.Once {
		return nil
	}
	return t.opts.Workspace.Remember(ctx)
}

// Noticed tells the collector what a look at the disk found.
func (t *Texts) Noticed(disk workspace.Swept) {
	t.opts.Collector.Forget(disk.Deleted...)
}

// Tidy closes the least recently used documents of each server that has more open than the limit,
// but none that a caller opened. While anybody asks or writes it does nothing; the next call
// makes up for that.
func (t *Texts) Tidy() {
	most := t.opts.Settings.MaxOpenDocuments
	servers := t.opts.Workspace.Running()
	if !slices.ContainsFunc(servers, func(s *lsp.Server) bool { return len(s.Surplus(most)) > 0 }) {
		return
	}
	if !t.Writers.TryLock() {
		return
	}
	defer t.Writers.Unlock()
	if !t.Shown.TryLock() {
		return
	}
	defer t.Shown.Unlock()
	for _, s := range servers {
		if len(s.Surplus(most)) == 0 {
			continue
		}
		for _, path := range s.Surplus(most - most/10) { // a few more, so that not each question closes one
			if _, given := t.Given(path); !given {
				_, _ = s.CloseDocument(path) // a server that ended has none open
			}
		}
	}
}

// A View is an overlay for one caller, with its own names of files. It is safe for concurrent
// use.
type View struct {
	texts *Texts
	names workspace.Names
	lacks Lacks
	// drafted are texts that count for this view alone, nil for a file that is not there.
	drafted map[string][]byte
	// note, if not nil, is called with what each question was asked of; see [View.Noting].
	note func(Asked)
}

// View returns the overlay for one caller, who names files as names does.
func (t *Texts) View(names workspace.Names, lacks Lacks) *View {
	return &View{texts: t, names: names, lacks: lacks}
}

// Showing returns the view for drafting changes on top of drafted texts, by path, nil for a file
// that is deleted. Servers must be shown those texts while it is used.
func (v *View) Showing(texts map[string][]byte) *View {
	showing := *v
	showing.drafted = texts
	return &showing
}
