package diagnostics

import (
	"bytes"
	"slices"

	"github.com/lspine/lspine/internal/registry"
)

// Reinstate makes known again what servers had said of files at a moment. Since then they were
// shown other texts of these files, or of some that these use, and judged them completely; now
// they are to be shown the former texts again. It returns the files that have to be asked about
// instead: those of servers that also say something unasked, which would be about the other texts,
// and those of which it was not known at that moment what is wrong with their content.
//
// What is reinstated is a baseline and no answer: what the server was told since then makes sure
// that who asks about such a file has the server asked.
func (c *Collector) Reinstate(then *Moment, session string, files []File) (left []File) {
	now := c.disturbed()
	for _, f := range files {
		if !c.mayReinstate(then, f, now) {
			left = append(left, f)
			continue
		}
		for _, source := range f.Sources {
			c.stream(source.Key).reinstate(f.Path, then.priors[source.Key][f.Path])
		}
		c.noteHeard(session, f)
	}
	return left
}

func (c *Collector) mayReinstate(then *Moment, f File, disturbed uint64) bool {
	return len(f.Sources) > 0 && !slices.ContainsFunc(f.Sources, func(source Source) bool {
		p, s := then.priors[source.Key][f.Path], c.stream(source.Key)
		known := p.known && !p.imagined && !p.overdue && p.disturbed == disturbed && bytes.Equal(p.text, f.Content)
		return !known || then.streams[source.Key] != s || !s.speaksOnlyAsked(f.Path)
	})
}

// speaksOnlyAsked reports whether the server has said nothing of its files but in answers about
// each, one of which was the last about this file.
func (s *stream) speaksOnlyAsked(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	return s.onlyAnswers && !s.ended && f != nil && f.asked
}

// onlyAnswers reports whether a server says what is wrong with a file only when it is asked about
// that one, and then says what is wrong now.
func onlyAnswers(d *registry.Definition) bool {
	how := d.Diagnostics
	return slices.Equal(how.Strategies, []registry.Strategy{registry.Pull}) && len(how.FileStrategies) == 0 && how.AnnouncePull &&
		how.Disk == nil && how.ClosedFiles != registry.ClosedPushes && !d.Has(registry.ConfirmErrors)
}

func (s *stream) reinstate(path string, p prior) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.fileLocked(path)
	f.items, f.epoch = p.items, s.collector.epochs.next()
	s.keepTextLocked(path, p)
}
