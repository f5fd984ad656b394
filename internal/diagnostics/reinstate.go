package diagnostics

import (
	"slices"
)

// Reinstate makes what servers had reported about files at a moment known again. Since then the
// servers were shown other texts of these files, or of files that these use, and have judged them
// completely; now they are about to be shown the former texts again. It returns the files that must
// be checked instead: those of servers that also publish without being asked, since such a publish
// would be about the other texts, and those whose findings were not known at that moment.
//
// The reinstated findings are a baseline and not an answer: because the server was told something
// since, a check of such a file asks the server.
func (c *Collector) Reinstate(then *Moment, files []File) (left []File) {
	texts := make(map[string][]byte)
	for _, f := range files {
		texts[f.Path] = f.Content
	}
	for _, f := range files {
		if !c.mayReinstate(then, f, texts) {
			left = append(left, f)
			continue
		}
		for _, source := range f.Sources {
			c.stream(source.Key).reinstate(f, then.said[source.Key][f.Path])
		}
	}
	return left
}

func (c *Collector) mayReinstate(then *Moment, f File, texts map[string][]byte) bool {
	return len(f.Sources) > 0 && !slices.ContainsFunc(f.Sources, func(source Source) bool {
		was, known := then.said[source.Key][f.Path]
		return !known || was.imagined || !c.stream(source.Key).returnsTo(then, texts, f.Path)
	})
}

// returnsTo reports whether the server is in the world of a moment once it is shown these texts, and
// what it said of a file then stands by itself.
func (s *stream) returnsTo(then *Moment, texts map[string][]byte, path string) bool {
	if !s.speaksOnlyAsked(path) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	world, known := then.worlds[s.key]
	return known && s.server != nil && s.server.WorldWith(texts) == world
}

// speaksOnlyAsked reports whether the server has reported only in answers about single files, and
// its last report on this file was such an answer.
func (s *stream) speaksOnlyAsked(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	return s.onlyAnswers && !s.ended && f != nil && f.asked
}

func (s *stream) reinstate(file File, was statement) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.fileLocked(file.Path)
	f.items, f.epoch = was.items, s.collector.epochs.next()
	s.keepTextLocked(file.Path, prior{known: true, text: file.Content, items: was.items, quick: was.quick})
}
