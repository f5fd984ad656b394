package workspace

import (
	"bytes"
	"errors"
	"os"
	"slices"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
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
		version, text, open := s.Document(path) // before it is asked whether somebody holds it
		if !open || slices.Contains(except, path) || w.held(path) {
			continue
		}
		var now disk.Stamp
		if info, err := os.Stat(path); err == nil {
			now = disk.StampOf(info)
			if w.equals(shown{s, path, version}, now) {
				continue
			}
		}
		synced, went, err := w.refresh(s, path, version, text)
		failures = append(failures, err)
		told = told || synced.Changed || went
		switch {
		case went:
			closed = append(closed, path)
		case err == nil && synced.Version != 0:
			w.remember(shown{s, path, synced.Version}, now)
		}
	}
	return closed, told, errors.Join(failures...)
}

// held reports whether somebody shows servers a text of a file that the one on disk is not to
// take the place of.
func (w *Workspace) held(path string) bool { return w.opts.Held != nil && w.opts.Held(path) }

// refresh brings a document to its content on disk, or closes it if there is none: unless
// somebody showed the server another text since it had that version. The version of the result
// is that which equals the file, 0 if none is known to.
func (w *Workspace) refresh(s *lsp.Server, path string, version int32, text []byte) (synced lsp.Synced, closed bool, err error) {
	content, err := fspath.Read(path)
	switch {
	case fspath.IsMissing(err):
		closed, err = s.CloseVersion(path, version)
		return lsp.Synced{}, closed, err
	case err != nil: // whoever asks about the file is told
		return lsp.Synced{}, false, nil
	case bytes.Equal(protocol.Text(content), text):
		return lsp.Synced{Version: version}, false, nil
	}
	synced, err = s.SyncVersion(path, version, content)
	return synced, false, err
}

// Restore brings the open documents of these paths back from other texts that servers were shown: to the
// text that given returns or, if it returns none, to that of the file, without which they are closed.
func (w *Workspace) Restore(paths []string, given func(path string) ([]byte, bool)) error {
	var failures []error
	for _, s := range w.running() {
		for _, path := range paths {
			version, text, open := s.Document(path)
			if !open {
				continue
			}
			var err error
			if content, is := given(path); is {
				_, err = s.SyncVersion(path, version, content)
			} else {
				_, _, err = w.refresh(s, path, version, text)
			}
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
}

// equals reports whether a document was found equal to a file with the stamp.
func (w *Workspace) equals(d shown, now disk.Stamp) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	known, ok := w.equal[d.path]
	return ok && known.shown == d && known.Stamp == now
}

// remember notes that a document equals the file with the stamp.
func (w *Workspace) remember(d shown, now disk.Stamp) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.equal[d.path] = equality{d, now}
}

// An equality says that a shown document and a file with the stamp are the same.
type equality struct {
	shown
	disk.Stamp
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
