package diagnostics

import (
	"maps"
	"slices"
)

// "Older" is what was wrong before the session began; what an earlier change of the
// session broke, and nobody mended since, remains. So of each file is kept what was
// wrong with it at the beginning: its origin.

// noteOrigins gives the files that something is known of for the first time their
// origin. After a probe, which shows the state before a change, all that is wrong is
// older than the session. After an answer it is not: its reader was told of it as new.
// But what a server publishes of files that nobody asked about is older if it comes with
// the first answer of all.
func (c *Collector) noteOrigins(probe bool) {
	for _, s := range c.allStreams() {
		s.noteOrigins(probe)
	}
}

func (s *stream) noteOrigins(probe bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, f := range s.files {
		if _, noted := s.origins[path]; noted || len(f.items) == 0 && !f.last.known {
			continue
		}
		origin := prior{known: true}
		older := probe || !s.founded && !f.last.known
		if older && len(f.items) > 0 { // else the text is not needed
			origin.text, origin.items = f.last.text, f.items
		}
		s.origins[path] = origin
	}
	s.founded = s.founded || s.touched
}

// takeOrigins takes over the origins of a server's former process.
func (s *stream) takeOrigins(former *stream) {
	former.mu.Lock()
	origins, founded := maps.Clone(former.origins), former.founded
	former.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.origins, s.founded = origins, founded
}

// originOf returns the origin of a file, that of its former path if it was renamed.
func (s *stream) originOf(f File) prior {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range []string{f.From, f.Path} {
		if origin, noted := s.origins[path]; noted {
			return origin
		}
	}
	return prior{}
}

// standing returns those of the remaining findings that are not of the origin.
func standing(content []byte, answers []Answer, remaining []Diagnostic) []Diagnostic {
	if len(remaining) == 0 {
		return nil
	}
	origins := make([]Answer, 0, len(answers))
	for _, a := range answers {
		if a.origin.known {
			a.prior = a.origin
			origins = append(origins, a)
		}
	}
	if len(origins) == 0 {
		return nil
	}
	later, _, _ := compare(content, origins, remaining, nil)
	return later
}

// LastText returns the text of a file that a server last judged completely; false if
// none did.
func (c *Collector) LastText(path string, sources []Source) ([]byte, bool) {
	for _, source := range sources {
		s := c.stream(source.Key)
		s.mu.Lock()
		state := s.files[path]
		known := state != nil && state.last.known && state.last.text != nil
		var text []byte
		if known {
			text = state.last.text
		}
		s.mu.Unlock()
		if known {
			return text, true
		}
	}
	return nil, false
}

// Judged returns the files that some server judged completely, with the text that it
// judged last.
func (c *Collector) Judged() map[string][]byte {
	judged := make(map[string][]byte)
	for _, s := range c.allStreams() {
		s.mu.Lock()
		for path, f := range s.files {
			if f.last.known && f.last.text != nil {
				judged[path] = f.last.text
			}
		}
		s.mu.Unlock()
	}
	return judged
}

// Came returns the files with findings that were not there when the session began,
// sorted.
func (c *Collector) Came() []string {
	came := make(map[string]bool)
	for _, s := range c.allStreams() {
		s.mu.Lock()
		for path, f := range s.files {
			if !s.ended && s.cameLocked(path, f) {
				came[path] = true
			}
		}
		s.mu.Unlock()
	}
	return slices.Sorted(maps.Keys(came))
}
