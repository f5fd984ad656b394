package workspace

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A telling is what servers are being told of the disk.
type telling struct {
	swept    Swept
	failures []error
	reloads  []<-chan error // each gets one answer
}

// tellLocked tells the running servers what changed, as Sweep says. It only
// queues: whoever finds nothing afterwards can ask, and its question comes behind
// on the wire.
func (w *Workspace) tellLocked(events []protocol.FileEvent, except []string) *telling {
	t := &telling{}
	kept := events[:0]
	for _, e := range events {
		path, err := e.URI.Path()
		if err != nil {
			continue
		}
		if e.Type == protocol.Deleted {
			t.swept.Deleted = append(t.swept.Deleted, path)
		}
		if e.Type != protocol.Changed || !slices.Contains(except, path) {
			kept = append(kept, e)
		}
	}
	for _, s := range w.running() {
		closed, told, err := w.reconcile(s, except)
		for _, path := range closed {
			if !slices.Contains(t.swept.Deleted, path) {
				t.swept.Deleted = append(t.swept.Deleted, path)
			}
		}
		t.swept.Told = t.swept.Told || told
		t.failures = append(t.failures, err)
		if len(kept) > 0 {
			w.tell(t, s, kept)
		}
	}
	return t
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

// tell tells one server what changed.
func (w *Workspace) tell(t *telling, s *lsp.Server, events []protocol.FileEvent) {
	n, err := s.FilesChanged(events)
	t.failures = append(t.failures, err)
	t.swept.Told = t.swept.Told || n > 0
	d := s.Definition()
	if d.Diagnostics.Outside != registry.OutsideWatched && concerns(d, events) {
		t.swept.Told = true
		w.outside(t, s)
	}
}

// concerns reports whether a server that is not told of files would read one.
func concerns(d *registry.Definition, events []protocol.FileEvent) bool {
	return slices.ContainsFunc(events, func(e protocol.FileEvent) bool {
		path, err := e.URI.Path()
		if err != nil {
			return false
		}
		_, ok := d.LanguageID(path)
		return ok || slices.Contains(d.Roots, filepath.Base(path))
	})
}

// outside makes a server that does not listen to didChangeWatchedFiles see the
// disk. What is asked later comes after it on the wire, so a server that does
// not answer in time is not told to forget it.
func (w *Workspace) outside(t *telling, s *lsp.Server) {
	s.Disturb()
	reload := s.Definition().Diagnostics.Reload
	if reload == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		t.failures = append(t.failures, errClosed)
		return
	}
	answered := make(chan error, 1)
	t.reloads = append(t.reloads, answered)
	w.starts.Go(func() {
		_, err := s.Diagnose(w.background, *reload, s.Root())
		answered <- err
	})
}

// refresh brings an open document to its content on disk.
func (w *Workspace) refresh(s *lsp.Server, path string) (changed bool, err error) {
	_, text, open := s.Document(path)
	if !open {
		return false, nil
	}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s.CloseDocument(path)
	}
	if err != nil || bytes.Equal(protocol.Text(content), text) {
		return false, nil
	}
	synced, err := s.Sync(path, content)
	return synced.Changed, err
}
