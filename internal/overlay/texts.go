// Package overlay keeps the texts that servers see and the disk has not: those that callers
// opened files with, those of checks and edits that are at work, and files outside the
// workspace that are open for one question. Questions to servers are put here, so that nobody
// hears of a text that only somebody else's edit shows.
package overlay

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// Options are what an overlay is made of.
type Options struct {
	Workspace *workspace.Workspace
	// Collector is told what was found on disk.
	Collector *diagnostics.Collector
	Settings  *config.Settings
	// Once says that nothing changes on disk behind the servers.
	Once bool
}

// Texts are the texts of one workspace that servers see instead of those on disk. They are
// safe for concurrent use. Close ends what is asked ahead.
type Texts struct {
	// Writers lets one operation at a time change files.
	Writers *call.Lock
	// Shown is held alone by who shows servers texts that are not on disk, and shared by
	// those who ask them.
	Shown *call.Lock

	opts     Options
	outlines *outlines

	mu sync.Mutex
	// held counts the checks and edits at work on a path, whose text is then theirs.
	held map[string]int
	// opened are the texts that callers opened files with, pending those that are being
	// written to disk right now.
	opened, pending map[string][]byte
	// outside counts the questions that need a file outside the workspace open.
	outside map[outsider]int
}

// An outsider is a file outside the workspace that is open in a server.
type outsider struct {
	server *lsp.Server
	path   string
}

// Why the locks are held, for those who waited in vain.
const (
	BeingWritten = "another operation was changing files"
	BeingShown   = "the servers were being shown texts that are not on disk, or answered other questions"
)

// New returns an overlay without any text.
func New(opts Options) *Texts {
	return &Texts{
		opts: opts, Writers: call.NewLock(BeingWritten), Shown: call.NewLock(BeingShown),
		outlines: newOutlines(opts.Settings.RequestTimeout),
		held:     make(map[string]int), opened: make(map[string][]byte), pending: make(map[string][]byte), outside: make(map[outsider]int),
	}
}

// Wanted reports whether somebody waits to change files, to ask servers, or to show them texts.
func (t *Texts) Wanted() bool { return t.Writers.Wanted() || t.Shown.Wanted() }

// Close ends what is asked ahead, and waits.
func (t *Texts) Close() { t.outlines.close() }

// Given returns the text of a file that counts instead of the one on disk: one that is being
// written, or that a caller opened it with.
func (t *Texts) Given(path string) ([]byte, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text, ok := t.pending[path]; ok {
		return text, true
	}
	text, ok := t.opened[path]
	return text, ok
}

// AllGiven returns the paths of the files that Given has a text of.
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
}

func (t *Texts) takeBack(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.opened, path)
}

// Expect makes texts, by path, those of everybody who asks until they are written: what is on
// disk may still be the old ones, which nobody is to show to a server again.
func (t *Texts) Expect(texts map[string][]byte) (written func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.Copy(t.pending, texts)
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		for path := range texts {
			delete(t.pending, path)
		}
	}
}

// Hold keeps looks at the disk away from documents until release, and returns all that are
// held by anybody.
func (t *Texts) Hold(contents map[string][]byte) (held []string, release func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for path := range contents {
		t.held[path]++
	}
	return t.heldLocked(), func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		for path := range contents {
			if t.held[path]--; t.held[path] == 0 {
				delete(t.held, path)
			}
		}
	}
}

// Held returns the paths whose text is not that of the disk: those that somebody holds, and
// those that a caller opened with a text.
func (t *Texts) Held() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.heldLocked()
}

func (t *Texts) heldLocked() []string {
	return slices.AppendSeq(slices.Collect(maps.Keys(t.held)), maps.Keys(t.opened))
}

// Remember takes the first picture of the disk, before the first server starts.
func (t *Texts) Remember(ctx context.Context) error {
	if t.opts.Once {
		return nil
	}
	return t.opts.Workspace.Remember(ctx)
}

// Noticed tells the collector what was found on disk.
func (t *Texts) Noticed(disk workspace.Swept) {
	t.opts.Collector.Forget(disk.Deleted...)
	if disk.Told {
		t.opts.Collector.Disturbed()
	}
}

// Tidy closes the documents that are open beyond the limit per server, the ones used
// longest ago; none that a caller opened itself. While anybody asks or writes it
// does nothing: the next one does it.
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

// Lacks tells what projects lack of what their servers need.
type Lacks interface {
	// Note says what is lacking that can change a server's answer to a method; "" for nothing.
	Note(c *workspace.Candidate, path, method string) string
	// Without returns what a server cannot load the project of a file without, if it is missing.
	Without(d *registry.Definition, path string) diagnostics.Lack
}

// A View is an overlay as one caller sees it, who names files in its own way.
type View struct {
	texts *Texts
	names workspace.Names
	lacks Lacks
	// drafted are texts that count for this view alone, nil for a file that is not there.
	drafted map[string][]byte
}

// View returns the overlay as one caller sees it.
func (t *Texts) View(names workspace.Names, lacks Lacks) *View {
	return &View{texts: t, names: names, lacks: lacks}
}

// Showing returns the view of who drafts changes of texts that are themselves drafted: by path,
// nil for a file that is not there. Servers must be shown them while it is used.
func (v *View) Showing(texts map[string][]byte) *View {
	showing := *v
	showing.drafted = texts
	return &showing
}
