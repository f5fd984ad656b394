package diagnostics

import "slices"

// keptTexts are the files of which a server's last text is kept, the last judged last,
// and how long all of them are together.
type keptTexts struct {
	paths []string
	size  int
}

// keepTextLocked makes what a server last said of a file be kept with the text that it
// said it of. Where all such texts become too long, those judged longest ago are dropped:
// of these files it is no longer known what was wrong before, and who needs that asks.
func (s *stream) keepTextLocked(path string, last prior) {
	f := s.fileLocked(path)
	s.dropTextLocked(path)
	f.last = last
	s.texts.paths = append(s.texts.paths, path)
	s.texts.size += len(last.text)
	for s.texts.size > s.collector.opts.MaxTexts && len(s.texts.paths) > 1 {
		s.dropTextLocked(s.texts.paths[0])
	}
}

// dropTextLocked forgets what was last said of a file, with its text.
func (s *stream) dropTextLocked(path string) {
	i := slices.Index(s.texts.paths, path)
	if i < 0 {
		return
	}
	s.texts.paths = slices.Delete(s.texts.paths, i, i+1)
	if f := s.files[path]; f != nil {
		s.texts.size -= len(f.last.text)
		f.last = prior{}
	}
}
