package workspace

import (
	"errors"
	"os"
	"slices"

	"github.com/lspine/lspine/internal/lsp"
)

// A shown document is one version of a document that is open in a server.
type shown struct {
	server  *lsp.Server
	path    string
	version int32
}

// reconcile brings the open documents of a server, but those in except, to what
// the disk holds: a text that a caller gave counts for that caller's question
// alone. It returns the documents that it closed, for want of a file, and
// whether the server was told anything. A document that was found equal costs
// one stat until its file changes.
func (w *Workspace) reconcile(s *lsp.Server, except []string) (closed []string, told bool, err error) {
	var failures []error
	for _, path := range s.OpenDocuments() {
		if slices.Contains(except, path) {
			continue
		}
		version, _, open := s.Document(path)
		if !open {
			continue
		}
		var now stamp
		if info, err := os.Stat(path); err == nil {
			now = stamp{info.ModTime(), info.Size()}
			if w.equals(shown{s, path, version}, now) {
				continue
			}
		}
		changed, err := w.refresh(s, path)
		failures = append(failures, err)
		told = told || changed
		switch version, _, open = s.Document(path); {
		case !open:
			closed = append(closed, path)
		case err == nil:
			w.remember(shown{s, path, version}, now)
		}
	}
	return closed, told, errors.Join(failures...)
}

// equals reports whether a document was found equal to a file with the stamp.
func (w *Workspace) equals(d shown, now stamp) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	known, ok := w.equal[d.path]
	return ok && known.shown == d && known.stamp == now
}

// remember notes that a document equals the file with the stamp.
func (w *Workspace) remember(d shown, now stamp) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.equal[d.path] = equality{d, now}
}

// An equality says that a shown document and a file with the stamp are the same.
type equality struct {
	shown
	stamp
}

// CloseDocument closes the document at a path in every running server, and
// reports whether one had it open.
func (w *Workspace) CloseDocument(path string) (bool, error) {
	var failures []error
	was := false
	for _, s := range w.running() {
		closed, err := s.CloseDocument(path)
		was = was || closed
		failures = append(failures, err)
	}
	return was, errors.Join(failures...)
}
