package diagnostics

import (
	"bytes"
	"slices"

	"github.com/lspine/lspine/internal/registry"
)

// Reinstate makes what servers had reported about files at a moment known again. Since then the
// servers were shown other texts of these files, or of files that these use, and have judged them
// completely; now they are about to be shown the former texts again. It returns the files that must
// be checked instead: those of servers that also publish without being asked, since such a publish
// would be about the other texts, and those whose findings were not known at that moment.
//
// The reinstated findings are a baseline and not an answer: because the server was told something
// since, a check of such a file asks the server.
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

// speaksOnlyAsked reports whether the server has reported only in answers about single files, and
// its last report on this file was such an answer.
func (s *stream) speaksOnlyAsked(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	return s.onlyAnswers && !s.ended && f != nil && f.asked
}

// onlyAnswers reports whether a server reports on a file only in an answer about that file, and its
// answers are up to date.
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
