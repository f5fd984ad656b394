package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A telling is what servers are being told of the disk.
type telling struct {
	swept    Swept
	failures []error
	reloads  []<-chan error // each gets one answer
}

// add makes what another telling is about a part of this one.
func (t *telling) add(other *telling) {
	t.swept.Deleted = append(t.swept.Deleted, other.swept.Deleted...)
	t.swept.Changed = append(t.swept.Changed, other.swept.Changed...)
	t.swept.Told = t.swept.Told || other.swept.Told
	t.failures = append(t.failures, other.failures...)
	t.reloads = append(t.reloads, other.reloads...)
}

// tellLocked tells the running servers what changed, as Sweep says. It only
// queues: whoever finds nothing afterwards can ask, and its question comes behind
// on the wire.
func (w *Workspace) tellLocked(events []protocol.FileEvent, except []string) *telling {
	t := &telling{}
	t.add(&w.tree.unclaimed)
	w.tree.unclaimed = telling{}
	var changed []string
	for _, e := range events {
		path, err := e.URI.Path()
		if err != nil {
			continue
		}
		changed = append(changed, path)
		w.tree.Note(path, e.Type)
		if e.Type != protocol.Changed {
			// Which servers a name is searched in may be another matter now.
			t.swept.Told = w.samples.known.Swap(false) || t.swept.Told
		}
		if e.Type == protocol.Deleted {
			t.swept.Deleted = append(t.swept.Deleted, path)
		}
	}
	t.swept.Changed = append(t.swept.Changed, changed...)
	w.events.addChanged(w.opts.Now(), changed)
	w.reconfigureLocked(events)
	named := slices.ContainsFunc(t.swept.Changed, func(path string) bool { return project.NamesLibraries(filepath.Base(path)) })
	for _, s := range w.running() {
		if d := s.Definition(); named {
			w.followLocked(d)
		}
		closed, told, err := w.reconcile(s, except)
		for _, path := range closed {
			if !slices.Contains(t.swept.Deleted, path) {
				t.swept.Deleted = append(t.swept.Deleted, path)
			}
		}
		t.swept.Told = t.swept.Told || told
		t.failures = append(t.failures, err)
		within := w.eventsWithin(s.Definition(), events)
		kept := w.unheld(s, within, except)
		outside, reread := w.includedLocked(s, within) // also of the files that it is shown
		kept = append(kept, outside...)
		anew := len(kept) > 0 && w.tell(t, s, kept)
		if reread && !anew { // after it has the texts
			s.RereadsDisk()
			t.swept.Told = true
		}
		if !anew {
			w.respread(t, s)
		}
		if d := s.Definition(); !anew && d.Has(registry.OpenChanged) && (told || concerns(d, kept)) {
			w.reread(t, s)
		}
	}
	w.tree.ForgetSameTimes()
	if t.swept.Told {
		w.tree.tellings.Add(1)
	}
	return t
}

// Tellings counts how often servers were told that something changed on disk, for whichever caller: what they say
// while it grows may be of the texts before and after that.
func (w *Workspace) Tellings() uint64 { return w.tree.tellings.Load() }

// unheld returns the events but those of changed files that a server has open with a
// text that somebody else answers for.
func (w *Workspace) unheld(s *lsp.Server, events []protocol.FileEvent, except []string) []protocol.FileEvent {
	return slices.DeleteFunc(slices.Clone(events), func(e protocol.FileEvent) bool {
		path, err := e.URI.Path()
		if err != nil {
			return true
		}
		_, _, open := s.Document(path)
		return open && e.Type == protocol.Changed && (slices.Contains(except, path) || w.held(path))
	})
}

// wait waits until the servers that are slow to hear have answered, or ctx ends.
func (t *telling) wait(ctx context.Context) (Swept, error) {
	for _, answered := range t.reloads {
		select {
		case err := <-answered:
			t.failures = append(t.failures, err)
		case <-ctx.Done():
			t.failures = append(t.failures, ctx.Err())
		}
	}
	return t.swept, errors.Join(t.failures...)
}

// tell tells one server what changed, and reports whether it is restarted
// because of that.
func (w *Workspace) tell(t *telling, s *lsp.Server, events []protocol.FileEvent) (anew bool) {
	d := s.Definition()
	startsAnew := func(e protocol.FileEvent) bool {
		return startsAnew(d, s.Root(), e) || isBase(d, s.Roots(), e) || w.LacksPlugin(d, e)
	}
	if slices.ContainsFunc(events, startsAnew) || w.missesReturned(s, events) || w.overlooksLocked(d, events) {
		w.startAnew(t, s)
		return true
	}
	ofLibraries, others := w.dividedLocked(events)
	heard, failed := s.FilesChanged(ofLibraries)
	if concerns(d, ofLibraries) && (d.Has(registry.AnewLibraries) || heard == 0 && d.Diagnostics.Outside == registry.OutsideWatched) {
		w.startAnew(t, s)
		return true
	}
	n, err := s.FilesChanged(others)
	t.failures = append(t.failures, failed, err)
	t.swept.Told = t.swept.Told || heard+n > 0
	if n > 0 && d.ReadBack != "" {
		w.awaitReadBack(t, s, others)
	}
	anew = w.open(t, s, d, events)
	if d.Diagnostics.Outside != registry.OutsideWatched && concerns(d, events) {
		t.swept.Told = true
		w.outside(t, s)
	}
	return anew
}

// readGrace limits the wait for a server to read what changed on disk.
const readGrace = 5 * time.Second

// awaitReadBack waits beside until a server has read the last of the changed files; it reads them in this order.
func (w *Workspace) awaitReadBack(t *telling, s *lsp.Server, events []protocol.FileEvent) {
	for _, e := range slices.Backward(events) {
		path, err := e.URI.Path()
		if err != nil || e.Type != protocol.Changed {
			continue
		}
		_, speaks := s.Definition().LanguageID(path)
		if _, _, open := s.Document(path); speaks && !open {
			w.beside(t, func() error {
				ctx, cancel := context.WithTimeout(w.background, readGrace)
				defer cancel()
				return s.AwaitRead(ctx, path)
			})
			return
		}
	}
}

// overlooksLocked reports whether a server would not read a file again that changed.
func (w *Workspace) overlooksLocked(d *registry.Definition, events []protocol.FileEvent) bool {
	return d.Has(registry.AnewSameTime) && slices.ContainsFunc(events, func(e protocol.FileEvent) bool {
		path, err := e.URI.Path()
		return err == nil && w.tree.HasSameTime(path) && d.Concerns(path)
	})
}

// startsAnew reports whether a server of a root must not go on after a change, in it
// or in a folder above.
func startsAnew(d *registry.Definition, root string, e protocol.FileEvent) bool {
	path, err := e.URI.Path()
	if err != nil || !fspath.Below(root, path) && !fspath.Below(filepath.Dir(path), root) {
		return false
	}
	isGone := e.Type == protocol.Deleted && d.Has(registry.AnewProjectGone) && slices.Contains(d.Roots, filepath.Base(path))
	return isGone || slices.Contains(d.Anew, filepath.Base(path))
}

// isBase reports whether a file changed that the configuration of a server extends in one of its roots.
func isBase(d *registry.Definition, roots []string, e protocol.FileEvent) bool {
	path, err := e.URI.Path()
	return err == nil && d.Scope == registry.Pyright && language.MayExtend(language.PythonFamily, path) &&
		slices.ContainsFunc(roots, func(root string) bool { return slices.Contains(project.PyrightBases(root), path) })
}

// missesReturned reports whether a file came back that a server may not find again: one of
// a package or a project within the workspace, which others import by its name.
func (w *Workspace) missesReturned(s *lsp.Server, events []protocol.FileEvent) bool {
	d := s.Definition()
	if !d.Has(registry.AnewReturned) {
		return false
	}
	return slices.ContainsFunc(events, func(e protocol.FileEvent) bool {
		path, err := e.URI.Path()
		if err != nil || e.Type != protocol.Created || !s.Returns(path) {
			return false
		}
		for dir := filepath.Dir(path); dir != w.root && fspath.Below(w.root, dir); dir = filepath.Dir(dir) {
			for _, name := range []string{language.PackageJSON, language.TSConfig} {
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
					return true
				}
			}
		}
		return false
	})
}

// anewGrace bounds the end of a server that is restarted: some finish first what
// is of no use any more.
const anewGrace = 500 * time.Millisecond

// startAnew ends a server beside.
func (w *Workspace) startAnew(t *telling, s *lsp.Server) {
	t.swept.Told = true
	w.beside(t, func() error {
		w.end(s)
		return nil
	})
}

// end ends a server, for whoever asks it next to start it.
func (w *Workspace) end(s *lsp.Server) {
	ctx, cancel := context.WithTimeout(w.background, anewGrace)
	defer cancel()
	w.Stop(ctx, roots.Key{ID: s.Definition().ID, Root: s.Root()})
}

// maxOpened bounds the files that one look opens in a server. One that would
// need more of them is restarted instead, by whoever asks it next.
const maxOpened = 64

// open opens files that a server would otherwise not know as they are now, and
// waits beside until it has read them. It reports whether they were too many.
func (w *Workspace) open(t *telling, s *lsp.Server, d *registry.Definition, events []protocol.FileEvent) (anew bool) {
	var opened, asked, back []string
	for _, e := range events {
		path, err := e.URI.Path()
		if err != nil {
			continue
		}
		wanted, returned := wantsOpen(d, path, e.Type, events), e.Type == protocol.Created && s.Returns(path)
		if !wanted && !returned {
			continue
		}
		if len(opened) == maxOpened {
			if !wanted { // it rarely misses one: it is asked, and not restarted before it says so
				asked, back = append(asked, path), append(back, path)
				continue
			}
			w.startAnew(t, s)
			return true
		}
		if _, _, open := s.Document(path); open || !w.serves(d, s, path) {
			continue
		}
		content, err := w.Read(path)
		if err != nil { // it is none that a server is shown
			continue
		}
		synced, err := s.SyncVersion(path, 0, content)
		if err != nil || synced.Version == 0 {
			t.failures = append(t.failures, err)
			continue
		}
		t.swept.Told = true
		if opened = append(opened, path); returned {
			back = append(back, path)
		}
	}
	w.awaitRead(t, s, append(opened, asked...), back)
	return false
}

// reread closes and opens all documents of a server that goes on with what it
// derived from files as they were, and waits beside until it has read them.
func (w *Workspace) reread(t *telling, s *lsp.Server) {
	paths := s.OpenDocuments()
	for _, path := range paths {
		_, err := s.Reopen(path)
		t.failures = append(t.failures, err)
	}
	t.swept.Told = t.swept.Told || len(paths) > 0
	w.awaitRead(t, s, paths, nil)
}

// awaitRead waits beside until a server has read documents: a question about
// the types in one is answered after that. One that still misses one of those that came
// back is ended: nothing else brings it there.
func (w *Workspace) awaitRead(t *telling, s *lsp.Server, paths, back []string) {
	if len(paths) == 0 {
		return
	}
	w.beside(t, func() error {
		var failures []error
		for _, path := range paths {
			_, err := s.HoverAt(w.background, path, protocol.Position{})
			if slices.Contains(back, path) && s.Misses(path, err) {
				w.end(s)
				return nil
			}
			var refused *jsonrpc.ResponseError
			if !errors.As(err, &refused) {
				failures = append(failures, err)
			}
		}
		return errors.Join(failures...)
	})
}

// serves reports whether a file belongs to a running server.
func (w *Workspace) serves(d *registry.Definition, s *lsp.Server, path string) bool {
	return slices.ContainsFunc(w.Candidates(path), func(c roots.Candidate) bool {
		return c.Unavailable == nil && c.Key() == roots.Key{ID: d.ID, Root: s.Root()}
	})
}

// wantsOpen reports whether a server must be shown a file to know of its change.
func wantsOpen(d *registry.Definition, path string, change protocol.ChangeType, events []protocol.FileEvent) bool {
	if _, speaks := d.LanguageID(path); !speaks || change == protocol.Deleted {
		return false
	}
	if d.Has(registry.OpenChanged) || d.Has(registry.OpenCreated) && change == protocol.Created {
		return true
	}
	if !d.Has(registry.OpenNewFolders) || change != protocol.Created {
		return false
	}
	names, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return false
	}
	// The first of the files that are all new.
	for _, e := range names {
		sibling := filepath.Join(filepath.Dir(path), e.Name())
		if filepath.Ext(sibling) != filepath.Ext(path) {
			continue
		}
		isNew := slices.ContainsFunc(events, func(e protocol.FileEvent) bool {
			p, err := e.URI.Path()
			return err == nil && p == sibling && e.Type == protocol.Created
		})
		if !isNew || sibling < path {
			return false
		}
	}
	return true
}

// beside runs something that a look must wait for, beyond the lock.
func (w *Workspace) beside(t *telling, do func() error) {
	answered := make(chan error, 1)
	if !w.startUnlessClosed(func() { answered <- guard.Do(do) }) {
		t.failures = append(t.failures, errClosed)
		return
	}
	t.reloads = append(t.reloads, answered)
}

// concerns reports whether a server would read one of the files that changed.
func concerns(d *registry.Definition, events []protocol.FileEvent) bool {
	return slices.ContainsFunc(events, func(e protocol.FileEvent) bool {
		path, err := e.URI.Path()
		return err == nil && d.Concerns(path)
	})
}

// outside makes a server that does not listen to didChangeWatchedFiles see the
// disk. What is asked later comes after it on the wire, so a server that does
// not answer in time is not told to forget it.
func (w *Workspace) outside(t *telling, s *lsp.Server) {
	s.RereadsDisk()
	reload := s.Definition().Diagnostics.Reload
	if reload == nil {
		return
	}
	w.beside(t, func() error {
		_, err := s.Diagnose(w.background, *reload, s.Root())
		// What was asked meanwhile may have overtaken the reload.
		s.RereadsDisk()
		return err
	})
}

// eventsWithin returns the events of files that a server may be told of.
func (w *Workspace) eventsWithin(d *registry.Definition, events []protocol.FileEvent) []protocol.FileEvent {
	if len(d.Within) == 0 {
		return events
	}
	return slices.DeleteFunc(slices.Clone(events), func(e protocol.FileEvent) bool {
		path, err := e.URI.Path()
		return err != nil || !w.Within(d, path)
	})
}
