package diagnostics

import (
	"bytes"
	"maps"
	"slices"
)

// "Older" is what was wrong before the session began; what an earlier change of the
// session broke, and nobody mended since, remains. So of each file is kept what was
// wrong with it at the beginning: its origin.

// Each session has origins of its own.

// origins are what was wrong with files before a session changed anything, by path; a file has
// none before the first answer about it.
type origins struct {
	of map[string]origin
	// founded says that there was an answer: what comes later came with the session.
	founded bool
}

// An origin is what was wrong with a file.
type origin struct {
	prior
	// assumed says that the session had not asked about the file: what others were told of it
	// stands for what the session will be told when it asks.
	assumed bool
}

// noteOrigins gives the files that something is known of for the first time their
// origin. After a probe, which shows the state before a change, all that is wrong is
// older than the session. After an answer it is not: its reader was told of it as new.
// But what a server publishes of files that nobody asked about is older if it comes with
// the first answer of all, and so is what only other sessions were told. If it comes with a later
// answer about changes that concern no other file, it may only be late: the next answer tells.
func (c *Collector) noteOrigins(req Request) {
	asked, narrow := make(map[string]bool, len(req.Files)), true
	for _, f := range req.Files {
		asked[f.Path] = true
		narrow = narrow && (f.Narrow || f.Closed)
	}
	for _, s := range c.allStreams() {
		s.noteOrigins(req.Session, req.Probe, narrow || !req.OthersToo, asked)
	}
}

func (s *stream) noteOrigins(session string, probe, narrow bool, asked map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.origins[session]
	if own == nil {
		own = &origins{of: make(map[string]origin)}
		s.origins[session] = own
	}
	for path, f := range s.files {
		if before, noted := own.of[path]; noted && !(before.assumed && asked[path]) || len(f.items) == 0 && !f.last.known {
			continue
		}
		if narrow && !probe && own.founded && !asked[path] && !f.last.known {
			continue
		}
		o := origin{prior: prior{known: true}, assumed: session != "" && !asked[path]}
		older := probe || !own.founded && (!f.last.known || o.assumed)
		if older && len(f.items) > 0 { // else the text is not needed
			o.text, o.items = f.last.text, f.items
		}
		own.of[path] = o
	}
	own.founded = own.founded || s.touched
}

// takeOrigins takes over the origins of a server's former process.
func (s *stream) takeOrigins(former *stream) {
	taken := make(map[string]*origins)
	former.mu.Lock()
	for session, own := range former.origins {
		taken[session] = &origins{maps.Clone(own.of), own.founded}
	}
	former.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.origins = taken
}

// originOf returns the origin of a file for a session, that of its former path if it was
// renamed.
func (s *stream) originOf(session string, f File) prior {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range []string{f.From, f.Path} {
		if origin, noted := s.originLocked(session, path); noted {
			return origin
		}
	}
	return prior{}
}

func (s *stream) originLocked(session, path string) (_ prior, noted bool) {
	own := s.origins[session]
	if own == nil {
		return prior{}, false
	}
	o, noted := own.of[path]
	return o.prior, noted
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

// noteHeard notes that a session has a complete answer about the text of a file.
func (c *Collector) noteHeard(session string, f File) {
	if session == "" {
		return
	}
	for _, source := range f.Sources {
		s := c.stream(source.Key)
		s.mu.Lock()
		if state := s.files[f.Path]; state != nil && state.last.known && state.last.text != nil && bytes.Equal(state.last.text, f.Content) {
			if state.heard == nil {
				state.heard = make(map[string][]byte)
			}
			state.heard[session] = state.last.text
		}
		s.mu.Unlock()
	}
}

// lastTextLocked returns the text of which a session last had a complete answer. The
// nameless one is the only one of its process, so all answers are its own.
func (f *fileState) lastTextLocked(session string) (text []byte, known bool) {
	if session != "" {
		text, known = f.heard[session]
		return text, known
	}
	return f.last.text, f.last.known && f.last.text != nil
}

// LastText returns the text of a file that a server last judged completely for a session;
// false if none did. standing says that it is also the text that the server judged last for
// anybody.
func (c *Collector) LastText(session, path string, sources []Source) (text []byte, standing, known bool) {
	for _, source := range sources {
		s := c.stream(source.Key)
		s.mu.Lock()
		state := s.files[path]
		if state != nil {
			text, known = state.lastTextLocked(session)
			standing = known && state.last.known && bytes.Equal(text, state.last.text)
		}
		s.mu.Unlock()
		if known {
			return text, standing, true
		}
	}
	return nil, false, false
}

// Judged returns the files that some server judged completely for a session, with the text
// that it judged last for it.
func (c *Collector) Judged(session string) map[string][]byte {
	judged := make(map[string][]byte)
	for _, s := range c.allStreams() {
		s.mu.Lock()
		for path, f := range s.files {
			if text, known := f.lastTextLocked(session); known {
				judged[path] = text
			}
		}
		s.mu.Unlock()
	}
	return judged
}

// Came returns the files with findings that were not there when the files were first judged,
// sorted. For a named session it returns only files that the session was told something about.
func (c *Collector) Came(session string) []string {
	came := make(map[string]bool)
	for _, s := range c.allStreams() {
		s.mu.Lock()
		for path, f := range s.files {
			_, heard := f.heard[session]
			if !s.ended && s.cameLocked(session, path, f) && (session == "" || heard || len(f.told[session]) > 0) {
				came[path] = true
			}
		}
		s.mu.Unlock()
	}
	return slices.Sorted(maps.Keys(came))
}

// EndSession forgets what belongs to a session. An unknown name is ignored.
func (c *Collector) EndSession(session string) {
	c.mu.Lock()
	c.late = slices.DeleteFunc(c.late, func(l lateAnswer) bool { return l.session == session })
	c.mu.Unlock()
	for _, s := range c.allStreams() {
		s.mu.Lock()
		delete(s.owed, session)
		delete(s.origins, session)
		for _, f := range s.files {
			delete(f.told, session)
			delete(f.heard, session)
		}
		s.mu.Unlock()
	}
}
