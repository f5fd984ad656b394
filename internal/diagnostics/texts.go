package diagnostics

import (
	"slices"

	"github.com/lspine/lspine/internal/protocol"
)

// keptTexts are the files of which a server's last text is kept, with its own words on it,
// the last judged last, and how long all of them are together.
type keptTexts struct {
	paths []string
	size  int
}

// keepTextLocked makes what a server last said of a file be kept with the text that it
// said it of. Where all such texts become too long, those judged longest ago are dropped:
// of these files it is no longer known what was wrong before, and who needs that asks.
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

// unlistTextLocked takes a file out of those whose text is kept, and reports whether it
// was one.
func (s *stream) unlistTextLocked(path string) bool {
	i, f := slices.Index(s.texts.paths, path), s.files[path]
	if i < 0 || f == nil {
		return false
	}
	s.texts.paths = slices.Delete(s.texts.paths, i, i+1)
	s.texts.size -= f.kept()
	return true
}

// dropTextLocked forgets what was last said of a file, with its text.
func (s *stream) dropTextLocked(path string) {
	if f := s.files[path]; s.unlistTextLocked(path) {
		f.last, f.items, f.pushed, f.heard = prior{}, slim(f.items), slim(f.pushed), nil
		clear(f.results) // the next pull is one from the beginning
	}
}

// kept is about how long what is kept with a text is.
func (f *fileState) kept() int {
	size := len(f.last.text)
	for i := range f.last.items {
		size += len(f.last.items[i].Raw)
	}
	return size
}

// slim returns findings without the server's own words on them, which are only for who
// asks it to mend them, and asks anew. The slice itself is others', too.
func slim(items []protocol.Diagnostic) []protocol.Diagnostic {
	items = slices.Clone(items)
	for i := range items {
		items[i].Raw, items[i].Related = nil, nil
	}
	return items
}
