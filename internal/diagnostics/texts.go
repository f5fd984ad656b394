package diagnostics

import (
	"slices"

	"github.com/lspine/lspine/internal/protocol"
)

// keptTexts are the files whose last judged text is kept with the findings for it, the most
// recently judged last, and the total size of all of them.
type keptTexts struct {
	paths []string
	size  int
}

// unlistTextLocked removes a file from those whose text is kept, and reports whether it was one of
// them.
func (s *stream) unlistTextLocked(path string) bool {
	i, f := slices.Index(s.texts.paths, path), s.files[path]
	if i < 0 || f == nil {
		return false
	}
	s.texts.paths = slices.Delete(s.texts.paths, i, i+1)
	s.texts.size -= f.kept()
	return true
}

// dropTextLocked forgets what was last reported about a file, with its text.
func (s *stream) dropTextLocked(path string) {
	if f := s.files[path]; s.unlistTextLocked(path) {
		f.last, f.items, f.pushed = prior{}, slim(f.items), slim(f.pushed)
		clear(f.results) // the next pull names no earlier result
	}
}

// keepTextLocked keeps what a server last reported about a file, with the text it was reported for.
// If all such texts together become too long, those judged least recently are dropped: it is then
// no longer known what was wrong with these files, and whoever needs that must ask the server.
func (s *stream) keepTextLocked(path string, last prior) {
	f := s.fileLocked(path)
	s.unlistTextLocked(path)
	f.last = last
	s.texts.paths = append(s.texts.paths, path)
	s.texts.size += f.kept()
	for s.texts.size > s.collector.opts.MaxTexts && len(s.texts.paths) > 1 {
		s.dropTextLocked(s.texts.paths[0])
	}
}

// kept returns the approximate size of what is kept for a file's text.
func (f *fileState) kept() int {
	size := len(f.last.text)
	for i := range f.last.items {
		size += len(f.last.items[i].Raw)
	}
	return size
}

// slim returns findings without the server's raw JSON and related places, which only a request for
// fixes needs, and that asks the server again. It copies the slice, because others use it too.
func slim(items []protocol.Diagnostic) []protocol.Diagnostic {
	items = slices.Clone(items)
	for i := range items {
		items[i].Raw, items[i].Related = nil, nil
	}
	return items
}
